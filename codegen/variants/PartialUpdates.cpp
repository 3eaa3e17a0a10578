#include "codegen/variants/PartialUpdates.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

PartialUpdates::PartialUpdates(const Stencil &stencil, const StepFormula &formula) {
  std::vector<ExprId> results;
  for (unsigned update = 0; update < stencil.stages.front().updates.size(); ++update)
    results.push_back(formula.result(0, update));

  // The last plane that a value waits for; none, if it is one number for all points, or made of
  // const arrays, which are read anew wherever it is asked for.
  std::vector<std::optional<int>> last(formula.size());
  std::vector<bool> isNeeded(formula.size());
  for (ExprId id : results)
    isNeeded[id] = true;
  for (ExprId id = formula.size(); id-- > 0;)
    if (isNeeded[id] && !formula.uniform(id))
      for (ExprId operand : operands(formula[id].node))
        isNeeded[operand] = true;
  for (ExprId id = 0; id < formula.size(); ++id) {
    if (!isNeeded[id] || formula.uniform(id))
      continue;
    const auto *read = std::get_if<Read>(&formula[id].node);
    if (read && stencil.arrays[read->array].kind == ArrayKind::Field) {
      last[id] = read->offset[0];
      lowest = std::min(lowest, read->offset[0]);
      highest = std::max(highest, read->offset[0]);
    }
    for (ExprId operand : operands(formula[id].node))
      last[id] = std::max(last[id], last[operand]);
  }

  for (int plane = lowest; plane < highest; ++plane) {
    std::vector<bool> isUsedLater(formula.size());
    for (ExprId id : results)
      isUsedLater[id] = true;
    for (ExprId id = 0; id < formula.size(); ++id)
      if (isNeeded[id] && last[id] && *last[id] > plane)
        for (ExprId operand : operands(formula[id].node))
          isUsedLater[operand] = true;
    std::vector<ExprId> &values = kept.emplace_back();
    for (ExprId id = formula.size(); id-- > 0;) {
      if (!isUsedLater[id] || !last[id] || *last[id] > plane)
        continue;
      if (formula[id].type != ScalarType::Bool)
        values.insert(values.begin(), id);
      else // is found anew of what it compares
        for (ExprId operand : operands(formula[id].node))
          isUsedLater[operand] = true;
    }
  }
  kept.push_back(std::move(results));
}
