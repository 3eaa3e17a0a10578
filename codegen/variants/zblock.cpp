// zblock: each thread marches through a chunk of planes along the slowest axis.
//
// Su et al. 2015, section 3.5. Every column of an array (one offset along the other axes) that is
// read at more than one plane rides in a register queue over its whole span, so that each of its
// values is loaded once per chunk; a chunk of c points costs c + span - 1 loads of the column
// instead of c for each plane read. All other reads are loaded where they are needed. With the flag
// `reload` that is true of all: nothing is kept from one plane to the next, not even what
// boundaries make of the other axes. With `peel` planes behind which the grid may end are made
// outside of the loop, which asks for no end then.
#include "codegen/lower/Candidates.h"
#include "codegen/lower/PatchStage.h"
#include "codegen/lower/PeeledPlanes.h"
#include "codegen/lower/ReadNames.h"
#include "codegen/lower/ScheduleLimits.h"
#include "codegen/lower/StageKernel.h"
#include "codegen/lower/WindowTile.h"

#include <fmt/format.h>
#include <set>

using namespace stencilc;

namespace {

/// The reads of one array at one level and one offset along all axes but the slowest.
struct Column {
  Read base; ///< at offset 0 on the slowest axis
  int lowest, highest;
  unsigned queue = 0;

  Read read(int plane) const {
    Read read = base;
    read.offset[0] = plane;
    return read;
  }
  unsigned slot(int plane) const { return plane - lowest; }
  bool holds(const Read &read) const { return this->read(read.offset[0]) == read; }
};

/// Columns read at more than one plane, in order of their first read.
std::vector<Column> queuedColumns(llvm::ArrayRef<Read> reads) {
  std::vector<Column> columns;
  for (const Read &read : reads) {
    const int plane = read.offset[0];
    auto known = llvm::find_if(columns, [&](const Column &column) { return column.holds(read); });
    if (known == columns.end()) {
      Read base = read;
      base.offset[0] = 0;
      columns.push_back({base, plane, plane});
    } else {
      known->lowest = std::min(known->lowest, plane);
      known->highest = std::max(known->highest, plane);
    }
  }
  llvm::erase_if(columns, [](const Column &column) { return column.lowest == column.highest; });
  return columns;
}

} // namespace

static constexpr VariantFlag kFlags[] = {
    kLdgFlag,
    kPeelFlag,
    kPlainFlag,
    {"reload", "threads keep nothing from one plane to the next"},
    {kWholeFlag, "grids of whole patches have a kernel that asks no thread which points it makes"},
    {kFlatFlag, "the same, of short chunks, with what lies in no whole patch launched apart"},
    {kTileFlag, "of these two: threads of a block share what lies around their points in a plane"}};

/// Planes of a chunk whose code fits the instruction cache.
static constexpr int kMostFlat = 16;

static Schedule defaultSchedule(const Stencil &stencil) {
  Schedule schedule;
  schedule.variant = "zblock";
  schedule.rank = stencil.rank();
  schedule.block = stencil.rank() == 2 ? std::array{128, 1, 1} : std::array{32, 8, 1};
  schedule.chunk = 64;
  return schedule;
}

static std::vector<Column> columnsOf(const Schedule &schedule, llvm::ArrayRef<Read> reads) {
  return schedule.hasFlag("reload") ? std::vector<Column>() : queuedColumns(reads);
}

/// What a turn of a march loads: of columns the newest value, and what none holds.
static std::vector<Read> loadsOfTurns(llvm::ArrayRef<Read> reads, llvm::ArrayRef<Column> columns) {
  std::vector<Read> loads;
  for (const Read &read : reads) {
    const auto *found =
        llvm::find_if(columns, [&](const Column &column) { return column.holds(read); });
    loads.push_back(found == columns.end() ? read : found->read(found->highest));
  }
  return loads;
}

/// Those that a schedule wants outside of the loop, of a stage with these reads and this area.
static PeeledPlanes peeledBy(const Stencil &stencil, const Schedule &schedule, const Area &area,
                             llvm::ArrayRef<Read> reads) {
  if (!schedule.hasFlag(kPeelFlag.name))
    return {};
  return peeledPlanes(stencil, area, loadsOfTurns(reads, columnsOf(schedule, reads)));
}

