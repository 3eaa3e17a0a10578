// What a FusedMarch has beyond the ends of the grid.
#include "codegen/lower/UpdateBox.h"
#include "codegen/variants/FusedMarch.h"
#include "codegen/variants/TileEnds.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>

using namespace stencilc;

static Index c(int64_t value) { return constant(value); }

// ---- level 0 ------------------------------------------------------------------------------------

Point FusedMarch::placeOf(const Field &field, Point point, Tile tile) const {
  for (unsigned axis = tile == Tile::BesideEnds; axis < rank; ++axis)
    point[axis] = placeInTile(stencil, schedule, field.array, axis, point[axis]);
  return point;
}

Value FusedMarch::orOutside(const Field &field, const Point &point, Value value, Tile tile) {
  const Array &array = stencil.arrays[field.array];
  for (unsigned axis = rank; axis-- > (tile == Tile::BesideEnds ? 1u : 0u);)
    for (Side side : {Low, High}) {
      const Boundary &boundary = array.boundary[axis][side];
      const Box onGrid = {isOnGrid(axis, {point[axis], side})};
      if (boundary.kind == BoundaryKind::Value)
        value = makeValue(
            array.type,
            GuardedValue{onGrid, value,
                         formula.tree(builder, formula.outside(field.array, axis, side), Here{})});
      else if (boundary.factor != 1)
        value = makeValue(array.type,
                          GuardedValue{onGrid, value, timesFactor(array.type, boundary, value)});
    }
  return value;
}

// ---- later levels -------------------------------------------------------------------------------

Value FusedMarch::timesFactor(ScalarType type, const Boundary &boundary, Value value) {
  if (boundary.factor == 1)
    return value;
  return makeValue(type, BinaryValue{BinaryOp::Multiply, std::move(value),
                                     makeValue(type, LiteralValue{boundary.factor})});
}

Value FusedMarch::orKept(Body &body, const Field &field, const Point &point, Value made, Value kept,
                         Tile tile) {
  Box updated;
  for (Range range : conditionOf(field.area, point, builder)) {
    const unsigned axis = llvm::find(point, range.index) - point.begin();
    if (isPeriodic(stencil, axis) || (axis == 0 && tile == Tile::BesideEnds))
      continue;
    // Nothing reads the points beyond an end that sees the grid; those of the grid that are left
    // out are read.
    const auto &ends = stencil.arrays[field.array].boundary[axis];
    const auto isWhole = [&](Side side) {
      return seesGrid(ends[side].kind) && leftOut(field.area[axis], side) == 0;
    };
    if (isWhole(Low))
      range.lower = nullptr;
    if (isWhole(High))
      range.upper = nullptr;
    if (range.lower || range.upper)
      updated.push_back(std::move(range));
  }
  if (updated.empty())
    return made;
  made = builder.let(body, "made", made);
  kept = builder.let(body, "kept", kept);
  // First along the row: nvcc then selects values, where it would branch over the conditions in
  // one.
  const auto isOfRow = [&](const Range &range) { return range.index == point.back(); };
  Box alongRow = updated;
  llvm::erase_if(alongRow, std::not_fn(isOfRow));
  llvm::erase_if(updated, isOfRow);
  for (Box *box : {&updated, &alongRow})
    if (!box->empty())
      made = makeValue(typeOf(field), GuardedValue{std::move(*box), std::move(made), kept});
  return made;
}

void FusedMarch::copyBeyondEnds(Body &body, const Index &level, const Field &field) {
  const ScalarType type = typeOf(field);
  const Index made = add(z, scale(level, -reach.lag));
  const auto copyWhere = [&](Range condition, int to, int from, const Boundary &boundary) {
    If sees{{std::move(condition)}, {}, {}};
    builder.unroll(sees.then, "row", 0, rows, [&](Body &body, const Index &row) {
      builder.unroll(body, "i", 0, points, [&](Body &body, const Index &i) {
        const PatchElement planeTo = planeAt(field, to, level, row, i);
        body.push_back(
            {AssignElement{planeTo.patch, planeTo.at,
                           timesFactor(type, boundary, valueAt(field, from, level, row, i))}});
      });
    });
    body.push_back({std::move(sees)});
  };
  const int newest = reach.lag;
  for (const Side side : {Low, High}) {
    const Boundary &boundary = stencil.arrays[field.array].boundary[0][side];
    if (!seesGrid(boundary.kind))
      continue;
    for (int beyond = 1; beyond <= (side == Low ? -reach.lowest : reach.highest); ++beyond) {
      const int inside = seenBehind(boundary.kind, beyond); // the end: 0
      if (side == Low)
        copyWhere({made, c(inside), c(inside + 1)}, newest - inside - beyond, newest, boundary);
      else
        copyWhere({made, add(extent(0), beyond - 1), add(extent(0), beyond)}, newest,
                  newest - inside - beyond, boundary);
    }
  }
}

