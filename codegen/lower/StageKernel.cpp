#include "codegen/lower/StageKernel.h"

#include "codegen/lower/ReadNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <set>

using namespace stencilc;

/// Lines that quote what is computed, broken at blanks and continued further in.
static void quote(const Update &update, std::vector<std::string> &lines) {
  constexpr size_t width = 94;
  llvm::StringRef rest = update.text;
  std::string indent = "  ";
  while (indent.size() + rest.size() > width) {
    size_t end = rest.rfind(' ', width - indent.size());
    if (end == llvm::StringRef::npos || end == 0)
      break;
    lines.push_back(indent + rest.take_front(end).str());
    rest = rest.drop_front(end).ltrim();
    indent = "      ";
  }
  lines.push_back(indent + rest.str());
}

static std::string kernelName(const Stencil &stencil, const StagePart &part,
                              llvm::StringRef variant) {
  std::string name = fmt::format("{}_{}", stencil.name, variant.str());
  if (stencil.stages.size() > 1)
    name += fmt::format("_stage{}", part.stage + 1);
  if (part.count > 1)
    name += fmt::format("_part{}", part.number + 1);
  return name;
}

static Stage stageOf(const Stencil &stencil, const StagePart &part) {
  Stage stage;
  for (unsigned update : part.updates)
    stage.updates.push_back(stencil.stages[part.stage].updates[update]);
  return stage;
}

static std::vector<Area> areasOf(const StepLowering &step, const StagePart &part) {
  std::vector<Area> areas;
  for (unsigned update : part.updates)
    areas.push_back(step.areas.updates[part.stage][update]);
  return areas;
}

std::string StageKernel::what() const {
  const size_t stages = stencil.stages.size();
  std::string text =
      stages == 1 ? "a step" : fmt::format("stage {} of {} of a step", part.stage + 1, stages);
  if (part.count > 1)
    text = fmt::format("part {} of {} of {}", part.number + 1, part.count, text);
  text[0] = llvm::toUpper(text[0]);
  return text;
}

std::vector<Read> stencilc::readsOf(const Stage &stage) {
  std::vector<Read> reads;
  std::set<std::tuple<unsigned, TimeLevel, Offset>> seen;
  for (const Update &update : stage.updates)
    forEachRead(update.formula, [&](const Read &read) {
      if (seen.insert({read.array, read.level, read.offset}).second)
        reads.push_back(read);
    });
  return reads;
}

StageKernel::StageKernel(StepLowering &step, unsigned part, llvm::StringRef variant,
                         bool readOnlyPath)
    : step(step), stencil(step.stencil), part(step.parts[part]),
      stage(stageOf(stencil, this->part)), areas(::areasOf(step, this->part)),
      area(areaAround(areas, stencil.rank())),
      builder(step.program, kernelName(stencil, this->part, variant), step.program.target),
      box(builder.boxOf(area)), arrays(builder, step.program, stage, readOnlyPath) {
  std::vector<std::string> &comment = builder.kernel.comment;
  comment = {step.parts.size() == 1 ? "One step of" : what() + ":"};
  for (const Update &update : this->stage.updates)
    quote(update, comment);
  reads = readsOf(this->stage);
}

std::vector<unsigned> StageKernel::letPointers(Body &body, const Point &point, bool areCarried,
                                               llvm::StringRef name) {
  std::vector<unsigned> pointers;
  for (auto [layout, name] :
       {std::pair(Layout::Strided, name), std::pair(Layout::Rows, llvm::StringRef("row"))})
    if (llvm::any_of(builder.kernel.arrays,
                     [layout = layout](const auto &array) { return array.layout == layout; }))
      pointers.push_back(builder.letPointer(body, name, point, areCarried, layout));
  return pointers;
}

Place StageKernel::memory() {
  return [this](const Read &read, Point where) {
    return builder.load(arrays.argument(read.array, read.level), std::move(where));
  };
}

GridReads StageKernel::readsAt(Here here) {
  return {builder, stencil, step.formula, std::move(here), memory()};
}

KnownValues StageKernel::letTimeReads(Body &body) {
  const StepFormula &formula = step.formula;
  std::set<ExprId> used;
  std::vector<ExprId> left;
  for (unsigned update : part.updates)
    left.push_back(formula.result(part.stage, update));
  while (!left.empty()) {
    const ExprId id = left.back();
    left.pop_back();
    if (used.insert(id).second)
      llvm::append_range(left, operands(formula[id].node));
  }
  KnownValues known;
  for (ExprId id : used)
    if (auto *read = std::get_if<TimeRead>(&formula[id].node))
      known[id] = builder.let(body, readName(stencil, *read), formula.tree(builder, id, {}));
  return known;
}

