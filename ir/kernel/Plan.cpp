#include "ir/kernel/Plan.h"

#include "ir/stencil/StencilAreas.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace stencilc {

// ---- actions ----------------------------------------------------------------------------------

template <class Node> Action::Action(Node node) : node(std::move(node)) {}
template Action::Action(Launch);
template Action::Action(Rename);
template Action::Action(When);
Action::Action(const Action &) = default;
Action::Action(Action &&) noexcept = default;
Action &Action::operator=(const Action &) = default;
Action &Action::operator=(Action &&) noexcept = default;
Action::~Action() = default;

// ---- buffers ----------------------------------------------------------------------------------

static std::vector<TimeLevel> levelsOf(const SignatureArray &array) {
  if (array.kind == ArrayKind::Temp)
    return {};
  std::vector<TimeLevel> levels = {TimeLevel::Current};
  if (array.hasPrevious)
    levels.push_back(TimeLevel::Previous);
  if (array.hasNext)
    levels.push_back(TimeLevel::Next);
  return levels;
}

static llvm::StringRef suffixOf(TimeLevel level) {
  switch (level) {
  case TimeLevel::Current:
    return "";
  case TimeLevel::Previous:
    return "_prev";
  case TimeLevel::Next:
    return "_next";
  }
  llvm_unreachable("every level has a name");
}

std::vector<Buffer> callerBuffers(const Signature &signature) {
  std::vector<Buffer> buffers;
  for (auto [number, array] : llvm::enumerate(signature.arrays))
    for (TimeLevel level : levelsOf(array))
      buffers.push_back(
          {.name = array.name + suffixOf(level).str(),
           .type = array.type,
           .axes = array.axes,
           .ghost = array.ghost,
           .owner = CallerMemory{unsigned(number), level},
           .layout = array.axes.size() == signature.rank() ? Layout::Strided : Layout::Dense,
           .isOverTime = array.overTime.has_value()});
  for (auto [number, name] : llvm::enumerate(signature.results))
    buffers.push_back({.name = name,
                       .type = ScalarType::F64,
                       .axes = {},
                       .owner = CallerResult{unsigned(number)},
                       .layout = Layout::Dense});
  return buffers;
}

int64_t elementsOf(const Buffer &list, llvm::ArrayRef<int64_t> extents) {
  int64_t elements = 1;
  for (const Index &length : list.lengths)
    elements *= valueOf(length, {extents});
  return elements;
}

unsigned bufferOf(const Signature &signature, unsigned array, TimeLevel level) {
  unsigned number = 0;
  for (unsigned before = 0; before < array; ++before)
    number += levelsOf(signature.arrays[before]).size();
  const std::vector<TimeLevel> levels = levelsOf(signature.arrays[array]);
  const auto found = llvm::find(levels, level);
  assert(found != levels.end() && "the caller passes this level");
  return number + (found - levels.begin());
}

Buffer tempBuffer(const Signature &signature, unsigned temp) {
  const SignatureArray &array = signature.arrays[temp];
  return {.name = array.name,
          .type = array.type,
          .axes = array.axes,
          .ghost = array.ghost,
          .owner = WorkspaceMemory{temp},
          .layout = Layout::Rows};
}

unsigned bufferOfTemp(llvm::ArrayRef<Buffer> buffers, unsigned temp) {
  const auto found = llvm::find_if(buffers, [&](const Buffer &buffer) {
    const auto *owner = std::get_if<WorkspaceMemory>(&buffer.owner);
    return owner && owner->temp == temp;
  });
  assert(found != buffers.end() && "the temp is kept in the workspace");
  return found - buffers.begin();
}

Buffer twinOf(const Buffer &buffer, std::string name) {
  Buffer twin = buffer;
  twin.name = std::move(name);
  twin.owner = WorkspaceMemory{};
  return twin;
}

TimeLevel targetLevel(const SignatureArray &field) {
  return field.hasNext       ? TimeLevel::Next
         : field.hasPrevious ? TimeLevel::Previous
                             : TimeLevel::Current;
}

// ---- passes -----------------------------------------------------------------------------------

