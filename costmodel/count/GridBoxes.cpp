#include "costmodel/count/GridBoxes.h"

#include "ir/kernel/Index.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace stencilc;

/// Makes `box` the union of both if that is a box.
static bool join(GridBox &box, const GridBox &other) {
  unsigned differing = 0, at = 0;
  bool isInside = true, surrounds = true;
  for (unsigned axis = 0; axis < kMaxRank; ++axis) {
    const Interval &own = box[axis], &others = other[axis];
    isInside &= others.first <= own.first && own.last <= others.last;
    surrounds &= own.first <= others.first && others.last <= own.last;
    if (own != others) {
      ++differing;
      at = axis;
    }
  }
  if (surrounds)
    return true;
  if (isInside) {
    box = other;
    return true;
  }
  const Interval &own = box[at], &others = other[at];
  if (differing > 1 || own.last + 1 < others.first || others.last + 1 < own.first)
    return false;
  box[at] = {std::min(own.first, others.first), std::max(own.last, others.last)};
  return true;
}

void stencilc::joinBoxes(std::vector<GridBox> &boxes) {
  for (bool joined = true; joined;) {
    joined = false;
    for (size_t kept = 0; kept < boxes.size(); ++kept)
      for (size_t next = kept + 1; next < boxes.size();)
        if (join(boxes[kept], boxes[next])) {
          boxes.erase(boxes.begin() + next);
          joined = true;
        } else {
          ++next;
        }
  }
}

/// Calls `row(z, y, count, pieces)` for each group of equal rows of the union: `count` rows, in
/// each of which so many pieces along the contiguous axis are covered.
template <class Measure>
static uint64_t unionOf(llvm::ArrayRef<GridBox> boxes, unsigned contiguous,
                        const Measure &measure) {
  // Cuts along the other axes, between which nothing changes.
  std::array<llvm::SmallVector<int64_t, 8>, kMaxRank> cuts;
  for (unsigned axis = 0; axis < kMaxRank; ++axis) {
    if (axis == contiguous) {
      cuts[axis] = {0, 1};
      continue;
    }
    for (const GridBox &box : boxes)
      cuts[axis].append({box[axis].first, box[axis].last + 1});
    std::ranges::sort(cuts[axis]);
    cuts[axis].erase(std::unique(cuts[axis].begin(), cuts[axis].end()), cuts[axis].end());
  }
  uint64_t sum = 0;
  llvm::SmallVector<Interval, 8> along;
  std::array<int64_t, kMaxRank> cell;
  const auto covers = [&](const GridBox &box) {
    for (unsigned axis = 0; axis < kMaxRank; ++axis)
      if (axis != contiguous && (cell[axis] < box[axis].first || box[axis].last < cell[axis]))
        return false;
    return true;
  };
  for (size_t i = 0; i + 1 < cuts[0].size(); ++i)
    for (size_t j = 0; j + 1 < cuts[1].size(); ++j)
      for (size_t k = 0; k + 1 < cuts[2].size(); ++k) {
        cell = {cuts[0][i], cuts[1][j], cuts[2][k]};
        along.clear();
        for (const GridBox &box : boxes)
          if (covers(box))
            along.push_back(box[contiguous]);
        const uint64_t rows = uint64_t(cuts[0][i + 1] - cuts[0][i]) *
                              (cuts[1][j + 1] - cuts[1][j]) * (cuts[2][k + 1] - cuts[2][k]);
        if (!along.empty())
          sum += rows * measure(along);
      }
  return sum;
}

uint64_t stencilc::covered(llvm::MutableArrayRef<Interval> intervals) {
  llvm::sort(intervals,
             [](const Interval &left, const Interval &right) { return left.first < right.first; });
  uint64_t sum = 0;
  int64_t end = intervals.front().first;
  for (const Interval &interval : intervals) {
    sum += std::max<int64_t>(interval.last + 1 - std::max(interval.first, end), 0);
    end = std::max(end, interval.last + 1);
  }
  return sum;
}

uint64_t stencilc::unionSize(llvm::ArrayRef<GridBox> boxes, unsigned rank) {
  return unionOf(boxes, rank - 1,
                 [](llvm::MutableArrayRef<Interval> along) { return covered(along); });
}

uint64_t stencilc::sizeOfOverlaps(llvm::ArrayRef<GridBox> boxes, unsigned rank) {
  return unionOf(boxes, rank - 1, [](llvm::MutableArrayRef<Interval> along) {
    llvm::sort(along, [](const Interval &left, const Interval &right) {
      return left.first < right.first;
    });
    uint64_t sum = 0;
    int64_t once = along.front().first, twice = once; // what is seen lies below
    for (const Interval &interval : along) {
      const int64_t end = interval.last + 1, again = std::min(end, once);
      sum += std::max<int64_t>(again - std::max(interval.first, twice), 0);
      twice = std::max(twice, again);
      once = std::max(once, end);
    }
    return sum;
  });
}

uint64_t stencilc::unionPieces(llvm::ArrayRef<GridBox> boxes, unsigned contiguous,
                               int64_t pieceElements) {
  return unionOf(boxes, contiguous, [&](llvm::MutableArrayRef<Interval> along) {
    for (Interval &interval : along)
      interval = {euclideanQuotient(interval.first, pieceElements),
                  euclideanQuotient(interval.last, pieceElements)};
    return covered(along);
  });
}

std::vector<GridBox> stencilc::boxesOfGroup(llvm::ArrayRef<GridBox> boxes,
                                            const std::array<int64_t, kMaxRank> &cover,
                                            const std::array<int64_t, kMaxRank> &blocks) {
  std::vector<GridBox> group(boxes.begin(), boxes.end());
  for (GridBox &box : group)
    for (unsigned axis = 0; axis < kMaxRank; ++axis)
      box[axis].last += (blocks[axis] - 1) * cover[axis];
  joinBoxes(group);
  return group;
}
