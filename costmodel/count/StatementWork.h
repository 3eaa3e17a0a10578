// StatementWork: what one thread does in one execution of a statement, beside accessing memory and
// without the bodies in it.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

struct StatementWork {
  /// Operations on numbers: + - * / and functions, each as one, without those in the sides of
  /// guarded values.
  unsigned flops = 0;
  /// Elements of arrays that are computed: values stored to global memory, unless they only come
  /// back from where the block kept them; and values kept by the block (in a tile, a queue, a
  /// patch) that took an operation to make, of a guarded one on either side.
  unsigned values = 0;
  std::optional<Barrier> barrier = {}; ///< that the statement is
  bool awaits = false;                 ///< what another block sends
};

/// One for each statement, given in the order of the text.
std::vector<StatementWork> workOf(const Kernel &kernel,
                                  llvm::ArrayRef<const Statement *> statements);

/// Operations on numbers that evaluating a value takes, without those in the sides of guarded
/// values in it: of these, a thread evaluates one.
unsigned flopsOf(const Value &value);

} // namespace stencilc
