// How a FusedMarch makes planes of its levels.
#include "codegen/lower/PointUpdate.h"
#include "codegen/variants/FusedMarch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace stencilc;

static Index c(int64_t value) { return constant(value); }
static Index thread(unsigned dimension) { return coordinate(CoordinateKind::Thread, dimension); }

void FusedMarch::showPlane(Body &body, const Field &field, const Index &place, const Index &level,
                           const Index &slot) {
  for (int rim = 0; rim < 2 * field.shown.rows; ++rim) {
    const int row = rim < field.shown.rows ? rim : rows - 2 * field.shown.rows + rim;
    for (int first = 0; first < points; first += field.lanes)
      body.push_back(
          {StoreSharedVector{field.rims,
                             {place, add(level, -field.shown.firstLevel()),
                              add(scale(thread(1), 2 * field.shown.rows), rim + seamRows(field)),
                              add(scale(thread(0), points), first)},
                             {field.planes,
                              {slot, add(level, -field.firstLevel()), c(row), c(first)},
                              unsigned(field.lanes)}}});
  }
}

void FusedMarch::show(Body &body, const Field &field, const Index &level) {
  showPlane(body, field, remainder(add(add(turn, phase), 1), field.shown.planes()), level,
            slot(field.shown.youngest - 1));
}

void FusedMarch::showStage(Body &body, unsigned stage, const Index &level, bool isLast) {
  for (const Field &field : fields)
    if (field.stage == stage && field.shown.rows > 0 && (field.shown.ofNew || !isLast))
      show(body, field, level);
}

void FusedMarch::sendSeam(Body &body, const Index &message, bool ofAllPlaces) {
  body.push_back({Phase{"Sends the partner the rows where the tile is parted."}});
  If atSeam{{{thread(1), seam, add(seam, 1)}}, {}, {}};
  for (const Field &field : fields) {
    const int count = field.shown.rows, own = 2 * count * warps;
    if (count == 0)
      continue;
    const auto send = [&](Body &body, const Index &place, const Index &level) {
      for (int row = 0; row < count; ++row)
        for (int first = 0; first < points; first += field.lanes) {
          const Index at = add(scale(thread(0), points), first);
          // The last rims of the first part, the first ones of the other.
          const Index from = add(scale(part, count - own), own + row),
                      to = add(scale(part, count + own), row);
          body.push_back({SendVector{field.rims,
                                     {place, level, from, at},
                                     {place, level, to, at},
                                     unsigned(field.lanes),
                                     message}});
        }
    };
    const auto sendLevels = [&](Body &body, const Index &place) {
      builder.unroll(body, "level", 0, field.shown.levels(levels),
                     [&](Body &body, const Index &level) { send(body, place, level); });
    };
    if (ofAllPlaces)
      builder.unroll(atSeam.then, "place", 0, field.shown.planes(), sendLevels);
    else
      sendLevels(atSeam.then, remainder(message, field.shown.planes()));
  }
  body.push_back({std::move(atSeam)});
}

void FusedMarch::awaitSeam(Body &body, const Index &message, bool ofAllPlaces) {
  unsigned bytes = 0;
  for (const Field &field : fields)
    if (field.shown.rows > 0)
      bytes += field.shown.levels(levels) * field.shown.rows * width() *
               sizeInBytes(typeOf(field)) * (ofAllPlaces ? field.shown.planes() : 1);
  If atSeam{{{thread(1), seam, add(seam, 1)}}, {}, {}};
  atSeam.then.push_back({AwaitMessage{message, bytes}});
  body.push_back({std::move(atSeam)});
}

void FusedMarch::showRims(Body &body) {
  builder.unroll(body, "level", 0, levels, [&](Body &body, const Index &level) {
    for (const Field &field : fields)
      if (field.shown.rows > 0)
        show(body, field, add(level, field.shown.firstLevel()));
  });
  for (const Field &field : fields)
    if (field.shown.rows > 0 && field.shown.levels(levels) > levels)
      show(body, field, c(levels));
}

Index FusedMarch::shownAt(const MarchReach::Plane &plane, const Index &made) const {
  const Field &field = fields[plane.field];
  const MarchReach::Shown &shown = field.shown;
  const BoundaryKind low = stencil.arrays[field.array].boundary[0][Low].kind;
  if (plane.plane >= 0 || !seesGrid(low) || withinPlanes) {
    const int older = plane.age - shown.youngest; // turns since it was shown
    return remainder(add(add(turn, phase), older == 0 ? 0 : shown.planes() - older),
                     shown.planes());
  }
  // The rims of planes beyond the end were shown before those were copied.
  const Index first = maximum(made, c(0)); // no plane before it is right
  const Index mirrored = low == BoundaryKind::Clamp
                             ? scale(first, -1)
                             : add(scale(first, -2), seenBehind(low, 0) - plane.plane);
  const int fromMade = plane.age + plane.plane - shown.youngest;
  return remainder(
      add(add(add(turn, phase), maximum(mirrored, c(plane.plane))), shown.planes() - fromMade),
      shown.planes());
}

