// Parser: its rules, one member each. Private to the parser's own files: Parser.cpp has tokens and
// items, ParserRegion.cpp regions, ParserExpression.cpp expressions.
#pragma once

#include "frontend/language/Lexer.h"
#include "frontend/language/Parser.h"

namespace stencilc {

/// A rule that fails has reported why and returns null, none or false; the caller passes that on up
/// to the item, which recovers.
class Parser {
public:
  Parser(DiagnosticEngine &diagnostics, llvm::StringRef text)
      : diagnostics(diagnostics), tokens(lex(diagnostics, text)) {}

  std::optional<ast::File> file();
  ast::ExprPtr wholeExpression();

private:
  // ---- items
  void items(ast::File &file, const Token &open);
  std::optional<ast::Item> item();
  void noteFaulty(size_t first);
  std::optional<ast::TypeWord> type();
  std::optional<ast::FieldDecl> field(ArrayKind kind);
  std::optional<ast::ConstDecl> constants();
  std::optional<ast::ParamsDecl> params();
  std::optional<ast::BoundaryDecl> boundary();
  std::optional<ast::BoundaryClause> clause();
  std::optional<ast::LetDecl> let();
  std::optional<ast::InitDecl> init();
  std::optional<ast::UpdateDecl> update();
  std::optional<ast::StageDecl> stage();
  std::optional<ast::ReduceDecl> reduction();

  // ---- ParserHints.cpp: what other languages have, told with the way it is said here; true if
  // something was told
  bool hintStatement();
  bool hintAssignment(const ast::Name &array);
  bool hintConstValue(const ast::Name &array);
  bool hintRegion(const ast::Name &array);
  void hintWordOperator();
  bool hintScaledOffset();
  bool hintSize(const ast::Name &array);
  bool hintMovedValue();
  bool hintKindWithNumber(BoundaryKind kind);
  bool hintUnknownBoundary(const ast::Name &name);

  // ---- regions
  std::optional<ast::Region> region();
  std::optional<ast::SliceOf> slice();
  std::optional<ast::Bound> bound();

  // ---- expressions
  ast::ExprPtr expression(unsigned weakest = 1);
  ast::ExprPtr unary();
  ast::ExprPtr primary();
  ast::ExprPtr number();
  ast::ExprPtr call();
  /// Appends the next argument of a call; false after an error.
  bool argument(std::vector<ast::Argument> &arguments);
  bool namedArgument(std::vector<ast::Argument> &arguments);
  bool hintPower(llvm::SMRange first);
  ast::ExprPtr access();
  std::optional<ast::Shift> shift(llvm::StringRef array);
  std::optional<ast::Step> step();
  std::optional<ast::Option> option();
  std::optional<ast::Integer> integer();
  std::optional<int> wholeNumber();
  ast::ExprPtr make(llvm::SMLoc begin, unsigned depthBelow, ast::Expr::Node node);
  ast::ExprPtr makeUnary(llvm::SMLoc start, UnaryOp op, ast::ExprPtr operand);
  ast::ExprPtr makeBinary(llvm::SMLoc start, decltype(ast::Binary::op) op, llvm::SMRange opRange,
                          ast::ExprPtr left, ast::ExprPtr right);
  ast::ExprPtr makeCall(llvm::SMLoc start, ast::Name function,
                        std::vector<ast::Argument> arguments);

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
  std::optional<ast::Name> name(llvm::StringRef role);
  std::optional<std::vector<ast::Name>> names(llvm::StringRef role);
  std::nullopt_t unexpected(llvm::StringRef wanted);
  llvm::StringRef textFrom(llvm::SMLoc start) const {
    return {start.getPointer(), size_t(lastEnd().getPointer() - start.getPointer())};
  }
  std::nullopt_t tooDeep(llvm::SMRange range);
  void recover();

  DiagnosticEngine &diagnostics;
  std::vector<Token> tokens;
  size_t cursor = 0;
  unsigned nesting = 0;
  ast::FaultyItems faulty;
  bool gaveUp = false; ///< what follows an expression that is too deep makes no sense
};

/// "`;`", or "the end of the file".
std::string describe(const Token &token);

} // namespace stencilc