static llvm::Error checkPeeled(const Stencil &stencil, const Schedule &schedule) {
  if (schedule.chunk == 1 || isPatched(schedule))
    return llvm::createStringError("`peel` is for threads of one point that march through a chunk "
                                   "of planes");
  return checkPeeled(stencil, [&](const Area &area, llvm::ArrayRef<Read> reads) {
    return peeledBy(stencil, schedule, area, reads);
  });
}

static llvm::Error checkLegal(const Stencil &stencil, const Schedule &schedule) {
  if (stencil.rank() == 1)
    return llvm::createStringError("`zblock` marches along the slowest axis while threads stand "
                                   "along the others; the stencil has one axis");
  ScheduleLimits limits;
  limits.chunk = limits.pointsPerThread = limits.prefetch = true;
  limits.flags = namesOf(kFlags);
  if (llvm::Error error = checkLimits(stencil, schedule, limits))
    return error;
  if (schedule.chunk == 1 && schedule.hasFlag("reload"))
    return llvm::createStringError("`reload` is for threads that march through a chunk of planes");
  if (isPatched(schedule) && schedule.hasFlag("reload"))
    return llvm::createStringError("`reload` keeps nothing from one plane to the next: there are "
                                   "no planes ahead, and no points beside each other");
  if (schedule.hasFlag(kPeelFlag.name))
    if (llvm::Error error = checkPeeled(stencil, schedule))
      return error;
  for (llvm::StringRef flag : {kWholeFlag, kFlatFlag})
    if (schedule.hasFlag(flag) && schedule.pointsPerThread[0] == 1)
      return llvm::createStringError("`%s` is for threads with several points along %s, the "
                                     "schedule asks for one",
                                     flag.data(), stencil.axes.back().c_str());
  if (schedule.hasFlag(kFlatFlag) && (schedule.chunk == 1 || schedule.chunk > kMostFlat))
    return llvm::createStringError("`flat` makes chunks of 2 to %d planes in one piece of code, "
                                   "the schedule asks for /c%d",
                                   kMostFlat, schedule.chunk);
  if (schedule.hasFlag(kFlatFlag) && schedule.hasFlag(kWholeFlag))
    return llvm::createStringError("`flat` is `whole` already");
  if (schedule.hasFlag(kTileFlag)) {
    if (!schedule.hasFlag(kFlatFlag) && !schedule.hasFlag(kWholeFlag))
      return llvm::createStringError("a `tile` is for blocks all of whose points are made: it goes "
                                     "with `whole` or `flat`");
    if (stencil.rank() != kMaxRank || schedule.chunk == 1)
      return llvm::createStringError("a `tile` is for threads that march through planes of three "
                                     "axes");
    if (schedule.hasFlag(kFlatFlag) && schedule.prefetch >= schedule.chunk)
      return llvm::createStringError("a `tile` takes in planes of its own chunk ahead: of %d there "
                                     "are no %d more",
                                     schedule.chunk, schedule.prefetch);
    if (llvm::Error error = checkTiles(stencil, schedule))
      return error;
  }
  if (int threads = schedule.block[dimensionOf(0, stencil.rank())]; threads != 1)
    return llvm::createStringError("a thread of `zblock` has a chunk of axis %s to itself, the "
                                   "block shape puts %d threads along it",
                                   stencil.axes[0].c_str(), threads);
  return llvm::Error::success();
}

/// Gives every column its queue.
static void makeQueues(ThreadedStage &stage, std::vector<Column> &columns) {
  for (Column &column : columns) {
    std::vector<std::string> slots;
    for (int plane = column.lowest; plane <= column.highest; ++plane)
      slots.push_back(readName(stage.stencil, column.read(plane)));
    const Array &array = stage.stencil.arrays[column.base.array];
    column.queue = stage.builder.queue(array.name + "_column", array.type, std::move(slots));
  }
}

/// Takes from queues what they hold, and the rest as `others` does.
static ReadSource queuedReads(const Stencil &stencil, const std::vector<Column> &columns,
                              ReadSource others) {
  return [&stencil, &columns, others = std::move(others)](Body &body, const Read &read) mutable {
    for (const Column &column : columns)
      if (column.holds(read))
        return makeValue(stencil.arrays[read.array].type,
                         QueueSlotValue{column.queue, column.slot(read.offset[0])});
    return others(body, read);
  };
}

