#include "costmodel/compiled/Residency.h"

#include "ir/kernel/CudaLimits.h"

#include <algorithm>

using namespace stencilc;

int stencilc::usualResidency(const Stencil &stencil, const Schedule &schedule,
                             const CodeTable &table) {
  if (schedule.rank == 0)
    return 0;
  // Every loaded value may be in flight at once.
  int words = 0;
  for (const Stage &stage : stencil.stages)
    for (const Update &update : stage.updates)
      for (const Expr &expr : update.formula.exprs)
        if (std::holds_alternative<Read>(expr.node))
          words += sizeInBytes(expr.type) / 4;
  // A march computes from loaded values one after another, but keeps a pointer to each row that it
  // moves from plane to plane, in two registers, and the compiler overlaps its turns.
  const bool marches = schedule.chunk > 1;
  int needed = words + int(marches ? table[CodeNumber::PromisedInMarch]
                                   : table[CodeNumber::PromisedAtPoint] +
                                         table[CodeNumber::PromisedShare] * words);
  int registers = std::min(needed, cuda::kMaxRegistersPerThread);
  int roundedUp = (registers + 7) / 8 * 8;
  int blocks = cuda::kRegistersPerSm / (roundedUp * schedule.threads());
  return std::clamp(blocks, 1,
                    std::min(cuda::kMaxThreadsPerSm / schedule.threads(), cuda::kMaxBlocksPerSm));
}
