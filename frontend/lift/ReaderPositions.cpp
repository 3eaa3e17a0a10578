// The Reader on positions: those that a choice or a remainder keeps on the grid, and what
// conditions say about where a value is read.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

// ---- folds

bool Reader::moves(Symbol symbol) const {
  return tree.symbols[symbol].kind != SymbolInfo::Kind::Param;
}
bool Reader::moves(const Polynomial &value) const {
  return value.namesAny([&](Symbol symbol) { return moves(symbol); });
}

/// What a symbol is before it is folded.
Fold Reader::foldOf(const Polynomial &value) const {
  if (const auto symbol = value.symbol();
      symbol && tree.symbols[*symbol].kind == SymbolInfo::Kind::Folded)
    return tree.symbols[*symbol].fold;
  Fold fold;
  fold.inner = value;
  return fold;
}

Polynomial Reader::folded(Fold fold, std::string name, SourceLocation where) {
  for (Symbol symbol = 0; symbol < tree.symbols.size(); ++symbol)
    if (tree.symbols[symbol].kind == SymbolInfo::Kind::Folded && tree.symbols[symbol].fold == fold)
      return Polynomial::of(symbol);
  SymbolInfo info;
  info.kind = SymbolInfo::Kind::Folded;
  info.name = std::move(name);
  info.fold = std::move(fold);
  info.where = where;
  return Polynomial::of(addSymbol(info));
}

/// The smaller (larger) of a position and a place that no loop moves.
std::optional<Polynomial> Reader::limited(bool isSmaller, const Polynomial &left,
                                          const Polynomial &right, const clang::Expr &where) {
  if (const auto further = distance(left, right))
    return (*further < 0) == isSmaller ? left : right;
  if (moves(left) == moves(right))
    return std::nullopt;
  Fold fold = foldOf(moves(left) ? left : right);
  std::optional<Polynomial> &limit = isSmaller ? fold.most : fold.least;
  if (limit || fold.period || !fold.instead.empty())
    return std::nullopt;
  limit = moves(left) ? right : left;
  return folded(fold, textOf(where), where.getExprLoc());
}

/// `left op right ? then : otherwise` where that is a minimum or a maximum.
std::optional<Polynomial> Reader::extremum(const BinaryOperator &test, const Polynomial &then,
                                           const Polynomial &otherwise, const clang::Expr &where) {
  const BinaryOperatorKind op = test.getOpcode();
  const bool isLess = op == BO_LT || op == BO_LE;
  if (!isLess && op != BO_GT && op != BO_GE)
    return std::nullopt;
  const auto left = whole(*test.getLHS());
  const auto right = left ? whole(*test.getRHS()) : std::nullopt;
  if (!right || mayWrap(*test.getLHS(), *left) || mayWrap(*test.getRHS(), *right))
    return std::nullopt;
  if (then == *left && otherwise == *right)
    return limited(isLess, *left, *right, where);
  if (then == *right && otherwise == *left)
    return limited(!isLess, *left, *right, where);
  // `i < low ? low : min(i, high)`
  if (then == *right && foldOf(otherwise).inner == *left)
    return limited(!isLess, otherwise, then, where);
  if (then == *left && foldOf(otherwise).inner == *right)
    return limited(isLess, otherwise, then, where);
  // `j >= n ? n - 1 : j`, and its like: of whole numbers that is min(j, n - 1).
  const bool isFirst = op == BO_LE || op == BO_GT;
  const auto last = difference(isFirst ? *left : *right, 1);
  const Polynomial &position = isFirst ? *right : *left;
  const bool isBeyond = op == BO_LE || op == BO_GE;
  const Polynomial &kept = isBeyond ? otherwise : then;
  if (last && (isBeyond ? then : otherwise) == *last &&
      (kept == position || foldOf(kept).inner == position))
    return limited(true, kept, *last, where);
  return std::nullopt;
}

