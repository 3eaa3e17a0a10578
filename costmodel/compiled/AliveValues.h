// AliveValues: how many values of a kernel are alive at once where none is computed twice.
//
// A compiler finds what the points of a patch have in common, however it is written (common
// subexpressions), and keeps it from the first of them to the last: of non-local means the
// differences of all neighbours. Names do not tell of that.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// 32-bit words alive at once at most, in the order of the text, with the turns of unrolled loops
/// one after another: of elements of patches, of named values, and of those that a later statement
/// computes again. What no patch holds is loaded where the text loads it.
unsigned wordsAlive(const Kernel &kernel);

} // namespace stencilc