void FusedMarch::surround(Body &body, const Index &level, const MarchReach::Plane &plane,
                          unsigned around) {
  const Field &field = fields[plane.field];
  const ScalarType type = typeOf(field);
  const Index read = add(level, plane.isNew), made = madeAt(plane.stage, level);
  builder.unroll(body, "row", 0, rows, [&](Body &body, const Index &row) {
    for (int i = 0; i < points; ++i)
      body.push_back({AssignElement{around,
                                    {add(row, plane.y), c(plane.x + i)},
                                    valueAt(field, plane.age, read, row, c(i))}});
  });
  const MarchReach::Shown &shown = field.shown;
  for (int rim = 0; rim < 2 * plane.y; ++rim) {
    const bool isBefore = rim < plane.y;
    if (!plane.readsY[isBefore ? Low : High])
      continue;
    const Index ownRim = add(scale(thread(1), 2 * shown.rows), seamRows(field));
    // Where a tile ends, its outermost row takes the place of those behind it.
    Index outermost = c(isBefore ? 0 : rimsOf(field) - 1);
    if (blocks > 1)
      outermost = add(outermost, isBefore ? add(scale(part, -shown.rows), shown.rows)
                                          : scale(part, -shown.rows));
    const Index beside = add(ownRim, rim - plane.y + (isBefore ? 0 : 2 * shown.rows));
    const Index row = builder.letIndex(
        body, "rim", isBefore ? maximum(beside, outermost) : minimum(beside, outermost));
    for (int first = 0; first < points; first += field.lanes)
      body.push_back({LoadSharedVector{
          {around, {c(isBefore ? rim : rows + rim), c(plane.x + first)}, unsigned(field.lanes)},
          field.rims,
          {shownAt(plane, made), add(read, -shown.firstLevel()), row,
           add(scale(thread(0), points), first)}}});
    where(body, room, [&](Body &body) {
      scaleBeyondEnd(body, made, plane, around, isBefore ? rim : rows + rim);
    });
  }
  const auto [firstRow, endRow] = cellsAcross(plane, rank - 1);
  builder.unroll(body, "row", 0, endRow - firstRow, [&](Body &body, const Index &row) {
    const Index own = add(row, firstRow);
    for (int i = 0; i < plane.x; ++i) {
      const auto take = [&](ShuffleFrom from, int to, int other) {
        body.push_back({AssignElement{
            around,
            {own, c(to)},
            makeValue(type, ShuffleValue{from, 1, element(type, around, {own, c(other)})})}});
      };
      if (plane.readsX[Low])
        take(ShuffleFrom::LowerLane, i, points + i);
      if (plane.readsX[High])
        take(ShuffleFrom::HigherLane, plane.x + points + i, plane.x + i);
    }
  });
  foldEnds(body, plane, around, level, /*isFit=*/true);
  where(body, room, [&](Body &body) { foldEnds(body, plane, around, level, /*isFit=*/false); });
}

std::vector<Value> FusedMarch::valuesOf(Body &body, std::vector<ExprId> wanted, unsigned stage,
                                        const Index &level, const Index &made, const Index &row,
                                        const Index &i, KnownValues known) {
  Here here{pointOf(made, row, add(x, i)), level};
  const bool mapsSome =
      llvm::any_of(llvm::seq(0u, rank), [&](unsigned axis) { return mapsPosition(axis); });
  const Point nearest = reach.readsConstants() || mapsSome ? within(body, here.point) : here.point;
  for (unsigned axis = 0; axis < rank; ++axis)
    if (mapsPosition(axis))
      here.point[axis] = nearest[axis];
  GridReads constants(builder, stencil, formula, {nearest, level},
                      [&](const Read &read, Point where) {
                        return builder.load(arrays.argument(read.array, read.level),
                                            onMemory(stencil, around, read, std::move(where)));
                      });
  ReadSource reads = [&](Body &body, const Read &read) {
    const Array &array = stencil.arrays[read.array];
    if (array.kind == ArrayKind::Const)
      return constants.within(around, std::nullopt, body, read);
    const bool isNew = read.level == TimeLevel::Next;
    const int along = read.offset[0], besideX = read.offset[rank - 1],
              besideY = rank == 3 ? read.offset[1] : 0;
    const auto field =
        llvm::find_if(fields, [&](const Field &field) { return field.array == read.array; });
    const unsigned number = field - fields.begin();
    if (besideX == 0 && besideY == 0)
      return valueAt(*field, reach.age(stage, number, isNew, along), add(level, isNew), row, i);
    const auto plane = llvm::find_if(seen, [&](const MarchReach::Plane &plane) {
      return plane.field == number &&
             (goesByPlanes() ||
              (plane.stage == stage && plane.isNew == isNew && plane.plane == along));
    });
    return element(array.type, surroundings[plane - seen.begin()],
                   {add(row, plane->y + besideY), add(i, plane->x + besideX)});
  };
  known.merge(ofSteps.at(level));
  return PointUpdate(stencil, formula, std::move(wanted))
      .append(builder, body, here, reads, std::move(known));
}

