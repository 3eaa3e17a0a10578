// FrameCopy: the launches that bring the points which no update writes (frames and ghost points)
// into each buffer that a run makes its target for the first time.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// For every field whose new level is stored in another buffer: one launch per slab around the
/// points its update writes, under the condition that the target is new. Adds the kernels to the
/// program; fields alike in type and ghost widths share one.
std::vector<When> frameCopies(Program &program, const Stencil &stencil);

} // namespace stencilc
