// Order: which state every read of a step sees, and in which stages the step is made.
//
// In C a loop overwrites while it goes. Each read is held against each assignment that writes the
// array: by the loops around both and the distance between the points, the element was overwritten
// before the read, or is overwritten after it. A read of new values makes a stage after the one
// that makes them; a chain of those that comes back to its start is an update in place whose order
// matters, which no stencil is.
#pragma once

#include "frontend/lift/Sweeps.h"
#include "ir/stencil/Stencil.h"

namespace stencilc::lift {

struct Order {
  /// By sweep, then by number in LoopTree::accesses; only of arrays that are written.
  std::vector<std::map<unsigned, TimeLevel>> levels;
  std::vector<unsigned> stages; ///< by sweep, from 0 up
};

/// Cuts sweeps in parts where some of their points read old values and some new ones.
std::optional<Order> makeOrder(const LoopTree &tree, Grid &grid, Refusals &refusals);

} // namespace stencilc::lift
