// Arithmetic on Formulas as C does it: what is known before a run is worked out at once.
#pragma once

#include "ir/stencil/Formula.h"

namespace stencilc::lift {

Formula literal(ScalarType type, double value);
Formula leaf(ScalarType type, Expr::Node node);

/// The operation on one, two or three values. None where C would divide by zero or leave the finite
/// numbers on literals alone, which the language has no literal for.
std::optional<Formula> unary(UnaryOp op, const Formula &operand);
std::optional<Formula> binary(BinaryOp op, const Formula &left, const Formula &right);
std::optional<Formula> compare(CompareOp op, const Formula &left, const Formula &right);
Formula select(const Formula &condition, const Formula &then, const Formula &otherwise);
/// The value of one of its expressions.
Formula part(const Formula &formula, ExprId result);
/// The value that `select` gives. Where one side is the other one with a step more, as in
/// `condition ? a + b : a`, it is written as `a + (condition ? b : 0)`: so `a` stands there once,
/// and a sum under many conditions does not double with each.
Formula choice(const Formula &condition, const Formula &then, const Formula &otherwise);
Formula call(Builtin function, llvm::ArrayRef<Formula> operands);
std::optional<Formula> cast(ScalarType to, const Formula &operand);

ScalarType typeOf(const Formula &formula);
/// Gives the value a name, unless it has one or is too plain for one.
void name(Formula &formula, llvm::StringRef name);

} // namespace stencilc::lift
