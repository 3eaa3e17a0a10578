#include "codegen/variants/FusedMarch.h"

#include "codegen/lower/UpdateBox.h"
#include "codegen/lower/Window.h"
#include "codegen/variants/MarchSums.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

// ---- set-up -------------------------------------------------------------------------------------

static Index c(int64_t value) { return constant(value); }
static Index thread(unsigned dimension) { return coordinate(CoordinateKind::Thread, dimension); }
static Index block(unsigned dimension) { return coordinate(CoordinateKind::Block, dimension); }

/// What is read of any plane of a field, as if it were the highest.
static std::vector<MarchReach::Plane> planesTogether(const MarchReach &reach) {
  std::vector<MarchReach::Plane> together;
  for (const MarchReach::Plane &plane : reach.planes) {
    auto known =
        llvm::find_if(together, [&](const auto &other) { return other.field == plane.field; });
    if (known == together.end())
      known = together.insert(together.end(), {plane.field, reach.highest});
    known->x = std::max(known->x, plane.x);
    known->y = std::max(known->y, plane.y);
    known->hasCorners |= plane.hasCorners;
    known->age = reach.age(plane.stage, plane.field, plane.isNew, reach.highest);
    for (const Side side : {Low, High}) {
      known->readsX[side] |= plane.readsX[side];
      known->readsY[side] |= plane.readsY[side];
    }
  }
  return together;
}

FusedMarch::FusedMarch(const FusedState &state, const Schedule &schedule, Form form,
                       std::vector<Row> ways)
    : stencil(state.form().stencil), formula(state.form().formula), schedule(schedule),
      isFitting(form == Form::Fitting), isAligned(form != Form::InElements), ways(std::move(ways)),
      rank(stencil.rank()), reach(stencil), levels(schedule.fuse),
      rows(schedule.pointsPerThread[1]), points(schedule.pointsPerThread[0]),
      warps(schedule.block[1]), blocks(blocksOfTile(schedule)),
      keepsComingShared(rank == 3 && schedule.prefetch > 0),
      builder(state.form().program,
              stencil.name + (isFitting   ? "_fused_fitting"
                              : isAligned ? "_fused_in_vectors"
                                          : "_fused"),
              Target::Device),
      arrays(builder, state.form().program, stencil), ofSteps(builder, stencil, formula, levels),
      around(areaAround(state.form().areas, rank)) {
  Kernel &kernel = builder.kernel;
  kernel.block = schedule.block;
  kernel.cluster = blocks;
  kernel.promisesResidency = isAligned;
  kernel.startsEarly = false;
  kernel.hasShortAddresses = form == Form::Fitting || form == Form::InVectors;
  kernel.comment = {stepsOf(levels) + (isFitting ? ", where tiles end with the grid, of" : " of")};
  for (auto [number, stage] : llvm::enumerate(stencil.stages)) {
    if (number > 0)
      kernel.comment.push_back("and then");
    for (auto [update, area] : llvm::zip(stage.updates, state.form().areas.updates[number])) {
      Field field;
      field.array = update.array;
      field.stage = number;
      field.isTemp = stencil.arrays[update.array].kind == ArrayKind::Temp;
      field.area = area;
      field.isPrevious = state.isPrevious(update.array);
      if (!field.isPrevious)
        kernel.comment.push_back("  " + update.text);
      fields.push_back(std::move(field));
    }
  }
  if (keepsComingShared)
    for (const std::vector<ExprId> &parts : partsByPlane(stencil, formula, reach)) {
      sumsByPlane.emplace_back();
      for (ExprId part : parts)
        sumsByPlane.back().push_back(
            {part, builder.patch("sum", formula[part].type, {levels, rows, points})});
    }
  if (!goesByPlanes())
    for (ExprId part : partsBeforeNewest(stencil, formula, reach))
      sums.push_back({part, builder.patch("sum", formula[part].type, {rows, points})});
  seen = goesByPlanes() ? planesTogether(reach) : reach.planes;
  comingPlaces = comingPlanes(schedule, reach, goesByPlanes() && keepsPoints());
  makeFields();
  keepsLate = !goesByPlanes() && canKeepLate();
  partsTurns = rank == 3 && reach.y <= 1 && !wrapsPieces() &&
               (form == Form::InVectors || (isFitting && canPart()));
}

bool FusedMarch::canPart() {
  return llvm::all_of(fields, [&](const Field &field) { return sizeInBytes(typeOf(field)) > 4; }) &&
         !(goesByPlanes() && keepsPoints());
}

