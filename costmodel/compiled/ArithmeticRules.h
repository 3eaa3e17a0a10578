// ArithmeticRules: instructions of one operation on numbers, as nvcc 13 compiles them for compute
// capability 9.0. Compiled one by one (a kernel with the operation against one without it); of
// functions the path that ordinary operands take, slow paths (subnormals, huge angles) left out.
#pragma once

#include "costmodel/compiled/Instructions.h"

namespace stencilc {

/// `words` moves between registers: ptxas gives half of them to the multiply-add pipe.
InstructionMix moves(double words);
/// 32-bit additions, and shifts that compute addresses: ptxas gives three in ten to the
/// multiply-add pipe.
InstructionMix additions(double count);
InstructionMix of(Pipe pipe, double count);

/// One arithmetic instruction on a number: add, multiply, or both fused.
InstructionMix arithmetic(ScalarType type);
/// A division by anything but a literal power of two, which is a multiplication.
InstructionMix division(ScalarType type);
InstructionMix comparison(ScalarType type);
InstructionMix selection(ScalarType type);
InstructionMix call(Builtin function, ScalarType type);

/// A literal that an instruction cannot hold: of an f64, only the upper half fits.
bool needsMoves(double literal, ScalarType type);

} // namespace stencilc
