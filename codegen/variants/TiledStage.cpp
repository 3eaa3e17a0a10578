#include "codegen/variants/TiledStage.h"

#include "codegen/lower/ReadNames.h"

#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace stencilc;

int stencilc::sparePlanes(const Schedule &schedule) {
  return schedule.hasFlag("buffered") + (schedule.chunk > 1 && schedule.hasFlag("async"));
}

/// The threads of the block's own points.
static bool updates(TilePart part) { return part == TilePart::All || part == TilePart::Own; }

/// Names where the thread and its block stand.
TileBlock TiledStage::place() {
  const unsigned rank = shape.rank;
  std::vector<Index> atLeast(rank); // along the contiguous axis it starts on a memory line
  for (unsigned axis = 0; axis + 1 < rank; ++axis)
    atLeast[axis] = constant(leftOut(stage.area[axis], Low));
  point = builder.threads(body, schedule.block, atLeast, schedule.chunk);
  TileBlock block;
  for (unsigned axis = 0; axis < rank; ++axis) {
    int64_t &least = builder.kernel.minimumExtent[axis];
    least = std::max<int64_t>(least, 1);
    if (axis == 0 && peeled.any()) // so a chunk has a last plane
      least = std::max(least, leftOut(stage.area[0], Low) + leftOut(stage.area[0], High) + 1);
    const unsigned dimension = dimensionOf(axis, rank);
    block.corner.push_back(
        add(stage.firstOf(axis),
            scale(coordinate(CoordinateKind::Block, dimension), shape.points[axis])));
    std::optional<int> below;
    if (axis + 1 < rank)
      below = -leftOut(stage.area[axis], Low);
    block.own.push_back({point[axis], stage.stencil.axes[axis] + "_here", below, std::nullopt});
  }
  return block;
}

void TiledStage::makeTiles() {
  for (TileLayer &layer : layers.tiles) {
    const Array &array = stage.stencil.arrays[layer.base.array];
    const char *level = layer.base.level == TimeLevel::Current    ? ""
                        : layer.base.level == TimeLevel::Previous ? "_prev"
                                                                  : "_new";
    layer.tile =
        builder.tile(array.name + level + "_tile", array.type, layer.sizes(shape, slots(layer)));
    builder.kernel.tiles[layer.tile].padding = layer.padding;
  }
  if (llvm::any_of(layers.tiles, [](const TileLayer &layer) { return layer.padding > 0; }))
    builder.kernel.comment.push_back("Rows of tiles are longer than what they hold: threads of a "
                                     "warp then ask for different banks.");
}

void TiledStage::makeQueues() {
  for (Column &column : layers.columns) {
    std::vector<std::string> slots;
    for (int plane = column.lowest; plane <= column.highest; ++plane)
      slots.push_back(readName(stage.stencil, column.read(plane)));
    const Array &array = stage.stencil.arrays[column.base.array];
    column.queue = builder.queue(array.name + "_column", array.type, std::move(slots));
  }
}

Box TiledStage::inside() const {
  Box box;
  for (unsigned axis = shape.rank; axis-- > 0;)
    if (axis > 0 || !shape.marches)
      box.push_back({point[axis], axis + 1 == shape.rank ? stage.box.begin[axis] : nullptr,
                     stage.box.end[axis]});
  return box;
}

Index TiledStage::slot(const TileLayer &layer, const Index &plane, int distance) const {
  const int slots = this->slots(layer), fromLowest = distance - layer.lowest;
  if (slots == 1)
    return nullptr;
  const auto named = turnSlots.find({slots, fromLowest});
  return named != turnSlots.end() ? named->second : remainder(add(plane, fromLowest), slots);
}

void TiledStage::nameSlots(Body &body, const Index &plane, TilePart part) {
  for (const TileLayer &layer : layers.tiles) {
    std::vector<int> distances = {layer.highest + copies()};
    for (const Offset &offset : updates(part) ? layer.reads : std::vector<Offset>())
      distances.push_back(shape.marches ? offset[0] : 0);
    llvm::sort(distances);
    for (int distance : distances) {
      Index number = slot(layer, plane, distance);
      if (!number || turnSlots.count({slots(layer), distance - layer.lowest}))
        continue;
      Offset offset = {};
      offset[0] = distance;
      turnSlots[{slots(layer), distance - layer.lowest}] = builder.letIndex(
          body, distance == 0 ? "slot_here" : "slot" + direction(offset, shape.rank), number);
    }
  }
}