bool FusedMarch::keepsPoints() {
  Point point;
  for (unsigned axis = 0; axis < rank; ++axis)
    point.push_back(c(axis));
  return llvm::any_of(fields, [&](const Field &field) {
    return !field.isTemp && llvm::any_of(llvm::seq(0u, rank), [&](unsigned axis) {
      return !keptUnless(field, axis, point).empty();
    });
  });
}

bool FusedMarch::canKeepLate() const {
  return hasOneStage() &&
         llvm::all_of(fields,
                      [&](const Field &field) {
                        const auto &ends = stencil.arrays[field.array].boundary[0];
                        return field.area == around && !seesGrid(ends[Low].kind) &&
                               !seesGrid(ends[High].kind);
                      }) &&
         llvm::none_of(reach.planes, [](const MarchReach::Plane &plane) { return plane.age == 0; });
}

void FusedMarch::makeFields() {
  for (auto [number, field] : llvm::enumerate(fields)) {
    const Array &array = stencil.arrays[field.array];
    field.lanes = lanesFor(array.type, points);
    field.planes = builder.patch(array.name + "_planes", array.type,
                                 {turns(), levels + 1 - field.firstLevel(), rows, points});
    if (schedule.prefetch > 0 && !field.isTemp)
      field.coming = keepsComingShared ? builder.tile(array.name + "_coming", array.type,
                                                      {comingPlaces, ownRows(), width()})
                                       : builder.patch(array.name + "_coming", array.type,
                                                       {schedule.prefetch, rows, points});
    field.shown = reach.shown[number];
    if (goesByPlanes()) // of the newest plane that is read
      field.shown.oldest = field.shown.youngest = reach.lag - reach.highest;
    if (field.shown.rows > 0)
      field.rims =
          builder.tile(array.name + "_rims", array.type,
                       {field.shown.planes(), field.shown.levels(levels), rimsOf(field), width()});
  }
  for (const MarchReach::Plane &plane : seen) {
    const Array &array = stencil.arrays[fields[plane.field].array];
    surroundings.push_back(builder.patch(array.name + "_around", array.type,
                                         {rows + 2 * plane.y, points + 2 * plane.x}));
  }
}

// ---- small parts --------------------------------------------------------------------------------

Value FusedMarch::element(ScalarType type, unsigned patch, std::vector<Index> at) const {
  return makeValue(type, PatchElement{patch, std::move(at)});
}

PatchElement FusedMarch::planeAt(const Field &field, int age, const Index &level, const Index &row,
                                 const Index &i) const {
  return {field.planes, {slot(age), add(level, -field.firstLevel()), row, i}};
}

Value FusedMarch::valueAt(const Field &field, int age, const Index &level, const Index &row,
                          const Index &i) const {
  return makeValue(typeOf(field), planeAt(field, age, level, row, i));
}

Point FusedMarch::pointOf(Index plane, const Index &row, Index pointX) const {
  Point point = {std::move(plane)};
  if (rank == 3)
    point.push_back(add(y, row));
  point.push_back(std::move(pointX));
  return point;
}

Point FusedMarch::within(Body &body, const Point &point) {
  const PointBox box = builder.boxOf(around);
  Point nearest;
  for (unsigned axis = 0; axis < rank; ++axis) {
    const bool isUpdated = axis == 0 ? withinPlanes : withinTile;
    const Index index =
        isUpdated ? point[axis] : nearestUpdated(stencil, schedule, box, axis, point[axis]);
    nearest.push_back((reach.constantAxes[axis] || mapsPosition(axis)) && !isUpdated
                          ? builder.letIndex(body, stencil.axes[axis] + "_within", index)
                          : index);
  }
  return nearest;
}

// ---- the march ----------------------------------------------------------------------------------

/// Gives every element of a patch the value 0, from the axis after those of `at` on.
static void clear(Body &body, KernelBuilder &builder, unsigned patch, std::vector<Index> at = {},
                  llvm::ArrayRef<const char *> axes = {"slot", "level", "row", "i"}) {
  const Patch &cleared = builder.kernel.patches[patch];
  if (at.size() == cleared.shape.size()) {
    body.push_back({AssignElement{patch, std::move(at), makeValue(cleared.type, LiteralValue{0})}});
    return;
  }
  builder.unroll(body, axes[at.size()], 0, cleared.shape[at.size()],
                 [&](Body &body, const Index &index) {
                   std::vector<Index> further = at;
                   further.push_back(index);
                   clear(body, builder, patch, std::move(further), axes);
                 });
}

