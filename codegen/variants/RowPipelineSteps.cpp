// How the warps of a RowPipeline make their steps.
#include "codegen/lower/GridReads.h"
#include "codegen/lower/PointUpdate.h"
#include "codegen/lower/UpdateBox.h"
#include "codegen/lower/Window.h"
#include "codegen/variants/RowPipeline.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Index c(int64_t value) { return constant(value); }
static Index lane() { return coordinate(CoordinateKind::Thread, 0); }
static Index warp() { return coordinate(CoordinateKind::Thread, 1); }

/// The rows of a chunk that a warp makes in one run of instructions.
constexpr int kRowsAtOnce = 2;

// ---- steps --------------------------------------------------------------------------------------

void RowPipeline::moveRow(Body &body, const Field &field, bool isLoad,
                          const std::vector<Index> &at) {
  const ScalarType type = typeOf(field);
  const int lanes = lanesFor(type, shape.points);
  const auto move = [&](Body &body, const Index &i) {
    std::vector<Index> cell = at;
    cell.push_back(add(scale(lane(), shape.points), i));
    const std::vector<Index> own = {add(i, shape.x)};
    const PatchRow row = {field.around, own, unsigned(lanes)};
    if (lanes > 1 && isLoad)
      body.push_back({LoadSharedVector{row, field.ring, cell}});
    else if (lanes > 1)
      body.push_back({StoreSharedVector{field.ring, cell, row}});
    else if (isLoad)
      body.push_back(
          {AssignElement{field.around, own, makeValue(type, LoadShared{field.ring, cell})}});
    else
      body.push_back({StoreShared{field.ring, cell, element(type, field.around, own)}});
  };
  if (lanes == 1)
    builder.unroll(body, "i", 0, shape.points, move);
  else
    for (int i = 0; i < shape.points; i += lanes)
      move(body, c(i));
}

Point RowPipeline::within(Body &body, const Point &point) {
  Point nearest;
  for (unsigned axis = 0; axis < 2; ++axis) {
    const Index index = nearestUpdated(stencil, schedule, bounds, axis, point[axis]);
    nearest.push_back(reach.constantAxes[axis] || mapsPosition(axis)
                          ? builder.letIndex(body, stencil.axes[axis] + "_within", index)
                          : index);
  }
  return nearest;
}

void RowPipeline::advance(Body &body, Ends ends) {
  const Index slot = name(body, "slot", remainder(add(add(turn, warp()), 1), shape.slots));
  Index newest;
  if (ends.ofMarch || reach.readsConstants() || ofSteps.asksPosition()) {
    const int lag = shape.rows + shape.steps * shape.highest; // of a warp behind the one before it
    newest = name(body, stencil.axes[0],
                  add(add(add(first, scale(turn, shape.rows)), scale(warp(), lag)),
                      -(shape.warps - 1) * lag));
  }
  const auto take = [&](Body &body, const Index &row) {
    for (const Field &field : fields)
      moveRow(body, field, /*isLoad=*/true, {slot, row});
    builder.unroll(body, "step", 0, shape.steps, [&](Body &body, const Index &step) {
      makeStep(body, newest ? add(add(newest, row), scale(step, -shape.highest)) : nullptr, step,
               ends);
    });
    for (const Field &field : fields)
      moveRow(body, field, /*isLoad=*/false, {slot, row});
  };
  if (shape.rows <= kRowsAtOnce) {
    builder.unroll(body, "row", 0, shape.rows, take);
    return;
  }
  // More at once would want registers for what many rows load, and have the cache of instructions
  // miss.
  const int atOnce = shape.rows % kRowsAtOnce ? 1 : kRowsAtOnce;
  For runs{LoopKind::Serial,
           builder.local(atOnce > 1 ? "pair" : "row"),
           c(0),
           c(shape.rows / atOnce),
           1,
           {}};
  const Index lowest = scale(coordinate(CoordinateKind::Local, runs.local), atOnce);
  builder.unroll(runs.body, "row", 0, atOnce,
                 [&](Body &body, const Index &row) { take(body, add(lowest, row)); });
  body.push_back({std::move(runs)});
}

void RowPipeline::makeStep(Body &body, const Index &newest, const Index &step, Ends ends) {
  if (ends.ofMarch)
    takeLast(body, newest, step);
  for (const Field &field : fields)
    for (int i = 0; i < shape.x; ++i) {
      const auto take = [&](ShuffleFrom from, int to, int other) {
        const ScalarType type = typeOf(field);
        body.push_back({AssignElement{
            field.around,
            {c(to)},
            makeValue(type, ShuffleValue{from, 1, element(type, field.around, {c(other)})})}});
      };
      take(ShuffleFrom::LowerLane, i, shape.points + i);
      take(ShuffleFrom::HigherLane, shape.x + shape.points + i, shape.x + i);
    }
  if (ends.ofRows)
    for (const Field &field : fields)
      foldRow(body, field, newest, ends);
  if (ends.ofMarch && clamps(fields.front(), 0, Low)) {
    If isFirst{{{newest, c(0), c(1)}}, {}, {}};
    // Of a row before the first, only points of the grid want what it gives them.
    for (int plane = partial.lowest; plane < 0; ++plane)
      takeRow(isFirst.then, plane, add(newest, plane), step, ends);
    body.push_back({std::move(isFirst)});
  }
  takeRow(body, partial.highest, newest, step, ends);
  if (ends.ofMarch)
    keepLast(body, newest, step);
  for (const Field &field : fields)
    builder.unroll(body, "i", 0, shape.points, [&](Body &body, const Index &i) {
      body.push_back({AssignElement{
          field.around, {add(i, shape.x)}, element(typeOf(field), field.made, {i})}});
    });
}

