// The functions of the language: their names and what they are worth.
#include "ir/stencil/Scalar.h"

#include "llvm/Support/ErrorHandling.h"

#include <cassert>
#include <cmath>

namespace stencilc {

llvm::StringRef spelling(Builtin function) {
  switch (function) {
  case Builtin::Min:
    return "min";
  case Builtin::Max:
    return "max";
  case Builtin::Abs:
    return "abs";
  case Builtin::Sqrt:
    return "sqrt";
  case Builtin::Exp:
    return "exp";
  case Builtin::Log:
    return "log";
  case Builtin::Sin:
    return "sin";
  case Builtin::Cos:
    return "cos";
  case Builtin::Tanh:
    return "tanh";
  case Builtin::Pow:
    return "pow";
  case Builtin::Floor:
    return "floor";
  case Builtin::Tan:
    return "tan";
  case Builtin::Asin:
    return "asin";
  case Builtin::Acos:
    return "acos";
  case Builtin::Atan:
    return "atan";
  case Builtin::Atan2:
    return "atan2";
  case Builtin::Sinh:
    return "sinh";
  case Builtin::Cosh:
    return "cosh";
  case Builtin::Asinh:
    return "asinh";
  case Builtin::Acosh:
    return "acosh";
  case Builtin::Atanh:
    return "atanh";
  case Builtin::Exp2:
    return "exp2";
  case Builtin::Expm1:
    return "expm1";
  case Builtin::Log2:
    return "log2";
  case Builtin::Log10:
    return "log10";
  case Builtin::Log1p:
    return "log1p";
  case Builtin::Cbrt:
    return "cbrt";
  case Builtin::Hypot:
    return "hypot";
  case Builtin::Erf:
    return "erf";
  case Builtin::Erfc:
    return "erfc";
  case Builtin::Tgamma:
    return "tgamma";
  case Builtin::Lgamma:
    return "lgamma";
  case Builtin::Ceil:
    return "ceil";
  case Builtin::Round:
    return "round";
  case Builtin::Trunc:
    return "trunc";
  case Builtin::Rint:
    return "rint";
  case Builtin::Fmod:
    return "fmod";
  case Builtin::Remainder:
    return "remainder";
  case Builtin::Fdim:
    return "fdim";
  case Builtin::Copysign:
    return "copysign";
  case Builtin::Fma:
    return "fma";
  }
  llvm_unreachable("unknown function");
}

llvm::ArrayRef<Builtin> allBuiltins() {
  using enum Builtin;
  static constexpr Builtin functions[] = {
      Min,   Max,   Abs,   Sqrt,  Exp,       Log,   Sin,      Cos,   Tanh,   Pow,    Floor,
      Tan,   Asin,  Acos,  Atan,  Atan2,     Sinh,  Cosh,     Asinh, Acosh,  Atanh,  Exp2,
      Expm1, Log2,  Log10, Log1p, Cbrt,      Hypot, Erf,      Erfc,  Tgamma, Lgamma, Ceil,
      Round, Trunc, Rint,  Fmod,  Remainder, Fdim,  Copysign, Fma};
  return functions;
}

std::optional<Builtin> findBuiltin(llvm::StringRef name) {
  for (Builtin function : allBuiltins())
    if (spelling(function) == name)
      return function;
  return std::nullopt;
}

unsigned arity(Builtin function) {
  switch (function) {
  case Builtin::Min:
  case Builtin::Max:
  case Builtin::Pow:
  case Builtin::Atan2:
  case Builtin::Hypot:
  case Builtin::Fmod:
  case Builtin::Remainder:
  case Builtin::Fdim:
  case Builtin::Copysign:
    return 2;
  case Builtin::Fma:
    return 3;
  case Builtin::Abs:
  case Builtin::Sqrt:
  case Builtin::Exp:
  case Builtin::Log:
  case Builtin::Sin:
  case Builtin::Cos:
  case Builtin::Tanh:
  case Builtin::Floor:
  case Builtin::Tan:
  case Builtin::Asin:
  case Builtin::Acos:
  case Builtin::Atan:
  case Builtin::Sinh:
  case Builtin::Cosh:
  case Builtin::Asinh:
  case Builtin::Acosh:
  case Builtin::Atanh:
  case Builtin::Exp2:
  case Builtin::Expm1:
  case Builtin::Log2:
  case Builtin::Log10:
  case Builtin::Log1p:
  case Builtin::Cbrt:
  case Builtin::Erf:
  case Builtin::Erfc:
  case Builtin::Tgamma:
  case Builtin::Lgamma:
  case Builtin::Ceil:
  case Builtin::Round:
  case Builtin::Trunc:
  case Builtin::Rint:
    return 1;
  }
  llvm_unreachable("unknown function");
}

bool isTranscendental(Builtin function) {
  switch (function) {
  case Builtin::Exp:
  case Builtin::Log:
  case Builtin::Sin:
  case Builtin::Cos:
  case Builtin::Tanh:
  case Builtin::Pow:
  case Builtin::Tan:
  case Builtin::Asin:
  case Builtin::Acos:
  case Builtin::Atan:
  case Builtin::Atan2:
  case Builtin::Sinh:
  case Builtin::Cosh:
  case Builtin::Asinh:
  case Builtin::Acosh:
  case Builtin::Atanh:
  case Builtin::Exp2:
  case Builtin::Expm1:
  case Builtin::Log2:
  case Builtin::Log10:
  case Builtin::Log1p:
  case Builtin::Cbrt:
  case Builtin::Hypot:
  case Builtin::Erf:
  case Builtin::Erfc:
  case Builtin::Tgamma:
  case Builtin::Lgamma:
    return true;
  case Builtin::Min:
  case Builtin::Max:
  case Builtin::Abs:
  case Builtin::Sqrt:
  case Builtin::Floor:
  case Builtin::Ceil:
  case Builtin::Round:
  case Builtin::Trunc:
  case Builtin::Rint:
  case Builtin::Fmod:
  case Builtin::Remainder:
  case Builtin::Fdim:
  case Builtin::Copysign:
  case Builtin::Fma:
    return false;
  }
  llvm_unreachable("unknown function");
}

bool isExactOfLiterals(Builtin function) {
  switch (function) {
  case Builtin::Min:
  case Builtin::Max:
  case Builtin::Abs:
  case Builtin::Floor:
  case Builtin::Ceil:
  case Builtin::Fmod:
    return true;
  default:
    return false;
  }
}

bool isSimplePower(double exponent) {
  return exponent == 0.5 || (exponent >= -2 && exponent <= 4 && exponent == std::trunc(exponent));
}

// std::fmin leaves the order of the zeros open, so both are spelled out.
template <class T> static T minimumNumber(T left, T right) {
  if (std::isnan(left))
    return right;
  if (std::isnan(right))
    return left;
  if (left == right)
    return std::signbit(left) ? left : right;
  return left < right ? left : right;
}

template <class T> static T maximumNumber(T left, T right) {
  if (std::isnan(left))
    return right;
  if (std::isnan(right))
    return left;
  if (left == right)
    return std::signbit(left) ? right : left;
  return left < right ? right : left;
}

template <class T> static T call(Builtin function, llvm::ArrayRef<double> operands) {
  const T first = operands[0], second = operands.size() > 1 ? operands[1] : 0;
  switch (function) {
  case Builtin::Min:
    return minimumNumber<T>(first, second);
  case Builtin::Max:
    return maximumNumber<T>(first, second);
  case Builtin::Abs:
    return std::fabs(first);
  case Builtin::Sqrt:
    return std::sqrt(first);
  case Builtin::Exp:
    return std::exp(first);
  case Builtin::Log:
    return std::log(first);
  case Builtin::Sin:
    return std::sin(first);
  case Builtin::Cos:
    return std::cos(first);
  case Builtin::Tanh:
    return std::tanh(first);
  case Builtin::Pow:
    return std::pow(first, second);
  case Builtin::Floor:
    return std::floor(first);
  case Builtin::Tan:
    return std::tan(first);
  case Builtin::Asin:
    return std::asin(first);
  case Builtin::Acos:
    return std::acos(first);
  case Builtin::Atan:
    return std::atan(first);
  case Builtin::Atan2:
    return std::atan2(first, second);
  case Builtin::Sinh:
    return std::sinh(first);
  case Builtin::Cosh:
    return std::cosh(first);
  case Builtin::Asinh:
    return std::asinh(first);
  case Builtin::Acosh:
    return std::acosh(first);
  case Builtin::Atanh:
    return std::atanh(first);
  case Builtin::Exp2:
    return std::exp2(first);
  case Builtin::Expm1:
    return std::expm1(first);
  case Builtin::Log2:
    return std::log2(first);
  case Builtin::Log10:
    return std::log10(first);
  case Builtin::Log1p:
    return std::log1p(first);
  case Builtin::Cbrt:
    return std::cbrt(first);
  case Builtin::Hypot:
    return std::hypot(first, second);
  case Builtin::Erf:
    return std::erf(first);
  case Builtin::Erfc:
    return std::erfc(first);
  case Builtin::Tgamma:
    return std::tgamma(first);
  case Builtin::Lgamma:
    return std::lgamma(first);
  case Builtin::Ceil:
    return std::ceil(first);
  case Builtin::Round:
    return std::round(first);
  case Builtin::Trunc:
    return std::trunc(first);
  case Builtin::Rint:
    return std::rint(first);
  case Builtin::Fmod:
    return std::fmod(first, second);
  case Builtin::Remainder:
    return std::remainder(first, second);
  case Builtin::Fdim:
    return std::fdim(first, second);
  case Builtin::Copysign:
    return std::copysign(first, second);
  case Builtin::Fma:
    return std::fma(first, second, static_cast<T>(operands[2]));
  }
  llvm_unreachable("unknown function");
}

double apply(ScalarType type, Builtin function, llvm::ArrayRef<double> operands) {
  assert(operands.size() == arity(function) && "wrong number of operands");
  assert(isFloat(type) && "functions are for numbers");
  return type == ScalarType::F32 ? call<float>(function, operands)
                                 : call<double>(function, operands);
}

} // namespace stencilc
