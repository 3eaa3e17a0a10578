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

FusedMarch::Move FusedMarch::intoPatch(const Field &field, PatchElement row) {
  const unsigned argument = arrays.argument(field.array, TimeLevel::Current);
  return [=, this](int first, int lanes, const Point &from) -> Statement {
    std::vector<Index> at = row.at;
    at.back() = c(first);
    if (lanes > 1)
      return {LoadVector{{row.patch, at, unsigned(lanes)}, argument, from}};
    return {AssignElement{row.patch, at, builder.load(argument, from)}};
  };
}

FusedMarch::Move FusedMarch::ahead(const Field &field, int turns, const Index &row) {
  if (!keepsComingShared)
    return intoPatch(field, {field.coming, {c(turns), row, c(0)}});
  return [=, this, argument = arrays.argument(field.array, TimeLevel::Current)](
             int first, int lanes, const Point &from) -> Statement {
    return {CopyAsync{field.coming, comingAt(turns, row, first), argument, from, unsigned(lanes)}};
  };
}

std::vector<Index> FusedMarch::comingAt(int turns, const Index &row, int first) const {
  const Index place = turn ? add(add(turn, phase), turns) : c(turns);
  return {remainder(place, schedule.prefetch + 1), add(scale(thread(1), rows), row),
          add(scale(thread(0), points), first)};
}

void FusedMarch::loadRow(Body &body, const Field &field, const Move &move, Index plane,
                         const Index &row, Tile tile) {
  const int lanes = isAligned ? field.lanes : 1;
  if (tile == Tile::Inside) {
    for (int first = 0; first < points; first += lanes)
      body.push_back(move(first, lanes, pointOf(plane, row, add(x, first))));
    return;
  }
  Point from = placeOf(field, pointOf(plane, row, x), tile); // of the whole row
  for (unsigned axis = tile == Tile::BesideEnds; axis + 1 < rank; ++axis)
    from[axis] = builder.letIndex(body, stencil.axes[axis] + "_from", from[axis]);
  for (int first = 0; first < points; first += lanes) {
    Body single;
    for (int i = first; i < first + lanes; ++i) {
      from.back() = placeOf(field, pointOf(plane, row, add(x, i)), tile).back();
      single.push_back(move(i, 1, from));
    }
    if (lanes == 1) {
      llvm::move(single, std::back_inserter(body));
      continue;
    }
    from.back() = add(x, first);
    body.push_back({If{{{from.back(), c(0), add(extent(rank - 1), 1 - lanes)}},
                       {move(first, lanes, from)},
                       std::move(single)}});
  }
}

void FusedMarch::take(Body &body, const Field &field, const Index &row, Tile tile) {
  const auto newest = [&](int i) { return planeAt(field, reach.lag, c(0), row, c(i)); };
  if (schedule.prefetch == 0)
    loadRow(body, field, intoPatch(field, newest(0)), z, row, tile);
  else if (keepsComingShared)
    for (int first = 0; first < points; first += field.lanes) {
      const PatchElement to = newest(first);
      if (field.lanes > 1)
        body.push_back({LoadSharedVector{
            {to.patch, to.at, unsigned(field.lanes)}, field.coming, comingAt(0, row, first)}});
      else
        body.push_back({AssignElement{
            to.patch, to.at,
            makeValue(typeOf(field), LoadShared{field.coming, comingAt(0, row, first)})}});
    }
  else
    for (int i = 0; i < points; ++i)
      body.push_back({AssignElement{newest(i).patch, newest(i).at,
                                    element(typeOf(field), field.coming, {c(0), row, c(i)})}});
  if (tile == Tile::Inside)
    return;
  for (int i = 0; i < points; ++i) {
    const Value taken = makeValue(typeOf(field), newest(i));
    const Value seen = orOutside(field, pointOf(z, row, add(x, i)), taken, tile);
    if (seen != taken)
      body.push_back({AssignElement{newest(i).patch, newest(i).at, seen}});
  }
}

void FusedMarch::loadAhead(Body &body, Tile tile) {
  if (schedule.prefetch == 0)
    return;
  for (const Field &field : fields) {
    if (!keepsComingShared && schedule.prefetch > 1)
      body.push_back({ShiftPatch{field.coming}});
    builder.unroll(body, "row", 0, rows, [&](Body &body, const Index &row) {
      loadRow(body, field, ahead(field, schedule.prefetch - !keepsComingShared, row),
              add(z, schedule.prefetch), row, tile);
    });
  }
  if (keepsComingShared)
    body.push_back({CommitCopies{}});
}

// ---- leaving ------------------------------------------------------------------------------------

void FusedMarch::leave(Body &body, const Field &field, Tile tile) {
  const unsigned argument = arrays.argument(field.array, TimeLevel::Next);
  const bool mayEnd = tile != Tile::Inside;
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
