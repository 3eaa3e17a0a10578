#include "codegen/lower/GridReads.h"

#include "codegen/lower/ReadNames.h"
#include "codegen/lower/UpdateBox.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

GridReads::GridReads(KernelBuilder &kernel, const Stencil &stencil, const StepFormula &formula,
                     Point point, Place place)
    : kernel(kernel), stencil(stencil), formula(formula), point(std::move(point)),
      place(std::move(place)) {}

/// The end of an axis that a read with this offset may lie beyond.
static Side sideOf(int offset) { return offset < 0 ? Low : High; }

static bool isMirror(BoundaryKind kind) {
  return kind == BoundaryKind::Reflect || kind == BoundaryKind::Symmetric;
}

static const Boundary &boundaryOf(const Stencil &stencil, const Read &read, unsigned axis) {
  return stencil.arrays[read.array].boundary[axis][sideOf(read.offset[axis])];
}

Range GridReads::inside(const Read &read, unsigned axis) const {
  Index index = add(point[axis], read.offset[axis]);
  return sideOf(read.offset[axis]) == Low ? Range{index, constant(0), nullptr}
                                          : Range{index, nullptr, extent(axis)};
}

Value GridReads::operator()(Body &body, const Read &read) {
  const Array &array = stencil.arrays[read.array];
  Point where;
  for (unsigned axis : array.axes)
    where.push_back(neighbour(body, read, axis));
  Value value = place(read, std::move(where));
  Box onGrid; // along the axes that have numbers outside
  // The axis named first decides what stands outside, so its guard is the outermost.
  for (unsigned axis : llvm::reverse(array.axes)) {
    const int offset = read.offset[axis];
    if (offset == 0 || boundaryOf(stencil, read, axis).kind != BoundaryKind::Value)
      continue;
    Value outside = formula.tree(kernel, formula.outside(read.array, axis, sideOf(offset)));
    onGrid.push_back(inside(read, axis));
    value = makeValue(array.type, GuardedValue{{onGrid.back()}, value, outside});
  }
  // What is mirrored takes its factor, any other value takes one: no operation is under a guard.
  const auto number = [&](double number) { return makeValue(array.type, LiteralValue{number}); };
  const auto choose = [&](Box box, Value then, Value otherwise) {
    return makeValue(array.type, GuardedValue{std::move(box), then, otherwise});
  };
  for (unsigned axis : array.axes) {
    const Boundary &boundary = boundaryOf(stencil, read, axis);
    if (read.offset[axis] == 0 || !isMirror(boundary.kind) || boundary.factor == 1)
      continue;
    Value factor = number(boundary.factor);
    if (!onGrid.empty())
      factor = choose(onGrid, factor, number(1));
    value = makeValue(array.type, BinaryValue{BinaryOp::Multiply, value,
                                              choose({inside(read, axis)}, number(1), factor)});
  }
  return value;
}

Value GridReads::within(const Area &area, Body &body, const Read &read) {
  const Array &array = stencil.arrays[read.array];
  Box isRead;
  for (unsigned axis : llvm::reverse(array.axes)) {
    const int offset = read.offset[axis];
    const Side side = sideOf(offset);
    if (boundaryOf(stencil, read, axis).kind == BoundaryKind::Fixed &&
        distance(offset, side) > leftOut(area[axis], side))
      isRead.push_back(inside(read, axis));
  }
  Value value = (*this)(body, read);
  if (isRead.empty())
    return value;
  return makeValue(array.type, GuardedValue{isRead, value, makeValue(array.type, LiteralValue{0})});
}

Index GridReads::neighbour(Body &body, const Read &read, unsigned axis) {
  const int offset = read.offset[axis];
  Index index = add(point[axis], offset);
  const BoundaryKind kind = boundaryOf(stencil, read, axis).kind;
  const bool isMapped =
      kind == BoundaryKind::Clamp || isMirror(kind) || kind == BoundaryKind::Periodic;
  if (offset == 0 || !isMapped)
    return index;
  Index &named = neighbours[{kind, axis, offset}];
  if (named)
    return named;
  Index mapped = kind != BoundaryKind::Clamp ? map(kind, axis, index)
                 : offset < 0                ? maximum(index, constant(0))
                                             : minimum(index, add(extent(axis), -1));
  Offset only = {};
  only[axis] = offset;
  return named =
             kernel.letIndex(body, stencil.axes[axis] + direction(only, stencil.rank()), mapped);
}

GridReads GridReads::movedAlong(unsigned axis, Index index, llvm::ArrayRef<Read> reads,
                                Body &body) {
  for (const Read &read : reads)
    for (unsigned other : stencil.arrays[read.array].axes)
      if (other != axis)
        neighbour(body, read, other);
  GridReads moved = *this;
  moved.point[axis] = std::move(index);
  std::erase_if(moved.neighbours,
                [&](const auto &named) { return std::get<unsigned>(named.first) == axis; });
  return moved;
}
