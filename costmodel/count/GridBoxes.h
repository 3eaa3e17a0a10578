// GridBoxes: boxes of grid points and their unions. A footprint (of a block, of neighbouring
// blocks, of the whole grid) is the union of a few boxes.
#pragma once

#include "ir/stencil/Stencil.h"

#include "llvm/ADT/ArrayRef.h"

namespace stencilc {

/// Points first .. last along an axis.
struct Interval {
  int64_t first = 0, last = -1;
  int64_t size() const { return last - first + 1; }
  bool operator==(const Interval &) const = default;
};
/// One interval per axis of the stencil, slowest first.
using GridBox = std::array<Interval, kMaxRank>;

/// Drops boxes inside others and joins those whose union is a box.
void joinBoxes(std::vector<GridBox> &boxes);

/// How many integers the intervals cover together, of which none is empty; sorts them.
uint64_t covered(llvm::MutableArrayRef<Interval> intervals);
/// Elements in the union of boxes.
uint64_t unionSize(llvm::ArrayRef<GridBox> boxes, unsigned rank);
/// Elements that several boxes hold.
uint64_t sizeOfOverlaps(llvm::ArrayRef<GridBox> boxes, unsigned rank);
/// Pieces (sectors, lines) of `pieceElements` elements in the union; piece boundaries along the
/// axis `contiguous` stand at multiples of it, and rows lie whole pieces apart.
uint64_t unionPieces(llvm::ArrayRef<GridBox> boxes, unsigned contiguous, int64_t pieceElements);
/// The boxes of a group of neighbouring blocks, per axis `blocks`, where each advances `cover`.
std::vector<GridBox> boxesOfGroup(llvm::ArrayRef<GridBox> boxes,
                                  const std::array<int64_t, kMaxRank> &cover,
                                  const std::array<int64_t, kMaxRank> &blocks);

} // namespace stencilc
