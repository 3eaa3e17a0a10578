// What a FusedMarch has beyond the ends of the grid.
#include "codegen/lower/TileEnds.h"
#include "codegen/lower/UpdateBox.h"
#include "codegen/variants/FusedMarch.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace stencilc;

static Index c(int64_t value) { return constant(value); }

// ---- where --------------------------------------------------------------------------------------

int FusedMarch::marginAt(unsigned axis, Side side) const {
  return marginAtEnd(stencil, reach, schedule, axis, side, leftOut(around[axis], side));
}

bool FusedMarch::fits(unsigned axis, Side side) const {
  if (axis == 0 || isPeriodic(stencil, axis) ||
      (axis + 1 == rank && (ways.size() > 1 || ways.front().begin != 0)))
    return false;
  const auto isRight = [&](Side side) {
    return leftOut(around[axis], side) == marginAt(axis, side);
  };
  return isRight(Low) && (side == Low || (isFitting && isRight(High)));
}

bool FusedMarch::wrapsPieces() const {
  return isFitting && isPeriodic(stencil, rank - 1) &&
         (rank == 2 || isPeriodic(stencil, 1) || fits(1, High));
}

std::optional<WholePieces> FusedMarch::grids() const {
  WholePieces pieces;
  for (unsigned axis = rank; axis-- > 1;) {
    const bool isRow = axis + 1 == rank;
    if (fits(axis, High) || (isRow && wrapsPieces()))
      pieces.axes.push_back({axis, extent(axis),
                             !isRow                ? 1
                             : storesWholePieces() ? points
                                                   : widestPiece(stencil, schedule),
                             isRow ? width() : height()});
  }
  if (pieces.axes.empty())
    return std::nullopt;
  return pieces;
}

Index FusedMarch::withinEnds(unsigned axis, const Index &tile, const Index &least, int size) {
  const PointBox box = builder.boxOf(around);
  const bool isRow = axis + 1 == rank;
  const int step = isRow && isAligned ? widestPiece(stencil, schedule) : 1;
  const Index room =
      maximum(add(add(box.end[axis], marginAt(axis, High) - size), scale(least, -1)), c(0));
  const int lower = isRow && fits(axis, Low) ? ways.front().lower : 0; // a multiple of the step
  if (step == 1 && lower == 0)
    return minimum(tile, add(least, room));
  Index steps =
      minimum(quotient(add(tile, scale(least, -1)), step), quotient(add(room, step - 1), step));
  if (lower > 0)
    steps = maximum(steps, c(lower / step));
  return add(least, scale(steps, step));
}

Index FusedMarch::roomAlong(unsigned axis, const Index &first, const Index &last) {
  if (isPeriodic(stencil, axis))
    return nullptr;
  const std::vector<Index> rooms = roomsAlong(axis, first, last, /*isWithin=*/false);
  return rooms.empty() ? nullptr : least(rooms);
}

Index FusedMarch::least(llvm::ArrayRef<Index> rooms) {
  return std::accumulate(rooms.begin() + 1, rooms.end(), rooms.front(), minimum);
}

std::vector<Index> FusedMarch::roomsAlong(unsigned axis, const Index &first, const Index &last,
                                          bool isWithin) {
  std::vector<Index> rooms; // each once
  const auto limit = [&](const Index &room) {
    if (llvm::none_of(rooms, [&](const Index &other) { return equal(room, other); }))
      rooms.push_back(room);
  };
  const auto seen = [&](Side side) { return axis == 0 ? 0 : reach.ofStage[axis][side]; };
  for (const Field &field : fields) {
    const PointBox bounds = builder.boxOf(field.area);
    const auto &ends = stencil.arrays[field.array].boundary[axis];
    const auto hasNone = [&](Side side) {
      return (!isWithin && fits(axis, side) &&
              (leftOut(field.area[axis], side) == 0 || keepsBySelects(axis))) ||
             (field.isTemp && ends[side].kind != BoundaryKind::Value);
    };
    if (!hasNone(Low))
      limit(add(first, scale(bounds.begin[axis], -1)));
    if (!hasNone(High))
      limit(add(add(bounds.end[axis], -1), scale(last, -1)));
    const auto isSeen = [&](Side side) {
      return (seesGrid(ends[side].kind) || isFolded(field, axis, side)) &&
             (isWithin || !fits(axis, side));
    };
    if (isSeen(Low))
      limit(add(first, -seen(Low)));
    if (isSeen(High))
      limit(add(add(extent(axis), -1 - seen(High)), scale(last, -1)));
  }
  return rooms;
}

