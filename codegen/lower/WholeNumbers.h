// WholeNumbers: operations on positions, the step's number and whole params as Values.
//
// A position is an index of 32 bits. It stays an index while no more than a few points are added to
// it, which no extent lets overflow; any other arithmetic is done in 64 bits, by values of type
// Int. Comparisons of indices become boxes, so that what they select is known without running a
// kernel: a condition is a Guarded value that is true inside its box.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// An index as a value of type Int.
Value wholeValue(Index index);
/// The operation on operands of type Int.
Value wholeBinary(BinaryOp op, Value left, Value right);
Value wholeComparison(CompareOp op, Value left, Value right);
/// A value of type Int as a number.
Value numberOf(ScalarType type, Value whole);

/// Operations on truth values.
Value negation(Value condition);
Value conjunction(Value left, Value right);
/// `where(condition, then, otherwise)`. Where the condition is a box and both sides compute
/// nothing, only the side that it selects is evaluated.
Value selection(Value condition, Value then, Value otherwise);

} // namespace stencilc
