// The audit: dynamic checks of a Program on one set of extents, beyond what the verifier proves.
#pragma once

#include "ir/kernel/Program.h"

#include "llvm/Support/Error.h"

namespace stencilc {

/// Performs as many steps as a field can have buffers, on a grid of the given extents (slowest axis
/// first, rank() of them, none below the signature's minimum), and reports the first fault:
///  - an element of a newest level, ghost points included, that neither this step nor an earlier
///  one
///    that wrote the same buffer has written (a buffer that started as the newest level counts as
///    written);
///  - an element written twice in a step; one read that nothing wrote; one that a thread of a
///  launch
///    writes and another reads;
///  - two threads of a block that touch one shared element with no barrier of both between, one of
///  them
///    writing; a shared element or a register read before it is written, or before a copy to it
///    has arrived;
///  - an access out of bounds; a barrier that not all threads of a warp, or not all warps, reach.
/// Where warps share tiles, this is done for three orders in which they may take turns.
/// `phase` is the number of elements by which the arrays' point (0,0,0) follows a 128-byte line.
llvm::Error audit(const Program &program, llvm::ArrayRef<int64_t> extents, int phase = 0);

} // namespace stencilc
