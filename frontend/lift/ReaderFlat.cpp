// The Reader on one loop over all points of a grid, which takes the place of each from the turn:
// `i = p % nx, j = p / nx`.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

namespace {
/// What variables of a body, and of functions that it calls, are set to; none for those that are
/// set twice.
struct Definitions {
  std::map<const ValueDecl *, const clang::Expr *> values;
  std::vector<const BinaryOperator *> divisions;

  void note(const ValueDecl &variable, const clang::Expr *value) {
    const auto [entry, isNew] = values.try_emplace(&variable, value);
    if (!isNew && entry->second != value)
      entry->second = nullptr;
  }

  void add(const Stmt &statement, unsigned depth = 0) {
    forEachPart(statement, [&](const Stmt &part) {
      if (const auto *declaration = dyn_cast<DeclStmt>(&part))
        for (const Decl *declared : declaration->decls())
          if (const auto *variable = dyn_cast<VarDecl>(declared))
            note(*variable, variable->getInit());
      const auto *operation = dyn_cast<BinaryOperator>(&part);
      if (operation && operation->getType()->isIntegralOrEnumerationType() &&
          (operation->getOpcode() == BO_Div || operation->getOpcode() == BO_Rem))
        divisions.push_back(operation);
      if (const clang::Expr *target = writtenBy(part))
        if (const auto variable = plainVariable(*target))
          note(*variable->first,
               operation && operation->getOpcode() == BO_Assign ? operation->getRHS() : nullptr);
      const auto *call = dyn_cast<clang::CallExpr>(&part);
      const FunctionDecl *called = call ? call->getDirectCallee() : nullptr;
      if (depth > 2 || !called || !called->hasBody(called) ||
          called->getNumParams() != call->getNumArgs())
        return;
      for (const auto &[parameter, argument] : llvm::zip(called->parameters(), call->arguments()))
        note(*parameter, argument);
      add(*called->getBody(), depth + 1);
    });
  }

  /// What a variable is set to in the body; null where that is not known, or the variable is none
  /// of the body's.
  const clang::Expr *valueOf(const clang::Expr &expression) const {
    const auto *reference = dyn_cast<DeclRefExpr>(&bare(*expression.IgnoreParenImpCasts()));
    const auto entry = reference ? values.find(reference->getDecl()) : values.end();
    return entry == values.end() ? nullptr : entry->second;
  }
};
} // namespace

/// A number that the body divides by, as it is before the loop.
std::optional<Polynomial>
Reader::wholeOutside(const clang::Expr &given,
                     llvm::function_ref<const clang::Expr *(const clang::Expr &)> valueOf,
                     unsigned steps) {
  const clang::Expr &expression = bare(*given.IgnoreParenImpCasts());
  if (steps > 20)
    return std::nullopt;
  if (const clang::Expr *value = valueOf(expression))
    return wholeOutside(*value, valueOf, steps + 1);
  if (const auto *factors = dyn_cast<BinaryOperator>(&expression);
      factors && factors->getOpcode() == BO_Mul) {
    const auto left = wholeOutside(*factors->getLHS(), valueOf, steps + 1);
    const auto right = left ? wholeOutside(*factors->getRHS(), valueOf, steps + 1) : std::nullopt;
    return right ? product(*left, *right) : std::nullopt;
  }
  const Refusals::Trial trial(refusals);
  return whole(expression);
}