void RowPipeline::takeRow(Body &body, int highest, const Index &newest, const Index &step,
                          Ends ends) {
  for (int plane = highest; plane >= partial.lowest; --plane) {
    const llvm::ArrayRef<ExprId> wanted = partial.keptAfter(plane);
    Index row;
    if (reach.readsConstants() || ofSteps.asksPosition())
      row = builder.letIndex(body, "made", add(newest, -plane));
    builder.unroll(body, "i", 0, shape.points, [&](Body &body, const Index &i) {
      KnownValues known;
      if (plane > partial.lowest)
        for (const Kept &state : keptAfter(plane - 1))
          if (state.id)
            known[*state.id] = kept(state, step, i);
      Here here;
      std::optional<GridReads> constants;
      if (row) {
        const Point point = {row, add(x, i)};
        const Point nearest = within(body, point);
        for (unsigned axis : {0, 1})
          here.point.push_back(mapsPosition(axis) ? nearest[axis] : point[axis]);
        constants.emplace(
            builder, stencil, formula, Here{nearest}, [&](const Read &read, Point where) {
              return builder.load(arrays.argument(read.array, read.level), std::move(where));
            });
      }
      if (before)
        here.step = add(before, step);
      known.merge(ofSteps.at(step));
      ReadSource reads = [&](Body &body, const Read &read) {
        if (stencil.arrays[read.array].kind == ArrayKind::Const)
          return constants->within(area, std::nullopt, body, read);
        const auto field =
            llvm::find_if(fields, [&](const Field &field) { return field.array == read.array; });
        return element(typeOf(*field), field->around, {add(i, shape.x + read.offset[1])});
      };
      const std::vector<Value> values =
          PointUpdate(stencil, formula, wanted).append(builder, body, here, reads, known);
      for (auto [number, value] : llvm::enumerate(values))
        if (plane == partial.highest)
          body.push_back({AssignElement{fields[number].made, {i}, value}});
        else
          body.push_back({AssignElement{
              keptAfter(plane)[number].patch, {c(keptAfter(plane)[number].slot), step, i}, value}});
    });
    if (plane >= 0)
      keepOutside(body, plane, newest, step, ends);
  }
}

void RowPipeline::keepOutside(Body &body, int plane, const Index &newest, const Index &step,
                              Ends ends) {
  const auto keptBy = [&](const Field &field, int plane) -> const Kept & {
    return keptAfter(plane)[field.carriers[plane]];
  };
  // What the point holds, after this plane and after the one before it.
  const auto now = [&](const Field &field, const Index &i) {
    if (plane == partial.highest)
      return PatchElement{field.made, {i}};
    const Kept &state = keptBy(field, plane);
    return PatchElement{state.patch, {c(state.slot), step, i}};
  };
  const auto before = [&](const Field &field, const Index &i) {
    if (plane == 0)
      return element(typeOf(field), field.around, {add(i, shape.x)});
    return kept(keptBy(field, plane - 1), step, i);
  };
  const auto keep = [&](Body &body, const Field &field, const Index &i) {
    const PatchElement to = now(field, i);
    body.push_back({AssignElement{to.patch, to.at, before(field, i)}});
  };
  for (const Field &field : fields)
    if (!field.isPrevious && plane < partial.highest && !keptBy(field, plane).id)
      builder.unroll(body, "i", 0, shape.points,
                     [&](Body &body, const Index &i) { keep(body, field, i); });
  // Points of the grid that another array leaves out are looked at.
  const auto keepsNone = [&](const Field &field, unsigned axis, Side side) {
    return keepsNoneBeyond(stencil.arrays[field.array].boundary[axis][side].kind) &&
           leftOut(area[axis], side) == 0;
  };
  const auto keepRows = [&](bool keepsNoneLow, bool keepsNoneHigh) {
    const Range inArea = {add(newest, -plane), keepsNoneLow ? nullptr : bounds.begin[0],
                          keepsNoneHigh ? nullptr : bounds.end[0]};
    if (!inArea.lower && !inArea.upper)
      return;
    If isUpdated{{inArea}, {}, {}};
    for (const Field &field : fields)
      if (!field.isPrevious && keepsNone(field, 0, Low) == keepsNoneLow &&
          keepsNone(field, 0, High) == keepsNoneHigh)
        builder.unroll(isUpdated.otherwise, "i", 0, shape.points,
                       [&](Body &body, const Index &i) { keep(body, field, i); });
    if (!isUpdated.otherwise.empty())
      body.push_back({std::move(isUpdated)});
  };
  if (ends.ofMarch && !isPeriodicAlong(0)) {
    for (const bool keepsNoneLow : {false, true})
      for (const bool keepsNoneHigh : {false, true})
        keepRows(keepsNoneLow, keepsNoneHigh);
  }
  if (!ends.ofRows)
    return;
  for (const Side side : {Low, High})
    for (int place : placesOutside(side))
      for (const Field &field : fields) {
        if (field.isPrevious || keepsNone(field, 1, side))
          continue;
        const PatchElement to = now(field, c(place));
        const Index own = add(x, place);
        const Range inArea =
            side == Low ? Range{own, bounds.begin[1], nullptr} : Range{own, nullptr, bounds.end[1]};
        body.push_back({AssignElement{
            to.patch, to.at,
            makeValue(typeOf(field), GuardedValue{{inArea},
                                                  makeValue(typeOf(field), PatchElement(to)),
                                                  before(field, c(place))})}});
      }
}