void FusedMarch::appendStart() {
  for (const Field &field : fields)
    clear(body, builder, field.planes);
  for (const std::vector<Sum> &sums : sumsByPlane)
    for (const Sum &sum : sums)
      clear(body, builder, sum.patch, {}, {"level", "row", "i"});
  for (const Field &field : fields)
    if (field.shown.rows > 0)
      builder.unroll(body, "place", 0, field.shown.planes(), [&](Body &body, const Index &place) {
        builder.unroll(body, "level", 0, field.shown.levels(levels),
                       [&](Body &body, const Index &level) {
                         const int first = field.shown.firstLevel();
                         showPlane(body, field, place, add(level, first), c(0));
                       });
      });
  if (blocks > 1)
    sendSeam(body, c(0), /*ofAllPlaces=*/true);
  if (reach.y > 0)
    body.push_back({Barrier{}});
  if (blocks > 1)
    awaitSeam(body, c(0), /*ofAllPlaces=*/true);
  if (schedule.prefetch == 0)
    return;
  body.push_back({Phase{"The first planes are on their way before the march."}});
  builder.unroll(body, "plane", 0, schedule.prefetch, [&](Body &body, const Index &turns) {
    for (const Field &field : fields)
      if (!field.isTemp)
        loadPlane(body, field, add(add(firstPlane(), reach.ahead(field.stage)), turns),
                  [&](const Index &row) { return ahead(field, turns, row); });
    if (keepsComingShared)
      body.push_back({CommitCopies{}});
  });
}

void FusedMarch::takeIn(Body &body) {
  const Index level = c(0);
  for (auto [plane, around] : llvm::zip(seen, surroundings))
    if (isForSums(plane))
      surround(body, level, plane, around);
  builder.unroll(body, "row", 0, rows, [&](Body &body, const Index &row) {
    if (!sums.empty())
      builder.unroll(body, "i", 0, points, [&](Body &body, const Index &i) {
        for (auto [sum, value] : llvm::zip(sums, sumsOf(body, level, row, i)))
          body.push_back({AssignElement{sum.patch, {row, i}, value}});
      });
    if (schedule.prefetch > 0)
      for (const Field &field : fields)
        if (!field.isTemp)
          take(body, field, row);
  });
  if (schedule.prefetch == 0)
    for (const Field &field : fields)
      if (!field.isTemp)
        loadPlane(body, field, newestOf(field, level), [&](const Index &row) {
          return intoPatch(field, planeAt(field, 0, level, row, c(0)));
        });
  where(body, room, [&](Body &body) {
    for (const Field &field : fields)
      if (!field.isTemp)
        replaceOutside(body, field, level);
  });
  if (!partsTurns)
    for (const Field &field : fields)
      if (field.shown.ofOld)
        show(body, field, level);
}

void FusedMarch::appendTurn(Body &body) {
  const unsigned number = builder.localOfBody(stencil.axes[0]);
  body.push_back({LetIndex{number, add(add(firstPlane(), turn), phase)}});
  z = coordinate(CoordinateKind::Local, number);
  if (keepsComingShared)
    body.push_back({WaitCopies{unsigned(schedule.prefetch - 1)}});
  const Index oldest = add(z, reach.lowest - levels * reach.lag), newest = add(z, reach.ahead(0));
  roomOf[0] = roomAlong(0, oldest, newest);
  if (partsTurns) {
    const Index roomOfPlanes = builder.letIndex(
        body, "planes_room",
        least(roomsAlong(0, oldest, add(newest, schedule.prefetch), /*isWithin=*/true)));
    const Index roomOfTurn = builder.letIndex(body, "turn_room", minimum(roomOfPlanes, roomOfTile));
    If isWithin{{{roomOfTurn, c(0), nullptr}}, {}, {}};
    isWithin.then.push_back({Phase{"Neither the tile nor a plane is at an end of the grid."}});
    withinPlanes = withinTile = true;
    appendPlanes(isWithin.then);
    withinTile = false;
    If isBetween{{{roomOfPlanes, c(0), nullptr}}, {}, {}};
    isBetween.then.push_back({Phase{"The tile is, but no plane."}});
    if (isFitting)
      appendPlanes(isBetween.then);
    withinPlanes = false;
    Body &otherwise = isFitting ? isBetween.otherwise : isWithin.otherwise;
    otherwise.push_back({Phase{isFitting ? "A plane is." : "The tile or a plane is."}});
    appendPlanes(otherwise);
    if (isFitting)
      isWithin.otherwise.push_back({std::move(isBetween)});
    body.push_back({std::move(isWithin)});
  } else {
    appendPlanes(body);
  }
  const Index next = add(add(turn, phase), 1);
  if (blocks > 1)
    sendSeam(body, next);
  if (reach.y > 0)
    body.push_back({Barrier{}});
  if (blocks > 1)
    awaitSeam(body, next);
}

