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
    if (!field.isTemp)
      bytes = std::max(bytes, field.lanes * int(sizeInBytes(typeOf(field))));
  return bytes;
}

llvm::ArrayRef<TimeLevel> FusedMarch::levelsInMemory(const Field &field) {
  static constexpr TimeLevel levels[] = {TimeLevel::Current, TimeLevel::Next};
  return llvm::ArrayRef(levels).take_front(field.isTemp ? 0 : 2);
}

std::vector<unsigned> FusedMarch::movedBuffers() const {
  std::vector<unsigned> buffers;
  for (const Field &field : fields)
    for (TimeLevel level : levelsInMemory(field))
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

FusedMarch::Move FusedMarch::ahead(const Field &field, const Index &turns, const Index &row) {
  if (!keepsComingShared)
    return intoPatch(field, {field.coming, {turns, row, c(0)}});
  return [=, this, argument = arrays.argument(field.array, TimeLevel::Current)](
             int first, int lanes, const Point &from) -> Statement {
    return {CopyAsync{field.coming, comingAt(turns, row, first), argument, from, unsigned(lanes)}};
  };
}

std::vector<Index> FusedMarch::comingAt(const Index &turns, const Index &row, int first) const {
  const Index place = turn ? remainder(add(add(turn, phase), turns), comingPlaces) : turns;
  return {place, add(scale(thread(1), rows), row), add(scale(thread(0), points), first)};
}

void FusedMarch::letPointer(Body &body, llvm::StringRef name, const Field &field, TimeLevel level,
                            const Index &plane) {
  builder.letPointer(body, name, pointOf(plane, c(0), x), /*isCarried=*/false,
                     builder.kernel.arrays[arrays.argument(field.array, level)].layout);
}

void FusedMarch::loadImages(Body &body, const Field &field, const Index &plane,
                            llvm::function_ref<Move(const Index &row)> moveOf) {
  const unsigned axis = rank - 1;
  const Index last = add(extent(axis), -field.lanes);
  std::vector<Index> pieces;
  for (int first = 0; first < points; first += field.lanes) {
    const Index at = minimum(add(x, first), add(last, margin(axis, High)));
    const Index image = map(BoundaryKind::Periodic, axis, maximum(at, c(-margin(axis, Low))));
    pieces.push_back(builder.letIndex(body, stencil.axes[axis] + "_from", minimum(image, last)));
  }
  builder.unroll(body, "row", 0, rows, [&](Body &body, const Index &row) {
    Point from = pointOf(plane, row, x);
    if (rank == 3)
      from[1] = builder.letIndex(body, stencil.axes[1] + "_from",
                                 placeInTile(stencil, schedule, field.array, 1, from[1]));
    const Move move = moveOf(row);
    for (auto [number, piece] : llvm::enumerate(pieces)) {
      from.back() = piece;
      body.push_back(move(number * field.lanes, field.lanes, from));
    }
  });
}

void FusedMarch::loadPlane(Body &body, const Field &field, const Index &plane,
                           llvm::function_ref<Move(const Index &row)> moveOf) {
  const int lanes = isAligned ? field.lanes : 1;
  const auto placeOf = [&](unsigned axis, const Index &index) {
    return placeInTile(stencil, schedule, field.array, axis, index);
  };
  const Index planeFrom =
      withinPlanes ? plane : builder.letIndex(body, stencil.axes[0] + "_from", placeOf(0, plane));
  const auto load = [&](Body &body, bool isWhole) {
    if (isWhole)
      letPointer(body, "from", field, TimeLevel::Current, planeFrom);
    builder.unroll(body, "row", 0, rows, [&](Body &body, const Index &row) {
      Point from = pointOf(planeFrom, row, x);
      if (rank == 3 && !isWhole)
        from[1] = builder.letIndex(body, stencil.axes[1] + "_from", placeOf(1, from[1]));
      const Move move = moveOf(row);
      const int count = isWhole ? lanes : 1;
      for (int first = 0; first < points; first += count) {
        const Index at = add(x, first);
        from.back() = isWhole ? at : placeOf(rank - 1, at);
        body.push_back(move(first, count, from));
      }
    });
  };
  if (withinTile) {
    load(body, true);
    return;
  }
  if (wrapsPieces() && (rank == 2 || isPeriodic(stencil, 1))) {
    loadImages(body, field, planeFrom, moveOf);
    return;
  }
  const bool fitsTile =
      (wrapsPieces() || fits(rank - 1, High)) && fits(1, High); // all its points are of the grid
  if (!keepsComingShared || fitsTile) {
    If isWhole{{}, {}, {}};
    if (!wrapsPieces())
      isWhole.box.push_back({x, c(0), add(extent(rank - 1), 1 - points)});
    if (rank == 3)
      isWhole.box.push_back({y, c(0), add(extent(1), 1 - rows)});
    if (wrapsPieces())
      loadImages(isWhole.then, field, planeFrom, moveOf);
    else
      load(isWhole.then, true);
    if (!keepsComingShared) // registers must get a value
      load(isWhole.otherwise, false);
    body.push_back({std::move(isWhole)});
    return;
  }
  // Parts of their own, for behind an `else` nvcc takes numbers that all threads share into
  // registers of each: of f64 two a number, which diffusion spilled. No room is above 0: threads
  // that have some are all alike to who counts what they do.
  std::vector<Index> rooms = {c(0), x, add(extent(rank - 1), add(scale(x, -1), -points))};
  if (rank == 3)
    rooms.insert(rooms.end(), {y, add(extent(1), add(scale(y, -1), -rows))});
  const Index room = builder.letIndex(body, "room_of_points", least(rooms));
  If isWhole{{{room, c(0), nullptr}}, {}, {}}, isPart{{{room, nullptr, c(0)}}, {}, {}};
  load(isWhole.then, true);
  load(isPart.then, false);
  body.push_back({std::move(isWhole)});
  body.push_back({std::move(isPart)});
}

void FusedMarch::take(Body &body, const Field &field, const Index &row) {
  const auto newest = [&](int i) { return planeAt(field, 0, c(0), row, c(i)); };
  if (keepsComingShared)
    for (int first = 0; first < points; first += field.lanes) {
      const PatchElement to = newest(first);
      if (field.lanes > 1)
        body.push_back({LoadSharedVector{
            {to.patch, to.at, unsigned(field.lanes)}, field.coming, comingAt(c(0), row, first)}});
      else
        body.push_back({AssignElement{
            to.patch, to.at,
            makeValue(typeOf(field), LoadShared{field.coming, comingAt(c(0), row, first)})}});
    }
  else
    for (int i = 0; i < points; ++i)
      body.push_back({AssignElement{newest(i).patch, newest(i).at,
                                    element(typeOf(field), field.coming, {c(0), row, c(i)})}});
}

void FusedMarch::loadAhead(Body &body) {
  if (schedule.prefetch == 0)
    return;
  for (const Field &field : fields) {
    if (field.isTemp)
      continue;
    if (!keepsComingShared && schedule.prefetch > 1)
      body.push_back({ShiftPatch{field.coming}});
    loadPlane(body, field, add(newestOf(field, c(0)), schedule.prefetch), [&](const Index &row) {
      return ahead(field, c(schedule.prefetch - !keepsComingShared), row);
    });
  }
  if (keepsComingShared)
    body.push_back({CommitCopies{}});
}

// ---- leaving ------------------------------------------------------------------------------------

bool FusedMarch::storesWholePieces() const {
  const unsigned axis = rank - 1;
  // The first tile, which begins with the grid, is right up to where the second one stores.
  const int longer = fits(axis, Low) ? ways.front().lower : 0;
  return (fits(axis, High) || wrapsPieces()) && longer % points == 0 &&
         margin(axis, Low) % points == 0 && margin(axis, High) % points == 0 &&
         llvm::all_of(fields, [&](const Field &field) {
           return field.isTemp || (leftOut(field.area[axis], Low) < points &&
                                   leftOut(field.area[axis], High) < points);
         });
}

bool FusedMarch::storesKept() const {
  const AxisSpan &row = around[rank - 1];
  return keepsLate && !partsTurns && keepsBySelects(rank - 1) &&
         std::max(leftOut(row, Low), leftOut(row, High)) > 0;
}

std::pair<Index, Index> FusedMarch::letStored(unsigned axis, const Index &first, int size) {
  const PointBox box = builder.boxOf(around);
  // 0 for a tile that reaches what is needed at the end, else 1 or more.
  const Index fromLow = add(first, add(scale(box.begin[axis], -1), marginAt(axis, Low)));
  const Index toHigh = add(add(box.end[axis], marginAt(axis, High) - size), scale(first, -1));
  const auto marginIf = [&](const Index &distance, Side side) {
    if (isPeriodic(stencil, axis))
      return c(margin(axis, side));
    return scale(minimum(maximum(distance, c(0)), c(1)), margin(axis, side));
  };
  const std::string &name = stencil.axes[axis];
  const bool isOfGrid = axis + 1 == rank && storesKept();
  const Index begin = add(first, marginIf(fromLow, Low)),
              end = add(add(first, size), scale(marginIf(toHigh, High), -1));
  return {
      builder.letIndex(body, name + "_begin", isOfGrid ? begin : maximum(begin, box.begin[axis])),
      builder.letIndex(body, name + "_end", minimum(end, isOfGrid ? extent(axis) : box.end[axis]))};
}

void FusedMarch::leave(Body &body, const Field &field) {
  if (field.isTemp)
    return;
  const Index made = newestOf(field, c(levels));
  const bool isOwn = field.area == around || withinTile;
  const PointBox bounds = builder.boxOf(field.area);
  If planeIsRight{{{made, begin, end}}, {}, {}};
  if (!isOwn)
    planeIsRight.box.push_back({made, bounds.begin[0], bounds.end[0]});
  // An area of its own has other ends.
  const auto endsOf = [&](unsigned axis) {
    auto [begin, end] = axis + 1 == rank ? storedX : storedY;
    if (!isOwn) {
      begin = builder.letIndex(planeIsRight.then, stencil.axes[axis] + "_begin",
                               maximum(begin, bounds.begin[axis]));
      end = builder.letIndex(planeIsRight.then, stencil.axes[axis] + "_end",
                             minimum(end, bounds.end[axis]));
    }
    return std::pair{begin, end};
  };
  const auto [beginX, endX] = endsOf(rank - 1);
  std::pair<Index, Index> rowEnds;
  if (rank == 3)
    rowEnds = endsOf(1);
  letPointer(planeIsRight.then, "to", field, TimeLevel::Next, made);
  Index firstRow = y;
  if (withinTile) { // counted from the tile's first
    firstRow = scale(thread(1), rows);
    if (blocks > 1)
      firstRow = add(firstRow, scale(part, ownRows()));
    rowEnds = {c(margin(1, Low)), c(height() - margin(1, High))};
  }
  const auto storeRows = [&](Body &body, int begin, int end, const Range &right) {
    builder.unroll(body, "row", 0, rows, [&](Body &body, const Index &row) {
      Body stores;
      storeRow(stores, field, pointOf(made, row, x), row, begin, end, right);
      if (rank == 3)
        stores = {
            {If{{{add(firstRow, row), rowEnds.first, rowEnds.second}}, std::move(stores), {}}}};
      llvm::move(stores, std::back_inserter(body));
    });
  };
  const int marginLow = margin(rank - 1, Low), marginHigh = margin(rank - 1, High);
  if (withinTile && marginLow % points == 0 && marginHigh % points == 0) {
    If isRight{
        {{thread(0), c(marginLow / points), c(schedule.block[0] - marginHigh / points)}}, {}, {}};
    storeRows(isRight.then, 0, points, {});
    planeIsRight.then.push_back({std::move(isRight)});
    body.push_back({std::move(planeIsRight)});
    return;
  }
  If isWhole{{{x, beginX, add(endX, 1 - points)}}, {}, {}};
  storeRows(isWhole.then, 0, points, {});
  if (storesWholePieces() && !storesKept()) {
    const int atLow = leftOut(field.area[rank - 1], Low),
              atHigh = leftOut(field.area[rank - 1], High);
    If isFirst{{{add(x, atLow), beginX, nullptr}, {x, nullptr, add(endX, 1 - points)}}, {}, {}};
    If isLast{{{x, beginX, add(endX, 1 + atHigh - points)}}, {}, {}};
    if (atHigh > 0) {
      storeRows(isLast.then, 0, points - atHigh, {});
      isWhole.otherwise = {{std::move(isLast)}};
    }
    if (atLow > 0) {
      storeRows(isFirst.then, atLow, points, {});
      isFirst.otherwise = std::move(isWhole.otherwise);
      isWhole.otherwise = {{std::move(isFirst)}};
    }
  } else if (!storesKept()) {
    If isPart{{{add(x, points - 1), beginX, nullptr}, {x, nullptr, endX}}, {}, {}};
    storeRows(isPart.then, 0, points, {x, beginX, endX});
    isWhole.otherwise = {{std::move(isPart)}};
  }
  planeIsRight.then.push_back({std::move(isWhole)});
  body.push_back({std::move(planeIsRight)});
}

void FusedMarch::storeRow(Body &body, const Field &field, const Point &point, const Index &row,
                          int begin, int end, const Range &right) {
  const unsigned argument = arrays.argument(field.array, TimeLevel::Next);
  const bool inVectors = isAligned && !right.index && end - begin == points;
  for (int i = begin; i < end; i += inVectors ? field.lanes : 1) {
    Point to = point;
    to.back() = add(point.back(), i);
    const PatchElement made = planeAt(field, 0, c(levels), row, c(i));
    Statement store =
        inVectors
            ? Statement{StoreVector{argument, to, {made.patch, made.at, unsigned(field.lanes)}}}
            : Statement{StoreGlobal{argument, to, makeValue(typeOf(field), made)}};
    if (right.index)
      store = {If{{{to.back(), right.lower, right.upper}}, {std::move(store)}, {}}};
    body.push_back(std::move(store));
  }
}
