#include "codegen/variants/MarchReach.h"

#include "codegen/lower/Outside.h"
#include "codegen/lower/TileEnds.h"
#include "codegen/lower/Window.h"
#include "codegen/variants/MarchSums.h"
#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

MarchReach::MarchReach(const Stencil &stencil) {
  const unsigned rank = stencil.rank();
  const std::vector<Update> &updates = stencil.stages.front().updates;
  for (const Update &update : updates)
    forEachRead(update.formula, [&](const Read &read) {
      const unsigned field =
          llvm::find_if(updates, [&](const Update &other) { return other.array == read.array; }) -
          updates.begin();
      if (stencil.arrays[read.array].kind == ArrayKind::Const)
        for (unsigned axis : stencil.arrays[read.array].axes)
          constantAxes[axis] = true;
      if (field == updates.size()) // a coefficient, or made by a later stage
        return;
      const int along = read.offset[0], besideX = std::abs(read.offset[rank - 1]),
                besideY = rank == 3 ? std::abs(read.offset[1]) : 0;
      lowest = std::min(lowest, along);
      highest = std::max(highest, along);
      lag = std::max(lag, besideY > 0 ? along + 1 : along);
      x = std::max(x, besideX);
      y = std::max(y, besideY);
      if (besideX == 0 && besideY == 0)
        return;
      auto known = llvm::find_if(
          planes, [&](const Plane &plane) { return plane.field == field && plane.plane == along; });
      if (known == planes.end())
        known = planes.insert(planes.end(), Plane{field, along});
      known->x = std::max(known->x, besideX);
      known->y = std::max(known->y, besideY);
      known->hasCorners |= besideX > 0 && besideY > 0;
    });
  shown.resize(updates.size());
  for (const Plane &plane : planes) {
    if (plane.y == 0)
      continue;
    Shown &field = shown[plane.field];
    const bool isFirst = field.rows == 0;
    field.rows = std::max(field.rows, plane.y);
    field.oldest = isFirst ? plane.plane : std::min(field.oldest, plane.plane);
    field.newest = isFirst ? plane.plane : std::max(field.newest, plane.plane);
  }
  reachBackAsFar(stencil);
}

/// Mirrors of planes before the first must be there in time, and their rims shown.
void MarchReach::reachBackAsFar(const Stencil &stencil) {
  const std::vector<Update> &updates = stencil.stages.front().updates;
  for (auto [update, field] : llvm::zip_equal(updates, shown)) {
    const auto &ends = stencil.arrays[update.array].boundary[0];
    if (isMirror(ends[Low].kind))
      lag = std::max(lag, seenBehind(ends[Low].kind, -lowest));
    if (isMirror(ends[High].kind))
      lowest = std::min(lowest, -seenBehind(ends[High].kind, highest));
    if (field.rows > 0 && seesGrid(ends[Low].kind) && field.oldest < 0) {
      field.newest = std::max(field.newest, seenBehind(ends[Low].kind, -field.oldest));
      lag = std::max(lag, field.newest + 1);
    }
  }
}

bool stencilc::seesGrid(BoundaryKind kind) { return kind == BoundaryKind::Clamp || isMirror(kind); }

bool stencilc::isKnownBeyond(const Stencil &stencil, unsigned axis, Side side) {
  return llvm::all_of(stencil.stages.front().updates, [&](const Update &update) {
    const BoundaryKind kind = stencil.arrays[update.array].boundary[axis][side].kind;
    return seesGrid(kind) || kind == BoundaryKind::Value;
  });
}

int stencilc::seenBehind(BoundaryKind kind, int beyond) {
  return kind == BoundaryKind::Clamp ? 0 : kind == BoundaryKind::Symmetric ? beyond - 1 : beyond;
}

Value stencilc::timesFactor(ScalarType type, const Boundary &boundary, Value value) {
  if (boundary.factor == 1)
    return value;
  return makeValue(type, BinaryValue{BinaryOp::Multiply, std::move(value),
                                     makeValue(type, LiteralValue{boundary.factor})});
}

bool stencilc::isPeriodic(const Stencil &stencil, unsigned axis) {
  return llvm::any_of(stencil.stages.front().updates, [&](const Update &update) {
    return stencil.arrays[update.array].boundary[axis][Low].kind == BoundaryKind::Periodic;
  });
}

