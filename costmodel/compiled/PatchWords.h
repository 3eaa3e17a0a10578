// PatchWords: how much of a kernel's patches lives in registers.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// 32-bit words of the elements that something reads; others a compiler leaves out. Indices of
/// patches are static: loops around them are unrolled.
unsigned patchWords(const Kernel &kernel);

/// Turns of a loop that is unrolled as written, or 1.
int64_t unrolledTripCount(const For &loop);

} // namespace stencilc
