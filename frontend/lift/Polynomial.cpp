#include "frontend/lift/Polynomial.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace stencilc::lift {

Polynomial::Polynomial(int64_t number) {
  if (number != 0)
    coefficients[{}] = number;
}

Polynomial Polynomial::of(Symbol symbol) {
  Polynomial result;
  result.coefficients[{symbol}] = 1;
  return result;
}

std::optional<int64_t> Polynomial::number() const {
  if (coefficients.empty())
    return 0;
  if (coefficients.size() == 1 && coefficients.begin()->first.empty())
    return coefficients.begin()->second;
  return std::nullopt;
}

std::optional<Symbol> Polynomial::symbol() const {
  if (coefficients.size() != 1)
    return std::nullopt;
  const auto &[monomial, coefficient] = *coefficients.begin();
  if (monomial.size() != 1 || coefficient != 1)
    return std::nullopt;
  return monomial[0];
}

int64_t Polynomial::constantTerm() const {
  const auto found = coefficients.find({});
  return found == coefficients.end() ? 0 : found->second;
}

bool Polynomial::names(Symbol symbol) const {
  return namesAny([&](Symbol other) { return other == symbol; });
}

bool Polynomial::namesAny(llvm::function_ref<bool(Symbol)> wanted) const {
  for (const auto &[monomial, _] : coefficients)
    if (llvm::any_of(monomial, wanted))
      return true;
  return false;
}

std::optional<Polynomial> Polynomial::factorOf(Symbol symbol) const {
  Polynomial result;
  for (const auto &[monomial, coefficient] : coefficients) {
    const auto count = llvm::count(monomial, symbol);
    if (count > 1)
      return std::nullopt;
    if (count == 0)
      continue;
    Monomial rest = monomial;
    rest.erase(llvm::find(rest, symbol));
    result.coefficients[rest] = coefficient;
  }
  return result;
}

std::optional<Polynomial> Polynomial::with(Symbol symbol, const Polynomial &value) const {
  std::optional<Polynomial> result = Polynomial();
  for (const auto &[monomial, coefficient] : coefficients) {
    std::optional<Polynomial> term = Polynomial(coefficient);
    for (Symbol factor : monomial)
      if (term)
        term = product(*term, factor == symbol ? value : Polynomial::of(factor));
    if (term && result)
      result = sum(*result, *term);
    if (!term || !result)
      return std::nullopt;
  }
  return result;
}

std::optional<Polynomial> sum(const Polynomial &left, const Polynomial &right) {
  Polynomial result = left;
  for (const auto &[monomial, coefficient] : right.coefficients) {
    int64_t &place = result.coefficients[monomial];
    if (llvm::AddOverflow(place, coefficient, place))
      return std::nullopt;
    if (place == 0)
      result.coefficients.erase(monomial);
  }
  return result;
}

/// More terms than any subscript has are given up.
constexpr size_t kMaxTerms = 200;

std::optional<Polynomial> product(const Polynomial &left, const Polynomial &right) {
  if (left.coefficients.size() * right.coefficients.size() > kMaxTerms)
    return std::nullopt;
  Polynomial result;
  for (const auto &[leftMonomial, leftFactor] : left.coefficients)
    for (const auto &[rightMonomial, rightFactor] : right.coefficients) {
      Polynomial::Monomial monomial;
      std::merge(leftMonomial.begin(), leftMonomial.end(), rightMonomial.begin(),
                 rightMonomial.end(), std::back_inserter(monomial));
      Polynomial term;
      if (monomial.size() > 16 ||
          llvm::MulOverflow(leftFactor, rightFactor, term.coefficients[monomial]))
        return std::nullopt;
      std::optional<Polynomial> next = sum(result, term);
      if (!next)
        return std::nullopt;
      result = std::move(*next);
    }
  return result;
}

std::optional<Polynomial> difference(const Polynomial &left, const Polynomial &right) {
  const std::optional<Polynomial> negative = product(right, -1);
  return negative ? sum(left, *negative) : std::nullopt;
}

std::optional<int64_t> distance(const Polynomial &left, const Polynomial &right) {
  const std::optional<Polynomial> between = difference(left, right);
  return between ? between->number() : std::nullopt;
}

/// The product of most symbols; of several the last.
static std::pair<Polynomial::Monomial, int64_t> leadingTerm(const Polynomial &value) {
  std::pair<Polynomial::Monomial, int64_t> best = *value.terms().begin();
  for (const auto &term : value.terms())
    if (term.first.size() >= best.first.size())
      best = term;
  return best;
}

/// monomial / divisor, if it divides.
static std::optional<Polynomial::Monomial> quotient(const Polynomial::Monomial &monomial,
                                                    const Polynomial::Monomial &divisor) {
  if (!std::includes(monomial.begin(), monomial.end(), divisor.begin(), divisor.end()))
    return std::nullopt;
  Polynomial::Monomial result;
  std::set_difference(monomial.begin(), monomial.end(), divisor.begin(), divisor.end(),
                      std::back_inserter(result));
  return result;
}

/// value / divisor to the nearest.
static int64_t nearestQuotient(int64_t value, int64_t divisor) {
  const int64_t toZero = value / divisor, rest = value % divisor;
  // |rest| > |divisor| / 2, without overflow.
  if (std::abs(rest) <= std::abs(divisor) - std::abs(rest))
    return toZero;
  return (rest < 0) == (divisor < 0) ? toZero + 1 : toZero - 1;
}

std::optional<Division> divide(const Polynomial &value, const Polynomial &divisor) {
  if (divisor.terms().empty())
    return std::nullopt;
  const auto [leading, factor] = leadingTerm(divisor);
  if (factor == -1 || factor == INT64_MIN)
    return std::nullopt;
  Division result{{}, value};
  // Each turn takes a term away and adds smaller ones.
  for (size_t turn = 0; turn < kMaxTerms; ++turn) {
    std::optional<Polynomial> part;
    for (const auto &[monomial, coefficient] : result.rest.terms()) {
      const auto symbols = quotient(monomial, leading);
      if (!symbols || coefficient == INT64_MIN)
        continue;
      const bool isNumber = monomial.empty();
      if (!isNumber && coefficient % factor != 0)
        continue;
      const int64_t times = isNumber ? nearestQuotient(coefficient, factor) : coefficient / factor;
      if (times == 0)
        continue;
      part = Polynomial(times);
      for (Symbol symbol : *symbols)
        part = part ? product(*part, Polynomial::of(symbol)) : part;
      break;
    }
    if (!part)
      return result;
    const auto taken = product(*part, divisor);
    const auto rest = taken ? difference(result.rest, *taken) : std::nullopt;
    const auto whole = sum(result.quotient, *part);
    if (!rest || !whole)
      return std::nullopt;
    result = {*whole, *rest};
  }
  return std::nullopt;
}

std::string text(const Polynomial &value, llvm::function_ref<std::string(Symbol)> name) {
  std::string result;
  // Products before the number: `nx - 1`.
  for (const auto &[monomial, coefficient] : llvm::reverse(value.terms())) {
    const bool isNegative = coefficient < 0;
    if (!result.empty())
      result += isNegative ? " - " : " + ";
    else if (isNegative)
      result += "-";
    const uint64_t size = isNegative ? -uint64_t(coefficient) : uint64_t(coefficient);
    std::string term;
    if (size != 1 || monomial.empty())
      term = std::to_string(size);
    for (Symbol symbol : monomial)
      term += (term.empty() ? "" : "*") + name(symbol);
    result += term;
  }
  return result.empty() ? "0" : result;
}

} // namespace stencilc::lift
