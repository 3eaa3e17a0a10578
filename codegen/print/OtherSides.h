// OtherSides: what branches do where their condition fails, element by element, in fewer lines; and
// where it holds, two vectors in one loop. Branches of one condition, and loops of them, are one.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// The body, with other sides of its branches that ask nothing which has just failed, and that go
/// over the same elements of several rows and arrays in one loop. Before them, vectors of two rows
/// that the same turns load are loaded by one loop. What several arrays load in the same way, one
/// loop or branch loads, with no more than two vectors.
Body shortOtherSides(Body body);

} // namespace stencilc
