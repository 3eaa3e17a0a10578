// Values: those of statements, those below others, and what each node asks of its operands' types.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// Calls `visit` for each operand of the node, in order; a Guarded's are its two sides.
void forEachOperand(const ValueNode &value, llvm::function_ref<void(const Value &)> visit);
void forEachOperand(ValueNode &value, llvm::function_ref<void(Value &)> visit);
/// The value that a statement makes or stores, if any.
const Value *valueOf(const Statement &statement);
/// The loop that a statement is, if it is one.
const For *loopOf(const Statement &statement);
/// Calls `visit` for each body in the statement, in order.
void forEachBody(const Statement &statement, llvm::function_ref<void(const Body &)> visit);
void forEachBody(Statement &statement, llvm::function_ref<void(Body &)> visit);
/// Calls `visit` for `value` and each value below it.
void forEachValue(const Value &value, llvm::function_ref<void(const ValueNode &)> visit);
/// Calls `visit` for the value of each statement in `body` and in the bodies in it.
void forEachValue(const Body &body, llvm::function_ref<void(const Value &)> visit);

/// A literal: x / 4 is x * 0.25.
bool isPowerOfTwo(const Value &value);

/// Calls `visit` for every index in `body` and in the bodies in it: of accesses, boxes, loops and
/// names.
void forEachIndex(const Body &body, llvm::function_ref<void(const Index &)> visit);

/// What is wrong with the types of a node and its operands, empty if nothing is. Leaves that refer
/// to declarations (registers, arrays, ...) are not looked up.
std::string typeFault(const ValueNode &value);

} // namespace stencilc
