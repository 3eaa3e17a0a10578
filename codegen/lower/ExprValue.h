// ExprValue: one operation of a formula as a Value.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// The Value of an Expr, made of its operands' as `operand` gives them; `leaf` gives those of
/// params, positions, the step number and reads.
Value valueOf(const Expr &expr, llvm::function_ref<Value(ExprId)> operand,
              llvm::function_ref<Value()> leaf);

} // namespace stencilc
