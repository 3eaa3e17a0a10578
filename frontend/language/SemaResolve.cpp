#include "frontend/language/SemaResolve.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
  llvm::SaveAndRestore deeper(nesting, nesting + 1);
  if (nesting > kMaxFormulaDepth) {
    diagnostics.report(Diag::formula_too_deep, expr.range, kMaxFormulaDepth);
    return nullptr;
  }
  if ((scope || !indices.empty()) && ++functionNodes > kMaxFunctionNodes) {
    if (functionNodes == kMaxFunctionNodes + 1)
      diagnostics.report(Diag::functions_too_large, expr.range, kMaxFunctionNodes);
    return nullptr;
  }
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

/// A whole number, or a literal that can be one.
bool Resolver::isWhole(const Term &term) {
  const ExactTerm *literal = term.exact();
  return term.type == ScalarType::Int ||
         (literal && literal->isWhole && abs(literal->value) <= kMaxWholeNumber);
}

/// The type in which numbers meet; none if none of them has one that counts: whole numbers take
/// that of any other. That f32 meets f64 is said once, and not where a cast shows that it is meant.
std::optional<ScalarType> Resolver::common(llvm::ArrayRef<const Term *> terms,
                                           llvm::SMRange where) {
  const auto has = [&](ScalarType type) {
    return llvm::any_of(terms, [&](const Term *term) { return term->type == type; });
  };
  if (llvm::all_of(terms, [](const Term *term) { return isWhole(*term); }))
    return has(ScalarType::Int) ? std::optional(ScalarType::Int) : std::nullopt;
  if (has(ScalarType::F32) && has(ScalarType::F64)) {
    const bool isMeant = llvm::any_of(terms, [](const Term *term) {
      const auto *cast = std::get_if<CastTerm>(&term->node);
      return cast && !cast->operand->exact();
    });
    if (!isMeant && !std::exchange(hasWarnedMixed, true))
      diagnostics.report(Diag::mixed_precision, where);
    return ScalarType::F64;
  }
  for (ScalarType type : {ScalarType::F32, ScalarType::F64})
    if (has(type))
      return type;
  return std::nullopt;
}

TermPtr Resolver::exact(ExactTerm value, llvm::SMRange range) {
  if (isTooLong(value.value)) {
    diagnostics.report(Diag::constant_too_long, range, kMaxExactBits);
    return nullptr;
  }
  return make(std::move(value), std::nullopt, range);
}

TermPtr Resolver::node(const ast::Number &number, const ast::Expr &expr) {
  std::optional<Rational> value = parseDecimal(number.text);
  if (!value) {
    diagnostics.report(Diag::literal_too_long, expr.range, kMaxLiteralDigits, kMaxLiteralExponent);
    return nullptr;
  }
  const bool isWhole = !number.isSingle && llvm::all_of(number.text, llvm::isDigit);
  TermPtr literal = exact({std::move(*value), isWhole}, expr.range);
  return number.isSingle ? make(CastTerm{std::move(literal)}, ScalarType::F32, expr.range)
                         : std::move(literal);
}

TermPtr Resolver::node(const ast::Unary &unary, const ast::Expr &expr) {
  if (unary.op == UnaryOp::Not) {
    TermPtr operand = truth(*unary.operand);
    if (!operand)
      return nullptr;
    const Term *below = operand.get();
    TermPtr result =
        make(UnaryTerm{unary.op, std::move(operand)}, ScalarType::Bool, expr.range, below);
    return decide(std::move(result),
                  below->decided ? std::optional(!*below->decided) : std::nullopt);
  }
  TermPtr operand = number(*unary.operand);
  if (!operand)
    return nullptr;
  if (const ExactTerm *literal = operand->exact())
    return exact({-literal->value, literal->isWhole}, expr.range);
  const Term *below = operand.get();
  return make(UnaryTerm{unary.op, std::move(operand)}, below->type, expr.range, below);
}

