// LaneTree: how the numbers of all lanes become one, half with half (ir/stencil/ReductionTree.h).
// On the device a thread is a lane, and a block does so; on the host loops over lanes do.
#pragma once

#include "ir/kernel/Kernel.h"
#include "ir/stencil/Stencil.h"

namespace stencilc {

struct LaneTree {
  Target target;
  Reduction::Op op;
  int lanes;         ///< a power of two, at least 2
  unsigned tile = 0; ///< of f64, an element a lane; on the host it has the numbers
  unsigned reg = 0;  ///< with the number of a thread; device only

  /// Both numbers in one.
  Value combined(Value left, Value right) const;
  /// Combines all; the first lane gets the result. Of the other numbers nothing is known then.
  /// `local` numbers the lanes of one loop more.
  Body body(llvm::function_ref<unsigned()> local) const;

private:
  Body inThreads() const;
};

} // namespace stencilc
