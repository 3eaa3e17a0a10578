// FrameCopy: the launches that bring the points which no update writes (frames and ghost points)
// into the buffer that a run makes its target for the first time.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// Appends, for every field with a second buffer, one FirstStep launch per slab around the points
/// its update writes; fields alike in type and ghost widths share a kernel.
void addFrameCopies(Program &program, const Stencil &stencil, const Stage &stage);

} // namespace stencilc
