// JoinSweeps: points that a later assignment of the step makes anew out of their new value.
#pragma once

#include "frontend/lift/Sweeps.h"

namespace stencilc::lift {

/// True if a turn of the loops makes the same point in both.
bool takeSameTurns(const Sweep &first, const Sweep &second);

/// True if the sweep reads the new value of the very point that it makes.
bool readsOwnPoint(const Grid &grid, const Sweep &sweep);

/// What the second leaves at its points, made of what the first gives them: `u += w` after
/// `u = f(u, v)`. Both make the same points. None if the second reads what the turns of the first
/// need not see alike.
std::optional<Sweep> joined(const LoopTree &tree, const Grid &grid, const Sweep &first,
                            const Sweep &second);

} // namespace stencilc::lift
