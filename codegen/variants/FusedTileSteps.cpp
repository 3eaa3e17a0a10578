// How a FusedTile makes its steps.
#include "codegen/lower/GridReads.h"
#include "codegen/lower/PointUpdate.h"
#include "codegen/lower/UpdateBox.h"
#include "codegen/variants/FusedTile.h"
#include "codegen/variants/MarchReach.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Index c(int64_t value) { return constant(value); }

void FusedTile::append(Body &body, const Spot &spot, int step, const ReadSource &fieldReads,
                       llvm::function_ref<bool(const Field &)> isWanted,
                       llvm::function_ref<Statement(const Field &, Value)> give,
                       llvm::function_ref<void(Body &, const Field &)> keep) {
  std::vector<unsigned> left;
  for (unsigned update = 0; update < fields.size(); ++update)
    if (isWanted(fields[update]))
      left.push_back(update);
  while (!left.empty()) {
    const Field &first = fields[left.front()];
    std::vector<unsigned> alike;
    llvm::erase_if(left, [&](unsigned update) {
      const Field &field = fields[update];
      const bool isAlike = field.isPrevious == first.isPrevious && field.area == first.area;
      if (isAlike)
        alike.push_back(update);
      return isAlike;
    });
    If isUpdated;
    for (Range &range : conditionOf(first.area, spot.point, builder)) {
      const unsigned axis = llvm::find(spot.point, range.index) - spot.point.begin();
      if (step == 1 || (!first.isPrevious && !isPeriodic(stencil, axis)))
        isUpdated.box.push_back(std::move(range));
    }
    // On a periodic axis, points beyond the ends are images, with the positions of what they show.
    Here here{spot.point, c(step)};
    for (unsigned axis = 0; axis < stencil.rank(); ++axis)
      if (isPeriodic(stencil, axis))
        here.point[axis] = builder.letIndex(
            isUpdated.then, stencil.axes[axis] + "_within",
            nearestUpdated(stencil, schedule, builder.boxOf(updated), axis, spot.point[axis]));
    GridReads constants(builder, stencil, formula, here, [&](const Read &read, Point where) {
      return builder.load(arrays.argument(read.array, read.level), std::move(where));
    });
    ReadSource reads = [&](Body &body, const Read &read) {
      return stencil.arrays[read.array].kind == ArrayKind::Const ? constants(body, read)
                                                                 : fieldReads(body, read);
    };
    std::vector<ExprId> wanted;
    for (unsigned update : alike)
      wanted.push_back(formula.result(0, update));
    const std::vector<Value> values =
        PointUpdate(stencil, formula, std::move(wanted))
            .append(builder, isUpdated.then, here, reads, ofSteps.at(here.step));
    for (auto [update, value] : llvm::zip_equal(alike, values))
      isUpdated.then.push_back(give(fields[update], value));
    if (isUpdated.box.empty()) {
      llvm::move(isUpdated.then, std::back_inserter(body));
      continue;
    }
    for (unsigned update : alike)
      keep(isUpdated.otherwise, fields[update]);
    body.push_back({std::move(isUpdated)});
  }
}

void FusedTile::makeFirst(Body &body, const Group &group, const Spot &spot) {
  const auto reads = [&](Body &, const Read &read) {
    const Field &field = fieldOf(read.array);
    if (read.offset[1] == 0 && read.offset[2] == 0)
      return inColumn(field, field.state, read.offset[0]);
    const Index cellY = add(spot.cellY, read.offset[1]);
    Value value = inTile(field, cellY, add(spot.cellX, read.offset[2]));
    if (!group.readsRowsBeyond || read.offset[1] == 0)
      return value;
    Range isInTile{cellY, c(0), nullptr};
    if (read.offset[1] > 0)
      isInTile = {cellY, nullptr, c(shape.height())};
    // The point itself is of the grid.
    AxisSet onGrid = {};
    for (unsigned axis : {0, 2})
      onGrid[axis] = !isPeriodic(stencil, axis);
    Spot beyond = spot;
    beyond.point[1] = add(beyond.point[1], read.offset[1]);
    return makeValue(typeOf(field),
                     GuardedValue{{isInTile}, value, stateAt(field, beyond, onGrid)});
  };
  append(
      body, spot, 0, reads, [](const Field &field) { return field.isRead; },
      [&](const Field &field, Value value) {
        return assign(field.made, field.made.highest, std::move(value));
      },
      [&](Body &body, const Field &field) {
        body.push_back(assign(field.made, field.made.highest, inColumn(field, field.state, 0)));
      });
}

void FusedTile::copyBeyondEnds(Body &body, const Field &field, const Index &plane) {
  const Column &made = field.made;
  const auto copy = [&](Range when, int to, int from) {
    body.push_back({If{{std::move(when)}, {assign(made, to, inColumn(field, made, from))}, {}}});
  };
  const auto &ends = stencil.arrays[field.array].boundary[0];
  // What is seen beyond the first plane is known when that is made; what is beyond the last one
  // takes the place of what this turn has made there.
  if (seesGrid(ends[Low].kind))
    for (int beyond = 1; beyond <= -made.lowest; ++beyond) {
      const int inside = seenBehind(ends[Low].kind, beyond);
      copy({plane, c(inside), c(inside + 1)}, made.highest - inside - beyond, made.highest);
    }
  if (seesGrid(ends[High].kind))
    for (int beyond = 1; beyond <= field.above; ++beyond) {
      const int inside = seenBehind(ends[High].kind, beyond);
      const Index last = add(extent(0), beyond - 1);
      copy({plane, last, add(last, 1)}, made.highest, made.highest - inside - beyond);
    }
}

void FusedTile::makeSecond(Body &body, const Spot &spot) {
  GridReads bent(builder, stencil, formula, {spot.point, c(1)}, [&](const Read &read, Point where) {
    const Field &field = fieldOf(read.array);
    if (read.offset[1] == 0 && read.offset[2] == 0)
      return inColumn(field, field.made, read.offset[0]);
    const auto cellOf = [&](const Index &cell, unsigned axis) {
      const Index straight = add(spot.point[axis], read.offset[axis]);
      if (equal(where[axis], straight))
        return add(cell, read.offset[axis]);
      const Index seen = add(cell, add(where[axis], scale(spot.point[axis], -1)));
      const auto &ends = stencil.arrays[field.array].boundary[axis];
      if (!isMirror(ends[Low].kind) && !isMirror(ends[High].kind))
        return seen;
      // No proof knows how far a mirror sends a point.
      const int last = (axis == 1 ? shape.height() : shape.width()) - 1;
      return maximum(minimum(seen, c(last)), c(0));
    };
    return inTile(field, cellOf(spot.cellY, 1), cellOf(spot.cellX, 2));
  });
  // The tile has images of points beyond these ends, and the queues planes.
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    if (isPeriodic(stencil, axis))
      for (const Side side : {Low, High})
        bent.keepInside(axis, side);
  const auto reads = [&](Body &body, const Read &read) { return bent(body, read); };
  append(
      body, spot, 1, reads, [](const Field &) { return true; },
      [&](const Field &field, Value value) {
        return Statement{StoreGlobal{arrays.argument(field.array, TimeLevel::Next), spot.point,
                                     std::move(value)}};
      },
      [](Body &, const Field &) {});
}