// ---- ends that clamp ----------------------------------------------------------------------------

bool RowPipeline::clamps(const Field &field, unsigned axis, Side side) const {
  return stencil.arrays[field.array].boundary[axis][side].kind == BoundaryKind::Clamp;
}

void RowPipeline::foldRow(Body &body, const Field &field, const Index &newest, Ends ends) {
  const ScalarType type = typeOf(field);
  Box isNoNumber; // no row that stands for a number
  for (const Side side : {Low, High})
    if (ends.ofMarch && stencil.arrays[field.array].boundary[0][side].kind == BoundaryKind::Value)
      isNoNumber.push_back(isOnGrid(0, {newest, side}));
  const int cells = shape.points + 2 * shape.x;
  for (const Side side : {Low, High}) {
    const Boundary &boundary = stencil.arrays[field.array].boundary[1][side];
    if (!seesGrid(boundary.kind))
      continue;
    const int inwards = side == Low ? 1 : -1;
    const bool mirrors = isMirror(boundary.kind);
    // Mirrors: in a range beyond the end; else there where a range of the grid ends.
    const auto takeWhere = [&](Range range, int cell, int from) {
      if (std::min(cell, from) < 0 || std::max(cell, from) >= cells)
        return;
      Value own = element(type, field.around, {c(cell)}),
            seen = timesFactor(type, boundary, element(type, field.around, {c(from)}), isNoNumber);
      if (mirrors)
        std::swap(own, seen);
      body.push_back({AssignElement{
          field.around, {c(cell)}, makeValue(type, GuardedValue{{std::move(range)}, own, seen})}});
    };
    // The nearest first. A lane whose neighbour has the end looks at that one's points, too.
    std::vector<int> places = placesOutside(side);
    if (side == High)
      std::reverse(places.begin(), places.end());
    for (int place : places)
      for (int beside : {0, -inwards * shape.points}) {
        const int cell = shape.x + place + beside;
        const Index own = add(x, cell - shape.x);
        if (!mirrors) {
          takeWhere(side == Low ? Range{own, c(0), nullptr} : Range{own, nullptr, extent(1)}, cell,
                    cell + inwards);
          continue;
        }
        for (int beyond = 1; beyond <= shape.x; ++beyond)
          takeWhere(side == Low ? Range{own, c(-beyond), c(1 - beyond)}
                                : Range{own, add(extent(1), beyond - 1), add(extent(1), beyond)},
                    cell, cell + inwards * (beyond + seenBehind(boundary.kind, beyond)));
      }
  }
}

void RowPipeline::takeLast(Body &body, const Index &newest, const Index &step) {
  If isOnGrid{{{newest, nullptr, extent(0)}}, {}, {}};
  for (const Field &field : fields)
    if (clamps(field, 0, High))
      builder.unroll(isOnGrid.otherwise, "i", 0, shape.points, [&](Body &body, const Index &i) {
        body.push_back({AssignElement{
            field.around, {add(i, shape.x)}, kept(keptAfter(-1)[field.last], step, i)}});
      });
  if (!isOnGrid.otherwise.empty())
    body.push_back({std::move(isOnGrid)});
}

void RowPipeline::keepLast(Body &body, const Index &newest, const Index &step) {
  If isBefore{{{newest, nullptr, add(extent(0), -1)}}, {}, {}};
  for (const Field &field : fields)
    if (clamps(field, 0, High))
      builder.unroll(isBefore.otherwise, "i", 0, shape.points, [&](Body &body, const Index &i) {
        const Kept &last = keptAfter(-1)[field.last];
        body.push_back({AssignElement{last.patch,
                                      {c(last.slot), step, i},
                                      element(typeOf(field), field.around, {add(i, shape.x)})}});
      });
  if (!isBefore.otherwise.empty())
    body.push_back({std::move(isBefore)});
}
