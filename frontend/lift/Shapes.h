// Shapes: gives every buffer one subscript an axis.
//
// A flat buffer that is read as `a[(i*ny + j)*nx + k]` has rows of nx elements in planes of ny
// rows: what its loop variables are multiplied by says so, in all accesses together. Afterwards it
// has the extents [none, ny, nx], and the access the subscripts i, j, k.
#pragma once

#include "frontend/lift/LoopTree.h"
#include "frontend/lift/Refusal.h"

namespace stencilc::lift {

/// False after a refusal.
bool resolveShapes(LoopTree &tree, Refusals &refusals);

} // namespace stencilc::lift
