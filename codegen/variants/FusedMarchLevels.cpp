// How a FusedMarch makes planes of its levels.
#include "codegen/lower/PointUpdate.h"
#include "codegen/variants/FusedMarch.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Index c(int64_t value) { return constant(value); }
static Index thread(unsigned dimension) { return coordinate(CoordinateKind::Thread, dimension); }

void FusedMarch::surround(Body &body, const Index &level, const MarchReach::Plane &plane,
                          unsigned around) {
  const Field &field = fields[plane.field];
  const ScalarType type = typeOf(field);
  builder.unroll(body, "row", 0, rows, [&](Body &body, const Index &row) {
    for (int i = 0; i < points; ++i)
      body.push_back({AssignElement{around,
                                    {add(row, plane.y), c(plane.x + i)},
                                    valueAt(field, plane.plane, level, row, c(i))}});
  });
  const MarchReach::Shown &shown = field.shown;
  for (int rim = 0; rim < 2 * plane.y; ++rim) {
    const bool isBefore = rim < plane.y;
    const Index ownRim = scale(thread(1), 2 * shown.rows);
    const Index row =
        builder.letIndex(body, "rim",
                         isBefore ? maximum(add(ownRim, rim - plane.y), c(0))
                                  : minimum(add(ownRim, 2 * shown.rows + rim - plane.y),
                                            c(2 * shown.rows * warps - 1)));
    for (int first = 0; first < points; first += field.lanes)
      body.push_back({LoadSharedVector{
          {around, {c(isBefore ? rim : rows + rim), c(plane.x + first)}, unsigned(field.lanes)},
          field.rims,
          {shownAt(plane, madeAt(level)), level, row, add(scale(thread(0), points), first)}}});
    where(body, room, [&](Body &body) {
      scaleBeyondEnd(body, madeAt(level), plane, around, isBefore ? rim : rows + rim);
    });
  }
  const int skipped = plane.hasCorners ? 0 : plane.y;
  builder.unroll(
      body, "row", 0, rows + 2 * plane.y - 2 * skipped, [&](Body &body, const Index &row) {
        const Index own = add(row, skipped);
        for (int i = 0; i < plane.x; ++i) {
          const auto take = [&](ShuffleFrom from, int to, int other) {
            body.push_back({AssignElement{
                around,
                {own, c(to)},
                makeValue(type, ShuffleValue{from, 1, element(type, around, {own, c(other)})})}});
          };
          take(ShuffleFrom::LowerLane, i, points + i);
          take(ShuffleFrom::HigherLane, plane.x + points + i, plane.x + i);
        }
      });
  foldEnds(body, plane, around, level, /*isFit=*/true);
  where(body, room, [&](Body &body) { foldEnds(body, plane, around, level, /*isFit=*/false); });
}

std::vector<Value> FusedMarch::valuesOf(Body &body, std::vector<ExprId> wanted, const Index &level,
                                        const Index &made, const Index &row, const Index &i,
                                        KnownValues known) {
  const Point point = pointOf(made, row, add(x, i));
  GridReads constants(
      builder, stencil, formula, {reach.readsConstants() ? within(body, point) : point},
      [&](const Read &read, Point where) {
        return builder.load(arrays.argument(read.array, read.level), std::move(where));
      });
  ReadSource reads = [&](Body &body, const Read &read) {
    const Array &array = stencil.arrays[read.array];
    if (array.kind == ArrayKind::Const)
      return constants.within(around, std::nullopt, body, read);
    const int along = read.offset[0], besideX = read.offset[rank - 1],
              besideY = rank == 3 ? read.offset[1] : 0;
    const auto field =
        llvm::find_if(fields, [&](const Field &field) { return field.array == read.array; });
    if (besideX == 0 && besideY == 0)
      return valueAt(*field, along, level, row, i);
    const auto plane = llvm::find_if(seen, [&](const MarchReach::Plane &plane) {
      return plane.field == field - fields.begin() && (goesByPlanes() || plane.plane == along);
    });
    return element(array.type, surroundings[plane - seen.begin()],
                   {add(row, plane->y + besideY), add(i, plane->x + besideX)});
  };
  return PointUpdate(stencil, formula, std::move(wanted))
      .append(builder, body, {point}, reads, std::move(known));
}

std::vector<Value> FusedMarch::sumsOf(Body &body, const Index &level, const Index &row,
                                      const Index &i) {
  std::vector<ExprId> wanted;
  for (const Sum &sum : sums)
    wanted.push_back(sum.part);
  return valuesOf(body, std::move(wanted), level, madeAt(level), row, i);
}

void FusedMarch::update(Body &body, const Index &level, const Index &row, const Index &i) {
  std::vector<ExprId> wanted;
  for (unsigned update = 0; update < stage.updates.size(); ++update)
    wanted.push_back(formula.result(0, update));
  KnownValues known;
  for (const Sum &sum : sums)
    known[sum.part] = element(formula[sum.part].type, sum.patch, {row, i});
  const std::vector<Value> values =
      valuesOf(body, std::move(wanted), level, madeAt(level), row, i, std::move(known));
  for (auto [field, value] : llvm::zip(fields, values)) {
    const PatchElement newest = planeAt(field, reach.lag, add(level, 1), row, i);
    body.push_back({AssignElement{newest.patch, newest.at, value}});
  }
}

void FusedMarch::advance(Body &body, const Index &level, bool isLast) {
  const Index next = add(level, 1);
  const bool sumsUpNext = !isLast && !sums.empty();
  for (auto [plane, around] : llvm::zip(seen, surroundings))
    if (!isForSums(plane))
      surround(body, level, plane, around);
    else if (sumsUpNext)
      surround(body, next, plane, around);
  builder.unroll(body, "row", 0, rows, [&](Body &body, const Index &row) {
    builder.unroll(body, "i", 0, points, [&](Body &body, const Index &i) {
      std::vector<Value> coming;
      if (sumsUpNext)
        for (const Value &value : sumsOf(body, next, row, i))
          coming.push_back(builder.let(body, "next", value));
      update(body, level, row, i);
      for (auto [sum, value] : llvm::zip(sums, coming))
        body.push_back({AssignElement{sum.patch, {row, i}, value}});
    });
  });
  if (isLast)
    return;
  if (keepsLate) {
    for (const Field &field : fields)
      keep(body, next, field, 0);
    return;
  }
  keepOutermost(body, next);
  where(body, room, [&](Body &body) {
    keepBeside(body, next);
    for (const Field &field : fields) {
      keep(body, next, field, 0);
      copyBeyondEnds(body, next, field);
    }
  });
  if (!partsTurns)
    show(body, next);
}
