#include "costmodel/compiled/Residency.h"

#include "ir/kernel/CudaLimits.h"

#include <algorithm>

using namespace stencilc;

int stencilc::usualResidency(const Stencil &stencil, const Schedule &schedule) {
  if (schedule.rank == 0)
    return 0;
  // Every loaded value may be in flight at once.
  int words = 0;
  for (const Stage &stage : stencil.stages)
    for (const Update &update : stage.updates)
      for (const Expr &expr : update.formula.exprs)
        if (std::holds_alternative<Read>(expr.node))
          words += sizeInBytes(expr.type) / 4;
  // At one point, address arithmetic and guards take about 24 more, and half as many again as are
  // loaded hold what is computed from them. A march computes from them one after another, but keeps
  // a pointer to each row that it moves from plane to plane, in two registers, and the compiler
  // overlaps its turns: with fewer than about 36 more, small stencils spill.
  int needed = words + (schedule.chunk > 1 ? 36 : 24 + words / 2);
  int registers = std::min(needed, cuda::kMaxRegistersPerThread);
  int roundedUp = (registers + 7) / 8 * 8;
  int blocks = cuda::kRegistersPerSm / (roundedUp * schedule.threads());
  return std::clamp(blocks, 1,
                    std::min(cuda::kMaxThreadsPerSm / schedule.threads(), cuda::kMaxBlocksPerSm));
}
