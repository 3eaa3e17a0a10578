// The Reader on conditions: as values, and as boxes of points.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

using namespace clang;

namespace stencilc::lift {

static std::optional<CompareOp> comparison(BinaryOperatorKind op) {
  switch (op) {
  case BO_LT:
    return CompareOp::Less;
  case BO_LE:
    return CompareOp::LessEqual;
  case BO_GT:
    return CompareOp::Greater;
  case BO_GE:
    return CompareOp::GreaterEqual;
  case BO_EQ:
    return CompareOp::Equal;
  case BO_NE:
    return CompareOp::NotEqual;
  default:
    return std::nullopt;
  }
}

/// Unsigned numbers that something is taken away from: below 0 they become large.
bool Reader::mayWrap(const clang::Expr &expression, const Polynomial &value) const {
  return expression.IgnoreParenImpCasts()->getType()->isUnsignedIntegerType() &&
         value.namesAny(
             [&](Symbol symbol) { return tree.symbols[symbol].kind == SymbolInfo::Kind::Loop; }) &&
         llvm::any_of(value.terms(), [](const auto &term) { return term.second < 0; });
}

std::optional<bool> Reader::knownCondition(const clang::Expr &expression) {
  bool known;
  if (!expression.isValueDependent() && expression.EvaluateAsBooleanCondition(known, context))
    return known;
  if (const auto *negation = dyn_cast<UnaryOperator>(&bare(expression));
      negation && negation->getOpcode() == UO_LNot) {
    const auto operand = knownCondition(*negation->getSubExpr());
    return operand ? std::optional(!*operand) : std::nullopt;
  }
  // Memory that the function has taken is there.
  const clang::Expr &pointer = *expression.IgnoreParenImpCasts();
  if (pointer.getType()->isPointerType()) {
    const Refusals::Trial trial(refusals);
    const auto memory = place(pointer);
    return memory && tree.buffers[memory->buffer].isLocal ? std::optional(true) : std::nullopt;
  }
  // Numbers of loops that are walked turn by turn.
  const auto *operation = dyn_cast<BinaryOperator>(&bare(expression));
  if (operation && operation->isEqualityOp() && operation->getLHS()->getType()->isPointerType() &&
      operation->getRHS()->isNullPointerConstant(context, clang::Expr::NPC_NeverValueDependent)) {
    const auto isThere = knownCondition(*operation->getLHS());
    return isThere ? std::optional(*isThere == (operation->getOpcode() == BO_NE)) : std::nullopt;
  }
  if (operation && operation->isLogicalOp()) {
    const bool decides = operation->getOpcode() == BO_LOr;
    const auto left = knownCondition(*operation->getLHS());
    if (left == decides)
      return decides;
    const auto right = knownCondition(*operation->getRHS());
    return left ? right : right == decides ? right : std::nullopt;
  }
  if ((!operation || !operation->isComparisonOp()) &&
      bare(expression).getType()->isIntegralOrEnumerationType()) {
    const Refusals::Trial trial(refusals);
    const auto value = whole(bare(expression));
    return value && value->number() ? std::optional(*value->number() != 0) : std::nullopt;
  }
  if (!operation || !operation->isComparisonOp() ||
      !operation->getLHS()->getType()->isIntegralOrEnumerationType() ||
      !operation->getRHS()->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  const Refusals::Trial trial(refusals);
  const auto left = whole(*operation->getLHS());
  const auto right = left ? whole(*operation->getRHS()) : std::nullopt;
  const auto between = right ? distance(*left, *right) : std::nullopt;
  if (!between)
    return std::nullopt;
  return apply(*comparison(operation->getOpcode()), double(*between), 0.0);
}

std::optional<Formula> Reader::condition(const clang::Expr &given) {
  const clang::Expr *inner = &bare(given);
  if (const auto *cast = dyn_cast<ImplicitCastExpr>(inner);
      cast &&
      (cast->getCastKind() == CK_IntegralToBoolean || cast->getCastKind() == CK_IntegralCast ||
       cast->getCastKind() == CK_FloatingToBoolean))
    inner = &bare(*cast->getSubExpr());
  const clang::Expr &expression = *inner;
  const SourceLocation where = expression.getExprLoc();
  if (const auto parity = parityCondition(expression))
    return *parity;
  if (const auto *operation = dyn_cast<UnaryOperator>(&expression);
      operation && operation->getOpcode() == UO_LNot) {
    const auto operand = condition(*operation->getSubExpr());
    return operand ? unary(UnaryOp::Not, *operand) : std::nullopt;
  }
  if (const auto *operation = dyn_cast<BinaryOperator>(&expression)) {
    if (operation->isLogicalOp()) {
      // What is known and does not decide is left out.
      const clang::Expr &first = *operation->getLHS(), &second = *operation->getRHS();
      const bool isAnd = operation->getOpcode() == BO_LAnd;
      if (knownCondition(first) == isAnd)
        return condition(second);
      if (knownCondition(second) == isAnd)
        return condition(first);
      const auto left = condition(first);
      const Supposed supposed(*this);
      suppose(first, isAnd);
      std::optional<Formula> right;
      if (!left || !readOptional(second, [&] { return (right = condition(second)).has_value(); }))
        return std::nullopt;
      return binary(isAnd ? BinaryOp::And : BinaryOp::Or, *left, *right);
    }
    if (const auto op = comparison(operation->getOpcode());
        op && operation->getLHS()->getType()->isIntegralOrEnumerationType() &&
        (namesData(*operation->getLHS()) || namesData(*operation->getRHS())))
      return datumCompared(*op, *operation);
    if (const auto op = comparison(operation->getOpcode())) {
      const bool areWhole = operation->getLHS()->getType()->isIntegralOrEnumerationType();
      const auto side = [&](const clang::Expr &part) -> std::optional<Formula> {
        if (!areWhole)
          return number(part);
        const auto value = whole(part);
        if (value && mayWrap(part, *value))
          return refuse(part.getExprLoc(),
                        "`" + textOf(part) + "` is unsigned and may fall below 0",
                        "count with int");
        return value ? formulaOf(*value, part.getExprLoc()) : std::nullopt;
      };
      const auto left = side(*operation->getLHS());
      const auto right = left ? side(*operation->getRHS()) : std::nullopt;
      if (!right)
        return std::nullopt;
      if (auto result = compare(*op, *left, *right))
        return result;
      return refuse(where, "the condition is always true or always false");
    }
  }
  if (const auto *called = dyn_cast<clang::CallExpr>(&expression))
    if (const auto kind = kindOfNumber(*called))
      return *kind;
  // `if (mask[i])`: whether a number is another one than zero.
  const QualType type = expression.getType();
  const bool isWhole = type.getNonReferenceType()->isIntegralOrEnumerationType();
  if (isWhole && namesData(expression)) {
    const auto value = datum(expression);
    return value ? holdsOf(*value) : std::nullopt;
  }
  if ((isWhole || type->isRealFloatingType()) && !isa<BinaryOperator>(expression) &&
      (!isa<clang::CallExpr>(expression) || elementParts(expression).first)) {
    const auto value = isWhole ? whole(expression) : std::nullopt;
    const auto tested = value     ? formulaOf(*value, where)
                        : isWhole ? std::nullopt
                                  : number(expression);
    return tested ? compare(CompareOp::NotEqual, *tested, literal(typeOf(*tested), 0))
                  : std::nullopt;
  }
  return refuse(where, "`" + textOf(expression) + "` is no comparison",
                "conditions are comparisons of numbers, joined by &&, || and !");
}

std::optional<std::vector<Guard>> Reader::guardsOf(const clang::Expr &given,
                                                   std::optional<BinaryOperatorKind> instead) {
  const Refusals::Trial trial(refusals);
  const auto *operation = dyn_cast<BinaryOperator>(&bare(given));
  if (!operation)
    return std::nullopt;
  if (operation->getOpcode() == BO_LAnd) {
    auto left = guardsOf(*operation->getLHS());
    const auto right = left ? guardsOf(*operation->getRHS()) : std::nullopt;
    if (!right)
      return std::nullopt;
    left->insert(left->end(), right->begin(), right->end());
    return left;
  }
  const auto op = comparison(instead.value_or(operation->getOpcode()));
  if (!op || *op == CompareOp::NotEqual ||
      !operation->getLHS()->getType()->isIntegralOrEnumerationType() ||
      !operation->getRHS()->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  const auto left = whole(*operation->getLHS());
  const auto right = left ? whole(*operation->getRHS()) : std::nullopt;
  if (!right || mayWrap(*operation->getLHS(), *left) || mayWrap(*operation->getRHS(), *right))
    return std::nullopt;
  const auto between = difference(*left, *right);
  if (!between)
    return std::nullopt;
  // variable + rest `op` 0, or -variable + rest `op` 0.
  std::optional<Guard> guard;
  for (unsigned loop : loops) {
    const Symbol variable = tree.loops[loop].variable;
    const auto factor = between->factorOf(variable);
    const auto sign = factor ? factor->number() : std::nullopt;
    if (!sign)
      return std::nullopt;
    if (*sign == 0)
      continue;
    if (guard || (*sign != 1 && *sign != -1))
      return std::nullopt;
    auto limit = between->with(variable, 0);
    if (limit && *sign == 1)
      limit = product(*limit, -1);
    const auto next = limit ? sum(*limit, 1) : std::nullopt;
    if (!next)
      return std::nullopt;
    guard = Guard{variable, std::nullopt, std::nullopt};
    const bool isMirrored = *sign == -1;
    switch (*op) {
    case CompareOp::Less:
      (isMirrored ? guard->from = next : guard->to = limit);
      break;
    case CompareOp::LessEqual:
      (isMirrored ? guard->from = limit : guard->to = next);
      break;
    case CompareOp::Greater:
      (isMirrored ? guard->to = limit : guard->from = next);
      break;
    case CompareOp::GreaterEqual:
      (isMirrored ? guard->to = next : guard->from = limit);
      break;
    case CompareOp::Equal:
      guard->from = limit;
      guard->to = next;
      break;
    case CompareOp::NotEqual:
      return std::nullopt;
    }
  }
  if (!guard)
    return std::nullopt;
  return std::vector<Guard>{*guard};
}

} // namespace stencilc::lift
