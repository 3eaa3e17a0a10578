#include "frontend/Parser.h"

#include "frontend/Lexer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

namespace stencilc {

using namespace ast;

namespace {

using Operator = std::variant<BinaryOp, CompareOp>;

std::optional<Operator> binaryOperator(const Token &token) {
  if (token.kind != Token::Kind::Symbol)
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Operator>>(token.text)
      .Case("||", BinaryOp::Or)
      .Case("&&", BinaryOp::And)
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

std::optional<BoundaryClause::Kind> boundaryKind(const Token &token) {
  using Kind = BoundaryClause::Kind;
  return llvm::StringSwitch<std::optional<Kind>>(token.text)
      .Case("fixed", Kind::Fixed)
      .Case("halo", Kind::Halo)
      .Case("clamp", Kind::Clamp)
      .Case("periodic", Kind::Periodic)
      .Case("value", Kind::Value)
      .Default(std::nullopt);
}

/// A rule that fails has reported why and returns null, none or false; the caller passes that on up
/// to the item, which recovers.
class Parser {
public:
  Parser(DiagnosticEngine &diagnostics, llvm::StringRef text)
      : diagnostics(diagnostics), tokens(lex(diagnostics, text)) {}

  std::optional<File> file();
  ExprPtr wholeExpression();

private:
  // ---- items
  void items(File &file, const Token &open);
  std::optional<Item> item();
  std::optional<TypeWord> type();
  std::optional<FieldDecl> field();
  std::optional<ConstDecl> constants();
  std::optional<ParamsDecl> params();
  std::optional<BoundaryDecl> boundary();
  std::optional<BoundaryClause> clause();
  std::optional<LetDecl> let();
  std::optional<InitDecl> init();
  std::optional<UpdateDecl> update();
  std::optional<StageDecl> stage();

  // ---- expressions
  ExprPtr expression(unsigned weakest = 1);
  ExprPtr unary();
  ExprPtr primary();
  ExprPtr call();
  ExprPtr access();
  std::optional<Shift> shift(llvm::StringRef array);
  std::optional<Option> option();
  std::optional<Integer> integer();
  ExprPtr make(llvm::SMLoc begin, unsigned depthBelow,
               std::variant<Number, Access, Unary, Binary, Call> node);

  // ---- tokens
  const Token &peek(unsigned ahead = 0) const {
    return tokens[std::min(cursor + ahead, tokens.size() - 1)];
  }
  const Token &take() {
    const Token &token = peek();
    cursor = std::min(cursor + 1, tokens.size() - 1);
    return token;
  }
  bool accept(llvm::StringRef text) {
    if (!peek().is(text))
      return false;
    take();
    return true;
  }
  bool atEnd() const { return peek().kind == Token::Kind::End; }
  llvm::SMLoc begin() const { return peek().range().Start; }
  llvm::SMLoc lastEnd() const { return cursor == 0 ? begin() : tokens[cursor - 1].range().End; }
  bool expect(llvm::StringRef symbol);
  bool semicolon();
  std::optional<Name> name(llvm::StringRef role);
  std::optional<std::vector<Name>> names(llvm::StringRef role);
  std::nullopt_t unexpected(llvm::StringRef wanted);
  std::nullopt_t tooDeep(llvm::SMRange range);
  void recover();

  DiagnosticEngine &diagnostics;
  std::vector<Token> tokens;
  size_t cursor = 0;
  unsigned nesting = 0;
  bool gaveUp = false; ///< what follows an expression that is too deep makes no sense
};

// ---- tokens -----------------------------------------------------------------------------------

std::string describe(const Token &token) {
  return token.kind == Token::Kind::End ? "the end of the file" : ("`" + token.text + "`").str();
}

std::nullopt_t Parser::unexpected(llvm::StringRef wanted) {
  bool isReported = gaveUp || peek().kind == Token::Kind::Faulty;
  if (!isReported)
    diagnostics.report(Diag::unexpected_token, peek().range(), describe(peek()), wanted);
  return std::nullopt;
}

std::nullopt_t Parser::tooDeep(llvm::SMRange range) {
  if (!gaveUp)
    diagnostics.report(Diag::expression_too_deep, range, kMaxExpressionDepth);
  gaveUp = true;
  cursor = tokens.size() - 1;
  return std::nullopt;
}

bool Parser::expect(llvm::StringRef symbol) {
  if (accept(symbol))
    return true;
  unexpected(("`" + symbol + "`").str());
  return false;
}

/// The missing one is shown where it should stand, not at what happens to come next.
bool Parser::semicolon() {
  if (accept(";"))
    return true;
  bool lineEnds =
      atEnd() || diagnostics.position(begin()).line != diagnostics.position(lastEnd()).line;
  if (!lineEnds && !peek().is("}"))
    unexpected("`;`");
  else if (!gaveUp)
    diagnostics.report(Diag::missing_semicolon, {lastEnd(), lastEnd()});
  return false;
}

std::optional<Name> Parser::name(llvm::StringRef role) {
  if (peek().kind != Token::Kind::Name)
    return unexpected(role);
  return Name{take().text};
}

std::optional<std::vector<Name>> Parser::names(llvm::StringRef role) {
  std::vector<Name> result;
  do {
    std::optional<Name> next = name(role);
    if (!next)
      return std::nullopt;
    result.push_back(*next);
  } while (accept(","));
  return result;
}

void Parser::recover() {
  while (!atEnd() && !peek().is("}"))
    if (take().is(";"))
      return;
}

// ---- items ------------------------------------------------------------------------------------

std::optional<File> Parser::file() {
  File file;
  if (!expect("stencil"))
    return std::nullopt;
  std::optional<Name> stencil = name("the name of the stencil");
  if (!stencil || !expect("("))
    return std::nullopt;
  file.name = *stencil;
  std::optional<std::vector<Name>> axes = names("the name of an axis");
  if (!axes || !expect(")"))
    return std::nullopt;
  file.axes = std::move(*axes);
  const Token &open = peek();
  if (!expect("{"))
    return std::nullopt;
  items(file, open);
  if (diagnostics.hasErrors())
    return std::nullopt;
  return file;
}

void Parser::items(File &file, const Token &open) {
  while (!atEnd() && !peek().is("}")) {
    if (std::optional<Item> next = item())
      file.items.push_back(std::move(*next));
    else
      recover();
  }
  if (gaveUp)
    return;
  if (atEnd())
    diagnostics.report(Diag::unexpected_token, peek().range(), describe(peek()), "`}`")
        .note(Diag::opened_here, open.range(), open.text);
  else if (take(); !atEnd())
    diagnostics.report(Diag::text_after_stencil, peek().range(), describe(peek()));
}

std::optional<Item> Parser::item() {
  if (accept("field"))
    return field();
  if (accept("const"))
    return constants();
  if (accept("param"))
    return params();
  if (peek().is("boundary"))
    return boundary();
  if (accept("let"))
    return let();
  if (accept("init"))
    return init();
  if (peek().is("stage"))
    return stage();
  return update();
}

std::optional<TypeWord> Parser::type() {
  if (accept("f32"))
    return TypeWord::F32;
  if (accept("f64"))
    return TypeWord::F64;
  if (accept("real"))
    return TypeWord::Real;
  return unexpected("a type (`f32`, `f64` or `real`)");
}

std::optional<FieldDecl> Parser::field() {
  std::optional<TypeWord> word = type();
  if (!word)
    return std::nullopt;
  std::optional<std::vector<Name>> fields = names("the name of a field");
  if (!fields || !semicolon())
    return std::nullopt;
  return FieldDecl{*word, std::move(*fields)};
}

std::optional<ConstDecl> Parser::constants() {
  std::optional<TypeWord> word = type();
  if (!word)
    return std::nullopt;
  ConstDecl result{*word, {}};
  do {
    std::optional<Name> array = name("the name of an array");
    if (!array)
      return std::nullopt;
    result.arrays.push_back({*array, {}});
    if (!accept("("))
      continue;
    std::optional<std::vector<Name>> axes = names("the name of an axis");
    if (!axes || !expect(")"))
      return std::nullopt;
    result.arrays.back().axes = std::move(*axes);
  } while (accept(","));
  if (!semicolon())
    return std::nullopt;
  return result;
}

std::optional<ParamsDecl> Parser::params() {
  std::optional<TypeWord> word = type();
  if (!word)
    return std::nullopt;
  ParamsDecl result{*word, {}};
  do {
    std::optional<Name> param = name("the name of a param");
    if (!param)
      return std::nullopt;
    result.params.push_back({*param, nullptr});
    if (accept("=") && !(result.params.back().defaultValue = expression()))
      return std::nullopt;
  } while (accept(","));
  if (!semicolon())
    return std::nullopt;
  return result;
}

std::optional<BoundaryDecl> Parser::boundary() {
  BoundaryDecl result;
  result.keyword = take().range();
  if (!peek().is(":")) {
    std::optional<std::vector<Name>> arrays = names("the name of an array, or `:`,");
    if (!arrays)
      return std::nullopt;
    result.arrays = std::move(*arrays);
  }
  if (!expect(":"))
    return std::nullopt;
  do {
    std::optional<BoundaryClause> next = clause();
    if (!next)
      return std::nullopt;
    result.clauses.push_back(std::move(*next));
  } while (accept(","));
  if (!semicolon())
    return std::nullopt;
  return result;
}

std::optional<BoundaryClause> Parser::clause() {
  BoundaryClause result;
  result.range.Start = begin();
  if (peek().kind == Token::Kind::Name && !boundaryKind(peek())) {
    result.axis = Name{take().text};
    if (peek().is("-") || peek().is("+"))
      result.side = take().text.front();
    result.range.End = lastEnd();
  }
  std::optional<BoundaryClause::Kind> kind = boundaryKind(peek());
  if (!kind)
    return unexpected("a boundary (`fixed`, `halo`, `clamp`, `periodic` or `value(...)`)");
  result.kind = *kind;
  take();
  if (!result.axis)
    result.range.End = lastEnd();
  if (result.kind == BoundaryClause::Kind::Value &&
      (!expect("(") || !(result.value = expression()) || !expect(")")))
    return std::nullopt;
  return result;
}

std::optional<LetDecl> Parser::let() {
  std::optional<Name> defined = name("the name of a formula");
  if (!defined || !expect("="))
    return std::nullopt;
  LetDecl result{*defined, expression()};
  if (!result.value || !semicolon())
    return std::nullopt;
  return result;
}

std::optional<InitDecl> Parser::init() {
  std::optional<Name> array = name("the name of an array");
  if (!array)
    return std::nullopt;
  InitDecl result{*array, accept("["), nullptr};
  if (result.isPrevious)
    for (llvm::StringRef symbol : {"t", "-"})
      if (!expect(symbol))
        return std::nullopt;
  if (result.isPrevious) {
    if (peek().text != "1")
      return unexpected("`1`");
    take();
    if (!expect("]"))
      return std::nullopt;
  }
  if (!expect("=") || !(result.value = expression()) || !semicolon())
    return std::nullopt;
  return result;
}

std::optional<UpdateDecl> Parser::update() {
  llvm::SMLoc start = begin();
  std::optional<Name> field = name("a declaration or an update");
  if (!field)
    return std::nullopt;
  if (peek().is("=")) {
    diagnostics.report(Diag::missing_prime, field->range(), field->text)
        .hint(Diag::missing_prime_hint, field->text);
    return std::nullopt;
  }
  if (!accept("'"))
    return unexpected("`'`");
  if (!expect("="))
    return std::nullopt;
  UpdateDecl result{*field, expression(), {}};
  if (!result.value)
    return std::nullopt;
  result.text = llvm::StringRef(start.getPointer(), lastEnd().getPointer() - start.getPointer());
  if (!semicolon())
    return std::nullopt;
  return result;
}

std::optional<StageDecl> Parser::stage() {
  StageDecl result;
  result.keyword = take().range();
  const Token &open = peek();
  if (!expect("{"))
    return std::nullopt;
  while (!atEnd() && !peek().is("}")) {
    bool isLet = accept("let");
    std::optional<LetDecl> formula = isLet ? let() : std::nullopt;
    std::optional<UpdateDecl> assignment = isLet ? std::nullopt : update();
    if (formula)
      result.items.push_back(std::move(*formula));
    else if (assignment)
      result.items.push_back(std::move(*assignment));
    else
      recover();
  }
  if (accept("}"))
    return result;
  if (!gaveUp)
    diagnostics.report(Diag::unexpected_token, peek().range(), describe(peek()), "`}`")
        .note(Diag::opened_here, open.range(), open.text);
  gaveUp = true;
  return std::nullopt;
}

// ---- expressions ------------------------------------------------------------------------------

ExprPtr Parser::make(llvm::SMLoc begin, unsigned depthBelow,
                     std::variant<Number, Access, Unary, Binary, Call> node) {
  auto expr =
      std::make_unique<ast::Expr>(ast::Expr{std::move(node), {begin, lastEnd()}, depthBelow + 1});
  if (expr->depth <= kMaxExpressionDepth)
    return expr;
  tooDeep(expr->range);
  return nullptr;
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
    llvm::SMRange opRange = take().range();
    ExprPtr right = expression(precedence(*op) + 1);
    if (!right)
      return nullptr;
    unsigned depth = std::max(left->depth, right->depth);
    left = make(start, depth, Binary{*op, opRange, std::move(left), std::move(right)});
  }
  return nullptr;
}

ExprPtr Parser::unary() {
  if (!peek().is("-") && !peek().is("!"))
    return primary();
  llvm::SaveAndRestore deeper(nesting, nesting + 1);
  if (nesting > kMaxExpressionDepth)
    return tooDeep(peek().range()), nullptr;
  llvm::SMLoc start = begin();
  UnaryOp op = take().is("-") ? UnaryOp::Negate : UnaryOp::Not;
  ExprPtr operand = unary();
  if (!operand)
    return nullptr;
  unsigned depth = operand->depth;
  return make(start, depth, Unary{op, std::move(operand)});
}

ExprPtr Parser::primary() {
  const Token &token = peek();
  if (token.kind == Token::Kind::Integer || token.kind == Token::Kind::Number) {
    take();
    return make(token.range().Start, 0, Number{token.text});
  }
  if (token.kind == Token::Kind::Name)
    return peek(1).is("(") ? call() : access();
  if (!token.is("("))
    return unexpected("an expression"), nullptr;
  llvm::SaveAndRestore deeper(nesting, nesting + 1);
  if (nesting > kMaxExpressionDepth)
    return tooDeep(token.range()), nullptr;
  take();
  ExprPtr inner = expression();
  if (!inner || !expect(")"))
    return nullptr;
  inner->range = {token.range().Start, lastEnd()};
  return inner;
}

ExprPtr Parser::call() {
  llvm::SaveAndRestore deeper(nesting, nesting + 1);
  if (nesting > kMaxExpressionDepth)
    return tooDeep(peek().range()), nullptr;
  llvm::SMLoc start = begin();
  Call result{Name{take().text}, {}};
  take();
  unsigned depth = 0;
  do {
    if (peek().kind == Token::Kind::Name && peek(1).is("=")) {
      std::optional<Option> named = option();
      if (!named)
        return nullptr;
      result.arguments.push_back(*named);
      continue;
    }
    ExprPtr argument = expression();
    if (!argument)
      return nullptr;
    depth = std::max(depth, argument->depth);
    result.arguments.push_back(std::move(argument));
  } while (accept(","));
  if (!expect(")"))
    return nullptr;
  return make(start, depth, std::move(result));
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
  if (peek().is("+") || peek().is("-")) {
    result.isNegative = take().is("-");
    if (peek().kind == Token::Kind::Name) {
      result.amount = Name{take().text};
    } else if (peek().kind == Token::Kind::Integer) {
      std::optional<Integer> amount = integer();
      if (!amount)
        return std::nullopt;
      result.amount = *amount;
    } else {
      return unexpected("a whole number, or an index of `sum`,");
    }
  }
  result.range.End = lastEnd();
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
  Integer result;
  result.range.Start = begin();
  bool isNegative = accept("-");
  if (peek().kind != Token::Kind::Integer)
    return unexpected("a whole number");
  const Token &digits = take();
  if (digits.text.getAsInteger(10, result.value) || result.value > kMaxInteger) {
    diagnostics.report(Diag::integer_too_large, digits.range(), digits.text, kMaxInteger);
    return std::nullopt;
  }
  if (isNegative)
    result.value = -result.value;
  result.range.End = lastEnd();
  return result;
}

} // namespace

std::optional<File> parseFile(DiagnosticEngine &diagnostics) {
  return Parser(diagnostics, diagnostics.text()).file();
}

ExprPtr parseExpression(DiagnosticEngine &diagnostics, llvm::StringRef text) {
  return Parser(diagnostics, text).wholeExpression();
}

} // namespace stencilc
