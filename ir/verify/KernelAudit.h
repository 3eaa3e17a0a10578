// The audit: dynamic checks of a Program on one set of extents, beyond what the verifier proves.
#pragma once

#include "ir/kernel/Program.h"

#include "llvm/Support/Error.h"

namespace stencilc {

/// Performs runs in which every kind of pass occurs and each buffer becomes the target, on a grid
/// of the given extents (slowest axis first, rank() of them, none below the signature's minimum),
/// and reports the first fault:
///  - a point that a pass owes (ir/kernel/Plan.h) and does not store; an element stored twice in a
///    pass;
///  - an element of a newest level, ghost points included, that neither this pass nor an earlier
///    one that stored to the same memory has made (memory that started as the newest level counts
///    as made);
///  - an element read that nothing wrote; one that a thread of a launch writes and another reads;
///  - a caller's name that stands for the workspace when a run ends; an element of a newest level
///    that the epilogue moves only in part;
///  - two threads of a block that touch one shared element with no barrier of both between, one of
///    them writing; a shared element or a register read before it is written, or before a copy to
///    it has arrived;
///  - an access out of bounds; a barrier that not all threads of a warp, or not all warps, reach.
/// Where warps share tiles, this is done for three orders in which they may take turns; where whole
/// params bound regions, for the ends of their ranges too.
/// `phase` is the number of elements by which the arrays' point (0,0,0) follows a 128-byte line.
llvm::Error audit(const Program &program, llvm::ArrayRef<int64_t> extents, int phase = 0);

/// The same on the smallest grid that has the blocks at both ends of each axis and one between.
llvm::Error audit(const Program &program);

} // namespace stencilc
