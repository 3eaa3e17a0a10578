#include "frontend/language/SemaResolve.h"

#include "llvm/Support/SaveAndRestore.h"

namespace stencilc {

TermPtr Resolver::resolve(const ast::Expr &expr, Place where) {
  llvm::SaveAndRestore placed(place, where);
  return term(expr);
}

TermPtr Resolver::resolveNumber(const ast::Expr &expr, Place where) {
  llvm::SaveAndRestore placed(place, where);
  return number(expr);
}

TermPtr Resolver::term(const ast::Expr &expr) {
  return std::visit([&](const auto &inner) { return node(inner, expr); }, expr.node);
}

bool Resolver::isNumber(const Term &term) {
  if (!term.isBool())
    return true;
  diagnostics.report(Diag::truth_as_number, term.range).hint(Diag::truth_as_number_hint);
  return false;
}

TermPtr Resolver::number(const ast::Expr &expr) {
  TermPtr result = term(expr);
  return result && isNumber(*result) ? std::move(result) : nullptr;
}

TermPtr Resolver::truth(const ast::Expr &expr) {
  TermPtr result = term(expr);
  if (!result || result->isBool())
    return result;
  diagnostics.report(Diag::number_as_truth, result->range).hint(Diag::number_as_truth_hint);
  return nullptr;
}

TermPtr Resolver::make(Term::Node node, std::optional<ScalarType> type, llvm::SMRange range,
                       llvm::ArrayRef<const Term *> operands) {
  Uses uses;
  unsigned depth = 0;
  for (const Term *operand : operands) {
    uses |= operand->uses;
    depth = std::max(depth, operand->depth);
  }
  if (depth >= kMaxFormulaDepth) {
    diagnostics.report(Diag::formula_too_deep, range, kMaxFormulaDepth);
    return nullptr;
  }
  return std::make_unique<Term>(Term{std::move(node), type, uses, depth + 1, range});
}

/// The type in which two numbers meet; none if neither has one.
std::optional<ScalarType> Resolver::common(const Term &left, const Term &right,
                                           llvm::SMRange where) {
  if (!left.type || !right.type)
    return left.type ? left.type : right.type;
  if (left.type == right.type)
    return left.type;
  diagnostics.report(Diag::mixed_precision, where);
  return ScalarType::F64;
}

TermPtr Resolver::exact(Rational value, llvm::SMRange range) {
  if (isTooLong(value)) {
    diagnostics.report(Diag::constant_too_long, range, kMaxExactBits);
    return nullptr;
  }
  return make(ExactTerm{std::move(value)}, std::nullopt, range);
}

TermPtr Resolver::node(const ast::Number &number, const ast::Expr &expr) {
  std::optional<Rational> value = parseDecimal(number.text);
  if (value)
    return exact(std::move(*value), expr.range);
  diagnostics.report(Diag::literal_too_long, expr.range, kMaxLiteralDigits, kMaxLiteralExponent);
  return nullptr;
}

TermPtr Resolver::node(const ast::Unary &unary, const ast::Expr &expr) {
  if (unary.op == UnaryOp::Not) {
    TermPtr operand = truth(*unary.operand);
    if (!operand)
      return nullptr;
    const Term *below = operand.get();
    return make(UnaryTerm{unary.op, std::move(operand)}, ScalarType::Bool, expr.range, below);
  }
  TermPtr operand = number(*unary.operand);
  if (!operand)
    return nullptr;
  if (const auto *literal = std::get_if<ExactTerm>(&operand->node))
    return exact(-literal->value, expr.range);
  const Term *below = operand.get();
  return make(UnaryTerm{unary.op, std::move(operand)}, below->type, expr.range, below);
}

TermPtr Resolver::node(const ast::Binary &binary, const ast::Expr &expr) {
  if (const auto *op = std::get_if<BinaryOp>(&binary.op))
    if (*op != BinaryOp::And && *op != BinaryOp::Or)
      return arithmetic(binary, *op, expr);

  // Both sides are looked at even if the first is faulty, so that one run shows all faults.
  const auto *compare = std::get_if<CompareOp>(&binary.op);
  TermPtr left = compare ? number(*binary.left) : truth(*binary.left);
  TermPtr right = compare ? number(*binary.right) : truth(*binary.right);
  if (!left || !right)
    return nullptr;
  const Term *below[] = {left.get(), right.get()};
  if (!compare)
    return make(BinaryTerm{std::get<BinaryOp>(binary.op), std::move(left), std::move(right)},
                ScalarType::Bool, expr.range, below);
  std::optional<ScalarType> type = common(*left, *right, binary.opRange);
  return make(CompareTerm{*compare, type, std::move(left), std::move(right)}, ScalarType::Bool,
              expr.range, below);
}

static Rational fold(BinaryOp op, const Rational &left, const Rational &right) {
  switch (op) {
  case BinaryOp::Add:
    return left + right;
  case BinaryOp::Subtract:
    return left - right;
  case BinaryOp::Multiply:
    return left * right;
  case BinaryOp::Divide:
    return left / right;
  case BinaryOp::And:
  case BinaryOp::Or:
    break;
  }
  llvm_unreachable("logic has no numbers to fold");
}

TermPtr Resolver::arithmetic(const ast::Binary &binary, BinaryOp op, const ast::Expr &expr) {
  TermPtr left = number(*binary.left), right = number(*binary.right);
  if (!left || !right)
    return nullptr;
  const auto *leftExact = std::get_if<ExactTerm>(&left->node);
  const auto *rightExact = std::get_if<ExactTerm>(&right->node);
  if (op == BinaryOp::Divide && rightExact && rightExact->value.is_zero()) {
    diagnostics.report(Diag::division_by_zero, right->range);
    return nullptr;
  }
  if (leftExact && rightExact)
    return exact(fold(op, leftExact->value, rightExact->value), expr.range);
  std::optional<ScalarType> type = common(*left, *right, binary.opRange);
  const Term *below[] = {left.get(), right.get()};
  return make(BinaryTerm{op, std::move(left), std::move(right)}, type, expr.range, below);
}

} // namespace stencilc
