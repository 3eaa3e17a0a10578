// Extents: names the axes of a Grid, finds how many points there are along each, and holds every
// box of points against that.
#pragma once

#include "frontend/lift/Sweeps.h"

namespace stencilc::lift {

/// Sets names and extents of the axes, and adds what has to be assumed of bounds. False after a
/// refusal: arrays of different extents, or points that are read or written outside.
bool setExtents(Grid &grid, LoopTree &tree, Refusals &refusals);

} // namespace stencilc::lift