void FusedMarch::where(Body &body, const Index &room,
                       llvm::function_ref<void(Body &)> append) const {
  If isNear{{{room, nullptr, c(0)}}, {}, {}};
  if (room && !withinTile)
    append(isNear.then);
  if (!isNear.then.empty())
    body.push_back({std::move(isNear)});
}

// ---- level 0 ------------------------------------------------------------------------------------

Value FusedMarch::orOutside(const Field &field, const Point &point, Value value) {
  const Array &array = stencil.arrays[field.array];
  const auto choose = [&](unsigned axis, Side side, const Value &otherwise) {
    if (axis == 0 || !fits(axis, side))
      value = makeValue(array.type,
                        GuardedValue{{isOnGrid(axis, {point[axis], side})}, value, otherwise});
  };
  for (unsigned axis = 0; axis < rank && !field.isTemp; ++axis)
    for (const Side side : {Low, High})
      if (const Boundary &boundary = array.boundary[axis][side]; boundary.factor != 1)
        choose(axis, side, timesFactor(array.type, boundary, value));
  // The axis named first decides which number stands there.
  for (unsigned axis = rank; axis-- > 0;)
    for (const Side side : {Low, High})
      if (array.boundary[axis][side].kind == BoundaryKind::Value)
        choose(axis, side, formula.tree(builder, formula.outside(field.array, axis, side), Here{}));
  return value;
}

Box FusedMarch::isNoNumber(const Field &field, unsigned axis, const Point &point) const {
  Box box;
  for (unsigned other = 0; other < rank; ++other)
    for (const Side side : {Low, High}) {
      // No plane has numbers beyond ends that fit; around a thread's points they come first.
      const bool isThere = other == 0 ? !withinPlanes : axis > 0 || !fits(other, side);
      if (other != axis && isThere &&
          stencil.arrays[field.array].boundary[other][side].kind == BoundaryKind::Value)
        box.push_back(isOnGrid(other, {point[other], side}));
    }
  return box;
}

void FusedMarch::replaceOutside(Body &body, const Field &field, const Index &level) {
  const bool hasOther = llvm::any_of(stencil.arrays[field.array].axes, [&](unsigned axis) {
    return llvm::any_of(stencil.arrays[field.array].boundary[axis], [&](const Boundary &boundary) {
      return boundary.kind == BoundaryKind::Value || (boundary.factor != 1 && !field.isTemp);
    });
  });
  if (!hasOther)
    return;
  builder.unroll(body, "row", 0, rows, [&](Body &body, const Index &row) {
    builder.unroll(body, "i", 0, points, [&](Body &body, const Index &i) {
      const PatchElement newest = planeAt(field, 0, level, row, i);
      body.push_back(
          {AssignElement{newest.patch, newest.at,
                         orOutside(field, pointOf(newestOf(field, level), row, add(x, i)),
                                   makeValue(typeOf(field), newest))}});
    });
  });
}

// ---- later levels -------------------------------------------------------------------------------

Box FusedMarch::keptUnless(const Field &field, unsigned axis, const Point &point) {
  Box updated;
  if (field.isPrevious)
    return updated;
  for (Range range : conditionOf(field.area, point, builder)) {
    if (llvm::find(point, range.index) - point.begin() != axis || isPeriodic(stencil, axis))
      continue;
    // Points of the grid that are left out are read.
    const auto &ends = stencil.arrays[field.array].boundary[axis];
    const auto isWhole = [&](Side side) {
      return (keepsNoneBeyond(ends[side].kind) || fits(axis, side)) &&
             leftOut(field.area[axis], side) == 0;
    };
    if (isWhole(Low))
      range.lower = nullptr;
    if (isWhole(High))
      range.upper = nullptr;
    if (range.lower || range.upper)
      updated.push_back(std::move(range));
  }
  return updated;
}

Value FusedMarch::kept(const Index &level, const Field &field, const Index &row, const Index &i,
                       const Index &place) {
  if (!goesByPlanes())
    return valueAt(field, reach.lag, add(level, -1), row, i);
  std::vector<Index> at = comingAt(c(0), row, 0);
  at[0] = place;
  at[2] = add(at[2], i);
  const Value came = makeValue(typeOf(field), LoadShared{field.coming, std::move(at)});
  return orOutside(field, pointOf(add(z, scale(level, -reach.lag)), row, add(x, i)), came);
}

