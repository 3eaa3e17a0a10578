// Extents: names the axes of a Grid, finds how many points there are along each, and holds every
// box of points against that.
#pragma once

#include "frontend/lift/Sweeps.h"

namespace stencilc::lift {

/// Sets names and extents of the axes, and adds what has to be assumed of bounds. False after a
/// refusal: arrays of different extents, or points that are read or written outside.
bool setExtents(Grid &grid, LoopTree &tree, Refusals &refusals);

const Polynomial &endOf(const Range &range, Side side);
/// The place up to which the points of a read may go towards that end without its leaving the
/// array.
Polynomial limitOf(const Grid &grid, const GridRead &read, unsigned axis, Side side);

/// A stencil reads both sides of a choice: where a condition keeps a read on the grid, something
/// has to stand beyond it. Sweeps are cut and joined by then.
void setBeyond(Grid &grid);

} // namespace stencilc::lift
