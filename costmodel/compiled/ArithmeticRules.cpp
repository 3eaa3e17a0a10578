#include "costmodel/compiled/ArithmeticRules.h"

#include "llvm/ADT/bit.h"

using namespace stencilc;

InstructionMix stencilc::arithmetic(ScalarType type) {
  return of(type == ScalarType::F64 ? Pipe::Fp64 : Pipe::Fp32, 1);
}

InstructionMix stencilc::division(ScalarType type, CodeReader &code) {
  return code.of(type == ScalarType::F64 ? CodeMix::DivisionF64 : CodeMix::DivisionF32);
}

InstructionMix stencilc::comparison(ScalarType type, CodeReader &code) {
  return code.of(type == ScalarType::F64 ? CodeMix::ComparisonF64 : CodeMix::Comparison);
}

InstructionMix stencilc::selection(ScalarType type, CodeReader &code) {
  return code.of(CodeMix::Selection, sizeInBytes(type) / 4);
}

bool stencilc::needsMoves(double literal, ScalarType type) {
  return type == ScalarType::F64 && uint32_t(llvm::bit_cast<uint64_t>(literal)) != 0;
}
