#include "codegen/variants/MarchReach.h"

#include "codegen/lower/Outside.h"
#include "codegen/lower/TileEnds.h"
#include "codegen/lower/UpdateBox.h"
#include "codegen/lower/Window.h"
#include "codegen/variants/MarchSums.h"
#include "ir/kernel/CudaLimits.h"
#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

/// How far before the outermost point lies what a read sees that goes so `far` to a side, where a
/// mirror is the end there; else 0.
static int seenInstead(const Array &array, unsigned axis, Side side, int far) {
  const BoundaryKind kind = array.boundary[axis][side].kind;
  return far > 0 && isMirror(kind) ? seenBehind(kind, far) : 0;
}

StepReach::StepReach(const Stencil &stencil) {
  const unsigned rank = stencil.rank();
  llvm::SmallVector<bool> isMade(stencil.arrays.size());
  forEachUpdate(stencil, [&](const Update &update) { isMade[update.array] = true; });
  for (const Stage &stage : stencil.stages) {
    Widths beside = {};
    int lowestHere = 0, highestHere = 0;
    for (const Update &update : stage.updates)
      forEachRead(update.formula, [&](const Read &read) {
        if (!isMade[read.array])
          return; // a coefficient
        const Array &array = stencil.arrays[read.array];
        for (unsigned axis = 1; axis < rank; ++axis)
          for (const Side side : {Low, High}) {
            const int far = distance(read.offset[axis], side);
            beside[axis][side] = std::max(beside[axis][side], far);
            if (const int back = seenInstead(array, axis, side, far); back > 0)
              beside[axis][1 - side] = std::max(beside[axis][1 - side], back);
          }
        const int along = read.offset[0];
        lowestHere = std::min(lowestHere, along);
        highestHere = std::max(highestHere, along);
        // Beyond an end that mirrors stand planes of the grid.
        lowestHere = std::min(lowestHere, -seenInstead(array, 0, High, along));
        x = std::max(x, std::abs(read.offset[rank - 1]));
        y = std::max(y, rank == 3 ? std::abs(read.offset[1]) : 0);
      });
    lowest += lowestHere;
    highest += highestHere;
    lowestOf.push_back(lowestHere);
    for (unsigned axis = 1; axis < rank; ++axis)
      for (const Side side : {Low, High}) {
        ofStep[axis][side] += beside[axis][side];
        ofStage[axis][side] = std::max(ofStage[axis][side], beside[axis][side]);
      }
  }
  ofStep[0] = {-lowest, highest};
}

MarchReach::MarchReach(const Stencil &stencil) : StepReach(stencil) {
  addUses(stencil);
  letLag(stencil);
  addPlanes(stencil);
  addOldest(stencil);
  addLead(stencil);
}

void MarchReach::addUses(const Stencil &stencil) {
  const unsigned rank = stencil.rank();
  for (auto [stage, ofStage] : llvm::enumerate(stencil.stages))
    for (const Update &update : ofStage.updates)
      made.push_back({update.array, unsigned(stage)});
  for (auto [number, stage] : llvm::enumerate(stencil.stages))
    for (const Update &update : stage.updates)
      forEachRead(update.formula, [&](const Read &read) {
        if (stencil.arrays[read.array].kind == ArrayKind::Const)
          for (unsigned axis : stencil.arrays[read.array].axes)
            constantAxes[axis] = true;
        const auto maker =
            llvm::find_if(made, [&](const Made &one) { return one.array == read.array; });
        if (maker == made.end())
          return; // a coefficient
        if (llvm::any_of(uses, [&](const Use &other) {
              return other.stage == number && other.read == read;
            }))
          return;
        uses.push_back({unsigned(number), unsigned(maker - made.begin()), read,
                        read.level == TimeLevel::Next, std::abs(read.offset[rank - 1]),
                        rank == 3 ? std::abs(read.offset[1]) : 0});
        maker->lowest = std::min(maker->lowest, int(read.offset[0]));
        maker->highest = std::max(maker->highest, int(read.offset[0]));
      });
}

int MarchReach::leastAge(const Stencil &stencil, const Use &use) const {
  // Of other warps' points is read what they showed a turn ago.
  const int shownLater = use.besideY > 0;
  const int along = use.read.offset[0];
  int newest = along + shownLater;
  // Mirrors of planes before the first must be there in time, and their rims shown.
  if (const BoundaryKind low = stencil.arrays[use.read.array].boundary[0][Low].kind;
      along < 0 && seesGrid(low))
    newest = std::max(newest, seenBehind(low, -along) + shownLater);
  return newest;
}

void MarchReach::letLag(const Stencil &stencil) {
  behindStep.assign(stencil.stages.size(), 0);
  // What is read of the same step comes first: it leaves least to choose.
  for (const bool readsNew : {true, false})
    for (unsigned stage = 0; stage < stencil.stages.size(); ++stage)
      for (const Use &use : uses) {
        if (use.stage != stage || (readsNew && !use.isNew))
          continue;
        const int missing = leastAge(stencil, use) - age(stage, use.field, use.isNew, /*plane=*/0);
        if (missing <= 0)
          continue;
        lag += missing;
        for (unsigned later = stage; later < stencil.stages.size(); ++later)
          behindStep[later] += missing;
      }
}