int stencilc::imagesAlong(const Stencil &stencil, const Schedule &schedule, unsigned axis) {
  const MarchReach reach(stencil);
  const int beside = axis + 1 == stencil.rank() ? reach.x : reach.y;
  return schedule.fuse * (axis > 0 ? beside : std::max(-reach.lowest, reach.highest));
}

Index stencilc::placeInTile(const Stencil &stencil, const Schedule &schedule, unsigned array,
                            unsigned axis, const Index &index) {
  const auto sideOf = [&](Side side) {
    TileEnd end = tileEnd(stencil, array, axis, side);
    if (end.kind == TileEnd::Mapped && end.boundary == BoundaryKind::Periodic)
      end.reach = imagesAlong(stencil, schedule, axis);
    return SideOfTile{end, /*mayBeBeyond=*/true, /*mayBeFar=*/true};
  };
  return placeInMemory(axis, index, sideOf(Low), sideOf(High));
}

Index stencilc::nearestUpdated(const Stencil &stencil, const Schedule &schedule,
                               const PointBox &box, unsigned axis, const Index &index) {
  if (!isPeriodic(stencil, axis))
    return maximum(minimum(index, add(box.end[axis], -1)), box.begin[axis]);
  const int images = imagesAlong(stencil, schedule, axis);
  return map(BoundaryKind::Periodic, axis,
             maximum(minimum(index, add(extent(axis), images - 1)), constant(-images)));
}

int stencilc::widestPiece(const Stencil &stencil, const Schedule &schedule) {
  int lanes = 1;
  for (const Update &update : stencil.stages.front().updates)
    lanes =
        std::max(lanes, lanesFor(stencil.arrays[update.array].type, schedule.pointsPerThread[0]));
  return lanes;
}

int stencilc::marginX(const Stencil &stencil, const Schedule &schedule) {
  return llvm::alignTo(schedule.fuse * MarchReach(stencil).x, widestPiece(stencil, schedule));
}

int stencilc::marginAlong(const Stencil &stencil, const Schedule &schedule, unsigned axis) {
  return axis + 1 == stencil.rank() ? marginX(stencil, schedule)
                                    : schedule.fuse * MarchReach(stencil).y;
}

int stencilc::marginAtEnd(const Stencil &stencil, const Schedule &schedule, unsigned axis,
                          Side side, int64_t leftOut) {
  if (isPeriodic(stencil, axis))
    return marginAlong(stencil, schedule, axis);
  const MarchReach reach(stencil);
  const int read = axis + 1 == stencil.rank() ? reach.x : reach.y;
  return isKnownBeyond(stencil, axis, side) ? std::clamp<int64_t>(leftOut, 0, read) : read;
}

std::array<int, kMaxRank> stencilc::rightPoints(const Stencil &stencil, const Schedule &schedule) {
  const unsigned rank = stencil.rank();
  std::array<int, kMaxRank> points = {};
  for (unsigned axis = 1; axis < rank; ++axis) {
    const unsigned dimension = rank - 1 - axis;
    points[axis] = schedule.block[dimension] * schedule.pointsPerThread[dimension] -
                   2 * marginAlong(stencil, schedule, axis);
  }
  return points;
}

int stencilc::comingPlanes(const Schedule &schedule, const MarchReach &reach, bool keepsThem) {
  return schedule.prefetch + 1 + (keepsThem ? reach.lag * (schedule.fuse - 1) : 0);
}

int64_t stencilc::sharedBytes(const Stencil &stencil, const Schedule &schedule) {
  const MarchReach reach(stencil);
  const auto bytesOf = [&](bool byPlanes) {
    int64_t bytes = 0;
    for (auto [update, shown] : llvm::zip_equal(stencil.stages.front().updates, reach.shown)) {
      const int64_t row = int64_t(schedule.block[1]) * schedule.block[0] *
                          schedule.pointsPerThread[0] *
                          sizeInBytes(stencil.arrays[update.array].type);
      if (shown.rows > 0)
        bytes += row * (byPlanes ? 2 : shown.planes()) * schedule.fuse * 2 * shown.rows;
      if (stencil.rank() == 3 && schedule.prefetch > 0)
        bytes += row * schedule.pointsPerThread[1] * comingPlanes(schedule, reach, byPlanes);
    }
    return bytes;
  };
  const int64_t bytes = bytesOf(false);
  return mayGoByPlanes(stencil, reach) ? std::max(bytes, bytesOf(true)) : bytes;
}
