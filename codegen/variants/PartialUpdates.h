// PartialUpdates: what of a stage's updates can be computed before all that they read is there.
//
// The planes that updates read along the slowest axis come one after the other. Once one is there,
// so is every value that is made of reads up to it; of those, the values that what comes later is
// made of are kept. For a sum that adds plane after plane in its source, that is one number a
// point: the sum so far.
#pragma once

#include "codegen/lower/StepFormula.h"

namespace stencilc {

class PartialUpdates {
public:
  /// Of the one stage of a stencil, which reads its fields' current level and const arrays.
  PartialUpdates(const Stencil &stencil, const StepFormula &formula);

  int lowest = 0;  ///< plane that is read, never above 0
  int highest = 0; ///< never below 0
  /// By plane from `lowest` to `highest`: the values that are kept once it has come; behind the
  /// last one, the results of the updates.
  std::vector<std::vector<ExprId>> kept;

  llvm::ArrayRef<ExprId> keptAfter(int plane) const { return kept[plane - lowest]; }
};

} // namespace stencilc
