#include "frontend/lift/Numbers.h"

#include "frontend/language/CNames.h"
#include "ir/stencil/Words.h"

#include <cmath>

namespace stencilc::lift {

ScalarType typeOf(const Formula &formula) { return formula[formula.result].type; }

static const Literal *literalIn(const Formula &formula) {
  return std::get_if<Literal>(&formula[formula.result].node);
}

Formula leaf(ScalarType type, Expr::Node node) {
  Formula formula;
  formula.result = formula.add(type, std::move(node));
  return formula;
}

Formula literal(ScalarType type, double value) { return leaf(type, Literal{value}); }

/// A literal, if the language has one for it.
static std::optional<Formula> folded(ScalarType type, double value) {
  if (!std::isfinite(value))
    return std::nullopt;
  if (type == ScalarType::Int && std::abs(value) > kMaxWholeNumber)
    return std::nullopt;
  return literal(type, type == ScalarType::Int ? value + 0.0 : value);
}

std::optional<Formula> unary(UnaryOp op, const Formula &operand) {
  const ScalarType type = typeOf(operand);
  if (const Literal *known = literalIn(operand); known && op == UnaryOp::Negate)
    return folded(type, -known->value);
  const auto *opposite = std::get_if<UnaryExpr>(&operand[operand.result].node);
  if (op == UnaryOp::Not && opposite && opposite->op == UnaryOp::Not)
    return part(operand, opposite->operand);
  const auto *comparison = std::get_if<CompareExpr>(&operand[operand.result].node);
  if (comparison && op == UnaryOp::Not &&
      (comparison->op == CompareOp::Equal || comparison->op == CompareOp::NotEqual))
    return compare(comparison->op == CompareOp::Equal ? CompareOp::NotEqual : CompareOp::Equal,
                   part(operand, comparison->left), part(operand, comparison->right));
  Formula result = operand;
  result.result = result.add(type, UnaryExpr{op, operand.result});
  return result;
}

std::optional<Formula> binary(BinaryOp op, const Formula &left, const Formula &right) {
  const ScalarType type = typeOf(left);
  const Literal *first = literalIn(left), *second = literalIn(right);
  if (op == BinaryOp::Divide && second && second->value == 0)
    return std::nullopt;
  if (first && second && isFloat(type))
    return folded(type, apply(type, op, first->value, second->value));
  if (first && second && type == ScalarType::Int) {
    // Small enough to be exact.
    if (std::abs(first->value) > 0x1p26 || std::abs(second->value) > 0x1p26 ||
        op == BinaryOp::Divide)
      return std::nullopt;
    return folded(
        type,
        double(
            apply(type, op, literalOf(type, first->value), literalOf(type, second->value)).whole));
  }
  Formula result = left;
  const ExprId other = result.merge(right);
  result.result = result.add(type, BinaryExpr{op, left.result, other});
  return result;
}

std::optional<Formula> compare(CompareOp op, const Formula &left, const Formula &right) {
  // A truth value that is known needs no comparison, and the language has no literal for it.
  if (literalIn(left) && literalIn(right) && typeOf(left) == ScalarType::Int)
    return std::nullopt;
  Formula result = left;
  const ExprId other = result.merge(right);
  result.result = result.add(ScalarType::Bool, CompareExpr{op, left.result, other});
  return result;
}

Formula select(const Formula &condition, const Formula &then, const Formula &otherwise) {
  Formula result = condition;
  const ExprId first = result.merge(then);
  const ExprId second = result.merge(otherwise);
  result.result = result.add(typeOf(then), SelectExpr{condition.result, first, second});
  return result;
}

Formula part(const Formula &formula, ExprId result) {
  Formula copy = formula;
  copy.result = result;
  return copy;
}

/// True of what no rounding makes -0: adding 0 to it changes nothing.
static bool isNeverMinusZero(const Formula &formula, ExprId id) {
  // A sum is -0 where both sides are.
  const auto *sum = std::get_if<BinaryExpr>(&formula[id].node);
  for (; sum && sum->op == BinaryOp::Add; sum = std::get_if<BinaryExpr>(&formula[id].node)) {
    if (isNeverMinusZero(formula, sum->right))
      return true;
    id = sum->left;
  }
  const auto *known = std::get_if<Literal>(&formula[id].node);
  const auto *choice = std::get_if<SelectExpr>(&formula[id].node);
  return (known && !std::signbit(known->value)) ||
         (choice && isNeverMinusZero(formula, choice->then) &&
          isNeverMinusZero(formula, choice->otherwise));
}

Formula choice(const Formula &condition, const Formula &then, const Formula &otherwise) {
  const auto goesOn = [&](const Formula &longer, const Formula &from,
                          bool isThen) -> std::optional<Formula> {
    const auto *last = std::get_if<BinaryExpr>(&longer[longer.result].node);
    const bool isSum = last && (last->op == BinaryOp::Subtract ||
                                (last->op == BinaryOp::Add && isNeverMinusZero(from, from.result)));
    if (!last || (!isSum && last->op != BinaryOp::Multiply && last->op != BinaryOp::Divide) ||
        !isFloat(typeOf(from)) || !isSameValue(part(longer, last->left), from))
      return std::nullopt;
    const Formula by = part(longer, last->right);
    const Formula none = literal(typeOf(by), isSum ? 0 : 1);
    return binary(last->op, from,
                  isThen ? select(condition, by, none) : select(condition, none, by));
  };
  if (const auto result = goesOn(then, otherwise, true))
    return *result;
  if (const auto result = goesOn(otherwise, then, false))
    return *result;
  return select(condition, then, otherwise);
}

Formula call(Builtin function, llvm::ArrayRef<Formula> operands) {
  Formula result;
  CallExpr node{function, {}};
  for (const Formula &operand : operands)
    node.operands.push_back(result.merge(operand));
  result.result = result.add(typeOf(operands[0]), node);
  return result;
}

std::optional<Formula> cast(ScalarType to, const Formula &operand) {
  if (typeOf(operand) == to)
    return operand;
  if (const Literal *known = literalIn(operand))
    return folded(to, roundTo(to, known->value));
  Formula result = operand;
  result.result = result.add(to, CastExpr{operand.result});
  return result;
}

void name(Formula &formula, llvm::StringRef name) {
  Expr &expr = formula.exprs[formula.result];
  if (expr.name.empty() && !operands(expr.node).empty() && expr.type != ScalarType::Bool)
    expr.name = isReservedWord(name) || !keptAs(name).empty() ? name.str() + "_" : name.str();
}

} // namespace stencilc::lift