void MarchReach::addPlanes(const Stencil &stencil) {
  shown.resize(made.size());
  for (const Use &use : uses) {
    if (use.besideX == 0 && use.besideY == 0)
      continue;
    const int along = use.read.offset[0];
    auto known = llvm::find_if(planes, [&](const Plane &plane) {
      return plane.field == use.field && plane.plane == along && plane.stage == use.stage &&
             plane.isNew == use.isNew;
    });
    if (known == planes.end()) {
      Plane plane{use.field, along};
      plane.stage = use.stage;
      plane.isNew = use.isNew;
      plane.age = age(use.stage, use.field, use.isNew, along);
      known = planes.insert(planes.end(), plane);
    }
    known->x = std::max(known->x, use.besideX);
    known->y = std::max(known->y, use.besideY);
    known->hasCorners |= use.besideX > 0 && use.besideY > 0;
    const unsigned rank = stencil.rank();
    const auto addSide = [&](std::array<bool, 2> &reads, unsigned axis, Side side) {
      if (distance(use.read.offset[axis], side) <= 0)
        return;
      reads[side] = true;
      // Mirrors show what is on the other side.
      reads[1 - side] |= isMirror(stencil.arrays[use.read.array].boundary[axis][side].kind);
    };
    for (const Side side : {Low, High}) {
      addSide(known->readsX, rank - 1, side);
      if (rank == 3)
        addSide(known->readsY, 1, side);
    }
  }
  for (const Plane &plane : planes) {
    if (plane.y == 0)
      continue;
    Shown &field = shown[plane.field];
    int youngest = plane.age;
    if (const BoundaryKind low = stencil.arrays[made[plane.field].array].boundary[0][Low].kind;
        plane.plane < 0 && seesGrid(low))
      youngest = std::min(youngest, plane.age + plane.plane - seenBehind(low, -plane.plane));
    const bool isFirst = field.rows == 0;
    field.rows = std::max(field.rows, plane.y);
    field.youngest = isFirst ? youngest : std::min(field.youngest, youngest);
    field.oldest = isFirst ? plane.age : std::max(field.oldest, plane.age);
    (plane.isNew ? field.ofNew : field.ofOld) = true;
  }
}

void MarchReach::addOldest(const Stencil &stencil) {
  oldest = lag; // at which a point keeps its value
  for (Made &one : made)
    if (stencil.arrays[one.array].kind == ArrayKind::Field)
      one.oldestOld = lag;
  for (const Use &use : uses) {
    const int read = age(use.stage, use.field, use.isNew, use.read.offset[0]);
    int &ofField = use.isNew ? made[use.field].oldestNew : made[use.field].oldestOld;
    ofField = std::max(ofField, read);
    oldest = std::max(oldest, read);
  }
  for (const Made &one : made)
    if (const BoundaryKind high = stencil.arrays[one.array].boundary[0][High].kind; isMirror(high))
      oldest = std::max(oldest, seenBehind(high, one.highest) + one.highest);
  if (stencil.stages.size() == 1)
    oldest = lag - lowest; // the plane that the newest one takes the place of (MarchSums.h)
}

void MarchReach::addLead(const Stencil &stencil) {
  // The first plane that a stage needs, counted from the first that its step does.
  std::vector<int> first;
  for (int reads : lowestOf)
    first.push_back((first.empty() ? 0 : first.back()) - reads);
  for (auto [number, one] : llvm::enumerate(made)) {
    if (stencil.arrays[one.array].kind != ArrayKind::Field)
      continue;
    int needed = first[one.stage];
    for (const Use &use : uses)
      if (use.field == number && !use.isNew) {
        const int along = use.read.offset[0];
        const int back = seenInstead(stencil.arrays[one.array], 0, High, along);
        needed = std::min(needed, first[use.stage] + std::min(along, -back));
      }
    lead = std::max(lead, ahead(one.stage) - needed);
  }
}

bool stencilc::seesGrid(BoundaryKind kind) { return kind == BoundaryKind::Clamp || isMirror(kind); }

/// True of all that updates make.
static bool allMade(const Stencil &stencil, llvm::function_ref<bool(const Array &)> holds) {
  bool all = true;
  forEachUpdate(stencil, [&](const Update &update) { all &= holds(stencil.arrays[update.array]); });
  return all;
}

bool stencilc::isKnownBeyond(const Stencil &stencil, unsigned axis, Side side) {
  return allMade(stencil, [&](const Array &array) {
    const BoundaryKind kind = array.boundary[axis][side].kind;
    return kind != BoundaryKind::Halo && kind != BoundaryKind::Periodic;
  });
}

int stencilc::seenBehind(BoundaryKind kind, int beyond) {
  return kind == BoundaryKind::Clamp ? 0 : kind == BoundaryKind::Symmetric ? beyond - 1 : beyond;
}

