// zblock: each thread marches through a chunk of planes along the slowest axis.
//
// Su et al. 2015, section 3.5. Every column of an array (one offset along the other axes) that is
// read at more than one plane rides in a register queue over its whole span, so that each of its
// values is loaded once per chunk; a chunk of c points costs c + span - 1 loads of the column
// instead of c for each plane read. All other reads are loaded where they are needed.
#include "codegen/FrameCopy.h"
#include "codegen/PointBody.h"
#include "codegen/ScheduleLimits.h"
#include "codegen/Variant.h"

using namespace stencilc;

namespace {

/// The reads of one array at one offset along all axes but the slowest.
struct Column {
  unsigned array;
  Offset offset; ///< 0 on the slowest axis
  int lowest, highest;
  unsigned queue = 0;

  Read read(int plane) const {
    Offset where = offset;
    where[0] = plane;
    return {array, TimeLevel::Current, where};
  }
  bool holds(const Read &read) const {
    Offset where = read.offset;
    where[0] = 0;
    return read.array == array && where == offset;
  }
};

/// Columns read at more than one plane, in order of their first read.
std::vector<Column> queuedColumns(const StepFormula &formula) {
  std::vector<Column> columns;
  for (ExprId id = 0; id < formula.size(); ++id) {
    auto *read = std::get_if<Read>(&formula[id].node);
    if (!read)
      continue;
    int plane = read->offset[0];
    auto known = llvm::find_if(columns, [&](const Column &column) { return column.holds(*read); });
    if (known == columns.end()) {
      Offset offset = read->offset;
      offset[0] = 0;
      columns.push_back({read->array, offset, plane, plane});
    } else {
      known->lowest = std::min(known->lowest, plane);
      known->highest = std::max(known->highest, plane);
    }
  }
  llvm::erase_if(columns, [](const Column &column) { return column.lowest == column.highest; });
  return columns;
}

} // namespace

static Schedule defaultSchedule(const Stencil &stencil) {
  Schedule schedule;
  schedule.variant = "zblock";
  schedule.block = stencil.rank() == 2 ? std::array{128, 1, 1} : std::array{32, 8, 1};
  schedule.chunk = 64;
  return schedule;
}

static llvm::Error checkLegal(const Stencil &stencil, const Schedule &schedule) {
  if (stencil.rank() == 1)
    return llvm::createStringError("`zblock` marches along the slowest axis while threads stand "
                                   "along the others; the stencil has one axis");
  ScheduleLimits limits;
  limits.chunk = true;
  limits.flags = {"plain"};
  if (llvm::Error error = checkLimits(stencil, schedule, limits))
    return error;
  if (int threads = schedule.block[dimensionOf(0, stencil.rank())]; threads != 1)
    return llvm::createStringError("a thread of `zblock` has a chunk of axis %s to itself, the "
                                   "block shape puts %d threads along it",
                                   stencil.axes[0].c_str(), threads);
  return llvm::Error::success();
}

static Program lower(const Stencil &stencil, const Schedule &schedule) {
  const Stage &stage = stencil.stages.front();
  const unsigned rank = stencil.rank();
  Program program;
  program.signature = signatureOf(stencil);
  StepFormula formula(stencil, stage, program);

  KernelBuilder builder(program, stencil.name + "_zblock", Target::Device);
  builder.kernel.comment = describeStep(stage);
  builder.kernel.residency = schedule.residency;
  StageArguments arguments =
      addArguments(builder, stencil, stage, /*readOnlyPath=*/!schedule.hasFlag("plain"));

  StageBox box = stageBox(stencil, stage);
  std::vector<Index> atLeast(box.begin.begin(), box.begin.begin() + rank);
  atLeast.back() = nullptr;
  Body body;
  auto threads = builder.threads(body, schedule.block, atLeast, schedule.chunk);
  Box inside;
  for (unsigned axis = rank; axis-- > 0;)
    inside.push_back(
        {threads.point[axis], axis + 1 == rank ? box.begin[axis] : nullptr, box.end[axis]});
  body.push_back({ReturnUnless{inside}});

  if (schedule.chunk == 1) {
    PointBody each(builder, stencil, stage, formula, arguments, threads.point);
    each.nameAddress(body);
    each.append(body);
  } else {
    const std::string &axis = stencil.axes[0];
    const Index begin = threads.point[0];
    const Index chunk = namedConstant(schedule.chunk, builder.kernel.constants.size() - 1);
    const Index end = builder.letIndex(body, axis + "_end", minimum(add(begin, chunk), box.end[0]));

    std::vector<Column> columns = queuedColumns(formula);
    for (Column &column : columns) {
      std::vector<std::string> slots;
      for (int plane = column.lowest; plane <= column.highest; ++plane)
        slots.push_back(readName(stencil, column.read(plane)));
      column.queue = builder.queue(stencil.arrays[column.array].name + "_column",
                                   stencil.arrays[column.array].type, std::move(slots));
    }
    auto slotOf = [](const Column &column, int plane) { return unsigned(plane - column.lowest); };

    // All planes of the first point's columns but the newest.
    if (!columns.empty())
      body.push_back({Phase{"The columns below the first point."}});
    PointBody first(builder, stencil, stage, formula, arguments, threads.point);
    for (const Column &column : columns)
      for (int plane = column.lowest; plane < column.highest; ++plane)
        body.push_back({AssignSlot{column.queue, slotOf(column, plane),
                                   first.loadAnywhere(body, column.read(plane))}});

    For march{LoopKind::Serial, builder.local(axis), begin, end, 1, {}};
    Point point = threads.point;
    point[0] = coordinate(CoordinateKind::Local, march.local);
    PointBody each(builder, stencil, stage, formula, arguments, point);
    each.nameAddress(march.body);
    for (const Column &column : columns)
      march.body.push_back(
          {AssignSlot{column.queue, slotOf(column, column.highest),
                      each.loadAnywhere(march.body, column.read(column.highest))}});
    PointBody::Known known;
    for (ExprId id = 0; id < formula.size(); ++id)
      if (auto *read = std::get_if<Read>(&formula[id].node))
        for (const Column &column : columns)
          if (column.holds(*read))
            known[id] = makeValue(formula[id].type,
                                  QueueSlotValue{column.queue, slotOf(column, read->offset[0])});
    each.append(march.body, known);
    if (!columns.empty())
      march.body.push_back({Phase{"The columns move up one plane."}});
    for (const Column &column : columns)
      march.body.push_back({Rotate{column.queue}});
    body.push_back({std::move(march)});
  }

  Launch launch;
  launch.kernel = program.kernels.size();
  launch.comment = "one step of every point";
  launch.arrays = arguments.buffers;
  launch.begin = box.begin;
  launch.end = box.end;
  launch.firstArgument = threads.firstArgument;
  launch.alignTo = arguments.target[stage.updates.front().field];
  for (unsigned axis = 0; axis < rank; ++axis)
    launch.cover[axis] = schedule.block[dimensionOf(axis, rank)];
  launch.cover[0] = schedule.chunk;
  program.kernels.push_back(builder.finish(std::move(body)));
  program.launches.push_back(std::move(launch));
  addFrameCopies(program, stencil, stage);
  return program;
}

namespace stencilc {
extern const Variant zblockVariant;
const Variant zblockVariant = {"zblock", "one thread marches through planes of the slowest axis",
                               defaultSchedule, checkLegal, lower};
} // namespace stencilc
