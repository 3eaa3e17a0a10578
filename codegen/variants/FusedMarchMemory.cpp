// How a FusedMarch takes in the state and leaves what it made.
#include "codegen/lower/UpdateBox.h"
#include "codegen/variants/FusedMarch.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Index c(int64_t value) { return constant(value); }
static Index thread(unsigned dimension) { return coordinate(CoordinateKind::Thread, dimension); }

int FusedMarch::bytesOfPieces() const {
  int bytes = 0;
  for (const Field &field : fields)
    bytes = std::max(bytes, field.lanes * int(sizeInBytes(typeOf(field))));
  return bytes;
}

std::vector<unsigned> FusedMarch::movedBuffers() const {
  std::vector<unsigned> buffers;
  for (const Field &field : fields)
    for (TimeLevel level : {TimeLevel::Current, TimeLevel::Next})
      buffers.push_back(builder.buffers[arrays.argument(field.array, level)]);
  return buffers;
}

// ---- taking in ----------------------------------------------------------------------------------

void FusedMarch::loadInside(Body &body, const Field &field, PatchElement to, const Point &point) {
  const unsigned argument = arrays.argument(field.array, TimeLevel::Current);
  for (int i = 0; i < points; i += isAligned ? field.lanes : 1) {
    Point from = point;
    from.back() = add(point.back(), i);
    to.at.back() = c(i);
    if (isAligned)
      body.push_back({LoadVector{{to.patch, to.at, unsigned(field.lanes)}, argument, from}});
    else
      body.push_back({AssignElement{to.patch, to.at, builder.load(argument, from)}});
  }
}

void FusedMarch::loadRow(Body &body, const Field &field, PatchElement to, Index plane,
                         const Index &row, Tile tile) {
  if (tile == Tile::Inside)
    return loadInside(body, field, std::move(to), pointOf(std::move(plane), row, x));
  const ScalarType type = typeOf(field);
  const unsigned argument = arrays.argument(field.array, TimeLevel::Current);
  auto &[patch, at] = to;
  Point from = placeOf(field, pointOf(plane, row, x)); // of the whole row
  for (unsigned axis = 0; axis + 1 < rank; ++axis)
    from[axis] = builder.letIndex(body, stencil.axes[axis] + "_from", from[axis]);
  for (int first = 0; first < points; first += field.lanes) {
    Body single;
    for (int i = first; i < first + field.lanes; ++i) {
      const Point point = pointOf(plane, row, add(x, i));
      from.back() = placeOf(field, point).back();
      at.back() = c(i);
      single.push_back(
          {AssignElement{patch, at, orOutside(field, point, rank, builder.load(argument, from))}});
    }
    if (!isAligned) {
      llvm::move(single, std::back_inserter(body));
      continue;
    }
    const Point point = pointOf(plane, row, add(x, first));
    from.back() = point.back();
    at.back() = c(first);
    If whole{{{point.back(), c(0), add(extent(rank - 1), 1 - field.lanes)}},
             {{LoadVector{{patch, at, unsigned(field.lanes)}, argument, from}}},
             std::move(single)};
    for (int i = first; i < first + field.lanes; ++i) {
      at.back() = c(i);
      Value loaded = element(type, patch, at);
      if (Value value = orOutside(field, point, rank - 1, loaded); value != loaded)
        whole.then.push_back({AssignElement{patch, at, std::move(value)}});
    }
    body.push_back({std::move(whole)});
  }
}

// ---- leaving ------------------------------------------------------------------------------------

void FusedMarch::leave(Body &body, const Field &field, Tile tile) {
  const unsigned argument = arrays.argument(field.array, TimeLevel::Next);
  const bool mayEnd = tile == Tile::AtEnds;
  const Index made = add(z, -levels * reach.lag);
  const PointBox bounds = builder.boxOf(field.area);
  If planeIsRight{{{made, begin, end}}, {}, {}};
  if (mayEnd && field.area != around)
    planeIsRight.box.push_back({made, bounds.begin[0], bounds.end[0]});
  builder.unroll(planeIsRight.then, "row", 0, rows, [&](Body &body, const Index &row) {
    If rowIsRight{{}, {}, {}};
    if (rank == 3) {
      rowIsRight.box.push_back({add(scale(thread(1), rows), row), c(levels * reach.y),
                                c(warps * rows - levels * reach.y)});
      if (mayEnd)
        rowIsRight.box.push_back(
            {add(y, row), field.area == around ? nullptr : bounds.begin[1], bounds.end[1]});
    }
    for (int first = 0; first < points; first += field.lanes)
      rowIsRight.then.push_back(
          {If{{{add(scale(thread(0), points), first), c(rim()), c(width() - rim())}},
              storePiece(field, argument, pointOf(made, row, add(x, first)), row, first, mayEnd),
              {}}});
    if (rowIsRight.box.empty())
      llvm::move(rowIsRight.then, std::back_inserter(body));
    else
      body.push_back({std::move(rowIsRight)});
  });
  body.push_back({std::move(planeIsRight)});
}

Body FusedMarch::storePiece(const Field &field, unsigned argument, const Point &point,
                            const Index &row, int first, bool mayEnd) {
  const PatchElement made = planeAt(field, reach.lag, c(levels), row, c(first));
  Body whole = {{StoreVector{argument, point, {made.patch, made.at, unsigned(field.lanes)}}}};
  if (isAligned && !mayEnd)
    return whole;
  const Index &x = point.back();
  const PointBox bounds = builder.boxOf(field.area);
  const Index &begin = bounds.begin[rank - 1], &end = bounds.end[rank - 1];
  Body single;
  for (int i = 0; i < field.lanes; ++i) {
    Point to = point;
    to.back() = add(x, i);
    PatchElement from = made;
    from.at.back() = c(first + i);
    StoreGlobal store{argument, std::move(to), makeValue(typeOf(field), std::move(from))};
    if (mayEnd)
      single.push_back({If{{{add(x, i), begin, end}}, {{std::move(store)}}, {}}});
    else
      single.push_back({std::move(store)});
  }
  if (!isAligned)
    return single;
  return {{If{{{x, begin, add(end, 1 - field.lanes)}}, std::move(whole), std::move(single)}}};
}