int64_t integerOf(const IntegerBinding &binding, llvm::ArrayRef<Buffer> buffers,
                  const PlacedCover &cover, const RunNumbers &numbers) {
  return std::visit(
      llvm::makeVisitor([&](const FirstOf &node) { return cover.first[node.axis]; },
                        [&](const EndOf &node) { return cover.end[node.axis]; },
                        [&](const WholeParam &node) { return int64_t(numbers.params[node.param]); },
                        [&](const StepNumber &node) { return numbers.step + node.offset; },
                        [&](const ElementsOf &node) {
                          return elementsOf(buffers[node.buffer], numbers.extents);
                        }),
      binding);
}

bool isPerformedOn(const Pass &pass, llvm::ArrayRef<int64_t> extents) {
  return llvm::all_of(llvm::enumerate(extents), [&](const auto &axis) {
    return axis.value() >= pass.minimumExtent[axis.index()];
  });
}

std::vector<int64_t> passCounts(const Plan &plan, llvm::ArrayRef<int64_t> extents, int64_t steps) {
  std::vector<int64_t> counts;
  for (const Pass &pass : plan.passes) {
    counts.push_back(isPerformedOn(pass, extents) ? steps / pass.steps : 0);
    steps -= counts.back() * pass.steps;
  }
  return counts;
}

const Pass &steadyPass(const Plan &plan, llvm::ArrayRef<int64_t> extents) {
  return *llvm::find_if(plan.passes,
                        [&](const Pass &pass) { return isPerformedOn(pass, extents); });
}

Rename rotation(const Signature &signature) {
  Rename rename;
  for (auto [number, field] : llvm::enumerate(signature.arrays)) {
    const TimeLevel target = targetLevel(field);
    if (!field.isField() || target == TimeLevel::Current)
      continue;
    // The target becomes current; what was current becomes previous, or else the next target.
    const auto buffer = [&, number = unsigned(number)](TimeLevel level) {
      return bufferOf(signature, number, level);
    };
    const TimeLevel older = field.hasPrevious ? TimeLevel::Previous : target;
    rename.pairs.push_back({buffer(TimeLevel::Current), buffer(target)});
    rename.pairs.push_back({buffer(older), buffer(TimeLevel::Current)});
    if (older != target)
      rename.pairs.push_back({buffer(target), buffer(older)});
  }
  return rename;
}

int64_t newTargets(const SignatureArray &field) { return field.hasNext + field.hasPrevious; }

// ---- what is owed -----------------------------------------------------------------------------

static Index indexOf(const AxisBound &bound, unsigned axis, ParamIndex paramIndex) {
  switch (bound.base) {
  case AxisBound::Base::Start:
    return constant(bound.offset);
  case AxisBound::Base::End:
    return add(extent(axis), bound.offset);
  case AxisBound::Base::Param:
    return add(paramIndex(axis, bound.param), bound.offset);
  }
  llvm_unreachable("a bound has one of three bases");
}

/// True if the range of the bound's param alone keeps it at or after `other`, a number of points
/// from the start (`Low`), or at or before it, a number of points from the end (`High`).
static bool isWithin(const AxisBound &bound, const AxisBound &other, Side side, unsigned axis,
                     const ParamRanges &ranges) {
  if (bound.base != AxisBound::Base::Param)
    return false;
  const auto range = ranges.find({axis, bound.param});
  if (range == ranges.end())
    return false;
  return side == Low ? other.base == AxisBound::Base::Start &&
                           bound.offset - range->second.least >= other.offset
                     : other.base == AxisBound::Base::End &&
                           bound.offset - range->second.most <= other.offset;
}

/// The tightest of the bounds, as far as it is not known which that is.
static Index tightest(llvm::ArrayRef<AxisBound> bounds, Side side, unsigned axis,
                      const ParamRanges &ranges, ParamIndex paramIndex) {
  Index result;
  for (const AxisBound &bound : bounds) {
    if (llvm::any_of(bounds, [&](const AxisBound &other) {
          return isWithin(other, bound, side, axis, ranges);
        }))
      continue;
    const Index own = indexOf(bound, axis, paramIndex);
    result = !result ? own : side == Low ? maximum(result, own) : minimum(result, own);
  }
  return result;
}

