#include "codegen/variants/FusedTile.h"

#include "codegen/lower/Outside.h"
#include "codegen/lower/ReadNames.h"
#include "codegen/lower/ScheduleLimits.h"
#include "codegen/lower/UpdateBox.h"
#include "codegen/variants/MarchReach.h"
#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

static Index c(int64_t value) { return constant(value); }
static Index thread(unsigned dimension) { return coordinate(CoordinateKind::Thread, dimension); }

// ---- schedules ----------------------------------------------------------------------------------

FusedTileShape::FusedTileShape(const Stencil &stencil, const Schedule &schedule)
    : blockX(schedule.block[0]), blockY(schedule.block[1]) {
  const StepReach reach(stencil);
  below = -reach.lowest;
  above = reach.highest;
  besideX = reach.x;
  besideY = reach.y;
  forEachUpdate(stencil, [&](const Update &update) {
    const auto &ends = stencil.arrays[update.array].boundary[0];
    if (isMirror(ends[Low].kind) || isMirror(ends[High].kind))
      below = above = std::max(below, above);
  });
}

int FusedTileShape::firstCorner() const { return llvm::alignTo(ends(), kLanesPerWarp); }

int FusedTileShape::threadRows() const {
  return height() + llvm::divideCeil(firstCorner() + corners(), blockX);
}

static bool isConst(const Stencil &stencil, unsigned array) {
  return stencil.arrays[array].kind == ArrayKind::Const;
}

/// What updates read of a field.
struct FieldReads {
  bool any = false, beside = false; ///< beside the point in its plane
  int below = 0, above = 0;
};
static FieldReads readsOf(const Stencil &stencil, unsigned field,
                          llvm::function_ref<bool(const Update &)> counts) {
  FieldReads reads;
  forEachUpdate(stencil, [&](const Update &update) {
    if (counts(update))
      forEachRead(update.formula, [&](const Read &read) {
        if (read.array != field)
          return;
        reads.any = true;
        reads.beside |= read.offset[1] != 0 || read.offset[2] != 0;
        reads.below = std::max(reads.below, -read.offset[0]);
        reads.above = std::max(reads.above, read.offset[0]);
      });
  });
  return reads;
}
static FieldReads readsOf(const Stencil &stencil, unsigned field) {
  return readsOf(stencil, field, [](const Update &) { return true; });
}

llvm::Error stencilc::checkFusedTile(const Stencil &stencil, const Schedule &schedule) {
  const auto refuse = [](const char *format, auto... args) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), format, args...);
  };
  ScheduleLimits limits;
  limits.chunk = limits.fuse = true;
  limits.flags = {kFusedTileFlag};
  if (llvm::Error error = checkLimits(stencil, schedule, limits))
    return error;
  if (stencil.rank() != 3 || stencil.stages.size() != 1)
    return refuse("`tile` is for one stage on three axes");
  for (const Update &update : stencil.stages.front().updates)
    if (const Array &array = stencil.arrays[update.array]; array.kind == ArrayKind::Temp)
      return refuse("`tile` is for one stage that makes no temps, as `%s` is", array.name.c_str());
  if (schedule.fuse != 2)
    return refuse("in a `tile` two steps are fused: ask for /t2");
  if (schedule.block[0] % kLanesPerWarp != 0 || schedule.block[2] != 1)
    return refuse("`tile` needs rows of whole warps, and one plane of them");
  const Read *oblique = nullptr;
  forEachUpdate(stencil, [&](const Update &update) {
    forEachRead(update.formula, [&](const Read &read) {
      if (!isConst(stencil, read.array) &&
          llvm::count_if(read.offset, [](int distance) { return distance != 0; }) > 1)
        oblique = &read;
    });
  });
  if (oblique)
    return refuse("a `tile` holds one plane, without its corners in the second step: `%s` is read "
                  "along several axes at once",
                  stencil.arrays[oblique->array].name.c_str());
  const FusedTileShape shape(stencil, schedule);
  if (const int threads = shape.threadRows() * shape.blockX; threads > cuda::kMaxThreadsPerBlock)
    return refuse("with what lies around its points a block has %d threads, more than the %d that "
                  "a GPU launches",
                  threads, cuda::kMaxThreadsPerBlock);
  int64_t bytes = 0;
  for (const auto &[number, array] : llvm::enumerate(stencil.arrays)) {
    if (isConst(stencil, number))
      continue;
    if (readsOf(stencil, number).beside)
      bytes += int64_t(shape.width()) * shape.height() * sizeInBytes(array.type);
  }
  if (bytes > cuda::kMaxSharedBytesPerBlock)
    return refuse("the tiles take %s bytes of shared memory, a block has at most %d",
                  std::to_string(bytes).c_str(), cuda::kMaxSharedBytesPerBlock);
  return llvm::Error::success();
}

