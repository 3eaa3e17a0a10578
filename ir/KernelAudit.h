// The audit: dynamic checks of a Program on one set of extents, beyond what the verifier proves.
#pragma once

#include "ir/Program.h"

#include "llvm/Support/Error.h"

namespace stencilc {

/// Walks one step on a grid of the given extents (slowest axis first, rank() of them) and reports
/// the first fault: a point of a Target (or in-place) buffer, ghost points included, that the first
/// step leaves unwritten or writes twice; an updated point that a later step does not write exactly
/// once; two threads of a block that touch one shared element without a barrier between, one of
/// them writing; a shared element read before it is written; an out-of-bounds access.
/// `phase` is the number of elements by which the arrays' point (0,0,0) follows a 128-byte line.
llvm::Error audit(const Program &program, llvm::ArrayRef<int64_t> extents, int phase = 0);

} // namespace stencilc
