// The audit: who touches which element when. It follows the plan of a Program on small grids,
// action by action, and walks every block of every launch (ir/walk); it computes no values. What it
// sees is beyond what the verifier proves, and presumes it: that accesses stay in their boxes, and
// that registers have values.
#pragma once

#include "ir/kernel/Program.h"

#include "llvm/Support/Error.h"

namespace stencilc {

/// Performs runs in which every kind of pass occurs and each buffer becomes the target, on a grid
/// of the given extents (slowest axis first, rank() of them, none below the signature's minimum),
/// and reports the first fault, with the launch, the statement and the element:
///  - a point that a pass owes (ir/kernel/Plan.h) and does not store; an element stored twice in a
///    pass;
///  - an element of a newest level, ghost points included, that neither this pass nor an earlier
///    one that stored to the same memory has made (memory that started as the newest level counts
///    as made);
///  - an element read that nothing wrote; one that a thread of a launch writes and another reads,
///    turns of a host's independent loops being threads;
///  - a caller's name that stands for the workspace when a run ends; an element of a newest level
///    that the epilogue moves only in part;
///  - two threads of a block that touch one shared element with no barrier of both between, one of
///    them writing; a shared element read before it is written, or before a copy to it has arrived;
///  - a barrier or a shuffle that not all threads of a warp reach, a barrier that not all of its
///    warps reach.
/// `phase` is the number of elements by which the arrays' point (0,0,0) follows a 128-byte line;
/// rows follow each other without padding.
llvm::Error audit(const Program &program, llvm::ArrayRef<int64_t> extents, int phase = 0);

/// The same on grids that the Program's launches ask for:
///  - with blocks at both ends of an axis and one between, the last not full, and no row that
///  starts
///    where a line does; of blocks that advance more than 32 points, the ends are enough. All axes
///    have several blocks at once if that makes no more than 16384 points; else as many as do, in
///    turn, and few points along the others;
///  - if launches depend on where rows lie, the same with rows that lie as they ask, and of as many
///    points as they ask;
///  - with two blocks along a slower axis, each a slab of its own, and few points along the others;
///  - the least that is allowed.
/// Grids of more than 2^20 points are left out: reads from very far away ask for them.
llvm::Error audit(const Program &program);

} // namespace stencilc