// ---- set-up -------------------------------------------------------------------------------------

FusedTile::FusedTile(const FusedState &state, const Schedule &schedule)
    : stencil(state.form().stencil), formula(state.form().formula), schedule(schedule),
      shape(stencil, schedule),
      builder(state.form().program, stencil.name + "_fused_tile", Target::Device),
      arrays(builder, state.form().program, stencil.stages.front(), /*readOnlyPath=*/false),
      ofSteps(builder, stencil, formula, 2),
      updated(areaAround(state.form().areas, stencil.rank())) {
  builder.kernel.startsEarly = false;
  builder.kernel.comment = {stepsOf(2) + " of"};
  makeFields(state);
}

void FusedTile::makeFields(const FusedState &state) {
  for (auto [update, area] :
       llvm::zip(stencil.stages.front().updates, state.form().areas.updates.front())) {
    Field field;
    field.array = update.array;
    field.isPrevious = state.isPrevious(update.array);
    field.area = area;
    const Array &array = stencil.arrays[field.array];
    FieldReads second = readsOf(stencil, field.array);
    // The first step makes what the second one reads.
    const FieldReads first = readsOf(stencil, field.array, [&](const Update &update) {
      return readsOf(stencil, update.array).any;
    });
    // A mirror shows on one side what is on the other.
    if (isMirror(array.boundary[0][Low].kind) || isMirror(array.boundary[0][High].kind))
      second.below = second.above = std::max(second.below, second.above);
    field.isRead = second.any;
    field.isReadBeside = second.beside;
    field.above = second.above;
    const auto columnOf = [&](const std::string &name, int lowest, int highest) {
      std::vector<std::string> slots;
      for (int plane = lowest; plane <= highest; ++plane) {
        Offset offset = {};
        offset[0] = plane;
        slots.push_back(name + (plane == 0 ? "_here" : direction(offset, stencil.rank())));
      }
      return Column{builder.queue(name + "_column", array.type, std::move(slots)), lowest, highest};
    };
    if (field.isRead) {
      field.state = columnOf(array.name, -first.below, first.above);
      field.made = columnOf(array.name + "_made", -second.below, shape.above);
    }
    if (field.isReadBeside)
      field.tile = builder.tile(array.name + "_tile", array.type, {shape.height(), shape.width()});
    if (!field.isPrevious)
      builder.kernel.comment.push_back("  " + update.text);
    fields.push_back(std::move(field));
  }
}

/// Where a number stands in rows of so many, which begin with number `first`.
struct PlaceInRows {
  Index along, row;
};
static PlaceInRows inRowsOf(int period, const Index &number, int first) {
  const int rows = llvm::divideCeil(first, period); // what is divided is not negative
  const Index shifted = add(number, rows * period - first);
  return {remainder(shifted, period), add(quotient(shifted, period), -rows)};
}

/// A number, or from `from` on one that is so much greater.
static Index skipping(const Index &number, int from, int skipped) {
  return add(number, scale(quotient(number, from), skipped));
}

