// shm: neighbours meet in tiles in shared memory.
//
// Maruyama & Aoki 2014 (SHM) and Nasciutti & Panetta 2017 (COMP) are kernels of this form. A block
// keeps one plane of points, and those around it that are read, in a tile; with a chunk its threads
// march along the slowest axis, and what they will read again at their own place stays in
// registers. Boundaries are applied while a tile is filled, so that reading it needs none.
//
// Flags: `rim` has the threads at the rim of a block load what lies beyond it (without it, all
// threads load the whole tile in turns); `reload` keeps nothing from one plane to the next;
// `buffered` has a tile more, so that one barrier a plane is enough; `plain` loads as usual instead
// of by the read-only path.
#include "codegen/lower/Candidates.h"
#include "codegen/lower/ReadNames.h"
#include "codegen/lower/ScheduleLimits.h"
#include "codegen/variants/TileFill.h"

#include "ir/kernel/CudaLimits.h"

#include <fmt/format.h>

using namespace stencilc;

namespace {

class TiledStage {
public:
  TiledStage(StepLowering &step, unsigned number, const Schedule &schedule)
      : stage(step, number, schedule.variant, !schedule.hasFlag("plain")), builder(stage.builder),
        schedule(schedule), layers(step.stencil, stage.reads, {step.stencil, schedule}),
        shape(layers.shape), cells(stage) {}

  void append();

private:
  TileBlock place();
  void makeTiles();
  void makeQueues();
  Box inside() const;
  /// The number in a layer's tile of the plane `distance` from one, if it holds several.
  Index slot(const TileLayer &layer, const Index &plane, int distance) const;
  int slots(const TileLayer &layer) const { return layer.planes() + schedule.hasFlag("buffered"); }
  /// Names them for the planes that a turn fills or reads.
  void nameSlots(Body &body, const Index &plane);
  Value loaded(Body &body, const Column &column, const Spot &plane);
  std::vector<TileFill::Plane> newest(const Spot &plane) const;
  ReadSource reads(GridReads memory, Index plane);
  void appendFirstPlanes(TileFill &fill);
  void appendMarch(TileFill &fill);
  void appendPlane(TileFill &fill);

  StageKernel stage;
  KernelBuilder &builder;
  const Schedule &schedule;
  TileLayers layers;
  const TileShape &shape;
  TileCells cells;
  TileBlock block;
  std::map<std::pair<int, int>, Index>
      turnSlots; ///< by slots of a tile, and planes from its lowest
  Point point;
  Body body;
};

} // namespace