void FusedMarch::keep(Body &body, const Index &level, const Field &field, unsigned axis) {
  const Index made = newestOf(field, level);
  if (field.isTemp || (axis == 0 && withinPlanes) ||
      keptUnless(field, axis, pointOf(made, c(0), x)).empty())
    return;
  Index place;
  if (goesByPlanes())
    place = builder.letIndex(
        body, "came",
        remainder(add(add(turn, scale(level, -reach.lag)), comingPlaces), comingPlaces));
  const auto alongRows = [&](Body &body, auto append) {
    builder.unroll(body, "row", 0, rows, append);
  };
  const auto alongRow = [&](Body &body, auto append) {
    builder.unroll(body, "i", 0, points, append);
  };
  const auto keepPoint = [&](Body &body, const Index &row, const Index &i) {
    const PatchElement newest = planeAt(field, 0, level, row, i);
    body.push_back({AssignElement{newest.patch, newest.at, kept(level, field, row, i, place)}});
  };
  const auto keepWhere = [&](Body &body, const Index &row, const Index &i, auto append) {
    If isUpdated{keptUnless(field, axis, pointOf(made, row, add(x, i))), {}, {}};
    append(isUpdated.otherwise);
    body.push_back({std::move(isUpdated)});
  };
  if (axis + 1 == rank)
    alongRow(body, [&](Body &body, const Index &i) {
      keepWhere(body, c(0), i, [&](Body &body) {
        alongRows(body, [&](Body &body, const Index &row) { keepPoint(body, row, i); });
      });
    });
  else if (axis == 1)
    alongRows(body, [&](Body &body, const Index &row) {
      keepWhere(body, row, c(0), [&](Body &body) {
        alongRow(body, [&](Body &body, const Index &i) { keepPoint(body, row, i); });
      });
    });
  else
    keepWhere(body, c(0), c(0), [&](Body &body) {
      alongRows(body, [&](Body &body, const Index &row) {
        alongRow(body, [&](Body &body, const Index &i) { keepPoint(body, row, i); });
      });
    });
}

bool FusedMarch::keepsBySelects(unsigned axis) const {
  const bool isRow = axis + 1 == rank;
  return !goesByPlanes() && fits(axis, High) && (!isRow || storesWholePieces()) &&
         llvm::all_of(fields, [&](const Field &field) {
           return field.isTemp ||
                  ((partsTurns || rank == 2 || sizeInBytes(typeOf(field)) <= 4) &&
                   std::max(leftOut(field.area[axis], Low), leftOut(field.area[axis], High)) <=
                       (isRow ? points : rows));
         });
}

void FusedMarch::keepOutermost(Body &body, const Index &level, const Field &field, unsigned axis) {
  const bool isRow = axis + 1 == rank;
  const Index &at = isRow ? x : y;
  const int count = isRow ? points : rows;
  for (const Side side : {Low, High}) {
    const int out = field.isPrevious ? 0 : leftOut(field.area[axis], side);
    const int first = side == Low ? 0 : count - out;
    If isOutermost{
        {side == Low ? Range{at, nullptr, c(1)} : Range{at, add(extent(axis), -count), nullptr}},
        {},
        {}};
    for (int own = first; own < first + out; ++own)
      builder.unroll(isOutermost.then, isRow ? "row" : "i", 0, isRow ? rows : points,
                     [&](Body &body, const Index &across) {
                       const Index row = isRow ? across : c(own), i = isRow ? c(own) : across;
                       const PatchElement newest = planeAt(field, 0, level, row, i);
                       body.push_back(
                           {AssignElement{newest.patch, newest.at, kept(level, field, row, i)}});
                     });
    if (out > 0)
      body.push_back({std::move(isOutermost)});
  }
}

void FusedMarch::keepOutermost(Body &body, unsigned stage, const Index &level) {
  for (unsigned axis = rank; axis-- > 1;)
    for (const Field &field : fields)
      if (field.stage == stage && !field.isTemp && keepsBySelects(axis) && !withinTile)
        keepOutermost(body, level, field, axis);
}

void FusedMarch::keepBeside(Body &body, unsigned stage, const Index &level) {
  for (unsigned axis = rank; axis-- > 1;)
    where(body, keepsBySelects(axis) ? nullptr : roomOf[axis], [&](Body &body) {
      for (const Field &field : fields)
        if (field.stage == stage && !field.isTemp)
          keep(body, level, field, axis);
    });
}

