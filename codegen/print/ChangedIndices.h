// ChangedIndices: statements that say what others say of other indices.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// The statement with `change(index)` in place of every index in it: of accesses, boxes, loops and
/// names. In what order follows from its form alone.
Statement changedIndices(Statement statement, llvm::function_ref<Index(const Index &)> change);
Body changedIndices(Body body, llvm::function_ref<Index(const Index &)> change);

/// All of them, in that order.
std::vector<Index> indicesOf(const Body &body);

/// The locals that statements, and those in them, make, in order.
std::vector<unsigned> madeBy(llvm::ArrayRef<Statement> statements);

} // namespace stencilc
