#include "costmodel/compiled/ArithmeticRules.h"

#include "llvm/ADT/bit.h"

using namespace stencilc;

InstructionMix stencilc::arithmetic(ScalarType type) {
  if (type == ScalarType::Int) // in two words
    return of(Pipe::Integer, 2);
  return of(type == ScalarType::F64 ? Pipe::Fp64 : Pipe::Fp32, 1);
}

/// Each instruction of the special pipe begins a chain if there is a branch behind it.
static InstructionMix withChains(InstructionMix mix) {
  if (mix[Pipe::Control] > 0)
    mix.chains = mix[Pipe::Special];
  return mix;
}

InstructionMix stencilc::division(ScalarType type, CodeReader &code) {
  return withChains(code.of(type == ScalarType::F64 ? CodeMix::DivisionF64 : CodeMix::DivisionF32));
}

InstructionMix stencilc::call(Builtin function, ScalarType type, CodeReader &code) {
  return withChains(code.of(mixOf(function, type)));
}

bool stencilc::isDivision(const BinaryValue &node, ScalarType type) {
  return node.op == BinaryOp::Divide && isFloat(type) && !isPowerOfTwo(node.right);
}

InstructionMix stencilc::comparison(ScalarType type, CodeReader &code) {
  if (type == ScalarType::Int) // in two words
    return code.of(CodeMix::Comparison, 2);
  return code.of(type == ScalarType::F64 ? CodeMix::ComparisonF64 : CodeMix::Comparison);
}

InstructionMix stencilc::selection(ScalarType type, CodeReader &code) {
  return code.of(CodeMix::Selection, type == ScalarType::F32 ? 1 : 2);
}

bool stencilc::needsMoves(double literal, ScalarType type) {
  return type == ScalarType::F64 && uint32_t(llvm::bit_cast<uint64_t>(literal)) != 0;
}