PointBox boxOf(const Area &area, unsigned rank, const ParamRanges &ranges, ParamIndex paramIndex) {
  PointBox box;
  for (unsigned axis = 0; axis < rank; ++axis) {
    box.begin[axis] = tightest(area[axis].from, Low, axis, ranges, paramIndex);
    box.end[axis] = tightest(area[axis].to, High, axis, ranges, paramIndex);
  }
  return box;
}

PointBox boxOf(const Area &area, unsigned rank, const ParamRanges &ranges) {
  return boxOf(area, rank, ranges, [](unsigned, unsigned param) {
    return coordinate(CoordinateKind::WholeParam, param);
  });
}

/// Whether the buffer holds what a step makes of the array, at the end of the step.
static bool holdsMade(const Buffer &buffer, unsigned array) {
  return std::visit(llvm::makeVisitor(
                        [&](const CallerMemory &owner) {
                          return owner.array == array && owner.level == TimeLevel::Current;
                        },
                        [](const CallerResult &) { return false; },
                        [&](const WorkspaceMemory &owner) { return owner.temp == array; }),
                    buffer.owner);
}

std::vector<Owed> owedBy(const Stencil &stencil, llvm::ArrayRef<Buffer> buffers) {
  const StencilAreas areas = areasOf(stencil);
  const ParamRanges ranges = paramRanges(stencil);
  std::vector<Owed> owed;
  for (auto [number, buffer] : llvm::enumerate(buffers)) {
    Owed ofBuffer{unsigned(number), {}};
    for (const auto &[stage, areasOfStage] : llvm::zip_equal(stencil.stages, areas.updates))
      for (const auto &[update, area] : llvm::zip_equal(stage.updates, areasOfStage))
        if (holdsMade(buffer, update.array))
          ofBuffer.boxes.push_back(boxOf(area, stencil.rank(), ranges));
    if (!ofBuffer.boxes.empty())
      owed.push_back(std::move(ofBuffer));
  }
  return owed;
}

bool areWhole(const WholePieces &pieces, llvm::ArrayRef<int64_t> extents) {
  return llvm::all_of(pieces.axes, [&](const WholePieces::Along &along) {
    const int64_t points = valueOf(along.points, {extents});
    return points >= along.least && points % along.each == 0;
  });
}

int mostGhostPlanes(llvm::ArrayRef<Buffer> buffers) {
  int most = 0;
  for (const Buffer &buffer : buffers)
    if (hasStrides(buffer.layout) && !buffer.axes.empty())
      most = std::max(most, buffer.ghost[0][Low] + buffer.ghost[0][High]);
  return most;
}

bool areShort(llvm::ArrayRef<Buffer> buffers, llvm::ArrayRef<int64_t> extents, int64_t most) {
  int64_t elements = extents.front() + mostGhostPlanes(buffers);
  for (int64_t points : extents.drop_front())
    elements = llvm::MulOverflow(elements, points, elements) ? most + 1 : elements;
  return elements <= most;
}

static bool renames(const Actions &actions) {
  return llvm::any_of(actions, [](const Action &action) {
    return std::visit(llvm::makeVisitor([](const Launch &) { return false; },
                                        [](const Rename &node) { return !node.pairs.empty(); },
                                        [](const When &node) {
                                          return renames(node.then) || renames(node.otherwise);
                                        }),
                      action.node);
  });
}

bool renames(const Plan &plan) {
  return renames(plan.prologue) || renames(plan.epilogue) ||
         llvm::any_of(plan.passes, [](const Pass &pass) { return renames(pass.actions); });
}

static void collect(const Actions &actions, llvm::function_ref<bool(const Condition &)> holds,
                    std::vector<const Launch *> &launches) {
  for (const Action &action : actions)
    std::visit(llvm::makeVisitor(
                   [&](const Launch &node) { launches.push_back(&node); }, [](const Rename &) {},
                   [&](const When &node) {
                     collect(holds(node.condition) ? node.then : node.otherwise, holds, launches);
                   }),
               action.node);
}

std::vector<const Launch *> launchesWhere(const Actions &actions,
                                          llvm::function_ref<bool(const Condition &)> holds) {
  std::vector<const Launch *> launches;
  collect(actions, holds, launches);
  return launches;
}

} // namespace stencilc
