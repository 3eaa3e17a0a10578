// Scratch: arrays that a step only passes on within itself, and nobody wants afterwards.
#pragma once

#include "frontend/lift/Order.h"

namespace stencilc::lift {

/// By array of the grid.
struct Scratch {
  std::vector<bool> isScratch; ///< its new values alone are read, and only where they were made
  std::vector<bool> isFolded;  ///< it vanishes into what reads it
};

Scratch findScratch(const LoopTree &tree, const Grid &grid, const Order &order);

/// What a scratch array is a copy of, from the start of the step; none if it is none.
const Read *copied(const Grid &grid, const Order &order, unsigned array);

} // namespace stencilc::lift
