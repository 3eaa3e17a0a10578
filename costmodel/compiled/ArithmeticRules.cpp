#include "costmodel/compiled/ArithmeticRules.h"

#include "llvm/ADT/bit.h"

#include <initializer_list>
#include <numeric>
#include <utility>

using namespace stencilc;

llvm::StringRef stencilc::spelling(Pipe pipe) {
  static constexpr llvm::StringLiteral names[kPipes] = {
      "fp32", "fp64", "integer", "multiply-add", "special", "load-store", "control"};
  return names[unsigned(pipe)];
}

double InstructionMix::all() const { return std::accumulate(count.begin(), count.end(), 0.0); }

InstructionMix &InstructionMix::add(const InstructionMix &other, double times) {
  for (unsigned pipe = 0; pipe < kPipes; ++pipe)
    count[pipe] += times * other.count[pipe];
  return *this;
}

static InstructionMix mix(std::initializer_list<std::pair<Pipe, double>> parts) {
  InstructionMix result;
  for (const auto &[pipe, count] : parts)
    result[pipe] += count;
  return result;
}

InstructionMix stencilc::of(Pipe pipe, double count) { return mix({{pipe, count}}); }

InstructionMix stencilc::moves(double words) {
  return mix({{Pipe::Integer, 0.5 * words}, {Pipe::MultiplyAdd, 0.5 * words}});
}

InstructionMix stencilc::additions(double count) {
  return mix({{Pipe::Integer, 0.7 * count}, {Pipe::MultiplyAdd, 0.3 * count}});
}

InstructionMix stencilc::arithmetic(ScalarType type) {
  return of(type == ScalarType::F64 ? Pipe::Fp64 : Pipe::Fp32, 1);
}

InstructionMix stencilc::division(ScalarType type) {
  // A reciprocal estimate, Newton steps, and a branch around the exact path.
  if (type == ScalarType::F64)
    return mix({{Pipe::Special, 1},
                {Pipe::Fp64, 8},
                {Pipe::Fp32, 1},
                {Pipe::Integer, 2},
                {Pipe::MultiplyAdd, 1},
                {Pipe::Control, 3}});
  return mix({{Pipe::Special, 1}, {Pipe::Fp32, 6}, {Pipe::Integer, 1}, {Pipe::Control, 3}});
}

InstructionMix stencilc::comparison(ScalarType type) {
  // FSETP runs where integers are compared, DSETP does not.
  return of(type == ScalarType::F64 ? Pipe::Fp64 : Pipe::Integer, 1);
}

InstructionMix stencilc::selection(ScalarType type) {
  return of(Pipe::Integer, sizeInBytes(type) / 4);
}

static InstructionMix callF32(Builtin function) {
  switch (function) {
  case Builtin::Min:
  case Builtin::Max:
    return of(Pipe::Integer, 1);
  case Builtin::Abs: // of an operand
    return {};
  case Builtin::Floor:
    return of(Pipe::Special, 1);
  case Builtin::Sqrt:
    return mix({{Pipe::Special, 1}, {Pipe::Fp32, 4}, {Pipe::Integer, 2}, {Pipe::Control, 3}});
  case Builtin::Exp:
    return mix({{Pipe::Special, 1}, {Pipe::Fp32, 5}, {Pipe::Integer, 2}, {Pipe::MultiplyAdd, 1}});
  case Builtin::Log:
    return mix({{Pipe::Fp32, 15}, {Pipe::Integer, 12}});
  case Builtin::Sin:
  case Builtin::Cos:
    return mix({{Pipe::Special, 1},
                {Pipe::Fp32, 11},
                {Pipe::Integer, 7},
                {Pipe::MultiplyAdd, 4},
                {Pipe::Control, 4}});
  case Builtin::Tanh:
    return mix({{Pipe::Special, 2}, {Pipe::Fp32, 9}, {Pipe::Integer, 6}});
  case Builtin::Pow:
    return mix({{Pipe::Special, 4}, {Pipe::Fp32, 44}, {Pipe::Integer, 28}, {Pipe::Control, 5}});
  }
  llvm_unreachable("every function has a rule");
}

static InstructionMix callF64(Builtin function) {
  switch (function) {
  case Builtin::Min:
  case Builtin::Max: // with a NaN's payload
    return mix({{Pipe::Fp64, 1}, {Pipe::Integer, 3}, {Pipe::MultiplyAdd, 4}});
  case Builtin::Abs:
    return {};
  case Builtin::Floor:
    return of(Pipe::Special, 1);
  case Builtin::Sqrt:
    return mix({{Pipe::Special, 1}, {Pipe::Fp64, 8}, {Pipe::Integer, 4}, {Pipe::Control, 3}});
  case Builtin::Exp:
    return mix({{Pipe::Fp64, 15}, {Pipe::Integer, 24}, {Pipe::MultiplyAdd, 5}, {Pipe::Control, 3}});
  case Builtin::Log:
    return mix({{Pipe::Special, 1},
                {Pipe::Fp64, 30},
                {Pipe::Integer, 37},
                {Pipe::MultiplyAdd, 10},
                {Pipe::Control, 3}});
  case Builtin::Sin:
  case Builtin::Cos: // with a table of coefficients in memory
    return mix({{Pipe::Special, 2},
                {Pipe::Fp64, 17},
                {Pipe::Integer, 13},
                {Pipe::MultiplyAdd, 6},
                {Pipe::LoadStore, 3},
                {Pipe::Control, 5}});
  case Builtin::Tanh: // the mean of its two branches
    return mix({{Pipe::Special, 3},
                {Pipe::Fp64, 18},
                {Pipe::Integer, 27},
                {Pipe::MultiplyAdd, 3},
                {Pipe::Control, 4}});
  case Builtin::Pow: // a subroutine
    return mix({{Pipe::Special, 1},
                {Pipe::Fp64, 87},
                {Pipe::Integer, 73},
                {Pipe::MultiplyAdd, 24},
                {Pipe::Control, 12}});
  }
  llvm_unreachable("every function has a rule");
}

InstructionMix stencilc::call(Builtin function, ScalarType type) {
  return type == ScalarType::F64 ? callF64(function) : callF32(function);
}

bool stencilc::needsMoves(double literal, ScalarType type) {
  return type == ScalarType::F64 && uint32_t(llvm::bit_cast<uint64_t>(literal)) != 0;
}