std::vector<Value> FusedMarch::sumsOf(Body &body, const Index &level, const Index &row,
                                      const Index &i) {
  std::vector<ExprId> wanted;
  for (const Sum &sum : sums)
    wanted.push_back(sum.part);
  return valuesOf(body, std::move(wanted), 0, level, madeAt(0, level), row, i);
}

void FusedMarch::update(Body &body, unsigned stage, const Index &level, const Index &row,
                        const Index &i) {
  std::vector<ExprId> wanted;
  for (unsigned update = 0; update < stencil.stages[stage].updates.size(); ++update)
    wanted.push_back(formula.result(stage, update));
  KnownValues known;
  for (const Sum &sum : sums)
    known[sum.part] = element(formula[sum.part].type, sum.patch, {row, i});
  const std::vector<Value> values = valuesOf(body, std::move(wanted), stage, level,
                                             madeAt(stage, level), row, i, std::move(known));
  const auto isOfStage = [&](const Field &field) { return field.stage == stage; };
  for (auto [field, value] : llvm::zip(llvm::make_filter_range(fields, isOfStage), values)) {
    const PatchElement newest = planeAt(field, 0, add(level, 1), row, i);
    body.push_back({AssignElement{newest.patch, newest.at, value}});
  }
}

void FusedMarch::advance(Body &body, const Index &level, bool isLast) {
  for (unsigned stage = 0; stage < stencil.stages.size(); ++stage)
    makeStage(body, stage, level, isLast);
}

void FusedMarch::makeStage(Body &body, unsigned stage, const Index &level, bool isLast) {
  const Index next = add(level, 1);
  const bool sumsUpNext = !isLast && !sums.empty();
  for (auto [plane, around] : llvm::zip(seen, surroundings))
    if (plane.stage != stage)
      continue;
    else if (!isForSums(plane))
      surround(body, level, plane, around);
    else if (sumsUpNext)
      surround(body, next, plane, around);
  builder.unroll(body, "row", 0, rows, [&](Body &body, const Index &row) {
    builder.unroll(body, "i", 0, points, [&](Body &body, const Index &i) {
      std::vector<Value> coming;
      if (sumsUpNext)
        for (const Value &value : sumsOf(body, next, row, i))
          coming.push_back(builder.let(body, "next", value));
      update(body, stage, level, row, i);
      for (auto [sum, value] : llvm::zip(sums, coming))
        body.push_back({AssignElement{sum.patch, {row, i}, value}});
    });
  });
  if (isLast && stage + 1 == stencil.stages.size())
    return;
  if (keepsLate) {
    const auto keepPlane = [&](Body &body) {
      for (const Field &field : fields)
        keep(body, next, field, 0);
    };
    if (storesKept())
      where(body, room, keepPlane);
    else
      keepPlane(body);
    return;
  }
  keepOutermost(body, stage, next);
  where(body, room, [&](Body &body) {
    keepBeside(body, stage, next);
    for (const Field &field : fields) {
      if (field.stage != stage)
        continue;
      if (field.isTemp)
        replaceOutside(body, field, next);
      else
        keep(body, next, field, 0);
      copyBeyondEnds(body, next, field);
    }
  });
  if (!partsTurns)
    showStage(body, stage, next, isLast);
}

void FusedMarch::appendLevels(Body &body) {
  const std::string makes =
      hasOneStage() ? "Makes a plane of each level" : "Makes a plane of each level, stage by stage";
  body.push_back(
      {Phase{makes + (reach.y > 0 && !partsTurns
                          ? ", and shows its rows at the rims to other warps in the next turn."
                          : ".")}});
  builder.unroll(body, "level", 0, levels - 1,
                 [&](Body &body, const Index &level) { advance(body, level, /*isLast=*/false); });
  advance(body, c(levels - 1), /*isLast=*/true);
  if (!keepsLate || withinTile)
    return;
  builder.unroll(body, "level", 1, levels,
                 [&](Body &body, const Index &level) { keepOutermost(body, 0, level); });
  if (storesKept())
    for (const Field &field : fields)
      keepOutermost(body, c(levels), field, rank - 1);
  where(body, room, [&](Body &body) {
    builder.unroll(body, "level", 1, levels,
                   [&](Body &body, const Index &level) { keepBeside(body, 0, level); });
  });
  if (!partsTurns)
    builder.unroll(body, "level", 1, levels,
                   [&](Body &body, const Index &level) { showStage(body, 0, level); });
}
