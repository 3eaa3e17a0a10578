// The Reader on points that take turns, like those of a chessboard: `(i + j) % 2 == color`.
//
// A condition on such a remainder stands in a formula as `fmod(i + j, 2) == 0`. Loops over every
// other point, which start where other loops say, go over all points under such a condition.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// What is even where the value is: sums of loop variables and params, each once. None where that
/// is not known.
std::optional<Polynomial> Reader::parityIn(const Polynomial &value) const {
  std::optional<Polynomial> result = Polynomial();
  for (const auto &[monomial, coefficient] : value.terms()) {
    if (coefficient % 2 == 0)
      continue;
    std::optional<Polynomial> term = Polynomial(1);
    for (Symbol symbol : monomial) {
      const SymbolInfo &info = tree.symbols[symbol];
      std::optional<Polynomial> factor = Polynomial::of(symbol);
      if (info.kind == SymbolInfo::Kind::Modulo && info.modulus % 2 == 0)
        factor = parityIn(info.dividend);
      else if (info.kind != SymbolInfo::Kind::Loop && info.kind != SymbolInfo::Kind::Param)
        return std::nullopt;
      term = factor ? product(*term, *factor) : std::nullopt;
      if (!term)
        return std::nullopt;
    }
    result = sum(*result, *term);
    if (!result)
      return std::nullopt;
  }
  // Sums of such may be even again.
  const bool isPlain =
      llvm::all_of(result->terms(), [](const auto &term) { return term.second == 1; });
  return isPlain ? result : parityIn(*result);
}

/// Whether a whole number's remainder by 2 is, or is not, this number.
static std::optional<Formula> compareRemainder(CompareOp op, const std::optional<Formula> &whole,
                                               const Formula &wanted) {
  const auto rest =
      whole ? binary(BinaryOp::Remainder, *whole, literal(ScalarType::Int, 2)) : std::nullopt;
  return rest ? compare(op, *rest, wanted) : std::nullopt;
}

std::optional<Formula> Reader::parityIs(const Polynomial &value, bool isOdd, SourceLocation where) {
  return compareRemainder(isOdd ? CompareOp::NotEqual : CompareOp::Equal, formulaOf(value, where),
                          literal(ScalarType::Int, 0));
}

/// `s`, or `1 - s`, of a remainder by 2.
std::optional<Reader::Remainder> Reader::remainderIn(const Polynomial &value) const {
  const auto other = difference(1, value);
  const auto symbol = value.symbol() ? value.symbol() : other ? other->symbol() : std::nullopt;
  if (!symbol || tree.symbols[*symbol].kind != SymbolInfo::Kind::Modulo ||
      tree.symbols[*symbol].modulus != 2)
    return std::nullopt;
  const Polynomial &dividend = tree.symbols[*symbol].dividend;
  const auto of = sum(dividend, value.symbol() ? 0 : 1);
  const auto parity = of ? parityIn(*of) : std::nullopt;
  // 1 less C's remainder of an odd number below 0 is 2.
  if (!parity || (!value.symbol() && !isCounted(dividend)))
    return std::nullopt;
  return Remainder{*parity, isCounted(dividend)};
}

