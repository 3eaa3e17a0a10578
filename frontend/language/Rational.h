// Exact numbers: the value of literals until they meet a type, and of difference weights.
#pragma once

#include "ir/stencil/Scalar.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <optional>
#include <vector>

namespace stencilc {

using Rational = boost::multiprecision::cpp_rational;

/// Literals beyond these are refused: exact arithmetic on them would take the memory of the
/// machine.
constexpr unsigned kMaxLiteralDigits = 1000;
constexpr int kMaxLiteralExponent = 1000;
/// Exact results whose numerator or denominator is longer are refused.
constexpr unsigned kMaxExactBits = 1 << 15;

/// The value of a decimal literal ("0.25", "1e-3", ".5"), which must be well formed; none if it is
/// beyond the limits.
std::optional<Rational> parseDecimal(llvm::StringRef text);

bool isTooLong(const Rational &value);

/// `value` rounded once to `type` (f32 or f64), to nearest even; beyond the largest finite number
/// it is an infinity. An f32 is held in a double.
double roundTo(ScalarType type, const Rational &value);

/// Weights at the points -r .. r (r = order / 2, unit spacing) of the central difference of even
/// `order` for derivative 1 or 2.
std::vector<Rational> differenceWeights(unsigned derivative, unsigned order);

} // namespace stencilc
