// ArithmeticRules: instructions of one operation on numbers.
#pragma once

#include "costmodel/compiled/CodeReader.h"
#include "ir/kernel/Kernel.h"

namespace stencilc {

/// One arithmetic instruction on a number: add, multiply, or both fused.
InstructionMix arithmetic(ScalarType type);
/// A division by anything but a literal power of two, which is a multiplication.
InstructionMix division(ScalarType type, CodeReader &code);
InstructionMix call(Builtin function, ScalarType type, CodeReader &code);
/// True of one that takes the instructions of `division`, and a branch.
bool isDivision(const BinaryValue &node, ScalarType type);
InstructionMix comparison(ScalarType type, CodeReader &code);
InstructionMix selection(ScalarType type, CodeReader &code);

/// A literal that an instruction cannot hold: of an f64, only the upper half fits.
bool needsMoves(double literal, ScalarType type);

} // namespace stencilc