Index FusedMarch::shownAt(const MarchReach::Plane &plane, const Index &made, Tile tile) const {
  const Field &field = fields[plane.field];
  const MarchReach::Shown &shown = field.shown;
  const BoundaryKind low = stencil.arrays[field.array].boundary[0][Low].kind;
  if (tile != Tile::AtEnds || plane.plane >= 0 || !seesGrid(low)) {
    const int older = shown.newest - plane.plane; // turns since it was shown
    return remainder(add(add(turn, phase), older == 0 ? 0 : shown.planes() - older),
                     shown.planes());
  }
  // The rims of planes beyond the end were shown before those were copied.
  const Index first = maximum(made, c(0)); // no plane before it is right
  const Index mirrored = low == BoundaryKind::Clamp
                             ? scale(first, -1)
                             : add(scale(first, -2), seenBehind(low, 0) - plane.plane);
  return remainder(
      add(add(add(turn, phase), maximum(mirrored, c(plane.plane))), shown.planes() - shown.newest),
      shown.planes());
}

void FusedMarch::scaleBeyondEnd(Body &body, const Index &made, const MarchReach::Plane &plane,
                                unsigned around, int row) {
  const Field &field = fields[plane.field];
  const Boundary &low = stencil.arrays[field.array].boundary[0][Low];
  if (plane.plane >= 0 || low.factor == 1)
    return;
  builder.unroll(body, "i", plane.x, plane.x + points, [&](Body &body, const Index &i) {
    const Value shown = element(typeOf(field), around, {c(row), i});
    body.push_back({AssignElement{
        around,
        {c(row), i},
        makeValue(typeOf(field), GuardedValue{{{add(made, plane.plane), c(0), nullptr}},
                                              shown,
                                              timesFactor(typeOf(field), low, shown)})}});
  });
}

void FusedMarch::foldEnd(Body &body, unsigned axis, Side side, const MarchReach::Plane &plane,
                         unsigned around) {
  const Field &field = fields[plane.field];
  const ScalarType type = typeOf(field);
  const Boundary &boundary = stencil.arrays[field.array].boundary[axis][side];
  if (!seesGrid(boundary.kind))
    return;
  const bool isRow = axis + 1 == rank;
  const int reach = isRow ? plane.x : plane.y, own = isRow ? points : rows;
  const int cells = own + 2 * reach;
  const int acrossReach = isRow ? plane.y : plane.x, acrossOwn = isRow ? rows : points;
  const int skipped = plane.hasCorners ? 0 : acrossReach;
  const auto foldCell = [&](int cell, int from, auto isBeyond) {
    const Index at = add(isRow ? x : y, cell - reach);
    builder.unroll(
        body, isRow ? "row" : "i", skipped, acrossOwn + 2 * acrossReach - skipped,
        [&](Body &body, const Index &across) {
          const auto cellAt = [&](int cell) {
            return isRow ? std::vector<Index>{across, c(cell)}
                         : std::vector<Index>{c(cell), across};
          };
          body.push_back({AssignElement{
              around, cellAt(cell),
              makeValue(type, GuardedValue{
                                  {isBeyond(at)},
                                  timesFactor(type, boundary, element(type, around, cellAt(from))),
                                  element(type, around, cellAt(cell))})}});
        });
  };
  // Points before the end look at cells behind it that are at most `reach` away.
  const int count = own + reach - 1;
  for (int number = 0; number < count; ++number) {
    const int cell = side == Low ? count - 1 - number : reach + 1 + number;
    const int inwards = side == Low ? 1 : -1;
    if (boundary.kind == BoundaryKind::Clamp) {
      foldCell(cell, cell + inwards, [&](const Index &at) {
        return side == Low ? Range{at, nullptr, c(0)} : Range{at, extent(axis), nullptr};
      });
      continue;
    }
    for (int beyond = 1; beyond <= reach; ++beyond) {
      const int from = cell + inwards * (beyond + seenBehind(boundary.kind, beyond));
      if (from < 0 || from >= cells)
        continue;
      foldCell(cell, from, [&](const Index &at) {
        return side == Low ? Range{at, c(-beyond), c(1 - beyond)}
                           : Range{at, add(extent(axis), beyond - 1), add(extent(axis), beyond)};
      });
    }
  }
}

void FusedMarch::foldEnds(Body &body, const MarchReach::Plane &plane, unsigned around) {
  for (unsigned axis = 1; axis < rank; ++axis)
    for (const Side side : {Low, High})
      foldEnd(body, axis, side, plane, around);
}
