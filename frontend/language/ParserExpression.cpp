// Expressions: precedence climbing over unary and primary expressions, and what stands in them.
#include "frontend/language/ParserRules.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

namespace stencilc {

using namespace ast;

using Operator = std::variant<BinaryOp, CompareOp>;

static std::optional<Operator> binaryOperator(const Token &token) {
  return llvm::StringSwitch<std::optional<Operator>>(token.text)
      .Cases("||", "or", BinaryOp::Or)
      .Cases("&&", "and", BinaryOp::And)
      .Case("==", CompareOp::Equal)
      .Case("!=", CompareOp::NotEqual)
      .Case("<", CompareOp::Less)
      .Case("<=", CompareOp::LessEqual)
      .Case(">", CompareOp::Greater)
      .Case(">=", CompareOp::GreaterEqual)
      .Case("+", BinaryOp::Add)
      .Case("-", BinaryOp::Subtract)
      .Case("*", BinaryOp::Multiply)
      .Case("/", BinaryOp::Divide)
      .Default(std::nullopt);
}

ExprPtr Parser::make(llvm::SMLoc begin, unsigned depthBelow, ast::Expr::Node node) {
  auto expr =
      std::make_unique<ast::Expr>(ast::Expr{std::move(node), {begin, lastEnd()}, depthBelow + 1});
  if (expr->depth <= kMaxExpressionDepth)
    return expr;
  tooDeep(expr->range);
  return nullptr;
}

// What recurses makes nodes and reports through these, to keep its own frames small.

ExprPtr Parser::makeUnary(llvm::SMLoc start, UnaryOp op, ExprPtr operand) {
  const unsigned depth = operand->depth;
  return make(start, depth, Unary{op, std::move(operand)});
}

ExprPtr Parser::makeBinary(llvm::SMLoc start, Operator op, llvm::SMRange opRange, ExprPtr left,
                           ExprPtr right) {
  const unsigned depth = std::max(left->depth, right->depth);
  return make(start, depth, Binary{op, opRange, std::move(left), std::move(right)});
}

ExprPtr Parser::number() {
  const Token &token = take();
  llvm::StringRef digits = token.text;
  const bool isSingle = digits.consume_back("f");
  return make(token.range().Start, 0, Number{digits, isSingle});
}

bool Parser::hintPower(llvm::SMRange first) {
  if (!peek().is("*"))
    return false;
  diagnostics.report(Diag::power_operator, {first.Start, peek().range().End})
      .hint(Diag::operator_hint, "a power is written `pow(a, b)`, or as a product");
  return true;
}

ExprPtr Parser::wholeExpression() {
  ExprPtr result = expression();
  if (result && !atEnd())
    unexpected("the end");
  return diagnostics.hasErrors() ? nullptr : std::move(result);
}

/// Precedence climbing: operators that bind at least as tightly as `weakest`.
ExprPtr Parser::expression(unsigned weakest) {
  llvm::SMLoc start = begin();
  ExprPtr left = unary();
  while (left) {
    std::optional<Operator> op = binaryOperator(peek());
    if (!op || precedence(*op) < weakest)
      return left;
    hintWordOperator();
    llvm::SMRange opRange = take().range();
    if (hintPower(opRange))
      return nullptr;
    ExprPtr right = expression(precedence(*op) + 1);
    if (!right)
      return nullptr;
    left = makeBinary(start, *op, opRange, std::move(left), std::move(right));
  }
  return nullptr;
}

ExprPtr Parser::unary() {
  if (!peek().is("-") && !peek().is("!") && !peek().is("not"))
    return primary();
  llvm::SaveAndRestore deeper(nesting, nesting + 1);
  if (nesting > kMaxExpressionDepth)
    return tooDeep(peek().range()), nullptr;
  llvm::SMLoc start = begin();
  hintWordOperator();
  UnaryOp op = take().is("-") ? UnaryOp::Negate : UnaryOp::Not;
  ExprPtr operand = unary();
  if (!operand)
    return nullptr;
  return makeUnary(start, op, std::move(operand));
}

ExprPtr Parser::primary() {
  const Token &token = peek();
  if (token.kind == Token::Kind::Integer || token.kind == Token::Kind::Number)
    return number();
  if (token.kind == Token::Kind::Name)
    return peek(1).is("(") ? call() : access();
  if (!token.is("("))
    return unexpected("an expression"), nullptr;
  llvm::SaveAndRestore deeper(nesting, nesting + 1);
  if (nesting > kMaxExpressionDepth)
    return tooDeep(token.range()), nullptr;
  take();
  ExprPtr inner = expression();
  if (!inner || !expect(")") || hintMovedValue())
    return nullptr;
  inner->range = {token.range().Start, lastEnd()};
  return inner;
}

ExprPtr Parser::call() {
  llvm::SaveAndRestore deeper(nesting, nesting + 1);
  if (nesting > kMaxExpressionDepth)
    return tooDeep(peek().range()), nullptr;
  llvm::SMLoc start = begin();
  const Name function{take().text};
  take();
  std::vector<Argument> arguments;
  if (!peek().is(")")) // of which Sema knows how many there have to be
    do
      if (!argument(arguments))
        return nullptr;
    while (accept(","));
  if (!expect(")") || hintMovedValue())
    return nullptr;
  return makeCall(start, function, std::move(arguments));
}

bool Parser::argument(std::vector<Argument> &arguments) {
  if (peek().kind == Token::Kind::Name && peek(1).is("="))
    return namedArgument(arguments);
  ExprPtr value = expression();
  if (!value)
    return false;
  arguments.push_back(std::move(value));
  return true;
}

bool Parser::namedArgument(std::vector<Argument> &arguments) {
  std::optional<Option> named = option();
  if (named)
    arguments.push_back(*named);
  return named.has_value();
}

ExprPtr Parser::makeCall(llvm::SMLoc start, Name function, std::vector<Argument> arguments) {
  unsigned depth = 0;
  for (const Argument &argument : arguments)
    if (auto *value = std::get_if<ExprPtr>(&argument))
      depth = std::max(depth, (*value)->depth);
  return make(start, depth, Call{function, std::move(arguments)});
}

ExprPtr Parser::access() {
  llvm::SMLoc start = begin();
  Access result{Name{take().text}, accept("'"), {}};
  if (accept("[")) {
    do {
      std::optional<Shift> next = shift(result.name.text);
      if (!next)
        return nullptr;
      result.shifts.push_back(*next);
    } while (accept(","));
    if (!expect("]"))
      return nullptr;
  }
  if (peek().is("[")) {
    diagnostics.report(Diag::second_brackets, peek().range()).hint(Diag::second_brackets_hint);
    return nullptr;
  }
  return make(start, 0, std::move(result));
}

std::optional<Shift> Parser::shift(llvm::StringRef array) {
  if (hintScaledOffset())
    return std::nullopt;
  if (peek().kind == Token::Kind::Integer || peek().is("-") || peek().is("+")) {
    diagnostics.report(Diag::offset_without_axis, peek().range(), describe(peek()))
        .hint(Diag::offset_without_axis_hint, array, "x");
    return std::nullopt;
  }
  Shift result;
  result.range.Start = begin();
  std::optional<Name> axis = name("the name of an axis, or `t-1`,");
  if (!axis)
    return std::nullopt;
  result.axis = *axis;
  while (peek().is("+") || peek().is("-")) {
    std::optional<Step> next = step();
    if (!next)
      return std::nullopt;
    result.steps.push_back(*next);
  }
  result.range.End = lastEnd();
  return result;
}

/// `2`, `i`, `2*i` or `i*2`, behind its sign.
std::optional<Step> Parser::step() {
  Step result{take().is("-")};
  const auto factor = [&] {
    const std::optional<int> value = wholeNumber();
    result.factor = value.value_or(0);
    return value.has_value();
  };
  if (peek().kind == Token::Kind::Name) {
    result.index = Name{take().text};
    if (accept("*") && !factor())
      return std::nullopt;
    return result;
  }
  if (peek().kind != Token::Kind::Integer)
    return unexpected("a whole number, or an index of a range,");
  if (!factor())
    return std::nullopt;
  if (accept("*") && !(result.index = name("an index of a range")))
    return std::nullopt;
  return result;
}

std::optional<Option> Parser::option() {
  Option result;
  result.name = Name{take().text};
  take();
  std::optional<Integer> first = integer();
  if (!first)
    return std::nullopt;
  result.first = *first;
  if (!accept(":"))
    return result;
  result.last = integer();
  if (!result.last)
    return std::nullopt;
  return result;
}

std::optional<Integer> Parser::integer() {
  llvm::SMLoc start = begin();
  bool isNegative = accept("-");
  std::optional<int> value = wholeNumber();
  if (!value)
    return std::nullopt;
  return Integer{isNegative ? -*value : *value, {start, lastEnd()}};
}

std::optional<int> Parser::wholeNumber() {
  if (peek().kind != Token::Kind::Integer)
    return unexpected("a whole number");
  const Token &digits = take();
  int value;
  if (!digits.text.getAsInteger(10, value) && value <= kMaxInteger)
    return value;
  diagnostics.report(Diag::integer_too_large, digits.range(), digits.text, kMaxInteger);
  return std::nullopt;
}

} // namespace stencilc
