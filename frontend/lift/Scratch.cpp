#include "frontend/lift/Scratch.h"

#include "frontend/lift/Areas.h"
#include "frontend/lift/Numbers.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

/// An array whose new values alone are read, and only where they were made.
static bool isScratch(const LoopTree &tree, const Grid &grid, const Order &order, unsigned array) {
  if (grid.arrays[array].hasLevels())
    return false;
  const Sweep *writer = nullptr;
  for (const Sweep &sweep : grid.sweeps)
    if (sweep.array == array) {
      if (writer)
        return false;
      writer = &sweep;
    }
  bool isRead = false;
  for (auto [number, sweep] : llvm::enumerate(grid.sweeps))
    for (const auto &[access, read] : sweep.reads) {
      if (read.array != array || !writer)
        continue;
      isRead = true;
      if (order.levels[number].at(access) != TimeLevel::Next)
        return false;
      for (unsigned axis = 0; axis < grid.rank; ++axis) {
        const bool isWhole = sliceOf(writer->region[axis], grid.extents[axis], tree) == Slice();
        if (isWhole && read.kept[axis])
          continue;
        // A stencil reads both sides of a choice: also at points where C's condition does not hold.
        const Range &points = isWhole ? read.points[axis] : sweep.region[axis];
        const auto from = sum(points.from, read.offset[axis]);
        const auto to = sum(points.to, read.offset[axis]);
        const auto before = distance(writer->region[axis].from, *from);
        const auto behind = distance(*to, writer->region[axis].to);
        if (!before || !behind || *before > 0 || *behind > 0)
          return false;
      }
    }
  return isRead;
}

static bool hasEdges(const GridArray &array) {
  const auto isSet = [](const auto &edge) { return edge.has_value(); };
  return array.beyond != decltype(GridArray::beyond){} ||
         llvm::any_of(array.edges, [&](const auto &sides) { return llvm::any_of(sides, isSet); });
}

const Read *copied(const Grid &grid, const Order &order, unsigned array) {
  for (auto [number, sweep] : llvm::enumerate(grid.sweeps)) {
    if (sweep.array != array)
      continue;
    const auto *read = std::get_if<Read>(&sweep.value[sweep.value.result].node);
    const auto known = read ? sweep.reads.find(read->array) : sweep.reads.end();
    if (known == sweep.reads.end() || known->second.offset != Offset{})
      return nullptr;
    const GridArray &source = grid.arrays[known->second.array];
    const bool isOld =
        !source.isWritten || order.levels[number].at(read->array) == TimeLevel::Current;
    return isOld && !source.isOverTime && source.axes.size() == grid.rank &&
                   !hasEdges(grid.arrays[array])
               ? read
               : nullptr;
  }
  return nullptr;
}

Scratch findScratch(const LoopTree &tree, const Grid &grid, const Order &order) {
  Scratch found;
  for (unsigned array = 0; array < grid.arrays.size(); ++array) {
    bool isScratchHere = grid.arrays[array].isWritten && isScratch(tree, grid, order, array);
    bool isHere = isScratchHere, isRead = false;
    for (const Sweep &sweep : grid.sweeps)
      for (const auto &[_, read] : sweep.reads)
        if (read.array == array) {
          isRead = true;
          isHere &= read.offset == Offset{};
        }
    if (grid.arrays[array].isLocal && !isRead) // the Reader knew what was in it
      isHere = isScratchHere = true;
    found.isScratch.push_back(isScratchHere);
    found.isFolded.push_back(isHere || (isScratchHere && copied(grid, order, array)));
  }
  return found;
}

} // namespace stencilc::lift