TermPtr Resolver::node(const ast::Binary &binary, const ast::Expr &expr) {
  if (const auto *op = std::get_if<BinaryOp>(&binary.op))
    if (*op != BinaryOp::And && *op != BinaryOp::Or)
      return arithmetic(binary, *op, expr);

  // Both sides are looked at even if the first is faulty, so that one run shows all faults.
  const auto *compare = std::get_if<CompareOp>(&binary.op);
  TermPtr left = compare ? term(*binary.left) : truth(*binary.left);
  TermPtr right = compare ? term(*binary.right) : truth(*binary.right);
  const bool isEquality =
      compare && (*compare == CompareOp::Equal || *compare == CompareOp::NotEqual);
  if (isEquality && left && right && left->isBool() && right->isBool()) {
    diagnostics.report(Diag::truth_as_number, expr.range).hint(Diag::equal_truths_hint);
    return nullptr;
  }
  const bool isLeft = left && (!compare || isNumber(*left));
  const bool isRight = right && (!compare || isNumber(*right));
  if (!isLeft || !isRight)
    return nullptr;
  const Term *below[] = {left.get(), right.get()};
  const std::optional<bool> decided = decision(binary, *left, *right);
  if (!compare)
    return decide(make(BinaryTerm{std::get<BinaryOp>(binary.op), std::move(left), std::move(right)},
                       ScalarType::Bool, expr.range, below),
                  decided);
  std::optional<ScalarType> type = common(below, binary.opRange);
  return decide(make(CompareTerm{*compare, type, std::move(left), std::move(right)},
                     ScalarType::Bool, expr.range, below),
                decided);
}

TermPtr Resolver::decide(TermPtr term, std::optional<bool> decided) {
  if (term)
    term->decided = decided;
  return term;
}

/// What a comparison of whole literals comes to, or logic of such ones; none if something else
/// takes part.
std::optional<bool> Resolver::decision(const ast::Binary &binary, const Term &left,
                                       const Term &right) {
  if (const auto *op = std::get_if<BinaryOp>(&binary.op)) {
    if (!left.decided || !right.decided)
      return std::nullopt;
    return *op == BinaryOp::And ? *left.decided && *right.decided : *left.decided || *right.decided;
  }
  const ExactTerm *a = left.exact(), *b = right.exact();
  if (!a || !b || !a->isWhole || !b->isWhole)
    return std::nullopt;
  switch (std::get<CompareOp>(binary.op)) {
  case CompareOp::Equal:
    return a->value == b->value;
  case CompareOp::NotEqual:
    return a->value != b->value;
  case CompareOp::Less:
    return a->value < b->value;
  case CompareOp::LessEqual:
    return a->value <= b->value;
  case CompareOp::Greater:
    return a->value > b->value;
  case CompareOp::GreaterEqual:
    return a->value >= b->value;
  }
  llvm_unreachable("all comparisons are listed");
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
  case BinaryOp::Remainder:
    break;
  }
  llvm_unreachable("neither logic nor a call folds here");
}

TermPtr Resolver::arithmetic(const ast::Binary &binary, BinaryOp op, const ast::Expr &expr) {
  TermPtr left = number(*binary.left), right = number(*binary.right);
  if (!left || !right)
    return nullptr;
  const ExactTerm *leftExact = left->exact(), *rightExact = right->exact();
  const bool isDivision = op == BinaryOp::Divide;
  if (isDivision && rightExact && rightExact->value.is_zero()) {
    if (isLeftOut)
      return left;
    DiagnosticEngine::Report report = diagnostics.report(Diag::division_by_zero, right->range);
    for (const Index &index : indices)
      report.hint(Diag::index_hint, index.name.text, index.value);
    return nullptr;
  }
  if (leftExact && rightExact)
    return exact({fold(op, leftExact->value, rightExact->value),
                  leftExact->isWhole && rightExact->isWhole && !isDivision},
                 expr.range);
  if (isDivision && isWhole(*left) && isWhole(*right)) {
    diagnostics.report(Diag::whole_division, binary.opRange).hint(Diag::whole_division_hint);
    return nullptr;
  }
  const Term *below[] = {left.get(), right.get()};
  std::optional<ScalarType> type = common(below, binary.opRange);
  return make(BinaryTerm{op, std::move(left), std::move(right)}, type, expr.range, below);
}

} // namespace stencilc
