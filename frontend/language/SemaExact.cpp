#include "frontend/language/SemaExact.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace stencilc {

using boost::multiprecision::cpp_int;

/// The largest whole number that is not above `value`.
static Rational wholeBelow(const Rational &value) {
  cpp_int quotient, rest;
  divide_qr(numerator(value), denominator(value), quotient, rest);
  return rest < 0 ? cpp_int(quotient - 1) : quotient;
}

std::optional<ExactTerm> exactly(Builtin function, llvm::ArrayRef<TermPtr> operands) {
  if (!llvm::all_of(operands, [](const TermPtr &operand) { return operand->exact(); }))
    return std::nullopt;
  const Rational &first = operands.front()->exact()->value;
  const Rational &last = operands.back()->exact()->value;
  const bool isWhole =
      llvm::all_of(operands, [](const TermPtr &operand) { return operand->exact()->isWhole; });
  switch (function) {
  case Builtin::Abs:
    return ExactTerm{abs(first), isWhole};
  case Builtin::Min:
    return ExactTerm{std::min(first, last), isWhole};
  case Builtin::Max:
    return ExactTerm{std::max(first, last), isWhole};
  case Builtin::Floor:
    return ExactTerm{wholeBelow(first), true};
  case Builtin::Ceil:
    return ExactTerm{-wholeBelow(-first), true};
  case Builtin::Fmod:
    // Of fractions, what is left of their rounded values is another number.
    if (!isWhole || last.is_zero())
      return std::nullopt;
    return ExactTerm{Rational(numerator(first) % numerator(last)), true};
  case Builtin::Pow: {
    const double exponent = roundTo(ScalarType::F64, last);
    if (!isSimplePower(exponent) || last != Rational(std::trunc(exponent)) ||
        (exponent < 0 && first.is_zero()))
      return std::nullopt;
    Rational power = 1;
    for (int taken = 0; taken < std::abs(exponent); ++taken)
      power *= first;
    return ExactTerm{exponent < 0 ? Rational(1 / power) : power, isWhole && exponent >= 0};
  }
  default:
    return std::nullopt;
  }
}

} // namespace stencilc