void FusedMarch::copyBeyondEnds(Body &body, const Index &level, const Field &field) {
  const ScalarType type = typeOf(field);
  const Index made = newestOf(field, level);
  const MarchReach::Made &read = reach.made[&field - fields.data()];
  const auto copyWhere = [&](Range condition, int to, int from, const Boundary &boundary) {
    If sees{{std::move(condition)}, {}, {}};
    builder.unroll(sees.then, "row", 0, rows, [&](Body &body, const Index &row) {
      builder.unroll(body, "i", 0, points, [&](Body &body, const Index &i) {
        const PatchElement planeTo = planeAt(field, to, level, row, i);
        body.push_back(
            {AssignElement{planeTo.patch, planeTo.at,
                           timesFactor(type, boundary, valueAt(field, from, level, row, i),
                                       isNoNumber(field, 0, pointOf(made, row, add(x, i))))}});
      });
    });
    body.push_back({std::move(sees)});
  };
  const int newest = 0;
  for (const Side side : {Low, High}) {
    const Boundary &boundary = stencil.arrays[field.array].boundary[0][side];
    if (!seesGrid(boundary.kind))
      continue;
    for (int beyond = 1; beyond <= (side == Low ? -read.lowest : read.highest); ++beyond) {
      const int inside = seenBehind(boundary.kind, beyond); // the end: 0
      if (side == Low)
        copyWhere({made, c(inside), c(inside + 1)}, inside + beyond, newest, boundary);
      else
        copyWhere({made, add(extent(0), beyond - 1), add(extent(0), beyond)}, newest,
                  inside + beyond, boundary);
    }
  }
}

void FusedMarch::scaleBeyondEnd(Body &body, const Index &made, const MarchReach::Plane &plane,
                                unsigned around, int row) {
  const Field &field = fields[plane.field];
  const Boundary &low = stencil.arrays[field.array].boundary[0][Low];
  if (plane.plane >= 0 || low.factor == 1)
    return;
  const Index along = add(made, plane.plane);
  builder.unroll(body, "i", plane.x, plane.x + points, [&](Body &body, const Index &i) {
    const Value shown = element(typeOf(field), around, {c(row), i});
    const Box box =
        isNoNumber(field, 0, pointOf(along, c(row - plane.y), add(x, add(i, -plane.x))));
    body.push_back({AssignElement{
        around,
        {c(row), i},
        makeValue(typeOf(field), GuardedValue{{{along, c(0), nullptr}},
                                              shown,
                                              timesFactor(typeOf(field), low, shown, box)})}});
  });
}

std::pair<int, int> FusedMarch::cellsAcross(const MarchReach::Plane &plane, unsigned axis) const {
  const bool isRow = axis + 1 == rank;
  const int reach = isRow ? plane.y : plane.x, own = isRow ? rows : points;
  const std::array<bool, 2> &reads = isRow ? plane.readsY : plane.readsX;
  return {plane.hasCorners && reads[Low] ? 0 : reach,
          reach + own + (plane.hasCorners && reads[High] ? reach : 0)};
}

void FusedMarch::foldEnd(Body &body, unsigned axis, Side side, const MarchReach::Plane &plane,
                         unsigned around, const Index &level) {
  const Field &field = fields[plane.field];
  const ScalarType type = typeOf(field);
  const Boundary &boundary = stencil.arrays[field.array].boundary[axis][side];
  const bool isRow = axis + 1 == rank, isFit = fits(axis, side);
  if (!seesGrid(boundary.kind) || !(isRow ? plane.readsX : plane.readsY)[side])
    return;
  // The rim's last row took the place of those behind it.
  if (isFit && !isRow && boundary.kind == BoundaryKind::Clamp)
    return;
  const int reach = isRow ? plane.x : plane.y, own = isRow ? points : rows;
  const int cells = own + 2 * reach;
  const auto [firstAcross, endAcross] = cellsAcross(plane, axis);
  const auto foldCell = [&](int cell, int from, auto isBeyond) {
    const Index at = add(isRow ? x : y, cell - reach);
    builder.unroll(
        body, isRow ? "row" : "i", firstAcross, endAcross, [&](Body &body, const Index &across) {
          const auto cellAt = [&](int cell) {
            return isRow ? std::vector<Index>{across, c(cell)}
                         : std::vector<Index>{c(cell), across};
          };
          const Point point = pointOf(add(madeAt(plane.stage, level), plane.plane),
                                      add(isRow ? across : c(cell), -plane.y),
                                      add(x, add(isRow ? c(cell) : across, -plane.x)));
          body.push_back({AssignElement{
              around, cellAt(cell),
              makeValue(type, GuardedValue{{isBeyond(at)},
                                           timesFactor(type, boundary,
                                                       element(type, around, cellAt(from)),
                                                       isNoNumber(field, axis, point)),
                                           element(type, around, cellAt(cell))})}});
        });
  };
  // Points before the end look at cells behind it that are at most `reach` away.
  const int count = own + reach - 1, first = isFit ? own - 1 : 0;
  for (int number = first; number < count; ++number) {
    const int cell = side == Low ? count - 1 - number : reach + 1 + number;
    const int inwards = side == Low ? 1 : -1;
    if (boundary.kind == BoundaryKind::Clamp) {
      foldCell(cell, cell + inwards, [&](Index at) {
        // The first beyond a thread's own, for all: where it is beyond, they are.
        if (isFit)
          at = add(at, inwards * (number - first));
        return side == Low ? Range{at, nullptr, c(0)} : Range{at, extent(axis), nullptr};
      });
      continue;
    }
    for (int beyond = 1; beyond <= reach; ++beyond) {
      const int from = cell + inwards * (beyond + seenBehind(boundary.kind, beyond));
      if (from < 0 || from >= cells || (isFit && beyond != number - first + 1))
        continue;
      foldCell(cell, from, [&](const Index &at) {
        return side == Low ? Range{at, c(-beyond), c(1 - beyond)}
                           : Range{at, add(extent(axis), beyond - 1), add(extent(axis), beyond)};
      });
    }
  }
}

