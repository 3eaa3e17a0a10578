// SharedSides: what both sides of a `where` do is done once.
//
// An upwind flux is `where(v > 0, f(a, b), f(b, c))`. Every point makes both sides and throws one
// away, unless a compiler makes branches, which the lanes of a warp take one after the other. Where
// both are the same operations on other values, these are chosen instead,
// `f(where(v > 0, a, b), where(v > 0, b, c))`. The bits are the same: each operation gets the
// operands of the side that is taken. Reads stay what they were, as a `where` reads both sides.
//
// So it is where that takes away kLeastWork, and more operations than there are values to choose;
// and in formulas that are less work by it as a whole, since a side may be wanted for itself.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// The stencil with such formulas. Arrays keep their numbers, and boundaries their values.
Stencil withSidesShared(Stencil stencil);

} // namespace stencilc
