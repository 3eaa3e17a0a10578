// GatheredReads: neighbours that a thread reads box by box, as arrays of registers.
//
// A kernel of one point a thread has a name for each neighbour: `u_below_west`. A few are read at a
// glance. A hundred are not, each with a line that loads it and, in a march, one that moves it on.
// There a box of them becomes a patch that loops fill, as kernels of several points a thread have
// it, and columns that move on together become one. What is computed, and from which elements in
// which order, stays as it was.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// The program as its text has it, if neighbours of some kernel are gathered.
std::optional<Program> gatheredReads(const Program &program);

} // namespace stencilc