void FusedMarch::appendPlanes(Body &body) {
  room = roomBeside;
  if (roomOf[0] && !withinPlanes)
    room = builder.letIndex(body, "room", roomBeside ? minimum(roomOf[0], roomBeside) : roomOf[0]);
  // Of turns in parts: what each waits for is ahead of what others wait for.
  const bool loadsFirst = partsTurns && keepsComingShared;
  if (loadsFirst)
    loadAhead(body);
  if (goesByPlanes())
    appendLevelsByPlane(body);
  body.push_back({Phase{"Takes in the next plane of the state."}});
  takeIn(body);
  if (!loadsFirst)
    loadAhead(body);
  if (!goesByPlanes())
    appendLevels(body);
  if (partsTurns && reach.y > 0) {
    body.push_back({Phase{"Shows rows at the rims to other warps in the next turn."}});
    showRims(body);
  }
  if (goesByPlanes())
    return;
  body.push_back({Phase{"Stores what is right at the last level."}});
  for (const Field &field : fields)
    leave(body, field);
}

void FusedMarch::appendMarch() {
  const unsigned number = builder.localOfLoop("turn");
  turn = coordinate(CoordinateKind::Local, number);
  For march{LoopKind::Serial,
            number,
            c(0),
            add(add(end, scale(begin, -1)), levels * (reach.lag - reach.lowest) + reach.lead),
            turns(),
            {}};
  if (turns() == 1)
    appendTurn(march.body);
  else
    builder.unroll(march.body, "phase", 0, turns(), [&](Body &body, const Index &local) {
      phase = local;
      appendTurn(body);
    });
  march.steady = SteadyLoop{schedule.prefetch, turns(), turns()};
  body.push_back({std::move(march)});
}

