#include "frontend/language/ParserRules.h"

namespace stencilc {

using namespace ast;

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
  if (!lineEnds && !peek().is("}")) {
    unexpected("`;`");
    return false;
  }
  if (!gaveUp)
    diagnostics.report(Diag::missing_semicolon, {lastEnd(), lastEnd()});
  return !gaveUp;
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

/// Goes on behind the next `;` or block (and the `else` of other languages), or before the `}` that
/// closes what is around.
void Parser::recover() {
  unsigned open = 0;
  while (!atEnd() && (open > 0 || !peek().is("}"))) {
    const Token &token = take();
    open += token.is("{");
    open -= token.is("}");
    if (open == 0 && (token.is(";") || token.is("}")) && !accept("else"))
      return;
  }
}

/// The item that starts at token `first` could not be read.
void Parser::noteFaulty(size_t first) {
  const Token &word = tokens[first];
  bool declares = false;
  for (const char *keyword : {"field", "temp", "const", "param", "let", "reduce", "double", "float",
                              "int", "f32", "f64", "real"})
    declares |= word.is(keyword);
  faulty.hasBoundary |= word.is("boundary");
  // Of `new = u` and its like, `u` may be what should have been made.
  const bool mayMakeAll = !declares && tokens[first + 1].is("=");
  for (size_t number = first; number < cursor; ++number) {
    if (tokens[number].kind != Token::Kind::Name)
      continue;
    if (declares)
      faulty.declared.push_back(tokens[number].text);
    if (mayMakeAll || number == first || tokens[number + 1].is("'"))
      faulty.made.push_back(tokens[number].text);
  }
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
  file.faulty = std::move(faulty);
  if (gaveUp)
    return std::nullopt;
  return file;
}

void Parser::items(File &file, const Token &open) {
  while (!atEnd() && !peek().is("}")) {
    const size_t first = cursor;
    if (std::optional<Item> next = item()) {
      file.items.push_back(std::move(*next));
    } else {
      recover();
      noteFaulty(first);
    }
  }
  if (gaveUp)
    return;
  if (atEnd())
    diagnostics.report(Diag::unexpected_token, peek().range(), describe(peek()), "`}`")
        .note(Diag::opened_here, open.range(), open.text);
  else if (take(); !atEnd())
    diagnostics.report(Diag::text_after_stencil, peek().range(), describe(peek()));
}

/// An item of any kind. Said in two steps: with clang, one optional that becomes another asks
/// whether declarations can be copied, which breaks on a vector of what cannot.
template <class Decl> static std::optional<Item> asItem(std::optional<Decl> decl) {
  if (!decl)
    return std::nullopt;
  return Item(std::move(*decl));
}

std::optional<Item> Parser::item() {
  if (hintStatement())
    return std::nullopt;
  if (peek(1).is("'")) // whatever is called so, an update is meant
    return asItem(update());
  if (accept("field"))
    return asItem(field(ArrayKind::Field));
  if (accept("temp"))
    return asItem(field(ArrayKind::Temp));
  if (accept("const"))
    return asItem(constants());
  if (accept("param"))
    return asItem(params());
  if (peek().is("boundary"))
    return asItem(boundary());
  if (accept("let"))
    return asItem(let());
  if (accept("init"))
    return asItem(init());
  if (peek().is("stage"))
    return asItem(stage());
  if (peek().is("reduce"))
    return asItem(reduction());
  return asItem(update());
}

std::optional<TypeWord> Parser::type() {
  if (accept("f32"))
    return TypeWord::F32;
  if (accept("f64"))
    return TypeWord::F64;
  if (accept("real"))
    return TypeWord::Real;
  if (peek().is("double") || peek().is("float")) {
    const bool isDouble = peek().is("double");
    diagnostics.report(Diag::c_type, peek().range(), peek().text, isDouble ? "f64" : "f32");
    take(); // and goes on as if it were said rightly
    return isDouble ? TypeWord::F64 : TypeWord::F32;
  }
  if (llvm::is_contained({"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "int", "bool"},
                         peek().text)) {
    diagnostics.report(Diag::whole_type, peek().range(), peek().text);
    take();
    return TypeWord::F64;
  }
  return unexpected("a type (`f32`, `f64` or `real`)");
}

std::optional<FieldDecl> Parser::field(ArrayKind kind) {
  std::optional<TypeWord> word = type();
  if (!word)
    return std::nullopt;
  std::optional<std::vector<Name>> fields = names("the name of a field");
  if (!fields || hintSize(fields->back()) || !semicolon())
    return std::nullopt;
  return FieldDecl{kind, *word, std::move(*fields)};
}

std::optional<ConstDecl> Parser::constants() {
  std::optional<TypeWord> word = type();
  if (!word)
    return std::nullopt;
  ConstDecl result{*word, {}};
  do {
    std::optional<Name> array = name("the name of an array");
    if (!array || hintConstValue(*array) || hintSize(*array))
      return std::nullopt;
    result.arrays.push_back({*array, {}});
    if (!accept("("))
      continue;
    std::optional<std::vector<Name>> axes = names("the name of an axis");
    if (!axes || !expect(")") || hintConstValue(*array))
      return std::nullopt;
    result.arrays.back().axes = std::move(*axes);
  } while (accept(","));
  if (!semicolon())
    return std::nullopt;
  return result;
}

std::optional<ParamsDecl> Parser::params() {
  std::optional<TypeWord> word = accept("int") ? TypeWord::Int : type();
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

static std::optional<BoundaryKind> boundaryKind(const Token &token) {
  for (BoundaryKind kind :
       {BoundaryKind::Fixed, BoundaryKind::Halo, BoundaryKind::Clamp, BoundaryKind::Periodic,
        BoundaryKind::Reflect, BoundaryKind::Symmetric, BoundaryKind::Value})
    if (token.is(stencilc::spelling(kind)))
      return kind;
  return std::nullopt;
}

std::optional<BoundaryClause> Parser::clause() {
  BoundaryClause result;
  result.range.Start = begin();
  if (peek().kind == Token::Kind::Name && !boundaryKind(peek())) {
    result.axis = Name{take().text};
    if (hintUnknownBoundary(*result.axis))
      return std::nullopt;
    if (peek().is("-") || peek().is("+"))
      result.side = take().text.front();
    result.range.End = lastEnd();
  }
  std::optional<BoundaryKind> kind = boundaryKind(peek());
  if (!kind && peek().kind == Token::Kind::Name) {
    const Name word{take().text};
    return hintUnknownBoundary(word) ? std::nullopt : unexpected("`,` or `;`");
  }
  if (!kind)
    return unexpected("a boundary (`fixed`, `halo`, `clamp`, `periodic`, `reflect`, `symmetric` or "
                      "`value(...)`)");
  result.kind = *kind;
  take();
  if (!result.axis)
    result.range.End = lastEnd();
  const bool isMirror = *kind == BoundaryKind::Reflect || *kind == BoundaryKind::Symmetric;
  if (*kind != BoundaryKind::Value && !isMirror && hintKindWithNumber(*kind))
    return std::nullopt;
  if (*kind != BoundaryKind::Value && !(isMirror && peek().is("(")))
    return result;
  if (!expect("(") || !(result.value = expression()) || !expect(")"))
    return std::nullopt;
  return result;
}

std::optional<LetDecl> Parser::let() {
  std::optional<Name> defined = name("the name of a formula");
  if (!defined)
    return std::nullopt;
  LetDecl result{*defined, {}, nullptr};
  if (accept("(")) {
    std::optional<std::vector<Name>> parameters = names("the name of a parameter");
    if (!parameters || !expect(")"))
      return std::nullopt;
    result.parameters = std::move(*parameters);
  }
  if (!expect("=") || !(result.value = expression()) || !semicolon())
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
  if (hintAssignment(*field))
    return std::nullopt;
  if (!accept("'"))
    return unexpected("`'`");
  if (hintAssignment(*field))
    return std::nullopt;
  std::optional<ast::Region> where = region();
  if (!where || !expect("="))
    return std::nullopt;
  UpdateDecl result{*field, std::move(*where), expression(), {}};
  if (!result.value)
    return std::nullopt;
  result.text = textFrom(start);
  if (hintRegion(*field) || !semicolon())
    return std::nullopt;
  return result;
}

static std::optional<Reduction::Op> reductionOp(const Token &token) {
  for (Reduction::Op op : {Reduction::Op::Min, Reduction::Op::Max, Reduction::Op::Sum})
    if (token.is(stencilc::spelling(op)))
      return op;
  return std::nullopt;
}

std::optional<ReduceDecl> Parser::reduction() {
  llvm::SMLoc start = begin();
  take();
  std::optional<Reduction::Op> op = reductionOp(peek());
  if (!op)
    return unexpected("`min`, `max` or `sum`");
  take();
  std::optional<Name> defined = name("the name of a reduction");
  if (!defined)
    return std::nullopt;
  std::optional<ast::Region> where = region();
  if (!where || !expect("="))
    return std::nullopt;
  ReduceDecl result{*op, *defined, std::move(*where), expression(), {}};
  if (!result.value)
    return std::nullopt;
  result.text = textFrom(start);
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
    const size_t first = cursor;
    bool isLet = accept("let");
    std::optional<LetDecl> formula = isLet ? let() : std::nullopt;
    std::optional<UpdateDecl> assignment = isLet ? std::nullopt : update();
    if (formula)
      result.items.push_back(std::move(*formula));
    else if (assignment)
      result.items.push_back(std::move(*assignment));
    else
      recover(), noteFaulty(first);
  }
  if (accept("}"))
    return result;
  if (!gaveUp)
    diagnostics.report(Diag::unexpected_token, peek().range(), describe(peek()), "`}`")
        .note(Diag::opened_here, open.range(), open.text);
  gaveUp = true;
  return std::nullopt;
}

std::optional<File> parseFile(DiagnosticEngine &diagnostics) {
  return Parser(diagnostics, diagnostics.text()).file();
}

ExprPtr parseExpression(DiagnosticEngine &diagnostics, llvm::StringRef text) {
  return Parser(diagnostics, text).wholeExpression();
}

} // namespace stencilc
