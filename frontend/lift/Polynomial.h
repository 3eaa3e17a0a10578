// Polynomial: a whole number of the source, as far as it is known before a run.
//
// It is a sum of products of symbols (loop variables, whole params) with whole coefficients, so
// that `(i*ny + j)*nx + k` and `i*ny*nx + j*nx + k` are one value. Exact: what would not fit 64
// bits is no value (the operations give none).
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stencilc::lift {

/// Number of a symbol in the SymbolTable of LoopTree.h.
using Symbol = unsigned;

class Polynomial {
public:
  /// A product of symbols, ascending; empty for the number itself.
  using Monomial = std::vector<Symbol>;

  Polynomial(int64_t number = 0);
  static Polynomial of(Symbol symbol);

  /// Its value if it names no symbol.
  std::optional<int64_t> number() const;
  /// The symbol that it is, if it is one alone.
  std::optional<Symbol> symbol() const;
  /// The number that is added to the products.
  int64_t constantTerm() const;
  const std::map<Monomial, int64_t> &terms() const { return coefficients; }

  bool names(Symbol symbol) const;
  bool namesAny(llvm::function_ref<bool(Symbol)> wanted) const;
  /// What `symbol` is multiplied by; none if it stands there squared or higher.
  std::optional<Polynomial> factorOf(Symbol symbol) const;
  /// With `value` in place of `symbol`.
  std::optional<Polynomial> with(Symbol symbol, const Polynomial &value) const;

  bool operator==(const Polynomial &) const = default;
  auto operator<=>(const Polynomial &) const = default;

  friend std::optional<Polynomial> sum(const Polynomial &left, const Polynomial &right);
  friend std::optional<Polynomial> product(const Polynomial &left, const Polynomial &right);

private:
  std::map<Monomial, int64_t> coefficients; ///< none is 0
};

std::optional<Polynomial> sum(const Polynomial &left, const Polynomial &right);
std::optional<Polynomial> product(const Polynomial &left, const Polynomial &right);
std::optional<Polynomial> difference(const Polynomial &left, const Polynomial &right);
/// left - right where that is a number.
std::optional<int64_t> distance(const Polynomial &left, const Polynomial &right);

/// value = divisor * quotient + rest. Terms that the divisor's leading product does not divide stay
/// in the rest; numbers are divided to the nearest.
struct Division {
  Polynomial quotient, rest;
};
std::optional<Division> divide(const Polynomial &value, const Polynomial &divisor);

/// As C text: "(nx - 1)*ny", with `name` for symbols.
std::string text(const Polynomial &value, llvm::function_ref<std::string(Symbol)> name);

} // namespace stencilc::lift