std::vector<Loop> Reader::flatLoops(const LoopParts &loop, const Variable &variable,
                                    const Loop &bounds) {
  constexpr int64_t kLeastRow = 8; // `i / 2` is no row of a grid
  if (bounds.isDownward || bounds.stride != Polynomial(1) || !variable.first || variable.second)
    return {};
  Definitions body;
  for (const Stmt *statement : loop.body)
    body.add(*statement);
  if (body.divisions.empty())
    return {};
  const auto valueOf = [&](const clang::Expr &expression) { return body.valueOf(expression); };
  const auto isInside = [&](const clang::Expr &expression) {
    bool result = false;
    forEachPart(expression, [&](const Stmt &part) {
      if (const auto *reference = dyn_cast<DeclRefExpr>(&part))
        result |= reference->getDecl() == variable.first ||
                  (body.values.count(reference->getDecl()) && !body.valueOf(*reference));
    });
    return result;
  };
  const auto divisorOf = [&](const BinaryOperator &division) -> std::optional<Polynomial> {
    const clang::Expr &divisor = *division.getRHS();
    const auto value = isInside(divisor) ? std::nullopt : wholeOutside(divisor, valueOf, 0);
    return value && !moves(*value) ? value : std::nullopt;
  };
  // What the turn is divided by in an expression; none of others.
  const std::function<std::optional<Polynomial>(const clang::Expr &, unsigned)> dividedBy =
      [&](const clang::Expr &given, unsigned steps) -> std::optional<Polynomial> {
    const clang::Expr &expression = bare(*given.IgnoreParenImpCasts());
    if (steps > 20)
      return std::nullopt;
    if (const clang::Expr *value = body.valueOf(expression))
      return dividedBy(*value, steps + 1);
    if (plainVariable(expression) == variable && !isa<UnaryOperator>(expression))
      return Polynomial(1);
    const auto *operation = dyn_cast<BinaryOperator>(&expression);
    if (!operation)
      return std::nullopt;
    const BinaryOperatorKind kind = operation->getOpcode();
    if (kind != BO_Div && kind != BO_Rem && kind != BO_Sub)
      return std::nullopt;
    const auto before = dividedBy(*operation->getLHS(), steps + 1);
    const auto divisor = before && kind == BO_Div ? divisorOf(*operation) : Polynomial(1);
    return before && divisor ? product(*before, *divisor) : std::nullopt;
  };

  std::vector<Polynomial> rows; // of so many points each
  bool isDivided = false;
  for (const BinaryOperator *division : body.divisions) {
    const auto before = dividedBy(*division->getLHS(), 0);
    const auto divisor = before ? divisorOf(*division) : std::nullopt;
    const auto row = divisor ? product(*before, *divisor) : std::nullopt;
    if (!row || row->number().value_or(kLeastRow) < kLeastRow)
      continue;
    isDivided |= division->getOpcode() == BO_Div || !row->number();
    if (*row != bounds.end && !llvm::is_contained(rows, *row))
      rows.push_back(*row);
  }
  if (!isDivided || rows.empty())
    return {};
  const auto quotient = [](const Polynomial &value, const Polynomial &by) {
    const auto division = divide(value, by);
    return division && division->rest == Polynomial() ? std::optional(division->quotient)
                                                      : std::nullopt;
  };
  // Each of them so many of the one before.
  llvm::sort(rows, [&](const Polynomial &left, const Polynomial &right) {
    const auto length = [](const Polynomial &value) {
      return std::pair(value.terms().rbegin()->first.size(), value.number().value_or(0));
    };
    return length(left) < length(right);
  });
  rows.insert(rows.begin(), 1);
  std::vector<Loop> result;
  for (const auto &[number, row] : llvm::enumerate(rows)) {
    const bool isLast = number + 1 == rows.size();
    const auto begin = isLast ? quotient(bounds.begin, row) : Polynomial(0);
    const auto end = quotient(isLast ? bounds.end : rows[number + 1], row);
    if (!begin || !end)
      return {};
    SymbolInfo info;
    info.kind = SymbolInfo::Kind::Loop;
    info.name = variable.first->getNameAsString() + std::to_string(rows.size() - number);
    info.where = loop.where;
    for (const auto &[named, value] : body.values) {
      const auto *operation =
          value ? dyn_cast<BinaryOperator>(&bare(*value->IgnoreParenImpCasts())) : nullptr;
      // `p % (nx * ny)` is no place along an axis.
      if (operation && dividedBy(*operation, 0) == row &&
          (isLast || operation->getOpcode() != BO_Rem || divisorOf(*operation) == end))
        info.name = named->getNameAsString();
    }
    Loop made{addSymbol(info), *begin, *end};
    made.where = loop.where;
    result.insert(result.begin(), made);
  }
  return result;
}

