// Ghosts: layers of points around the grid that loops set from the points inside.
//
//   for (j = 1; j <= n; j++) { u[0][j] = u[n][j]; u[n + 1][j] = u[1][j]; }
//
// Where every read of a layer sees there what a boundary of the language gives (the nearest point,
// the other end, the mirror image, a number), in corners too, the layers become that boundary: the
// loops that set them go, and the grid is what is inside. It is exact for all points inside; what
// the loops leave in the layers is then no part of the state, which is said.
#pragma once

#include "frontend/lift/LoopTree.h"
#include "frontend/lift/Refusal.h"

namespace stencilc::lift {

/// False if there are no such layers, or if they are not that plain: then the tree stays as it is.
/// Layers that are set at the end of a step are read in the next one: what stands there before the
/// first step has to be assumed.
bool takeGhostsAsBoundaries(LoopTree &tree, Refusals &refusals, bool mayAssumeStart);

} // namespace stencilc::lift
