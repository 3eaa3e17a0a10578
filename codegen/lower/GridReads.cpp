#include "codegen/lower/GridReads.h"

#include "codegen/lower/ReadNames.h"
#include "codegen/lower/UpdateBox.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

GridReads::GridReads(KernelBuilder &kernel, const Stencil &stencil, const StepFormula &formula,
                     Here here, Place place)
    : kernel(kernel), stencil(stencil), formula(formula), here(std::move(here)),
      place(std::move(place)) {}

/// The end of an axis that a read with this offset may lie beyond.
static Side sideOf(int offset) { return offset < 0 ? Low : High; }

Reach GridReads::reachOf(const Read &read, unsigned axis) const {
  const int offset = read.offset[axis];
  const Side side = sideOf(offset);
  return {add(here.point[axis], offset),
          offset == 0 || isInside[axis][side] ? std::nullopt : std::optional(side)};
}

Value GridReads::operator()(Body &body, const Read &read) {
  Reaches reaches;
  Point where;
  for (unsigned axis : stencil.arrays[read.array].axes) {
    reaches[axis] = reachOf(read, axis);
    where.push_back(neighbour(body, read, axis));
  }
  return withOutside(kernel, stencil, formula, here.step, read.array, reaches,
                     place(read, std::move(where)));
}

Value GridReads::within(const Area &area, const std::optional<Area> &made, Body &body,
                        const Read &read) {
  const Array &array = stencil.arrays[read.array];
  Box isRead;
  for (unsigned axis : llvm::reverse(array.axes)) {
    const Reach reach = reachOf(read, axis);
    if (made) {
      const PointBox bounds = kernel.boxOf(*made);
      Range range{reach.index, nullptr, nullptr};
      if (mayLeave(area, *made, array, read, axis, Low))
        range.lower = bounds.begin[axis];
      if (mayLeave(area, *made, array, read, axis, High))
        range.upper = bounds.end[axis];
      if (range.lower || range.upper)
        isRead.push_back(range);
    } else if (reach.beyond && boundaryAt(array, axis, reach).kind == BoundaryKind::Fixed &&
               distance(read.offset[axis], *reach.beyond) > leftOut(area[axis], *reach.beyond)) {
      isRead.push_back(isOnGrid(axis, reach));
    }
  }
  Value value = (*this)(body, read);
  if (isRead.empty())
    return value;
  return makeValue(array.type, GuardedValue{isRead, value, makeValue(array.type, LiteralValue{0})});
}

Index GridReads::neighbour(Body &body, const Read &read, unsigned axis) {
  const Array &array = stencil.arrays[read.array];
  const Reach reach = reachOf(read, axis);
  if (!isBent(array, axis, reach))
    return reach.index;
  const int offset = read.offset[axis];
  Index &named = neighbours[{boundaryAt(array, axis, reach).kind, axis, offset}];
  if (named)
    return named;
  Offset only = {};
  only[axis] = offset;
  return named = kernel.letIndex(body, stencil.axes[axis] + direction(only, stencil.rank()),
                                 bent(array, axis, reach));
}

GridReads GridReads::movedAlong(unsigned axis, Index index, llvm::ArrayRef<Read> reads,
                                Body &body) {
  for (const Read &read : reads)
    for (unsigned other : stencil.arrays[read.array].axes)
      if (other != axis)
        neighbour(body, read, other);
  GridReads moved = *this;
  moved.here.point[axis] = std::move(index);
  std::erase_if(moved.neighbours,
                [&](const auto &named) { return std::get<unsigned>(named.first) == axis; });
  return moved;
}