bool FusedMarch::isFolded(const Field &field, unsigned axis, Side side) const {
  return axis > 0 && isKnownBeyond(stencil, axis, side) &&
         stencil.arrays[field.array].boundary[axis][side].kind == BoundaryKind::Value;
}

void FusedMarch::foldNumber(Body &body, unsigned axis, Side side, const MarchReach::Plane &plane,
                            unsigned around, const Index &level) {
  const Field &field = fields[plane.field];
  const ScalarType type = typeOf(field);
  const bool isRow = axis + 1 == rank, isFit = fits(axis, side);
  if (!isFolded(field, axis, side) || !(isRow ? plane.readsX : plane.readsY)[side])
    return;
  const int reach = isRow ? plane.x : plane.y, own = isRow ? points : rows;
  const auto [firstAcross, endAcross] = cellsAcross(plane, axis);
  // Of several axes, the first says what stands beyond them.
  const ExprId outside = formula.outside(field.array, axis, side);
  const auto numberAt = [&](const Index &across) {
    Value number = formula.tree(builder, outside, Here{});
    bool isOne = true; // whatever was asked so far, it is `outside`
    for (unsigned first = axis; first-- > 0;)
      for (const Side end : {Low, High}) {
        if (stencil.arrays[field.array].boundary[first][end].kind != BoundaryKind::Value)
          continue;
        const Index at = first == 0 ? add(madeAt(plane.stage, level), plane.plane)
                                    : add(y, add(across, -plane.y));
        const ExprId other = formula.outside(field.array, first, end);
        if (isOne && other == outside)
          continue;
        isOne = false;
        number = makeValue(type, GuardedValue{{isOnGrid(first, {at, end})},
                                              number,
                                              formula.tree(builder, other, Here{})});
      }
    return number;
  };
  for (int beyond = 1; beyond <= reach; ++beyond) {
    const int cell = side == Low ? reach - beyond : reach + own - 1 + beyond;
    // The first beyond a thread's own, for all: where it is beyond, they are.
    const Index at =
        add(isRow ? x : y, (isFit ? (side == Low ? reach - 1 : reach + own) : cell) - reach);
    builder.unroll(
        body, isRow ? "row" : "i", firstAcross, endAcross, [&](Body &body, const Index &across) {
          const std::vector<Index> to =
              isRow ? std::vector<Index>{across, c(cell)} : std::vector<Index>{c(cell), across};
          body.push_back({AssignElement{around, to,
                                        makeValue(type, GuardedValue{{isOnGrid(axis, {at, side})},
                                                                     element(type, around, to),
                                                                     numberAt(across)})}});
        });
  }
}

void FusedMarch::foldEnds(Body &body, const MarchReach::Plane &plane, unsigned around,
                          const Index &level, bool isFit) {
  if (withinTile)
    return;
  const auto foldSides = [&](unsigned axis, auto fold) {
    Body folds;
    for (const Side side : {Low, High})
      if (fits(axis, side) == isFit)
        fold(isFit ? body : folds, side);
    if (!folds.empty())
      where(body, roomOf[axis], [&](Body &body) { llvm::move(folds, std::back_inserter(body)); });
  };
  for (unsigned axis = 1; axis < rank; ++axis)
    foldSides(axis,
              [&](Body &body, Side side) { foldEnd(body, axis, side, plane, around, level); });
  for (unsigned axis = rank; axis-- > 1;)
    foldSides(axis,
              [&](Body &body, Side side) { foldNumber(body, axis, side, plane, around, level); });
}