void FusedTile::makeGroups(const Point &point) {
  const int besideX = shape.besideX, besideY = shape.besideY;
  const Index row = thread(1);
  own.who = {{row, nullptr, c(shape.blockY)}};
  own.cellX = add(thread(0), 2 * besideX);
  own.cellY = add(row, besideY);
  own.x = point[2];
  own.y = point[1];
  own.madeBegin = add(begin, -shape.below);
  own.madeEnd = add(end, shape.above);
  for (const Field &field : fields)
    for (unsigned axis : {1, 2}) {
      const Index place = placeInTile(stencil, schedule, field.array, axis, point[axis]);
      if (llvm::none_of(places, [&](const auto &known) { return equal(known.first, place); }))
        places.emplace_back(place, builder.letIndex(body, stencil.axes[axis] + "_from", place));
    }

  // What lies around the block is made in the chunk's planes alone.
  for (Group *group : {&around, &ends, &corners}) {
    group->madeBegin = begin;
    group->madeEnd = end;
  }
  if (besideY > 0) {
    around.who = {{row, c(shape.blockY), c(shape.height())}};
    around.cellX = own.cellX;
    around.cellY = skipping(add(row, -shape.blockY), besideY, shape.blockY);
    around.x = own.x;
    around.readsRowsBeyond = true;
  }
  if (besideX == 0)
    return;
  const Index number = builder.letIndex(body, "number", add(scale(row, shape.blockX), thread(0)));
  const int first = shape.height() * shape.blockX, firstCorner = first + shape.firstCorner();
  const PlaceInRows ofEnds = inRowsOf(4 * besideX, number, first);
  ends.who = {{number, c(first), c(first + shape.ends())}};
  ends.cellX = skipping(ofEnds.along, 2 * besideX, shape.blockX);
  ends.cellY = add(ofEnds.row, besideY);
  ends.makes = {{ofEnds.along, c(besideX), c(3 * besideX)}};
  if (besideY == 0)
    return;
  const PlaceInRows ofCorners = inRowsOf(2 * besideX, number, firstCorner);
  corners.who = {{number, c(firstCorner), c(firstCorner + shape.corners())}};
  corners.cellX = add(skipping(ofCorners.along, besideX, shape.blockX), besideX);
  corners.cellY = skipping(ofCorners.row, besideY, shape.blockY);
}

const FusedTile::Field &FusedTile::fieldOf(unsigned array) const {
  return *llvm::find_if(fields, [&](const Field &field) { return field.array == array; });
}

Value FusedTile::inColumn(const Field &field, const Column &column, int plane) const {
  return makeValue(typeOf(field), QueueSlotValue{column.queue, column.slot(plane)});
}

Statement FusedTile::assign(const Column &column, int plane, Value value) {
  return {AssignSlot{column.queue, column.slot(plane), std::move(value)}};
}

Value FusedTile::inTile(const Field &field, Index cellY, Index cellX) const {
  return makeValue(typeOf(field), LoadShared{field.tile, {std::move(cellY), std::move(cellX)}});
}

FusedTile::Spot FusedTile::spotOf(Body &body, const Group &group, const Index &plane) const {
  const auto let = [&](const std::string &name, const Index &value) {
    const unsigned local = builder.localOfBody(name);
    body.push_back({LetIndex{local, value}});
    return coordinate(CoordinateKind::Local, local);
  };
  const std::string &nameY = stencil.axes[1], &nameX = stencil.axes[2];
  Spot spot{{plane, group.y, group.x}, group.cellX, group.cellY};
  if (!group.y) {
    spot.cellY = let("cell_" + nameY, group.cellY);
    spot.point[1] = let("cell_at_" + nameY, add(cornerY, spot.cellY));
  }
  if (!group.x) {
    spot.cellX = let("cell_" + nameX, group.cellX);
    spot.point[2] = let("cell_at_" + nameX, add(cornerX, spot.cellX));
  }
  return spot;
}

// ---- the state ----------------------------------------------------------------------------------