/// The turn of a loop over all points, in terms of those that it stands for.
std::optional<Polynomial> Reader::turnOf(llvm::ArrayRef<Loop> flat) const {
  std::optional<Polynomial> turn = Polynomial();
  for (const Loop &loop : flat) {
    turn = turn ? product(*turn, loop.end) : std::nullopt;
    turn = turn ? sum(*turn, Polynomial::of(loop.variable)) : std::nullopt;
  }
  return turn;
}

// ---- quotients and remainders

/// True if the value is at least 0: a sum of what loops count from there, and of rows of such.
bool Reader::isCounted(const Polynomial &value) const {
  const auto isCounter = [&](Symbol symbol) {
    return llvm::any_of(loops, [&](unsigned number) {
      const Loop &loop = tree.loops[number];
      return (loop.variable == symbol && loop.begin.number().value_or(-1) >= 0) ||
             loop.end == Polynomial::of(symbol);
    });
  };
  return llvm::all_of(value.terms(), [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first, isCounter);
  });
}

/// True if the value is from 0 to `end` - 1, as loops count.
bool Reader::isCountedBelow(const Polynomial &value, const Polynomial &end) const {
  if (const auto number = value.number())
    return *number == 0 && isCounted(end) && end != Polynomial();
  return llvm::any_of(loops, [&](unsigned number) {
    const Loop &loop = tree.loops[number];
    const auto row = value.factorOf(loop.variable);
    const auto rest = value.with(loop.variable, 0);
    const auto all = row ? product(*row, loop.end) : std::nullopt;
    const bool isThere = row && rest && all && *row != Polynomial() && !moves(*row) &&
                         loop.begin.number().value_or(-1) >= 0;
    return isThere && distance(end, *all).value_or(-1) >= 0 &&
           (*rest == Polynomial() || isCountedBelow(*rest, *row));
  });
}

std::optional<Division> Reader::rowsOf(const Polynomial &dividend,
                                       const Polynomial &divisor) const {
  const auto division = divide(dividend, divisor);
  return division && moves(dividend) && !moves(divisor) && isCounted(division->quotient) &&
                 isCountedBelow(division->rest, divisor)
             ? division
             : std::nullopt;
}

/// As C rounds it. What no loop moves is a number of its own; what one moves is no subscript.
std::optional<Polynomial> Reader::quotient(const Polynomial &dividend, const Polynomial &divisor,
                                           const clang::Expr &where) {
  const auto number = dividend.number(), by = divisor.number();
  if (by == 0)
    return std::nullopt;
  if (number && by)
    return Polynomial(*number / *by);
  if (by == 1)
    return dividend;
  if (const auto rows = rowsOf(dividend, divisor))
    return rows->quotient;
  if (moves(dividend) || moves(divisor))
    return std::nullopt;
  return Polynomial::of(tree.made(dividend, divisor, where.getExprLoc()));
}

std::optional<Polynomial> Reader::modulo(const Polynomial &dividend, int64_t modulus) {
  if (const auto number = dividend.number(); number && *number >= 0)
    return Polynomial(*number % modulus);
  // `(i % 64 + 64) % 64`
  const auto before = difference(dividend, modulus);
  if (const auto symbol = before ? before->symbol() : std::nullopt;
      symbol && tree.symbols[*symbol].kind == SymbolInfo::Kind::Modulo &&
      tree.symbols[*symbol].modulus == modulus)
    if (const auto above = sum(tree.symbols[*symbol].dividend, modulus))
      return modulo(*above, modulus);
  for (Symbol symbol = 0; symbol < tree.symbols.size(); ++symbol) {
    const SymbolInfo &known = tree.symbols[symbol];
    if (known.kind == SymbolInfo::Kind::Modulo && known.modulus == modulus &&
        known.dividend == dividend)
      return Polynomial::of(symbol);
  }
  SymbolInfo info;
  info.kind = SymbolInfo::Kind::Modulo;
  info.name = "(" + tree.text(dividend) + ") % " + std::to_string(modulus);
  info.dividend = dividend;
  info.modulus = modulus;
  return Polynomial::of(addSymbol(info));
}

} // namespace stencilc::lift