Launch FusedMarch::addTo(Program &program) {
  const std::array<int, kMaxRank> right = rightPoints(stencil, schedule);
  const PointBox box = builder.boxOf(around);
  Launch launch{.kernel = unsigned(program.kernels.size()),
                .comment = stepsOf(levels) + " of every point that is updated.",
                .buffers = {},
                .cover = {},
                .integers = {}};
  launch.cover.cluster = blocks;
  std::vector<Index> first;
  int lowest = ways.front().begin, highest = lowest;
  for (const Row &way : ways) {
    lowest = std::min(lowest, way.begin - way.lower);
    highest = std::max(highest, way.begin);
  }
  for (unsigned axis = 0; axis < rank; ++axis) {
    const bool isRow = axis + 1 == rank;
    launch.cover.begin[axis] = isRow       ? c(lowest)
                               : axis == 0 ? box.begin[axis]
                                           : add(box.begin[axis], -marginAt(axis, Low));
    // The last block reaches the end that the first ones do not: their margins are other blocks'.
    launch.cover.end[axis] =
        axis == 0 ? box.end[axis]
                  : maximum(add(box.end[axis],
                                marginAt(axis, High) - margin(axis, Low) - margin(axis, High)),
                            isRow ? c(highest + 1) : add(launch.cover.begin[axis], 1));
    launch.cover.points[axis] = axis == 0 ? schedule.chunk : right[axis];
    first.push_back(
        coordinate(CoordinateKind::Argument,
                   builder.integer("first_" + stencil.axes[axis], launch.cover.begin[axis],
                                   isRow && wrapsPieces() ? launch.cover.begin[axis] : nullptr,
                                   FirstOf{axis})));
    int64_t &least = builder.kernel.minimumExtent[axis];
    least = std::max<int64_t>(
        {least, 1, axis > 0 ? 1 : leftOut(around[axis], Low) + leftOut(around[axis], High) + 1});
    if (isPeriodic(stencil, axis))
      least = std::max<int64_t>(
          {least, imagesAlong(stencil, schedule, axis), isRow && wrapsPieces() ? width() : 0});
  }
  if (isAligned)
    for (const Field &field : fields)
      for (TimeLevel level : levelsInMemory(field))
        builder.kernel.arrays[arrays.argument(field.array, level)].alignment =
            Alignment{unsigned(field.lanes), first.back()};

  // Const arrays are read at points of the area alone: it has some.
  for (unsigned axis = 1; axis < rank && reach.readsConstants(); ++axis)
    body.push_back({ReturnUnless{{{box.begin[axis], nullptr, box.end[axis]}}}});
  const auto origin = [&](unsigned axis, int size) {
    const Index number = block(dimensionOf(axis, rank));
    return add(first[axis], scale(axis == 1 ? quotient(number, blocks) : number, size));
  };
  Index before = c(0); // rows of the tile that the partner has
  if (blocks > 1) {
    part = builder.letIndex(body, "part", remainder(block(1), blocks));
    seam = builder.letIndex(body, "seam", add(scale(part, 1 - warps), warps - 1));
    before = scale(part, ownRows());
  }
  const auto tile = [&](unsigned axis) {
    return builder.letIndex(body, "tile_" + stencil.axes[axis], origin(axis, right[axis]));
  };
  const unsigned row = rank - 1;
  const Index tileX = tile(row), tileY = rank == 3 ? tile(1) : nullptr;
  Index cornerX = withinEnds(row, tileX, first[row], width()), cornerY;
  if (rank == 3)
    cornerY = add(withinEnds(1, tileY, add(box.begin[1], -marginAt(1, Low)), height()), before);
  if (partsTurns) {
    cornerX = builder.letIndex(body, stencil.axes[row] + "_corner", cornerX);
    cornerY = builder.letIndex(body, stencil.axes[1] + "_corner", cornerY);
  }
  x = builder.letIndex(body, stencil.axes[row], add(cornerX, scale(thread(0), points)));
  if (rank == 3)
    y = builder.letIndex(body, stencil.axes[1], add(cornerY, scale(thread(1), rows)));
  body.push_back({Phase{"A tile is right up to an end that it has, but for margins elsewhere."}});
  storedX = letStored(row, tileX, width());
  if (rank == 3)
    storedY = letStored(1, tileY, height());
  begin = builder.letIndex(body, stencil.axes[0] + "_begin", origin(0, schedule.chunk));
  end = builder.letIndex(body, stencil.axes[0] + "_end",
                         minimum(add(begin, schedule.chunk), box.end[0]));
  for (unsigned axis = rank; axis-- > 1;) {
    const Index &first = axis + 1 == rank ? x : y;
    const int count = axis + 1 == rank ? points : rows;
    if (const Index along = roomAlong(axis, first, add(first, count - 1)))
      roomOf[axis] = builder.letIndex(body, stencil.axes[axis] + "_room", along);
  }
  // Only whether there is less than none matters: what is more differs among threads, and a walk
  // would see each turn end at another of them.
  for (unsigned axis = 1; axis < rank; ++axis)
    if (roomOf[axis])
      roomBeside = minimum(roomBeside ? roomBeside : c(0), roomOf[axis]);
  if (roomBeside)
    roomBeside = builder.letIndex(body, "room_beside", roomBeside);
  if (partsTurns) {
    // From 0 on: tiles that have room are all alike to who counts what they do.
    std::vector<Index> rooms;
    for (const auto &[axis, tile, corner, size] :
         {std::tuple(1u, add(tileY, before), cornerY, ownRows()), {row, tileX, cornerX, width()}}) {
      std::vector<Index> along = {c(0)};
      llvm::append_range(along, roomsAlong(axis, corner, add(corner, size - 1), true));
      // Where steps read nothing beside, a tile that was moved within the grid is at no end by
      // that.
      if (right[axis] == (axis == row ? width() : height()))
        along.push_back(add(corner, scale(tile, -1)));
      rooms.push_back(builder.letIndex(body, "tile_" + stencil.axes[axis] + "_room", least(along)));
    }
    roomOfTile = builder.letIndex(body, "tile_room", least(rooms));
  }
  if (ofSteps.hasLists())
    body.push_back({Phase{"What arrays over time have for each step."}});
  ofSteps.load(body, 0);
  body.push_back({Phase{"Nothing is known of planes before the first."}});
  appendStart();
  appendMarch();
  launch.buffers = builder.buffers;
  launch.integers = builder.bindings;
  program.kernels.push_back(builder.finish(std::move(body)));
  return launch;
}