std::optional<Formula> Reader::parityCondition(const clang::Expr &given) {
  const Refusals::Trial trial(refusals);
  const clang::Expr &expression = bare(*given.IgnoreParenImpCasts());
  const SourceLocation where = expression.getExprLoc();
  const auto *test = dyn_cast<BinaryOperator>(&expression);
  if (!test || !test->isEqualityOp()) {
    const auto value =
        expression.getType()->isIntegralOrEnumerationType() ? whole(expression) : std::nullopt;
    const auto rest = value ? remainderIn(*value) : std::nullopt;
    return rest ? parityIs(rest->of, true, where) : std::nullopt;
  }
  if (!test->getLHS()->getType()->isIntegralOrEnumerationType() ||
      !test->getRHS()->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  auto left = whole(*test->getLHS()), right = left ? whole(*test->getRHS()) : std::nullopt;
  if (!right)
    return std::nullopt;
  auto rest = remainderIn(*left);
  if (!rest) {
    std::swap(left, right);
    rest = remainderIn(*left);
  }
  if (!rest)
    return std::nullopt;
  const bool isUnequal = test->getOpcode() == BO_NE;
  if (*right == Polynomial(0))
    return parityIs(rest->of, isUnequal, where);
  // C's remainders of odd numbers below 0 are -1.
  if (!rest->isCounted)
    return std::nullopt;
  if (*right == Polynomial(1))
    return parityIs(rest->of, !isUnequal, where);
  if (const auto other = remainderIn(*right)) {
    const auto both = other->isCounted ? sum(rest->of, other->of) : std::nullopt;
    const auto parity = both ? parityIn(*both) : std::nullopt;
    return parity ? parityIs(*parity, isUnequal, where) : std::nullopt;
  }
  if (isUnequal || moves(*right))
    return std::nullopt;
  const auto whole = formulaOf(rest->of, where), color = formulaOf(*right, where);
  return color ? compareRemainder(CompareOp::Equal, whole, *color) : std::nullopt;
}

bool Reader::isOfPoints(const Polynomial &parity, const IfStmt &statement) {
  bool result = llvm::any_of(llvm::ArrayRef(loops).drop_front(), [&](unsigned inner) {
    return tree.hidesIn(parity, tree.loops[inner].variable);
  });
  forEachPart(statement, [&](const Stmt &part) {
    const clang::Expr *target = writtenBy(part);
    auto parts = target ? elementParts(bare(*target)) : decltype(elementParts(*target)){};
    for (; parts.first; parts = elementParts(*parts.first)) {
      const Refusals::Trial trial(refusals);
      const auto place = whole(*parts.second);
      result |= place && place->names(tree.loops[loops[0]].variable);
    }
  });
  return result;
}

/// `for (j = 1 + (i + color) % 2; j < n; j += 2)`: all j from 1 on, under a condition.
bool Reader::runEveryOther(const LoopParts &loop, const Variable &variable, Loop bounds) {
  // What each turn moves on is moved every other time.
  const bool movesOthers = llvm::any_of(assignedIn(loop.body), [&](const Variable &other) {
    const ValueDecl *named = other.second ? other.second : other.first;
    return !named->getType().getNonReferenceType()->isRealFloatingType() &&
           isAdvanced(loop.body, other);
  });
  if (movesOthers)
    return runTurnsOf(loop, variable, bounds);
  for (const auto &[monomial, coefficient] : bounds.begin.terms()) {
    if (monomial.size() != 1 || (coefficient != 1 && coefficient != -1))
      continue;
    const SymbolInfo &info = tree.symbols[monomial[0]];
    if (info.kind != SymbolInfo::Kind::Modulo || info.modulus != 2 || !isCounted(info.dividend))
      continue;
    const auto least = bounds.begin.with(monomial[0], coefficient < 0 ? 1 : 0);
    const auto both = sum(Polynomial::of(bounds.variable), bounds.begin);
    const auto parity = both ? parityIn(*both) : std::nullopt;
    const auto condition = parity ? parityIs(*parity, false, loop.where) : std::nullopt;
    if (!condition || moves(*least))
      break;
    bounds.begin = *least;
    bounds.stride = 1;
    conditions.push_back(*condition);
    const bool isRead = runTurnsOf(loop, variable, bounds);
    conditions.pop_back();
    return isRead;
  }
  return runTurnsOf(loop, variable, bounds);
}

/// True if the variable says which points of several kinds take their turn: it stands in a
/// remainder with other variables, or a remainder is compared with it.
static bool choosesKind(const Stmt &body, const Variable &variable, unsigned depth = 0) {
  const auto names = [&](const clang::Expr &expression, bool isOwn) {
    bool result = false;
    forEachPart(expression, [&](const Stmt &inner) {
      const auto *reference = dyn_cast<DeclRefExpr>(&inner);
      result |= reference && (plainVariable(*reference) == variable) == isOwn;
    });
    return result;
  };
  bool result = false;
  forEachPart(body, [&](const Stmt &part) {
    const auto *operation = dyn_cast<BinaryOperator>(&part);
    const auto isRest = [](const clang::Expr &given) {
      const auto *rest = dyn_cast<BinaryOperator>(&bare(*given.IgnoreParenImpCasts()));
      return rest && (rest->getOpcode() == BO_Rem || rest->getOpcode() == BO_And);
    };
    if (operation &&
        (isRest(*operation) || (operation->isEqualityOp() &&
                                (isRest(*operation->getLHS()) || isRest(*operation->getRHS())))))
      result |= names(*operation, true) && names(*operation, false);
    const auto *called = dyn_cast<clang::CallExpr>(&part);
    const FunctionDecl *function = called ? called->getDirectCallee() : nullptr;
    if (function && function->hasBody(function) && depth < 4)
      for (const auto &[parameter, argument] :
           llvm::zip(function->parameters(), called->arguments()))
        result |= plainVariable(*argument->IgnoreParenImpCasts()) == variable &&
                  choosesKind(*function->getBody(), {parameter, nullptr}, depth + 1);
  });
  return result;
}

bool choosesPoints(llvm::ArrayRef<const Stmt *> body, const Variable &variable) {
  return llvm::any_of(body, [&](const Stmt *part) { return choosesKind(*part, variable); });
}

} // namespace stencilc::lift