Value FusedTile::stateAt(const Field &field, const Spot &spot, AxisSet onGrid) {
  const Array &array = stencil.arrays[field.array];
  const Point &point = spot.point;
  Point where = point;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    if (onGrid[axis])
      continue;
    where[axis] = placeInTile(stencil, schedule, field.array, axis, point[axis]);
    for (const auto &[place, name] : places)
      if (equal(place, where[axis]))
        where[axis] = name;
  }
  Value value = builder.load(arrays.argument(field.array, TimeLevel::Current), std::move(where));
  const auto choose = [&](unsigned axis, Side side, const Value &otherwise) {
    if (!onGrid[axis])
      value = makeValue(array.type,
                        GuardedValue{{isOnGrid(axis, {point[axis], side})}, value, otherwise});
  };
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    for (const Side side : {Low, High})
      if (const Boundary &boundary = array.boundary[axis][side]; boundary.factor != 1)
        choose(axis, side, timesFactor(array.type, boundary, value));
  // The axis named first decides which number stands there.
  for (unsigned axis = stencil.rank(); axis-- > 0;)
    for (const Side side : {Low, High})
      if (array.boundary[axis][side].kind == BoundaryKind::Value)
        choose(axis, side, formula.tree(builder, formula.outside(field.array, axis, side), Here{}));
  return value;
}

Statement FusedTile::takeIn(const Field &field, const Spot &spot, int plane) {
  return assign(field.state, plane, stateAt(field, spot.in(add(spot.point[0], plane))));
}

void FusedTile::show(Body &body, const Spot &spot, Column Field::*column) {
  for (const Field &field : fields)
    if (field.isReadBeside)
      body.push_back(
          {StoreShared{field.tile, {spot.cellY, spot.cellX}, inColumn(field, field.*column, 0)}});
}

void FusedTile::showCorners(Body &body, const Spot &spot) {
  for (const Field &field : fields)
    if (field.isReadBeside)
      body.push_back({StoreShared{field.tile, {spot.cellY, spot.cellX}, stateAt(field, spot)}});
}

// ---- the march ----------------------------------------------------------------------------------

void FusedTile::by(Body &body, const Group &group, Box which, const Index &plane,
                   llvm::function_ref<void(Body &, const Spot &)> append) const {
  if (group.who.empty())
    return;
  If works{group.who, {}, {}};
  llvm::append_range(works.box, which);
  const Spot spot = spotOf(works.then, group, plane);
  const size_t named = works.then.size();
  append(works.then, spot);
  if (works.then.size() > named)
    body.push_back({std::move(works)});
}

void FusedTile::appendStart() {
  body.push_back({Phase{"The columns as the first turn finds them, but for the newest plane."}});
  for (const Field &field : fields)
    for (const Column *column : {&field.state, &field.made})
      for (int plane = column->lowest; plane <= column->highest && field.isRead; ++plane)
        body.push_back(assign(*column, plane, makeValue(typeOf(field), LiteralValue{0})));
  for (const Group *group : {&own, &around, &ends})
    by(body, *group, {}, add(begin, -shape.below), [&](Body &body, const Spot &spot) {
      for (const Field &field : fields) {
        // Own points of planes before the chunk are made, too; of others what those read.
        const int first =
            field.state.lowest + (group == &own ? 0 : std::min(shape.below, -field.state.lowest));
        for (int plane = first; plane < field.state.highest && field.isRead; ++plane)
          body.push_back(takeIn(field, spot, plane));
      }
    });
}