/// The points of the column's array, if it is a temp.
static const std::optional<Area> &madeOf(const ThreadedStage &stage, const Column &column) {
  return stage.step.areas.temps[column.base.array];
}

/// Adds the march of a thread through its chunk.
static void appendMarch(ThreadedStage &stage) {
  Body &body = stage.body;
  KernelBuilder &builder = stage.builder;
  const std::string &axis = stage.stencil.axes[0];
  const Index end = builder.letIndex(
      body, axis + "_end", minimum(add(stage.point[0], builder.chunk()), stage.box.end[0]));

  std::vector<Column> columns = columnsOf(stage.schedule, stage.reads);
  makeQueues(stage, columns);
  const std::string plane = stage.stencil.rank() == 2 ? "row" : "plane";
  const bool isOne = columns.size() == 1;
  const std::vector<MarchPart> parts =
      partsOfMarch(builder.kernel, stage.point[0], end,
                   peeledBy(stage.stencil, stage.schedule, stage.area, stage.reads));

  GridReads first = stage.readsAt({stage.point});
  const auto readsIn = [&](const MarchPart &part, const Point &point) {
    GridReads reads = stage.schedule.hasFlag("reload")
                          ? stage.readsAt({point})
                          : first.movedAlong(0, point[0], stage.reads, /*named in=*/body);
    for (const Side side : {Low, High})
      if (part.isInside[side])
        reads.keepInside(0, side);
    return reads;
  };
  const auto appendTurn = [&](Body &turn, const Point &point, GridReads each,
                              const MarchPart &part) {
    for (const Column &column : columns)
      turn.push_back({AssignSlot{
          column.queue, column.slot(column.highest),
          each.within(stage.area, madeOf(stage, column), turn, column.read(column.highest))}});
    stage.appendUpdates(turn, point, queuedReads(stage.stencil, columns, each));
    if (!part.end || columns.empty())
      return;
    turn.push_back(
        {Phase{fmt::format("The {} up one {}.", isOne ? "column moves" : "columns move", plane)}});
    for (const Column &column : columns)
      turn.push_back({Rotate{column.queue}});
  };
  const auto appendFirstColumns = [&] {
    if (!columns.empty())
      body.push_back({Phase{fmt::format("The {} of the first point, but for the newest {}.",
                                        isOne ? "column" : "columns", plane)}});
    for (const Column &column : columns)
      for (int below = column.lowest; below < column.highest; ++below)
        body.push_back({AssignSlot{
            column.queue, column.slot(below),
            first.within(stage.area, madeOf(stage, column), body, column.read(below))}});
  };

  for (const MarchPart &part : parts) {
    const bool isFirst = &part == &parts.front();
    Point point = stage.point;
    unsigned local = 0;
    if (!isFirst)
      body.push_back({Phase{phaseOf(part, plane)}});
    if (part.end)
      local = builder.localOfBody(axis);
    if (!isFirst)
      point[0] = part.isMost ? part.begin : builder.letIndex(body, axis + "_last", part.begin);
    const std::vector<unsigned> pointers = stage.letPointers(
        body, point, /*areCarried=*/bool(part.end), part.isMost || isFirst ? "here" : "last");
    const Index begin = point[0];
    if (part.end)
      point[0] = coordinate(CoordinateKind::Local, local);
    GridReads each = readsIn(part, point);
    if (isFirst) {
      appendFirstColumns();
      body.push_back({Phase{phaseOf(part, plane)}});
    }
    if (!part.end) {
      appendTurn(body, point, each, part);
      continue;
    }
    For march{LoopKind::Serial, local, begin, part.end, 1, {}};
    if (part.isMost)
      march.steady = SteadyLoop{};
    for (unsigned pointer : pointers)
      march.carries.push_back({pointer, 0});
    // What a turn names ends with it.
    const UniqueNames outside = builder.names;
    appendTurn(march.body, point, each, part);
    builder.names = outside;
    body.push_back({std::move(march)});
  }
}

