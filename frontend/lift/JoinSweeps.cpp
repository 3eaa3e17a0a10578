#include "frontend/lift/JoinSweeps.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

bool takeSameTurns(const Sweep &first, const Sweep &second) {
  return !first.loops.empty() && first.loops == second.loops &&
         first.loopOfAxis == second.loopOfAxis && first.shift == second.shift;
}

static bool isOwnPoint(const Grid &grid, const Sweep &sweep, const GridRead &read) {
  return read.array == sweep.array && read.storage == grid.arrays[sweep.array].next &&
         read.offset == Offset{} &&
         llvm::none_of(read.kept, [](const auto &kept) { return kept.has_value(); });
}

bool readsOwnPoint(const Grid &grid, const Sweep &sweep) {
  return llvm::any_of(sweep.reads,
                      [&](const auto &entry) { return isOwnPoint(grid, sweep, entry.second); });
}

/// True if a turn of the first sees there what the second does: nothing between both writes it, nor
/// turns of their loops.
static bool seesSame(const LoopTree &tree, const Grid &grid, const Sweep &first,
                     const Sweep &second, unsigned access, const GridRead &read) {
  const GridArray &array = grid.arrays[read.array];
  if (array.hasLevels() && read.storage == array.current)
    return true;
  const auto areBeside = [](const Sweep &one, const Sweep &other) {
    return !one.loops.empty() && !other.loops.empty() && one.loops[0] == other.loops[0];
  };
  return llvm::all_of(grid.sweeps, [&](const Sweep &sweep) {
    return sweep.array != read.array || (!areBeside(sweep, first) && !areBeside(sweep, second) &&
                                         (sweep.assignment < first.assignment ||
                                          sweep.assignment >= tree.accesses[access].time));
  });
}

/// `value` with `instead` where it reads the array itself.
static Formula withValue(const Formula &value, const Formula &instead,
                         llvm::function_ref<bool(unsigned access)> isItself) {
  Formula result;
  std::vector<ExprId> numbers;
  for (const Expr &expr : value.exprs) {
    const auto *read = std::get_if<Read>(&expr.node);
    if (read && isItself(read->array)) {
      numbers.push_back(result.merge(instead));
      continue;
    }
    numbers.push_back(result.add(expr.type, withOperands(expr.node, numbers)));
    if (result.exprs[numbers.back()].name.empty())
      result.exprs[numbers.back()].name = expr.name;
  }
  result.result = numbers[value.result];
  return result;
}

std::optional<Sweep> joined(const LoopTree &tree, const Grid &grid, const Sweep &first,
                            const Sweep &second) {
  const bool isTogether = takeSameTurns(first, second);
  for (const Expr &expr : second.value.exprs)
    if (const auto *position = std::get_if<AxisValue>(&expr.node); position && !isTogether)
      for (unsigned loop : second.loops)
        if (tree.loops[loop].variable == position->axis)
          return std::nullopt;
  Sweep result = first;
  for (const auto &[access, read] : second.reads) {
    if (isOwnPoint(grid, second, read))
      continue;
    if (!isTogether && !seesSame(tree, grid, first, second, access, read))
      return std::nullopt;
    result.reads.emplace(access, read);
  }
  result.value = withValue(second.value, first.value, [&](unsigned access) {
    const auto read = second.reads.find(access);
    return read != second.reads.end() && !result.reads.count(access);
  });
  return result;
}

} // namespace stencilc::lift