/// A choice that differs from `general` at one place of a loop alone.
std::optional<Polynomial> Reader::replaced(Symbol variable, const Polynomial &place,
                                           const Polynomial &special, const Polynomial &general,
                                           const clang::Expr &where) {
  // general = factor * position + rest
  for (Symbol position = 0; position < tree.symbols.size(); ++position) {
    const bool isFolded = tree.symbols[position].kind == SymbolInfo::Kind::Folded &&
                          tree.symbols[position].fold.inner == Polynomial::of(variable);
    if ((position != variable && !isFolded) || !general.names(position))
      continue;
    const auto factor = general.factorOf(position);
    const auto rest = factor ? general.with(position, 0) : std::nullopt;
    if (!rest || rest->names(variable) || moves(*factor))
      return std::nullopt;
    const auto there = special.with(variable, place);
    const auto moved = there ? difference(*there, *rest) : std::nullopt;
    const auto becomes = moved ? divide(*moved, *factor) : std::nullopt;
    if (!becomes || becomes->rest != Polynomial() || moves(becomes->quotient))
      return std::nullopt;
    Fold fold = foldOf(Polynomial::of(position));
    fold.instead.push_back({place, becomes->quotient});
    const auto part = product(*factor, folded(fold, textOf(where), where.getExprLoc()));
    return part ? sum(*part, *rest) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Polynomial> Reader::choice(const clang::Expr &given, const Polynomial &then,
                                         const Polynomial &otherwise, const clang::Expr &where) {
  const Refusals::Trial trial(refusals);
  if (const auto result = alternating(given, then, otherwise))
    return result;
  const clang::Expr &inner = bare(*given.IgnoreParenImpCasts());
  const auto *test = dyn_cast<BinaryOperator>(&inner);
  // `i ? a : b` is what `i == 0 ? b : a` is.
  if (const auto variable = plainVariable(inner);
      variable && inner.getType()->isIntegralOrEnumerationType()) {
    const auto position = whole(inner);
    const auto symbol = position ? position->symbol() : std::nullopt;
    return symbol && tree.symbols[*symbol].kind == SymbolInfo::Kind::Loop &&
                   loopOf(*symbol).begin == Polynomial(0)
               ? replaced(*symbol, Polynomial(0), otherwise, then, where)
               : std::nullopt;
  }
  if (!test || !test->isComparisonOp() || !test->getLHS()->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  if (const auto result = extremum(*test, then, otherwise, where))
    return result;
  const bool isUnequal = test->getOpcode() == BO_NE;
  const auto limits = isUnequal ? guardsOf(*test, BO_EQ) : guardsOf(*test);
  if (!limits || limits->size() != 1)
    return std::nullopt;
  const Guard &limit = (*limits)[0];
  const Loop &loop = loopOf(limit.variable);
  const auto last = difference(loop.end, 1);
  const auto isOneBeyond = [](const Polynomial &place, const Polynomial &start) {
    return distance(place, start) == 1;
  };
  // `special` at all places from one to before another, which are few.
  const auto replacedFrom = [&](const Polynomial &from, const Polynomial &to,
                                const Polynomial &special,
                                const Polynomial &general) -> std::optional<Polynomial> {
    const int64_t count = distance(to, from).value_or(INT64_MAX);
    if (count > kMostMirrored)
      return std::nullopt;
    std::optional<Polynomial> result = general;
    for (int64_t number = 0; result && number < count; ++number)
      result = replaced(limit.variable, *sum(from, number), special, *result, where);
    return result;
  };
  if (limit.from && limit.to)
    return isOneBeyond(*limit.to, *limit.from)
               ? replaced(limit.variable, *limit.from, isUnequal ? otherwise : then,
                          isUnequal ? then : otherwise, where)
               : std::nullopt;
  // Of the places before a bound and those from it on, the fewer.
  const Polynomial &bound = limit.to ? *limit.to : *limit.from;
  const Polynomial &before = limit.to ? then : otherwise;
  const Polynomial &behind = limit.to ? otherwise : then;
  const auto low = distance(bound, loop.begin), high = distance(loop.end, bound);
  return low && (!high || *low <= *high) ? replacedFrom(loop.begin, bound, before, behind)
                                         : replacedFrom(bound, loop.end, behind, before);
}

/// `t % 2 ? a : b`, `t % 2 == 0 ? b : a`: a where the remainder is 1.
std::optional<Polynomial> Reader::alternating(const clang::Expr &test, const Polynomial &then,
                                              const Polynomial &otherwise) {
  const auto parity = parityOf(test);
  return parity ? inTurn(otherwise, then, *parity) : std::nullopt;
}

/// A remainder by a whole number that is not known: `(i + 1) % n`.
std::optional<Polynomial> Reader::wrapped(const Polynomial &position, const Polynomial &period,
                                          const clang::Expr &where) {
  if (!moves(position) || moves(period))
    return std::nullopt;
  // `(i % n + n) % n`
  if (const auto before = difference(position, period)) {
    const Fold within = foldOf(*before);
    if (within.period == period && !within.least && !within.most && within.instead.empty())
      if (const auto above = sum(within.inner, period))
        return wrapped(*above, period, where);
  }
  Fold fold = foldOf(position);
  if (fold.inner != position)
    return std::nullopt;
  fold.period = period;
  return folded(fold, textOf(where), where.getExprLoc());
}

// ---- what conditions say

/// All parts of `a && b && c`, if the operation is `&&`; of `||` likewise.
static void parts(const clang::Expr &expression, BinaryOperatorKind operation,
                  std::vector<const clang::Expr *> &result) {
  const clang::Expr &inner = bare(*expression.IgnoreParenImpCasts());
  if (const auto *test = dyn_cast<BinaryOperator>(&inner); test && test->getOpcode() == operation) {
    parts(*test->getLHS(), operation, result);
    parts(*test->getRHS(), operation, result);
  } else
    result.push_back(&inner);
}

std::vector<const clang::Expr *> conjuncts(const clang::Expr &expression) {
  std::vector<const clang::Expr *> result;
  parts(expression, BO_LAnd, result);
  return result;
}

void Reader::suppose(const clang::Expr &test, bool isTrue) {
  std::vector<const clang::Expr *> all;
  parts(test, isTrue ? BO_LAnd : BO_LOr, all);
  if (all.size() > 1) {
    for (const clang::Expr *part : all)
      suppose(*part, isTrue);
    return;
  }
  const clang::Expr &inner = *all[0];
  if (const auto *negation = dyn_cast<UnaryOperator>(&inner);
      negation && negation->getOpcode() == UO_LNot)
    return suppose(*negation->getSubExpr(), !isTrue);
  const auto *comparison = dyn_cast<BinaryOperator>(&inner);
  const bool isUnequal = comparison && comparison->getOpcode() == BO_NE;
  auto limits = isUnequal ? guardsOf(inner, BO_EQ) : guardsOf(inner);
  if (!limits)
    return;
  if (isTrue != isUnequal)
    known.insert(known.end(), limits->begin(), limits->end());
  else
    excluded.push_back(std::move(*limits));
}

std::optional<std::vector<Guard>> Reader::guardsAgainst(const clang::Expr &expression) {
  std::vector<const clang::Expr *> all;
  parts(expression, BO_LOr, all);
  std::vector<Guard> result;
  for (const clang::Expr *part : all) {
    const auto limits = guardsOf(*part);
    if (!limits || limits->size() != 1)
      return std::nullopt;
    const Guard &limit = (*limits)[0];
    const Loop &loop = loopOf(limit.variable);
    if (!limit.from || (limit.to && *limit.from == loop.begin))
      result.push_back({limit.variable, limit.to, std::nullopt});
    else if (!limit.to || *limit.to == loop.end)
      result.push_back({limit.variable, std::nullopt, limit.from});
    else
      return std::nullopt;
  }
  return result;
}

namespace {
/// The turns of a loop that are left. Ends are compared where their distance is known.
struct Turns {
  Polynomial from, to;

  void startAt(const Polynomial &place) {
    if (const auto further = distance(place, from); further && *further > 0)
      from = place;
  }
  void endBefore(const Polynomial &place) {
    if (const auto further = distance(to, place); further && *further > 0)
      to = place;
  }
  bool isFrom(const Polynomial &place) const { return distance(from, place).value_or(-1) >= 0; }
  bool isUpTo(const Polynomial &place) const { return distance(place, to).value_or(-1) >= 0; }
};
} // namespace

std::vector<Guard> Reader::turnsHere() const {
  std::map<Symbol, Turns> left;
  for (unsigned number : loops)
    left.insert({tree.loops[number].variable, {tree.loops[number].begin, tree.loops[number].end}});
  for (const Guard &limit : known) {
    const auto entry = left.find(limit.variable);
    if (entry == left.end())
      continue;
    Turns &turns = entry->second;
    if (limit.from && limit.to && distance(*limit.to, *limit.from) == 1) {
      turns = {*limit.from, *limit.to};
      continue;
    }
    if (limit.from)
      turns.startAt(*limit.from);
    if (limit.to)
      turns.endBefore(*limit.to);
  }
  // Of conditions that do not hold together all but one hold: then that one does not.
  for (size_t round = 0; round <= excluded.size(); ++round)
    for (const std::vector<Guard> &limits : excluded) {
      std::vector<const Guard *> open;
      for (const Guard &limit : limits) {
        const auto entry = left.find(limit.variable);
        if (entry == left.end() || (limit.from && !entry->second.isFrom(*limit.from)) ||
            (limit.to && !entry->second.isUpTo(*limit.to)))
          open.push_back(&limit);
      }
      const auto entry = open.size() == 1 ? left.find(open[0]->variable) : left.end();
      if (entry == left.end())
        continue;
      Turns &turns = entry->second;
      const Guard &limit = *open[0];
      if (limit.to && (!limit.from || turns.isFrom(*limit.from)))
        turns.startAt(*limit.to);
      else if (limit.from && (!limit.to || turns.isUpTo(*limit.to)))
        turns.endBefore(*limit.from);
    }
  std::vector<Guard> result;
  for (unsigned number : loops) {
    const Loop &loop = tree.loops[number];
    const Turns &turns = left.at(loop.variable);
    if (turns.from != loop.begin || turns.to != loop.end)
      result.push_back({loop.variable, turns.from, turns.to});
  }
  return result;
}

} // namespace stencilc::lift
