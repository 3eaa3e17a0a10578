// UnusedNames: indices that a body names and never uses. A lowering names what several branches may
// need before it knows which of them will stand.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// Takes out every LetIndex, in `body` and the bodies in it, whose local stands in no index but
/// those of names that are taken out too. Locals keep their numbers.
void dropUnusedIndices(Body &body);

} // namespace stencilc
