// OtherSides: what branches do where their condition fails, element by element, in fewer lines; and
// where it holds, two vectors in one loop.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// The body, with other sides of its branches that ask nothing which has just failed, and that go
/// over the same elements of several rows and arrays in one loop. Before them, vectors of two rows
/// that the same turns load are loaded by one loop.
Body shortOtherSides(Body body);

} // namespace stencilc