/// Names where the thread and its block stand.
TileBlock TiledStage::place() {
  const unsigned rank = shape.rank;
  std::vector<Index> atLeast(stage.box.begin.begin(), stage.box.begin.begin() + rank);
  atLeast.back() = nullptr; // it starts on a memory line
  point = builder.threads(body, schedule.block, atLeast, schedule.chunk);
  TileBlock block;
  for (unsigned axis = 0; axis < rank; ++axis) {
    builder.kernel.minimumExtent[axis] = std::max<int64_t>(builder.kernel.minimumExtent[axis], 1);
    const unsigned dimension = dimensionOf(axis, rank);
    block.corner.push_back(
        add(coordinate(CoordinateKind::Argument, axis),
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
    std::vector<int> sizes;
    if (slots(layer) > 1)
      sizes.push_back(slots(layer));
    for (unsigned axis = 0; axis < shape.rank; ++axis)
      if (shape.isTiled(axis))
        sizes.push_back(layer.width(shape, axis));
    const Array &array = stage.stencil.arrays[layer.base.array];
    const char *level = layer.base.level == TimeLevel::Current    ? ""
                        : layer.base.level == TimeLevel::Previous ? "_prev"
                                                                  : "_new";
    layer.tile = builder.tile(array.name + level + "_tile", array.type, std::move(sizes));
  }
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

void TiledStage::nameSlots(Body &body, const Index &plane) {
  for (const TileLayer &layer : layers.tiles) {
    std::vector<int> distances = {layer.highest};
    for (const Offset &offset : layer.reads)
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

Value TiledStage::loaded(Body &body, const Column &column, const Spot &plane) {
  std::vector<Spot> spots = block.own;
  spots[0] = plane;
  return cells.value(body, column.base, spots);
}

/// The newest plane of each layer, for threads that stand on `plane`.
std::vector<TileFill::Plane> TiledStage::newest(const Spot &plane) const {
  std::vector<TileFill::Plane> planes;
  for (const TileLayer &layer : layers.tiles) {
    const int distance = layer.highest;
    Offset offset = {};
    offset[0] = distance;
    Read own = layer.base;
    own.offset = offset;
    Value value;
    if (const Column *column = layers.columnOf(own))
      value = makeValue(stage.stencil.arrays[own.array].type,
                        QueueSlotValue{column->queue, column->slot(distance)});
    planes.push_back({&layer, plane.moved(distance, plane.name + direction(offset, shape.rank)),
                      slot(layer, plane.index, distance), std::move(value)});
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
    for (unsigned axis = 0; axis < shape.rank; ++axis)
      if (shape.isTiled(axis))
        at.push_back(add(coordinate(CoordinateKind::Thread, dimensionOf(axis, shape.rank)),
                         layer->margin[axis][Low] + read.offset[axis]));
    return makeValue(type, LoadShared{layer->tile, std::move(at)});
  };
}

void TiledStage::appendPlane(TileFill &fill) {
  builder.letPointer(body, "here", point);
  fill.prepare(body);
  body.push_back({Phase{"The tile: the points of the block and those around it."}});
  fill.append(body, newest(block.own[0]));
  body.push_back({Barrier{}});
  body.push_back({ReturnUnless{inside()}});
  body.push_back({Phase{"One step of the thread's point."}});
  stage.appendUpdates(body, point, reads(stage.readsAt(point), point[0]));
}

/// Fills what the first turn reads of tiles that hold several planes, but for the newest one.
void TiledStage::appendFirstPlanes(TileFill &fill) {
  std::vector<const TileLayer *> left;
  for (const TileLayer &layer : layers.tiles)
    if (layer.planes() > 1)
      left.push_back(&layer);
  if (!left.empty())
    body.push_back({Phase{"The tile as the first point sees it, but for the newest plane."}});
  while (!left.empty()) {
    const TileLayer &first = *left.front();
    const TileCells outside = cells;
    For planes{LoopKind::Serial,
               builder.local("plane"),
               point[0],
               add(point[0], first.planes() - 1),
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
    fill.append(planes.body, alike);
    body.push_back({std::move(planes)});
    cells = outside;
  }
}

void TiledStage::appendMarch(TileFill &fill) {
  const std::string &axis = stage.stencil.axes[0];
  const std::string plane = shape.rank == 2 ? "row" : "plane";
  const Index begin = point[0];
  const Index chunk = namedConstant(schedule.chunk, builder.kernel.constants.size() - 1);
  const Index end =
      builder.letIndex(body, axis + "_end", minimum(add(begin, chunk), stage.box.end[0]));
  const unsigned here = builder.letPointer(body, "here", point, /*isCarried=*/true);
  fill.prepare(body);

  const Spot first{begin, axis + "_begin", block.own[0].below, std::nullopt};
  if (!layers.columns.empty())
    body.push_back({Phase{fmt::format("What the first point reads at its own place, but for the "
                                      "newest {}.",
                                      plane)}});
  for (const Column &column : layers.columns)
    for (int distance = column.lowest; distance < column.highest; ++distance) {
      const Read read = column.read(distance);
      body.push_back({AssignSlot{
          column.queue, column.slot(distance),
          loaded(body, column,
                 first.moved(distance, first.name + direction(read.offset, shape.rank)))}});
    }
  appendFirstPlanes(fill);

  For march{LoopKind::Serial, builder.local(axis), begin, end, 1, {}, {{here, 0}}, SteadyLoop{}};
  const Index at = coordinate(CoordinateKind::Local, march.local);
  const Spot each{at, axis, block.own[0].below, 0};
  Point moved = point;
  moved[0] = at;
  if (!layers.columns.empty())
    march.body.push_back({Phase{fmt::format("The newest {}.", plane)}});
  for (const Column &column : layers.columns) {
    const Read read = column.read(column.highest);
    march.body.push_back({AssignSlot{
        column.queue, column.slot(column.highest),
        loaded(march.body, column,
               each.moved(column.highest, axis + direction(read.offset, shape.rank)))}});
  }
  march.body.push_back({Phase{"The tile: the points of the block and those around it."}});
  nameSlots(march.body, at);
  fill.append(march.body, newest(each));
  march.body.push_back({Barrier{}});
  march.body.push_back({Phase{"One step of the thread's point."}});
  If updated{inside(), {}, {}};
  stage.appendUpdates(updated.then, moved, reads(stage.readsAt(moved), at));
  march.body.push_back({std::move(updated)});
  if (!schedule.hasFlag("buffered"))
    march.body.push_back({Barrier{}});
  if (!layers.columns.empty())
    march.body.push_back(
        {Phase{fmt::format("The {} up one {}.",
                           layers.columns.size() == 1 ? "column moves" : "columns move", plane)}});
  for (const Column &column : layers.columns)
    march.body.push_back({Rotate{column.queue}});
  body.push_back({Phase{fmt::format("Up through the chunk, one {} a turn.", plane)}});
  body.push_back({std::move(march)});
}

void TiledStage::append() {
  builder.kernel.promisesResidency = true;
  block = place();
  makeTiles();
  makeQueues();
  TileFill fill(stage, layers, cells, block, schedule.hasFlag("rim"));
  shape.marches ? appendMarch(fill) : appendPlane(fill);

  Cover cover;
  cover.alignTo = stage.arrays.argument(stage.stage.updates.front().array, TimeLevel::Next);
  for (unsigned axis = 0; axis < shape.rank; ++axis)
    cover.points[axis] = shape.points[axis];
  cover.points[0] *= schedule.chunk;
  stage.finish(std::move(body), std::move(cover));
}

static constexpr llvm::StringLiteral kFlags[] = {"buffered", "plain", "reload", "rim"};

static Schedule defaultSchedule(const Stencil &stencil) {
  Schedule schedule;
  schedule.variant = "shm";
  schedule.rank = stencil.rank();
  schedule.block = stencil.rank() == 1 ? std::array{256, 1, 1} : std::array{32, 8, 1};
  schedule.chunk = stencil.rank() == 3 ? 32 : 1;
  return schedule;
}

static llvm::Error refuse(std::string reason) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), reason);
}

/// Every stage's reads, each once.
static std::vector<Read> readsOf(const Stage &stage) {
  std::vector<Read> reads;
  for (const Update &update : stage.updates)
    forEachRead(update.formula, [&](const Read &read) {
      if (!llvm::is_contained(reads, read))
        reads.push_back(read);
    });
  return reads;
}

static llvm::Error checkTiles(const Stencil &stencil, const Schedule &schedule,
                              const TileLayers &layers) {
  int64_t bytes = 0;
  for (const TileLayer &layer : layers.tiles) {
    const Array &array = stencil.arrays[layer.base.array];
    int64_t elements = layer.planes() + schedule.hasFlag("buffered");
    for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
      if (!layers.shape.isTiled(axis))
        continue;
      elements *= layer.width(layers.shape, axis);
      const int margin = std::max(layer.margin[axis][Low], layer.margin[axis][High]);
      if (schedule.hasFlag("rim") && margin > layers.shape.points[axis])
        return refuse(fmt::format("`{}` is read {} points away along {}, and a `rim` of only {} "
                                  "threads cannot load them",
                                  array.name, margin, stencil.axes[axis],
                                  layers.shape.points[axis]));
    }
    bytes += elements * sizeInBytes(array.type);
  }
  if (bytes > cuda::kMaxSharedBytesPerBlock)
    return refuse(fmt::format("the tiles take {} bytes of shared memory, a block has at most {}",
                              bytes, cuda::kMaxSharedBytesPerBlock));
  return llvm::Error::success();
}

static llvm::Error checkLegal(const Stencil &stencil, const Schedule &schedule) {
  ScheduleLimits limits;
  limits.chunk = stencil.rank() > 1;
  limits.flags.assign(std::begin(kFlags), std::end(kFlags));
  if (llvm::Error error = checkLimits(stencil, schedule, limits))
    return error;
  const TileShape shape(stencil, schedule);
  if (int threads = schedule.block[dimensionOf(0, stencil.rank())]; shape.marches && threads != 1)
    return refuse(fmt::format("threads of `shm` march along axis {} in chunks, the block shape "
                              "puts {} threads along it",
                              stencil.axes[0], threads));
  if (!shape.marches)
    for (const char *flag : {"buffered", "reload"})
      if (schedule.hasFlag(flag))
        return refuse(
            fmt::format("`{}` is for threads that march through a chunk of planes", flag));
  bool hasTiles = false;
  for (const Stage &stage : stencil.stages) {
    const TileLayers layers(stencil, readsOf(stage), shape);
    hasTiles |= !layers.tiles.empty();
    if (llvm::Error error = checkTiles(stencil, schedule, layers))
      return error;
  }
  if (!hasTiles)
    return refuse("no thread of a block reads what another one could put into a tile for it");
  return llvm::Error::success();
}

static Program lower(const Stencil &stencil, const Schedule &schedule) {
  StepLowering step(stencil, Target::Device);
  for (unsigned number = 0; number < stencil.stages.size(); ++number)
    TiledStage(step, number, schedule).append();
  return step.finish();
}

namespace stencilc {
extern const Variant shmVariant;
const Variant shmVariant = {
    .name = "shm",
    .summary = "neighbours meet in a tile in shared memory",
    .defaultSchedule = defaultSchedule,
    .checkLegal = checkLegal,
    .lower = lower,
    .flags = kFlags,
};
} // namespace stencilc
