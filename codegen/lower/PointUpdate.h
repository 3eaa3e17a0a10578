// PointUpdate: the values that updates give at one point, computed in registers by statements that
// store nothing. Where the values of reads come from, at which time level, and where the results
// go, is the lowering's to say.
#pragma once

#include "codegen/lower/ReadSource.h"
#include "codegen/lower/StepFormula.h"

namespace stencilc {

class PointUpdate {
public:
  /// Of the values `wanted`: results of updates, or parts of them that are computed apart.
  PointUpdate(const Stencil &stencil, const StepFormula &formula, std::vector<ExprId> wanted);

  /// Appends what computes them from reads and from the values that are known already, and gives
  /// a tree for each. What is used twice, or has a name in the source, gets a register; so does
  /// every read that is not in one.
  std::vector<Value> append(KernelBuilder &kernel, Body &body, const Here &here, ReadSource &reads,
                            KnownValues known = {}) const;

private:
  std::string registerName(ExprId id) const;

  const Stencil &stencil;
  const StepFormula &formula;
  const std::vector<ExprId> wanted;
};

} // namespace stencilc
