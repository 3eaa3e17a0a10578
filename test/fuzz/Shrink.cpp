#include "test/fuzz/Shrink.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::fuzz {
namespace {

using Visit = llvm::function_ref<void(SourceExpr &)>;

void forEachNode(SourceExpr &expr, Visit visit) {
  for (SourceExpr &operand : expr.operands)
    forEachNode(operand, visit);
  visit(expr);
}

void forEachNode(SourceProgram &program, Visit visit) {
  for (SourceAssignment &let : program.lets)
    forEachNode(let.expr, visit);
  for (auto &stage : program.stages)
    for (SourceAssignment &update : stage)
      forEachNode(update.expr, visit);
  for (SourceReduction &reduction : program.reductions)
    forEachNode(reduction.expr, visit);
}

void replaceName(Case &tested, llvm::StringRef old, const SourceExpr &replacement) {
  auto replace = [&](SourceExpr &node) {
    if (node.kind == SourceExpr::Access && node.text == old) {
      node = replacement;
    } else if (node.kind == SourceExpr::Call && node.text == old) { // a function: its argument
      SourceExpr argument = std::move(node.operands.front());
      node = std::move(argument);
    }
  };
  forEachNode(tested.program, replace);
  for (SourceArray &array : tested.program.arrays)
    for (auto &sides : array.boundary)
      for (SourceBoundary &boundary : sides)
        forEachNode(boundary.value, replace);
}

/// The ways to make one node simpler, by number. False: there is no such way for this node.
bool simplify(SourceExpr &node, unsigned way) {
  const unsigned operandCount = node.operands.size();
  if (way == 0) {
    if (node.kind == SourceExpr::Number && node.text == "1")
      return false;
    node = number("1");
    return true;
  }
  if (way <= 3) { // stands for one of its operands
    if (way > operandCount || node.kind == SourceExpr::Sum)
      return false;
    SourceExpr operand = std::move(node.operands[way - 1]);
    node = std::move(operand);
    return true;
  }
  switch (way) {
  case 4: // not moved
    if (node.shifts.empty())
      return false;
    node.shifts.pop_back();
    return true;
  case 5: // moved less
    for (SourceShift &shift : node.shifts)
      if (std::abs(shift.offset) > 1) {
        shift.offset /= 2;
        return true;
      }
    return false;
  case 6: // a sum of one term, without its index
    if (node.kind != SourceExpr::Sum)
      return false;
    forEachNode(node.operands[0], [&](SourceExpr &inner) {
      const SourceSumIndex &index = node.indices.back();
      for (SourceShift &shift : inner.shifts)
        if (shift.index == index.name)
          shift = {shift.axis, shift.offset + shift.factor * index.low};
      if (inner.kind == SourceExpr::Access && inner.text == index.name)
        inner = number(std::to_string(index.low));
      llvm::erase_if(inner.shifts, [](const SourceShift &shift) {
        return shift.index.empty() && shift.offset == 0;
      });
    });
    node.indices.pop_back();
    if (node.indices.empty()) {
      SourceExpr body = std::move(node.operands[0]);
      node = std::move(body);
    }
    return true;
  case 7:
    if (node.kind != SourceExpr::Difference || node.order == 2)
      return false;
    node.order = 2;
    return true;
  default:
    return false;
  }
}
constexpr unsigned kWays = 8;

class Shrinker {
public:
  Shrinker(Case failing, Failure failure, unsigned attempts,
           llvm::function_ref<std::optional<Failure>(const Case &)> test)
      : best(std::move(failing)), failure(std::move(failure)), attempts(attempts), test(test) {}

  ShrunkCase run() {
    bool changed = true;
    while (changed && attempts > 0) {
      changed = cutDeclarations();
      changed |= cutSizes();
      changed |= cutExpressions();
      changed |= cutBoundaries();
    }
    return {std::move(best), std::move(failure)};
  }

private:
  /// Keeps the change if the case still fails in the same kind of way.
  bool attempt(llvm::function_ref<void(Case &)> change) {
    if (attempts == 0)
      return false;
    --attempts;
    Case candidate = best;
    change(candidate);
    std::optional<Failure> seen = test(candidate);
    if (!seen || seen->kind != failure.kind)
      return false;
    best = std::move(candidate);
    failure = std::move(*seen);
    return true;
  }

