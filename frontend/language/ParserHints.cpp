// Hints: what C, C++ and Python programs say, and how it is said here.
#include "frontend/language/ParserRules.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

using namespace ast;

/// A statement where an item belongs.
bool Parser::hintStatement() {
  if (peek().is("sweep")) {
    diagnostics.report(Diag::order_of_points, peek().range(), "`sweep` is kept for later");
    return true;
  }
  for (const char *type : {"double", "float", "int", "f32", "f64", "real"})
    if (peek().is(type) && peek(1).kind == Token::Kind::Name) {
      const bool isSingle = peek().is("float") || peek().is("f32");
      diagnostics.report(Diag::declares_nothing, peek().range(), peek().text)
          .hint(Diag::declares_nothing_hint, isSingle ? "f32" : "f64", peek(1).text);
      return true;
    }
  const bool isChoice = peek().is("if") || peek().is("else") || peek().is("switch");
  if (!isChoice && !peek().is("for") && !peek().is("while") && !peek().is("do"))
    return false;
  diagnostics.report(Diag::no_statement, peek().range(), peek().text)
      .hint(isChoice ? Diag::no_choice_hint : Diag::no_loop_hint);
  // What stands in parentheses has semicolons of its own.
  take();
  if (peek().is("("))
    while (!atEnd() && !take().is(")"))
      continue;
  return true;
}

/// `const f64 c = 0.25`.
bool Parser::hintConstValue(const Name &array) {
  if (!peek().is("="))
    return false;
  diagnostics.report(Diag::const_with_value, array.range(), array.text)
      .hint(Diag::const_with_value_hint, array.text);
  return true;
}

/// Python's operators, which go on as if they were said rightly.
void Parser::hintWordOperator() {
  if (peek().kind == Token::Kind::Name)
    diagnostics.report(Diag::word_operator, peek().range(), peek().text,
                       peek().is("and")  ? "&&"
                       : peek().is("or") ? "||"
                                         : "!");
}

/// What follows the name of an update and is not `' =`.
bool Parser::hintAssignment(const Name &array) {
  static constexpr llvm::StringLiteral operators[] = {"+", "-", "*", "/"};
  const bool hasPrime = tokens[cursor - 1].is("'");
  if (peek().is("=") && !hasPrime) {
    diagnostics.report(Diag::missing_prime, array.range(), array.text)
        .hint(Diag::missing_prime_hint, array.text);
    return true;
  }
  if (llvm::any_of(operators, [&](llvm::StringRef op) { return peek().is(op); }) &&
      peek(1).is("=")) {
    diagnostics.report(Diag::compound_assignment, {begin(), peek(1).range().End}, peek().text)
        .hint(Diag::compound_assignment_hint, array.text, peek().text);
    return true;
  }
  if (peek().is("[")) {
    diagnostics.report(Diag::update_with_brackets, peek().range(), array.text)
        .hint(Diag::update_with_brackets_hint, array.text);
    return true;
  }
  return false;
}

/// `v[3]` where an array is declared.
bool Parser::hintSize(const Name &array) {
  if (!peek().is("["))
    return false;
  diagnostics.report(Diag::array_with_size, array.range(), array.text)
      .hint(Diag::array_with_size_hint, array.text);
  return true;
}

/// `(a + b)[x+1]`, `f(a)[x+1]`.
bool Parser::hintMovedValue() {
  if (!peek().is("["))
    return false;
  diagnostics.report(Diag::moved_value, peek().range()).hint(Diag::moved_value_hint);
  return true;
}

/// `periodic(-1)`.
bool Parser::hintKindWithNumber(BoundaryKind kind) {
  if (!peek().is("("))
    return false;
  diagnostics.report(Diag::kind_without_number, peek().range(), stencilc::spelling(kind))
      .hint(Diag::kind_without_number_hint);
  return true;
}

/// A region behind the formula of an update.
bool Parser::hintRegion(const Name &array) {
  if (!peek().is("on"))
    return false;
  diagnostics.report(Diag::unexpected_token, peek().range(), describe(peek()), "`;`")
      .hint(Diag::region_hint, array.text);
  return true;
}

/// `2*x` in the brackets of an access.
bool Parser::hintScaledOffset() {
  if (!peek(1).is("*") && !peek(1).is("/"))
    return false;
  const llvm::SMRange range{begin(), peek(2).range().End};
  diagnostics.report(
      Diag::scaled_offset, range,
      llvm::StringRef(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer()));
  return true;
}

/// A word where a boundary's kind belongs: what follows it is no kind either.
bool Parser::hintUnknownBoundary(const Name &name) {
  if (!peek().is(",") && !peek().is(";") && !peek().is("("))
    return false;
  diagnostics.report(Diag::unknown_boundary, name.range(), name.text)
      .suggest(name.text,
               [] {
                 std::vector<llvm::StringRef> kinds;
                 for (BoundaryKind kind :
                      {BoundaryKind::Fixed, BoundaryKind::Halo, BoundaryKind::Clamp,
                       BoundaryKind::Periodic, BoundaryKind::Reflect, BoundaryKind::Symmetric,
                       BoundaryKind::Value})
                   kinds.push_back(stencilc::spelling(kind));
                 return kinds;
               })
      .hint(Diag::boundaries_are);
  return true;
}

} // namespace stencilc