void StageKernel::appendUpdates(Body &body, const Point &point, const ReadSource &source,
                                const KnownValues &already) {
  const StepFormula &formula = step.formula;
  const auto append = [&](Body &body, llvm::ArrayRef<unsigned> updates, KnownValues known) {
    std::vector<ExprId> wanted;
    for (unsigned update : updates)
      wanted.push_back(formula.result(part.stage, part.updates[update]));
    ReadSource reads = source;
    std::vector<Value> values = PointUpdate(stencil, formula, std::move(wanted))
                                    .append(builder, body, {point}, reads, std::move(known));
    for (auto [update, value] : llvm::zip(updates, values))
      builder.store(body, arrays.argument(stage.updates[update].array, TimeLevel::Next), point,
                    value);
  };

  // Updates that are made at the same points share what they read.
  std::vector<std::pair<Area, std::vector<unsigned>>> groups;
  for (unsigned update = 0; update < areas.size(); ++update) {
    auto same = llvm::find_if(groups, [&](auto &group) { return group.first == areas[update]; });
    if (same == groups.end())
      groups.push_back({areas[update], {update}});
    else
      same->second.push_back(update);
  }
  if (groups.size() == 1)
    return append(body, groups[0].second, already);

  // What is updated in place is read by every group before the first one stores it.
  std::vector<ExprId> overwritten;
  for (ExprId id = 0; id < formula.size(); ++id)
    if (auto *read = std::get_if<Read>(&formula[id].node))
      if (llvm::is_contained(reads, *read) && arrays.isOverwritten(*read))
        overwritten.push_back(id);
  KnownValues known = already;
  ReadSource early = source;
  std::vector<Value> values =
      PointUpdate(stencil, formula, overwritten).append(builder, body, {point}, early);
  for (auto [id, value] : llvm::zip(overwritten, values))
    known[id] = value;
  for (auto &[area, updates] : groups) {
    If guarded{conditionOf(area, point, builder), {}, {}};
    append(guarded.then, updates, known);
    body.push_back({std::move(guarded)});
  }
}

Index StageKernel::blockBegin(unsigned axis, int points) const {
  return add(firstOf(axis),
             scale(coordinate(CoordinateKind::Block, dimensionOf(axis, stencil.rank())), points));
}

Index StageKernel::firstOf(unsigned axis) const {
  const auto binding = llvm::find(builder.bindings, IntegerBinding(FirstOf{axis}));
  return coordinate(CoordinateKind::Argument, binding - builder.bindings.begin());
}

Launch StageKernel::launch(Body body, Cover cover) {
  const PointBox covered =
      stencilc::boxOf(area, stencil.rank(), step.program.signature.paramRanges);
  cover.begin = covered.begin;
  cover.end = covered.end;
  Launch launch{.kernel = {},
                .comment = step.parts.size() == 1 ? "One step of every point that is updated."
                                                  : what() + ".",
                .buffers = builder.buffers,
                .cover = std::move(cover),
                .integers = builder.bindings};
  launch.kernel = step.add(builder.finish(std::move(body)));
  return launch;
}

// ---- threads ------------------------------------------------------------------------------------

ThreadedStage::ThreadedStage(StepLowering &step, unsigned part, const Schedule &schedule,
                             llvm::StringRef suffix)
    : StageKernel(step, part, schedule.variant + suffix.str(), !schedule.hasFlag("plain")),
      schedule(schedule) {
  builder.kernel.promisesResidency = true;

  // The contiguous axis starts on a memory line, below its `begin`; the others start at theirs.
  const unsigned rank = stencil.rank();
  std::vector<Index> atLeast;
  for (unsigned axis = 0; axis < rank; ++axis)
    atLeast.push_back(axis + 1 < rank ? constant(leftOut(area[axis], Low)) : nullptr);
  point = builder.threads(body, schedule.block, atLeast, schedule.chunk);
  Box inside;
  for (unsigned axis = rank; axis-- > 0;)
    inside.push_back({point[axis], axis + 1 == rank ? box.begin[axis] : nullptr, box.end[axis]});
  body.push_back({ReturnUnless{inside}});
}

void ThreadedStage::appendPoint() {
  letPointers(body, point);
  appendUpdates(body, point, readsAt({point}));
}

Launch ThreadedStage::launch() {
  Cover cover;
  cover.alignTo = arrays.argument(stage.updates.front().array, TimeLevel::Next);
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    cover.points[axis] = schedule.block[dimensionOf(axis, stencil.rank())];
  cover.points[0] *= schedule.chunk;
  return StageKernel::launch(std::move(body), std::move(cover));
}

Program stencilc::lowerByStages(const Stencil &stencil, const Schedule &schedule,
                                llvm::function_ref<void(ThreadedStage &)> append) {
  StepLowering step(stencil, Target::Device);
  for (unsigned part = 0; part < step.parts.size(); ++part) {
    ThreadedStage stage(step, part, schedule);
    append(stage);
    step.add({{stage.launch()}});
  }
  return step.finish();
}
