// Types of values: what each node asks of its operands.
#pragma once

#include "ir/Kernel.h"

namespace stencilc {

/// Calls `visit` for each operand of the node, in order; a Guarded's are its two sides.
void forEachOperand(const ValueNode &value, llvm::function_ref<void(const Value &)> visit);

/// What is wrong with the types of a node and its operands, empty if nothing is. Leaves that refer
/// to declarations (registers, arrays, ...) are not looked up.
std::string typeFault(const ValueNode &value);

} // namespace stencilc