Value stencilc::timesFactor(ScalarType type, const Boundary &boundary, Value value,
                            Box isNoNumber) {
  if (boundary.factor == 1)
    return value;
  Value factor = makeValue(type, LiteralValue{boundary.factor});
  if (!isNoNumber.empty())
    factor = makeValue(
        type, GuardedValue{std::move(isNoNumber), factor, makeValue(type, LiteralValue{1})});
  return makeValue(type, BinaryValue{BinaryOp::Multiply, std::move(value), std::move(factor)});
}

bool stencilc::isPeriodic(const Stencil &stencil, unsigned axis) {
  return !allMade(stencil, [&](const Array &array) {
    return array.boundary[axis][Low].kind != BoundaryKind::Periodic;
  });
}

int stencilc::imagesAlong(const Stencil &stencil, const Schedule &schedule, unsigned axis) {
  const auto [low, high] = StepReach(stencil).ofStep[axis];
  return schedule.fuse * std::max(low, high);
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

Point stencilc::onMemory(const Stencil &stencil, const Area &around, const Read &read,
                         Point where) {
  const Array &array = stencil.arrays[read.array];
  const Widths ghosts = ghostWidths(stencil, read.array);
  for (auto [place, axis] : llvm::enumerate(array.axes)) {
    const auto mayLeave = [&, axis = axis](Side side) {
      const BoundaryKind kind = array.boundary[axis][side].kind;
      const bool isMapped =
          read.offset[axis] != 0 && kind != BoundaryKind::Halo && kind != BoundaryKind::None;
      return !isMapped &&
             leftOut(around[axis], side) - distance(read.offset[axis], side) < -ghosts[axis][side];
    };
    if (mayLeave(Low))
      where[place] = maximum(where[place], constant(-ghosts[axis][Low]));
    if (mayLeave(High))
      where[place] = minimum(where[place], add(extent(axis), ghosts[axis][High] - 1));
  }
  return where;
}

int stencilc::widestPiece(const Stencil &stencil, const Schedule &schedule) {
  int lanes = 1;
  forEachUpdate(stencil, [&](const Update &update) {
    if (const Array &array = stencil.arrays[update.array]; array.kind == ArrayKind::Field)
      lanes = std::max(lanes, lanesFor(array.type, schedule.pointsPerThread[0]));
  });
  return lanes;
}

int stencilc::pointsOfSector(const Stencil &stencil) {
  constexpr int sectorBytes = 32;
  int smallest = 8;
  forEachUpdate(stencil, [&](const Update &update) {
    smallest = std::min(smallest, int(sizeInBytes(stencil.arrays[update.array].type)));
  });
  return sectorBytes / smallest;
}

int stencilc::marginAlong(const Stencil &stencil, const StepReach &reach, const Schedule &schedule,
                          unsigned axis, Side side) {
  const int points = schedule.fuse * reach.ofStep[axis][side];
  return axis + 1 == stencil.rank() ? llvm::alignTo(points, widestPiece(stencil, schedule))
                                    : points;
}

int stencilc::marginAtEnd(const Stencil &stencil, const StepReach &reach, const Schedule &schedule,
                          unsigned axis, Side side, int64_t leftOut) {
  if (isPeriodic(stencil, axis))
    return marginAlong(stencil, reach, schedule, axis, side);
  const int read = reach.ofStage[axis][side];
  return isKnownBeyond(stencil, axis, side) ? std::clamp<int64_t>(leftOut, 0, read) : read;
}

std::array<int, kMaxRank> stencilc::rightPoints(const Stencil &stencil, const Schedule &schedule) {
  const unsigned rank = stencil.rank();
  const StepReach reach(stencil);
  std::array<int, kMaxRank> points = {};
  for (unsigned axis = 1; axis < rank; ++axis) {
    const unsigned dimension = rank - 1 - axis;
    const int blocks = dimension == 1 ? blocksOfTile(schedule) : 1;
    points[axis] = blocks * schedule.block[dimension] * schedule.pointsPerThread[dimension] -
                   marginAlong(stencil, reach, schedule, axis, Low) -
                   marginAlong(stencil, reach, schedule, axis, High);
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
    for (auto [made, shown] : llvm::zip_equal(reach.made, reach.shown)) {
      const Array &array = stencil.arrays[made.array];
      const int64_t row = int64_t(schedule.block[1]) * schedule.block[0] *
                          schedule.pointsPerThread[0] * sizeInBytes(array.type);
      if (shown.rows > 0)
        bytes += row / schedule.block[1] * (byPlanes ? 2 : shown.planes()) *
                 shown.levels(schedule.fuse) * 2 * shown.rows *
                 (schedule.block[1] + blocksOfTile(schedule) - 1);
      if (array.kind == ArrayKind::Field && stencil.rank() == 3 && schedule.prefetch > 0)
        bytes += row * schedule.pointsPerThread[1] * comingPlanes(schedule, reach, byPlanes);
    }
    return bytes;
  };
  int64_t bytes = bytesOf(false);
  if (mayGoByPlanes(stencil, reach))
    bytes = std::max(bytes, bytesOf(true));
  return blocksOfTile(schedule) > 1 ? bytes + cuda::kMailBytes : bytes;
}
