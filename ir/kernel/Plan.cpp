#include "ir/kernel/Plan.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

// ---- buffers ----------------------------------------------------------------------------------

static std::vector<TimeLevel> levelsOf(const SignatureArray &array) {
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
           .layout = array.axes.size() == signature.rank() ? Layout::Strided : Layout::Dense});
  return buffers;
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

TimeLevel targetLevel(const SignatureArray &field) {
  return field.hasNext       ? TimeLevel::Next
         : field.hasPrevious ? TimeLevel::Previous
                             : TimeLevel::Current;
}

// ---- passes -----------------------------------------------------------------------------------

int64_t integerOf(const IntegerBinding &binding, const PlacedCover &cover) {
  return std::visit(llvm::makeVisitor([&](const FirstOf &node) { return cover.first[node.axis]; },
                                      [&](const EndOf &node) { return cover.end[node.axis]; }),
                    binding);
}

std::vector<int64_t> passCounts(const Plan &plan, int64_t steps) {
  std::vector<int64_t> counts;
  for (const Pass &pass : plan.passes) {
    counts.push_back(steps / pass.steps);
    steps %= pass.steps;
  }
  return counts;
}

Rename rotation(const Signature &signature) {
  Rename rename;
  for (auto [number, field] : llvm::enumerate(signature.arrays)) {
    const TimeLevel target = targetLevel(field);
    if (!field.isField || target == TimeLevel::Current)
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

std::vector<Owed> owedBy(const Stencil &stencil, const Signature &signature) {
  std::vector<Owed> owed;
  for (const Stage &stage : stencil.stages)
    for (const Update &update : stage.updates) {
      const unsigned buffer = bufferOf(signature, update.array);
      auto known = llvm::find_if(owed, [&](const Owed &other) { return other.buffer == buffer; });
      if (known == owed.end())
        known = owed.insert(owed.end(), {buffer, {}});
      const Widths widths = frame(stencil, update);
      OwedBox &box = known->boxes.emplace_back();
      for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
        box.begin[axis] = constant(widths[axis][Low]);
        box.end[axis] = add(extent(axis), -widths[axis][High]);
      }
    }
  return owed;
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
