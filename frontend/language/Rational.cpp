#include "frontend/language/Rational.h"

#include <cmath>
#include <limits>

namespace stencilc {

using boost::multiprecision::cpp_int;

std::optional<Rational> parseDecimal(llvm::StringRef text) {
  auto [mantissa, exponentText] = text.split(text.contains('e') ? 'e' : 'E');
  auto [whole, fraction] = mantissa.split('.');
  std::string digits = whole.str() + fraction.str();
  int exponent = 0;
  if (digits.size() > kMaxLiteralDigits)
    return std::nullopt;
  exponentText.consume_front("+");
  if (!exponentText.empty() && exponentText.getAsInteger(10, exponent))
    return std::nullopt;
  if (exponent < -kMaxLiteralExponent || exponent > kMaxLiteralExponent)
    return std::nullopt;
  // A leading zero would make it octal.
  llvm::StringRef significant = llvm::StringRef(digits).ltrim('0');
  cpp_int value(significant.empty() ? std::string("0") : significant.str());
  exponent -= static_cast<int>(fraction.size());
  cpp_int scale = boost::multiprecision::pow(cpp_int(10), std::abs(exponent));
  return exponent < 0 ? Rational(value, scale) : Rational(value * scale);
}

bool isTooLong(const Rational &value) {
  auto bits = [](const cpp_int &number) { return number.is_zero() ? 0 : msb(number) + 1; };
  return bits(abs(numerator(value))) > kMaxExactBits || bits(denominator(value)) > kMaxExactBits;
}

double roundTo(ScalarType type, const Rational &value) {
  assert(type != ScalarType::Bool && "only numbers are rounded");
  if (value.is_zero())
    return 0;
  bool isF32 = type == ScalarType::F32;
  int precision = isF32 ? 24 : 53;
  int lowestBit = isF32 ? -149 : -1074; // of the subnormals
  double largest = isF32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();

  cpp_int top = abs(numerator(value)), bottom = denominator(value);
  auto shifted = [](const cpp_int &number, int bits) -> cpp_int {
    return bits > 0 ? cpp_int(number << bits) : number;
  };
  // 2^exponent <= |value| < 2^(exponent + 1)
  int exponent = static_cast<int>(msb(top)) - static_cast<int>(msb(bottom));
  if (shifted(top, -exponent) < shifted(bottom, exponent))
    --exponent;
  int lastBit = std::max(exponent - (precision - 1), lowestBit);
  top = shifted(top, -lastBit);
  bottom = shifted(bottom, lastBit);
  cpp_int quotient, rest;
  divide_qr(top, bottom, quotient, rest);
  cpp_int twice = rest * 2;
  if (twice > bottom || (twice == bottom && bit_test(quotient, 0)))
    ++quotient;
  double magnitude = std::ldexp(quotient.convert_to<double>(), lastBit);
  if (magnitude > largest)
    magnitude = std::numeric_limits<double>::infinity();
  return value < 0 ? -magnitude : magnitude;
}

std::vector<Rational> differenceWeights(unsigned derivative, unsigned order) {
  assert(derivative <= 2 && order % 2 == 0 && "central differences of even order");
  // B. Fornberg, Generation of finite difference formulas on arbitrarily spaced grids,
  // Math. Comp. 51 (1988): weights[d][n] of derivative d at 0, points taken in one by one.
  int points = static_cast<int>(order) + 1, radius = static_cast<int>(order) / 2;
  auto at = [&](int n) { return Rational(n - radius); };
  std::vector<std::vector<Rational>> weights(derivative + 1, std::vector<Rational>(points));
  weights[0][0] = 1;
  Rational c1 = 1;
  for (int n = 1; n < points; ++n) {
    std::vector<std::vector<Rational>> old = weights;
    Rational c2 = 1;
    for (int m = 0; m < n; ++m) {
      Rational c3 = at(n) - at(m);
      c2 *= c3;
      for (unsigned d = 0; d <= derivative; ++d)
        weights[d][m] = (at(n) * old[d][m] - (d > 0 ? Rational(d * old[d - 1][m]) : 0)) / c3;
    }
    for (unsigned d = 0; d <= derivative; ++d)
      weights[d][n] =
          c1 / c2 * ((d > 0 ? Rational(d * old[d - 1][n - 1]) : 0) - at(n - 1) * old[d][n - 1]);
    c1 = c2;
  }
  return weights[derivative];
}

} // namespace stencilc