/// The plane at a distance from one.
Spot TiledStage::planeFrom(const Spot &plane, int distance) const {
  Offset offset = {};
  offset[0] = distance;
  return plane.moved(distance, plane.name + direction(offset, shape.rank));
}

Value TiledStage::loaded(Body &body, const Column &column, const Spot &plane) {
  std::vector<Spot> spots = block.own;
  spots[0] = plane;
  return cells.value(body, column.base, spots);
}

/// The newest plane of each layer, for threads that stand on `plane`.
std::vector<TileFill::Plane> TiledStage::newest(const Spot &plane, int ahead) const {
  std::vector<TileFill::Plane> planes;
  for (const TileLayer &layer : layers.tiles) {
    const int distance = layer.highest + ahead;
    Read own = layer.base;
    own.offset[0] = distance;
    Value value;
    if (const Column *column = layers.columnOf(own))
      value = makeValue(stage.stencil.arrays[own.array].type,
                        QueueSlotValue{column->queue, column->slot(distance)});
    planes.push_back(
        {&layer, planeFrom(plane, distance), slot(layer, plane.index, distance), std::move(value)});
  }
  return planes;
}

/// From queues what they hold, from tiles what they hold, the rest from memory.
ReadSource TiledStage::reads(GridReads memory, Index plane) {
  return [this, plane = std::move(plane),
          memory = std::move(memory)](Body &body, const Read &read) mutable -> Value {
    const ScalarType type = stage.stencil.arrays[read.array].type;
    if (const Column *column = layers.columnOf(read))
      return makeValue(type, QueueSlotValue{column->queue, column->slot(read.offset[0])});
    const TileLayer *layer = layers.holding(read);
    if (!layer)
      return memory(body, read);
    std::vector<Index> at;
    if (Index number = slot(*layer, plane, shape.marches ? read.offset[0] : 0))
      at.push_back(number);
    Box isInTile;
    for (unsigned axis = 0; axis < shape.rank; ++axis) {
      if (!shape.isTiled(axis))
        continue;
      const Index cell = add(coordinate(CoordinateKind::Thread, dimensionOf(axis, shape.rank)),
                             layer->margin[axis][Low] + read.offset[axis]);
      at.push_back(cell);
      if (!shape.hasMargin(axis) && read.offset[axis] < 0)
        isInTile.push_back({cell, constant(0), nullptr});
      if (!shape.hasMargin(axis) && read.offset[axis] > 0)
        isInTile.push_back({cell, nullptr, constant(shape.points[axis])});
    }
    Value value = makeValue(type, LoadShared{layer->tile, std::move(at)});
    return isInTile.empty()
               ? value
               : makeValue(type, GuardedValue{std::move(isInTile), value, memory(body, read)});
  };
}

/// One point of each thread; `barrier` is that of all threads that are at work.
void TiledStage::appendPoint(Body &body, TilePart part, const Barrier &barrier) {
  const TileCells outside = cells;
  TileFill fill = filling();
  if (updates(part))
    stage.letPointers(body, point);
  fill.prepare(body, part);
  body.push_back({Phase{phaseOfFilling(part)}});
  fill.append(body, newest(block.own[0]), part);
  if (copies())
    llvm::append_range(body, Body{{CommitCopies{}}, {WaitCopies{0}}});
  body.push_back({barrier});
  cells = outside;
  if (!updates(part))
    return;
  if (part == TilePart::All) {
    body.push_back({ReturnUnless{inside()}});
    body.push_back({Phase{"One step of the thread's point."}});
    stage.appendUpdates(body, point, reads(stage.readsAt({point}), point[0]));
  } else {
    appendUpdates(body, point[0]);
  }
}

/// Fills what the first turn reads of tiles that hold several planes, but for the newest one.
void TiledStage::appendFirstPlanes(Body &body, TileFill &fill, TilePart part) {
  std::vector<const TileLayer *> left;
  for (const TileLayer &layer : layers.tiles)
    if (layer.planes() + copies() > 1)
      left.push_back(&layer);
  if (!left.empty())
    body.push_back({Phase{copies() ? "The tile as the first point sees it."
                                   : "The tile as the first point sees it, but for the newest "
                                     "plane."}});
  while (!left.empty()) {
    const TileLayer &first = *left.front();
    const TileCells outside = cells;
    For planes{LoopKind::Serial,
               builder.local("plane"),
               point[0],
               add(point[0], first.planes() - !copies()),
               1,
               {}};
    const Index number = coordinate(CoordinateKind::Local, planes.local);
    const Spot spot =
        Spot{number, "", block.own[0].below, std::nullopt}.moved(first.lowest, "plane_at");
    std::vector<TileFill::Plane> alike;
    llvm::erase_if(left, [&](const TileLayer *layer) {
      if (layer->lowest != first.lowest || layer->highest != first.highest)
        return false;
      alike.push_back({layer, spot, slot(*layer, number, first.lowest), nullptr});
      return true;
    });
    fill.append(planes.body, alike, part);
    body.push_back({std::move(planes)});
    cells = outside;
  }
  if (copies())
    body.push_back({CommitCopies{}});
}