static Program lower(const Stencil &stencil, const Schedule &schedule) {
  const auto append = [&](ThreadedStage &stage) {
    return schedule.chunk > 1 ? appendMarch(stage) : stage.appendPoint();
  };
  return isPatched(schedule) ? lowerInPatches(stencil, schedule, append)
                             : lowerByStages(stencil, schedule, append);
}

/// True if four rows of points a thread may pay: many rows are read around a point, each of which
/// is loaded for four then, and of one array, so that registers may hold them.
static bool readsManyRows(const Stencil &stencil) {
  constexpr size_t many = 9; // those of a full box of one point around
  std::set<unsigned> arrays;
  std::set<std::pair<int, int>> rows;
  forEachRead(stencil, [&](const Read &read) {
    if (llvm::all_of(read.offset, [](int along) { return along == 0; }))
      return;
    arrays.insert(read.array);
    rows.insert({read.offset[0], read.offset[1]});
  });
  return arrays.size() == 1 && rows.size() >= many;
}

static bool readsOneArray(const Stencil &stencil) {
  std::set<unsigned> arrays;
  forEachRead(stencil, [&](const Read &read) { arrays.insert(read.array); });
  return arrays.size() == 1;
}

/// How many rows away from a point a step reads in its own plane.
static int reachInPlane(const Stencil &stencil) {
  int reach = 0;
  forEachRead(stencil, [&](const Read &read) {
    if (read.offset[0] == 0)
      reach = std::max(reach, std::abs(read.offset[1]));
  });
  return reach;
}

/// With four rows of two points a thread, or two of four (test/gpu/results/h200_tiles.json), and up
/// to two planes loaded ahead (h200_ahead.json).
static std::vector<Schedule> candidatesInTiles(const Stencil &stencil) {
  std::vector<Schedule> tiles;
  for (Schedule &candidate : candidatesOfWhole(
           stencil, defaultSchedule(stencil),
           {{{32, 4, 1}, {4, 2}}, {{16, 8, 1}, {2, 4}}, {{64, 2, 1}, {4}}}, {8, 16}, kFlatFlag)) {
    const auto [columns, rows] = candidate.pointsPerThread;
    if (columns * rows != 8)
      continue;
    candidate.flags.push_back(kTileFlag.str());
    for (candidate.prefetch = 0; candidate.prefetch <= 2; ++candidate.prefetch)
      if (!errorToBool(checkTiles(stencil, candidate)))
        tiles.push_back(candidate);
  }
  return tiles;
}

static std::vector<Schedule> candidates(const Stencil &stencil) {
  std::vector<Schedule> all =
      candidatesIn(defaultSchedule(stencil), stencil.rank() - 1, kMarchChunks, {"plain"});
  if (stencil.rank() != kMaxRank)
    return all;
  std::vector<int> rows = {2, 1};
  if (readsManyRows(stencil))
    rows.push_back(4);
  llvm::append_range(all,
                     candidatesInPatches(stencil, defaultSchedule(stencil),
                                         {{{32, 8, 1}, {2, 1}}, {{32, 4, 1}, rows}}, {16, 32, 64}));
  llvm::append_range(all, candidatesOfWhole(stencil, defaultSchedule(stencil),
                                            {{{32, 8, 1}, {2}}, {{32, 4, 1}, {2}}}, {4, 5, 6, 8},
                                            kFlatFlag));
  // box27.stn in f32 takes 0.96 times as long with three rows as with two
  // (test/gpu/results/h200_chosen.json).
  if (readsManyRows(stencil) && reachInPlane(stencil) == 1 && readsOneArray(stencil))
    llvm::append_range(all, candidatesOfWhole(stencil, defaultSchedule(stencil),
                                              {{{32, 4, 1}, {3}}}, {6, 10}, kFlatFlag));
  if (reachInPlane(stencil) > 1)
    llvm::append_range(all, candidatesInTiles(stencil));
  return all;
}

namespace stencilc {
extern const Variant zblockVariant;
const Variant zblockVariant = {
    .name = "zblock",
    .summary = "one thread marches through planes of the slowest axis",
    .defaultSchedule = defaultSchedule,
    .checkLegal = checkLegal,
    .lower = lower,
    .candidates = candidates,
    .flags = kFlags,
};
} // namespace stencilc
