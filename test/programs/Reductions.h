// Reductions: what is left of a field at the end of a run.
//
//   stencil bars(y, x) {
//     field f64 u;
//     boundary u: fixed;
//     u' = 0.25*(u[y-1] + u[y+1] + u[x-1] + u[x+1]);
//     reduce sum energy on y[1:] = u*u;
//     reduce max slope = abs(u[x+1] - u);
//   }
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

Stencil bars();
/// The sum alone, by a tree of 32 lanes that take a number each: 32 rows fill its second level,
/// 1025 begin the third one, 32768 fill that.
Stencil barsOfAWarp();

} // namespace stencilc