/// What rides in registers when the march begins.
void TiledStage::appendFirstColumns(Body &body) {
  const Spot first{point[0], stage.stencil.axes[0] + "_begin", block.own[0].below, std::nullopt};
  if (!layers.columns.empty())
    body.push_back({Phase{fmt::format("What the first point reads at its own place, but for the "
                                      "newest {}.",
                                      planeWord())}});
  for (const Column &column : layers.columns)
    for (int distance = column.lowest; distance < column.highest; ++distance)
      body.push_back({AssignSlot{column.queue, column.slot(distance),
                                 loaded(body, column, planeFrom(first, distance))}});
}

void TiledStage::appendMarch(Body &body, const Index &end, TilePart part, const Barrier &barrier) {
  const TileCells outside = cells;
  TileFill fill = filling();
  const bool isOwn = updates(part);
  const bool hasPlanes = constantDifference(stage.box.begin[0], constant(0)) &&
                         constantDifference(stage.box.end[0], extent(0));
  const std::vector<MarchPart> parts =
      partsOfMarch(builder.kernel, point[0], end, peeled, /*mayBeEmpty=*/!hasPlanes);
  for (const MarchPart &planes : parts) {
    const bool isFirst = &planes == &parts.front(), isLast = &planes == &parts.back();
    const bool isLoop = bool(planes.end);
    Point begin = point;
    if (!isFirst) {
      body.push_back({Phase{phaseOf(planes, planeWord())}});
      begin[0] = planes.isMost
                     ? planes.begin
                     : builder.letIndex(body, stage.stencil.axes[0] + "_last", planes.begin);
    }
    For march{LoopKind::Serial, 0, begin[0], planes.end, 1, {}};
    if (isOwn) {
      for (unsigned pointer : stage.letPointers(body, begin, /*areCarried=*/isLoop,
                                                isFirst || planes.isMost ? "here" : "last"))
        march.carries.push_back({pointer, 0});
      if (planes.isMost)
        march.steady = SteadyLoop{};
    }
    if (isFirst) {
      fill.prepare(body, part);
      if (isOwn)
        appendFirstColumns(body);
      appendFirstPlanes(body, fill, part);
    }

    const UniqueNames names = builder.names;
    const TileCells shared = cells;
    if (isLoop)
      march.local = builder.local(stage.stencil.axes[0]);
    const Spot each{isLoop ? coordinate(CoordinateKind::Local, march.local) : begin[0],
                    stage.stencil.axes[0],
                    *block.own[0].below - planes.isInside[Low] * peeled.first,
                    int(-leftOut(stage.area[0], High)) - planes.isInside[High] * peeled.last};
    appendTurn(isLoop ? march.body : body, fill, each, planes, end, part, barrier);
    if (isLoop) {
      if (isFirst)
        body.push_back({Phase{phaseOf(planes, planeWord())}});
      body.push_back({std::move(march)});
      cells = shared;
      if (!isLast)
        builder.names = names; // those that the loop's body makes end with it
    }
    turnSlots.clear();
  }
  cells = outside;
}

