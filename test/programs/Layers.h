// Layers: regions bounded by a whole param, formulas that read the step's number and an array over
// time.
//
//   stencil layers(z, y, x) {
//     field f64 u;                      const f64 pulse(t);
//     param int surface = 3;            param f64 a = 0.125;
//     boundary u: clamp;
//     u' on z[:surface] = u + a*(u[x-1] + u[x+1]) + t*x;
//     u' on z[surface:] = u + a*(u[z-1] + u[z+1]) + pulse;
//   }
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

Stencil layers();

/// Two launches a step: one covers the layers above the surface, the other the whole grid, where
/// its kernel leaves out what is above. Passes make `fused` steps (1 or 2) and single ones.
Program layersProgram(const Stencil &stencil, int fused);

} // namespace stencilc