  bool cutDeclarations();
  bool cutUpdates();
  bool cutSizes();
  bool cutExpressions();
  bool cutBoundaries();

  Case best;
  Failure failure;
  unsigned attempts;
  llvm::function_ref<std::optional<Failure>(const Case &)> test;
};

bool Shrinker::cutDeclarations() {
  bool changed = false;
  for (unsigned i = best.program.arrays.size(); i-- > 0;)
    changed |= attempt([&](Case &candidate) {
      SourceProgram &program = candidate.program;
      const std::string gone = program.arrays[i].name;
      program.arrays.erase(program.arrays.begin() + i);
      for (auto &stage : program.stages)
        llvm::erase_if(stage, [&](const SourceAssignment &update) { return update.name == gone; });
      llvm::erase_if(program.stages, [](const auto &stage) { return stage.empty(); });
      replaceName(candidate, gone, number("0.5"));
    });
  for (unsigned i = best.program.lets.size(); i-- > 0;)
    changed |= attempt([&](Case &candidate) {
      const SourceAssignment gone = candidate.program.lets[i];
      candidate.program.lets.erase(candidate.program.lets.begin() + i);
      replaceName(candidate, gone.name, gone.expr);
    });
  for (unsigned i = best.defines.size(); i-- > 0;)
    changed |=
        attempt([&](Case &candidate) { candidate.defines.erase(candidate.defines.begin() + i); });
  for (unsigned i = best.program.params.size(); i-- > 0;)
    changed |= attempt([&](Case &candidate) {
      const std::string gone = candidate.program.params[i].name;
      const bool isWhole = candidate.program.params[i].isWhole();
      candidate.program.params.erase(candidate.program.params.begin() + i);
      llvm::erase_if(candidate.params, [&](const auto &given) { return given.first == gone; });
      llvm::erase_if(candidate.defines, [&](const auto &given) { return given.first == gone; });
      replaceName(candidate, gone, number(isWhole ? "1" : "0.5"));
    });
  for (unsigned i = best.program.reductions.size(); i-- > 0;)
    changed |= attempt([&](Case &candidate) {
      candidate.program.reductions.erase(candidate.program.reductions.begin() + i);
    });
  changed |= cutUpdates();
  if (best.program.writesStages)
    changed |= attempt([](Case &candidate) { candidate.program.writesStages = false; });
  return changed;
}

/// Updates of arrays that have several, and regions.
bool Shrinker::cutUpdates() {
  bool changed = false;
  for (unsigned stage = 0; stage < best.program.stages.size(); ++stage)
    for (unsigned i = best.program.stages[stage].size(); i-- > 0;) {
      const auto updateOf = [&](Case &candidate) {
        return candidate.program.stages[stage].begin() + i;
      };
      const bool isOnly = llvm::count_if(best.program.stages[stage], [&](const auto &update) {
                            return update.name == updateOf(best)->name;
                          }) == 1;
      if (!isOnly)
        changed |= attempt(
            [&](Case &candidate) { candidate.program.stages[stage].erase(updateOf(candidate)); });
      if (i < best.program.stages[stage].size() && !updateOf(best)->region.empty())
        changed |= attempt([&](Case &candidate) { updateOf(candidate)->region.pop_back(); });
    }
  for (unsigned i = 0; i < best.program.reductions.size(); ++i)
    if (!best.program.reductions[i].region.empty())
      changed |= attempt([&](Case &candidate) { candidate.program.reductions[i].region.clear(); });
  return changed;
}

bool Shrinker::cutSizes() {
  bool changed = false;
  if (best.firstStep > 0)
    changed |= attempt([](Case &candidate) { candidate.firstStep = 0; });
  if (best.steps > 1)
    changed |= attempt([](Case &candidate) { candidate.steps = 1; });
  for (unsigned axis = 0; axis < best.extents.size(); ++axis) {
    while (best.extents[axis] > 1 &&
           attempt([&](Case &candidate) { candidate.extents[axis] /= 2; }))
      changed = true;
    while (best.extents[axis] > 1 && attempt([&](Case &candidate) { --candidate.extents[axis]; }))
      changed = true;
  }
  for (int &side : best.block)
    if (const size_t dimension = &side - best.block.data(); side > 1)
      changed |= attempt([&](Case &candidate) { candidate.block[dimension] = 1; });
  if (best.residency > 0)
    changed |= attempt([](Case &candidate) { candidate.residency = 0; });
  if (best.chunk > 1)
    changed |= attempt([](Case &candidate) { candidate.chunk = 1; });
  for (int &points : best.pointsPerThread)
    if (const size_t dimension = &points - best.pointsPerThread.data(); points > 1)
      changed |= attempt([&](Case &candidate) { candidate.pointsPerThread[dimension] = 1; });
  if (best.prefetch > 0)
    changed |= attempt([](Case &candidate) { candidate.prefetch = 0; });
  if (best.band > 0)
    changed |= attempt([](Case &candidate) { candidate.band = 0; });
  if (best.alignsRows)
    changed |= attempt([](Case &candidate) { candidate.alignsRows = false; });
  if (best.fillsBlocks)
    changed |= attempt([](Case &candidate) { candidate.fillsBlocks = false; });
  for (unsigned flags = best.flags; flags != 0; flags &= flags - 1)
    changed |= attempt([&](Case &candidate) { candidate.flags &= ~(flags & -flags); });
  if (best.phase > 0)
    changed |= attempt([](Case &candidate) { candidate.phase = 0; });
  if (best.pitch > 0)
    changed |= attempt([](Case &candidate) { candidate.pitch = 0; });
  if (best.maxGridYZ < 65535)
    changed |= attempt([](Case &candidate) { candidate.maxGridYZ = 65535; });
  if (best.hasSpecialValues)
    changed |= attempt([](Case &candidate) { candidate.hasSpecialValues = false; });
  return changed;
}

bool Shrinker::cutExpressions() {
  auto nodeCount = [&] {
    unsigned count = 0;
    forEachNode(best.program, [&](SourceExpr &) { ++count; });
    return count;
  };
  // Nodes are numbered from the leaves up; large ones, at the end, are tried first.
  bool changed = false;
  for (unsigned number = nodeCount(); number-- > 0;)
    for (unsigned way = 0; way < kWays && number < nodeCount(); ++way) {
      unsigned at = 0;
      bool applies = false;
      Case candidate = best;
      forEachNode(candidate.program, [&](SourceExpr &node) {
        if (at++ == number)
          applies = simplify(node, way);
      });
      if (applies && attempt([&](Case &next) { next = candidate; })) {
        changed = true;
        way = 0;
      }
    }
  return changed;
}

bool Shrinker::cutBoundaries() {
  bool changed = false;
  const SourceBoundary simpler[] = {{BoundaryKind::None}, {BoundaryKind::Clamp}};
  for (unsigned i = 0; i < best.program.arrays.size(); ++i)
    for (unsigned axis : llvm::SmallVector<unsigned>(best.program.arrays[i].axes))
      for (const SourceBoundary &boundary : simpler) {
        const auto &sides = best.program.arrays[i].boundary[axis];
        if (llvm::all_of(sides, [&](const SourceBoundary &side) {
              return side.kind == boundary.kind || side.kind == BoundaryKind::None;
            }))
          continue;
        changed |= attempt([&](Case &candidate) {
          candidate.program.arrays[i].boundary[axis] = {boundary, boundary};
        });
      }
  return changed;
}

} // namespace

ShrunkCase shrink(Case failing, Failure failure, unsigned attempts,
                  llvm::function_ref<std::optional<Failure>(const Case &)> test) {
  return Shrinker(std::move(failing), std::move(failure), attempts, test).run();
}

} // namespace stencilc::fuzz