void FusedTile::appendTurn(Body &body, const Index &plane) {
  body.push_back({Phase{"The newest plane of the state; that of the first step to the tile."}});
  for (const Group *group : {&own, &around, &ends})
    by(body, *group, {}, plane, [&](Body &body, const Spot &spot) {
      for (const Field &field : fields) {
        if (!field.isRead)
          continue;
        const int ahead = field.state.highest;
        const Statement load = takeIn(field, spot, ahead);
        if (group == &own)
          body.push_back(load);
        else
          branchOn(body, {{plane, nullptr, add(end, shape.above - ahead)}}).then.push_back(load);
      }
      show(body, spot, &Field::state);
    });
  by(body, corners, {{plane, begin, end}}, plane,
     [&](Body &body, const Spot &spot) { showCorners(body, spot); });
  body.push_back({Barrier{}});

  body.push_back({Phase{"The first step, also of what the second one reads around the block."}});
  for (const Group *group : {&own, &around, &ends}) {
    Box makes = group->makes;
    if (group != &own)
      makes.push_back({plane, group->madeBegin, group->madeEnd});
    by(body, *group, makes, plane, [&](Body &body, const Spot &spot) {
      makeFirst(body, *group, spot);
      for (const Field &field : fields)
        if (field.isRead)
          copyBeyondEnds(body, field, plane);
    });
  }
  body.push_back({Barrier{}});

  const Index second =
      builder.letIndex(body, stencil.axes[0] + "_second", add(plane, -shape.above));
  body.push_back({Phase{"Its plane that the second step is made of takes the tile."}});
  for (const Group *group : {&own, &around, &ends})
    by(body, *group, group->makes, second,
       [&](Body &body, const Spot &spot) { show(body, spot, &Field::made); });
  body.push_back({Barrier{}});

  body.push_back({Phase{"The second step of the block's own points."}});
  by(body, own, {{second, begin, end}}, second,
     [&](Body &body, const Spot &spot) { makeSecond(body, spot); });
  body.push_back({Barrier{}});

  body.push_back({Phase{"The columns move up one plane."}});
  for (const Field &field : fields)
    if (field.isRead)
      for (const Column *column : {&field.state, &field.made})
        if (column->lowest < column->highest)
          body.push_back({Rotate{column->queue}});
}

Launch FusedTile::addTo(Program &program) {
  Launch launch{.kernel = unsigned(program.kernels.size()),
                .comment = stepsOf(2) + " of every point that is updated.",
                .buffers = {},
                .cover = {},
                .integers = {}};
  const unsigned rank = stencil.rank();
  const PointBox box = builder.boxOf(updated);
  std::vector<Index> atLeast; // along the contiguous axis it starts on a memory line
  for (unsigned axis = 0; axis < rank; ++axis)
    atLeast.push_back(axis + 1 < rank ? c(leftOut(updated[axis], Low)) : nullptr);
  const Point point = builder.threads(body, schedule.block, atLeast, schedule.chunk);
  begin = point.front();
  builder.kernel.block[1] = shape.threadRows();
  builder.kernel.promisesResidency =
      schedule.residency * builder.kernel.threads() <= cuda::kMaxThreadsPerSm;
  const std::array<int, kMaxRank> points = {schedule.chunk, shape.blockY, shape.blockX};
  const auto corner = [&](unsigned axis, int around) {
    const auto binding = llvm::find(builder.bindings, IntegerBinding(FirstOf{axis}));
    const Index first = coordinate(CoordinateKind::Argument, binding - builder.bindings.begin());
    const Index number = coordinate(CoordinateKind::Block, dimensionOf(axis, rank));
    return builder.letIndex(body, "tile_" + stencil.axes[axis],
                            add(add(first, scale(number, points[axis])), -around));
  };
  cornerY = corner(1, shape.besideY);
  cornerX = corner(2, 2 * shape.besideX);
  end = builder.letIndex(body, stencil.axes[0] + "_end",
                         minimum(add(begin, builder.chunk()), box.end[0]));
  makeGroups(point);
  for (unsigned axis = 0; axis < rank; ++axis) {
    launch.cover.begin[axis] = box.begin[axis];
    launch.cover.end[axis] = box.end[axis];
    launch.cover.points[axis] = points[axis];
    int64_t &least = builder.kernel.minimumExtent[axis];
    least = std::max<int64_t>(
        {least, 1, isPeriodic(stencil, axis) ? imagesAlong(stencil, schedule, axis) : 0});
  }
  launch.cover.alignTo = arrays.argument(fields.front().array, TimeLevel::Next);

  ofSteps.load(body, 0);
  appendStart();
  For march{LoopKind::Serial,
            builder.local(stencil.axes[0]),
            add(begin, -shape.below),
            add(end, shape.above),
            1,
            {}};
  march.steady = SteadyLoop{};
  appendTurn(march.body, coordinate(CoordinateKind::Local, march.local));
  body.push_back({Phase{"Up through the chunk, one plane a turn."}});
  body.push_back({std::move(march)});
  launch.buffers = builder.buffers;
  launch.integers = builder.bindings;
  program.kernels.push_back(builder.finish(std::move(body)));
  return launch;
}