/// What the threads of a part do in a plane of the march.
void TiledStage::appendTurn(Body &body, TileFill &fill, const Spot &each, const MarchPart &planes,
                            const Index &end, TilePart part, const Barrier &barrier) {
  const bool isOwn = updates(part), hasColumns = isOwn && !layers.columns.empty();
  if (hasColumns)
    body.push_back({Phase{fmt::format("The newest {}.", planeWord())}});
  for (const Column &column : layers.columns)
    if (isOwn)
      body.push_back({AssignSlot{column.queue, column.slot(column.highest),
                                 loaded(body, column, planeFrom(each, column.highest))}});
  nameSlots(body, each.index, part);
  if (copies()) {
    // The last turn has no next one.
    body.push_back({Phase{fmt::format("The next turn's {} is on its way.", planeWord())}});
    If hasNext{{{add(each.index, 1), nullptr, end}}, {}, {}};
    const TileCells here = cells;
    fill.append(hasNext.then, newest(each, 1), part);
    cells = here;
    body.push_back({std::move(hasNext)});
    llvm::append_range(body, Body{{CommitCopies{}}, {WaitCopies{1}}});
  } else {
    body.push_back({Phase{phaseOfFilling(part)}});
    fill.append(body, newest(each), part);
  }
  body.push_back({barrier});
  if (isOwn)
    appendUpdates(body, each.index, planes.isInside);
  if (!planes.end)
    return;
  if (!schedule.hasFlag("buffered"))
    body.push_back({barrier});
  if (hasColumns)
    body.push_back({Phase{fmt::format("The {} up one {}.",
                                      layers.columns.size() == 1 ? "column moves" : "columns move",
                                      planeWord())}});
  for (const Column &column : layers.columns)
    if (isOwn)
      body.push_back({Rotate{column.queue}});
}

/// The update of a thread's point in a plane of the march, from which no read looks beyond the ends
/// of the axis that are `inside`.
void TiledStage::appendUpdates(Body &body, const Index &plane, std::array<bool, 2> isInside) {
  Point moved = point;
  moved[0] = plane;
  GridReads memory = stage.readsAt({moved});
  for (const Side side : {Low, High})
    if (isInside[side])
      memory.keepInside(0, side);
  body.push_back({Phase{"One step of the thread's point."}});
  If updated{inside(), {}, {}};
  stage.appendUpdates(updated.then, moved, reads(std::move(memory), plane));
  body.push_back({std::move(updated)});
}

std::string TiledStage::phaseOfFilling(TilePart part) const {
  switch (part) {
  case TilePart::All:
    return "The tile: the points of the block and those around it.";
  case TilePart::Own:
    return "The thread's own cell of the tile.";
  case TilePart::Rows:
    return "The tile's rows beyond the block.";
  case TilePart::Columns:
    return "The ends of the tile's rows.";
  }
  llvm_unreachable("all parts are handled");
}

void TiledStage::append() {
  block = place();
  makeTiles();
  makeQueues();
  Index end;
  if (shape.marches)
    end = builder.letIndex(body, stage.stencil.axes[0] + "_end",
                           minimum(add(point[0], builder.chunk()), stage.box.end[0]));
  const auto appendPart = [&](Body &body, TilePart part, const Barrier &barrier) {
    if (shape.marches)
      appendMarch(body, end, part, barrier);
    else
      appendPoint(body, part, barrier);
  };
  if (shape.style == TileStyle::HaloWarps)
    appendRoles(appendPart);
  else
    appendPart(body, TilePart::All, Barrier{});

  // Further warps may leave room for fewer blocks than are asked for.
  builder.kernel.promisesResidency =
      schedule.residency * builder.kernel.threads() <= cuda::kMaxThreadsPerSm;
  Cover cover;
  cover.alignTo = stage.arrays.argument(stage.stage.updates.front().array, TimeLevel::Next);
  for (unsigned axis = 0; axis < shape.rank; ++axis)
    cover.points[axis] = shape.points[axis];
  cover.points[0] *= schedule.chunk;
  stage.finish(std::move(body), std::move(cover));
}

/// The warps of the block's own rows compute; those of further rows bring in what lies around.
void TiledStage::appendRoles(
    llvm::function_ref<void(Body &, TilePart, const Barrier &)> appendPart) {
  const unsigned perRow = schedule.block[0] / kLanesPerWarp, own = perRow * schedule.block[1];
  const bool hasRows = filling().hasRowsAround();
  builder.kernel.block[1] += 1 + hasRows;
  const Barrier barrier{builder.group("block", 0, builder.kernel.warps())};
  Roles roles;
  unsigned first = 0;
  const auto addRole = [&](const char *name, TilePart part, unsigned warps) {
    Role role{name, first, warps, {}};
    appendPart(role.body, part, barrier);
    first += warps;
    roles.roles.push_back(std::move(role));
  };
  addRole("compute the points of the block", TilePart::Own, own);
  if (hasRows)
    addRole("bring in the rows around the block", TilePart::Rows, perRow);
  addRole("bring in the ends of its rows", TilePart::Columns, perRow);
  body.push_back({std::move(roles)});
}
