#include "codegen/lower/StageKernel.h"

#include "llvm/ADT/STLExtras.h"

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

static std::string kernelName(const Stencil &stencil, unsigned stage, llvm::StringRef variant) {
  std::string name = fmt::format("{}_{}", stencil.name, variant.str());
  return stencil.stages.size() == 1 ? name : fmt::format("{}_stage{}", name, stage + 1);
}

StageKernel::StageKernel(StepLowering &step, unsigned stage, llvm::StringRef variant,
                         bool readOnlyPath)
    : step(step), stencil(step.stencil), stage(stencil.stages[stage]),
      areas(step.areas.updates[stage]), area(areaAround(areas, stencil.rank())),
      box(boxOf(area, stencil.rank(), step.program.signature.paramRanges)),
      builder(step.program, kernelName(stencil, stage, variant), step.program.target),
      arrays(builder, step.program, this->stage, readOnlyPath), number(stage) {
  const size_t stages = stencil.stages.size();
  std::vector<std::string> &comment = builder.kernel.comment;
  comment = {stages == 1 ? "One step of"
                         : fmt::format("Stage {} of {} of a step:", stage + 1, stages)};
  for (const Update &update : this->stage.updates)
    quote(update, comment);
  std::set<std::tuple<unsigned, TimeLevel, Offset>> seen;
  for (const Update &update : this->stage.updates)
    forEachRead(update.formula, [&](const Read &read) {
      if (seen.insert({read.array, read.level, read.offset}).second)
        reads.push_back(read);
    });
}

Place StageKernel::memory() {
  return [this](const Read &read, Point where) {
    return builder.load(arrays.argument(read.array, read.level), std::move(where));
  };
}

GridReads StageKernel::readsAt(Point point) {
  return {builder, stencil, step.formula, std::move(point), memory()};
}

void StageKernel::appendUpdates(Body &body, const Point &point, const ReadSource &source) {
  const StepFormula &formula = step.formula;
  const auto append = [&](Body &body, llvm::ArrayRef<unsigned> updates, KnownValues known) {
    std::vector<ExprId> wanted;
    for (unsigned update : updates)
      wanted.push_back(formula.result(number, update));
    ReadSource reads = source;
    std::vector<Value> values = PointUpdate(stencil, formula, std::move(wanted))
                                    .append(builder, body, reads, std::move(known));
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
    return append(body, groups[0].second, {});

  // What is updated in place is read by every group before the first one stores it.
  std::vector<ExprId> overwritten;
  for (ExprId id = 0; id < formula.size(); ++id)
    if (auto *read = std::get_if<Read>(&formula[id].node))
      if (llvm::is_contained(reads, *read) && arrays.isOverwritten(*read))
        overwritten.push_back(id);
  KnownValues known;
  ReadSource early = source;
  std::vector<Value> values =
      PointUpdate(stencil, formula, overwritten).append(builder, body, early);
  for (auto [id, value] : llvm::zip(overwritten, values))
    known[id] = value;
  for (auto &[area, updates] : groups) {
    If guarded{conditionOf(area, point, step.program.signature.paramRanges), {}, {}};
    append(guarded.then, updates, known);
    body.push_back({std::move(guarded)});
  }
}

void StageKernel::finish(Body body, Cover cover) {
  cover.begin = box.begin;
  cover.end = box.end;
  const size_t stages = stencil.stages.size();
  Launch launch{.kernel = {},
                .comment = stages == 1
                               ? "One step of every point that is updated."
                               : fmt::format("Stage {} of {} of a step.", number + 1, stages),
                .buffers = arrays.buffers(),
                .cover = std::move(cover),
                .integers = builder.bindings};
  step.add(builder.finish(std::move(body)), std::move(launch));
}

// ---- threads ------------------------------------------------------------------------------------

ThreadedStage::ThreadedStage(StepLowering &step, unsigned stage, const Schedule &schedule)
    : StageKernel(step, stage, schedule.variant, !schedule.hasFlag("plain")), schedule(schedule) {
  builder.kernel.promisesResidency = true;

  // The contiguous axis starts on a memory line, below its `begin`; the others start at theirs.
  const unsigned rank = stencil.rank();
  std::vector<Index> atLeast(box.begin.begin(), box.begin.begin() + rank);
  atLeast.back() = nullptr;
  point = builder.threads(body, schedule.block, atLeast, schedule.chunk);
  Box inside;
  for (unsigned axis = rank; axis-- > 0;)
    inside.push_back({point[axis], axis + 1 == rank ? box.begin[axis] : nullptr, box.end[axis]});
  body.push_back({ReturnUnless{inside}});
}

void ThreadedStage::finish() {
  Cover cover;
  cover.alignTo = arrays.argument(stage.updates.front().array, TimeLevel::Next);
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    cover.points[axis] = schedule.block[dimensionOf(axis, stencil.rank())];
  cover.points[0] *= schedule.chunk;
  StageKernel::finish(std::move(body), std::move(cover));
}

Program stencilc::lowerByStages(const Stencil &stencil, const Schedule &schedule,
                                llvm::function_ref<void(ThreadedStage &)> append) {
  StepLowering step(stencil, Target::Device);
  for (unsigned number = 0; number < stencil.stages.size(); ++number) {
    ThreadedStage stage(step, number, schedule);
    append(stage);
    stage.finish();
  }
  return step.finish();
}
