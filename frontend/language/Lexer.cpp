#include "frontend/language/Lexer.h"

#include "frontend/language/Ast.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace stencilc {

static bool startsName(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool continuesName(char c) { return llvm::isAlnum(c) || c == '_'; }
static bool isBlank(char c) { return llvm::isSpace(c); }

/// `text` without the blanks and comments it starts with.
static llvm::StringRef skipBlanks(llvm::StringRef text) {
  while (true) {
    text = text.drop_while(isBlank);
    if (!text.starts_with("//") && !text.starts_with("#"))
      return text;
    text = text.drop_until([](char c) { return c == '\n'; });
  }
}

/// The longest well-formed decimal literal at the start of `text`.
static llvm::StringRef numberAt(llvm::StringRef text) {
  llvm::StringRef rest = text.drop_while(llvm::isDigit);
  if (rest.consume_front("."))
    rest = rest.drop_while(llvm::isDigit);
  if (rest.starts_with_insensitive("e")) {
    llvm::StringRef exponent = rest.drop_front();
    if (!exponent.consume_front("+"))
      exponent.consume_front("-");
    if (!exponent.empty() && llvm::isDigit(exponent.front()))
      rest = exponent.drop_while(llvm::isDigit);
  }
  return text.drop_back(rest.size());
}

/// What to write instead of an operator that other languages have.
static llvm::StringRef hintFor(char c) {
  switch (c) {
  case '^':
    return "a power is written `pow(a, b)`, or as a product";
  case '%':
    return "a remainder is `fmod(a, b)`; a `periodic` boundary wraps an axis";
  case '?':
    return "a choice is written `where(condition, a, b)`";
  case '&':
  case '|':
    return "logic is written `&&` and `||`";
  default:
    return "";
  }
}

namespace {

class Lexer {
public:
  Lexer(DiagnosticEngine &diagnostics, llvm::StringRef text)
      : diagnostics(diagnostics), rest(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    // A byte order mark says nothing about UTF-8.
    rest.consume_front("\xef\xbb\xbf");
    while (true) {
      rest = skipBlanks(rest);
      if (rest.empty()) {
        tokens.push_back({Token::Kind::End, rest});
        return tokens;
      }
      if (std::optional<Token> token = next())
        tokens.push_back(*token);
    }
  }

private:
  std::optional<Token> next() {
    if (startsName(rest.front()))
      return name();
    if (llvm::isDigit(rest.front()) ||
        (rest.front() == '.' && rest.size() > 1 && llvm::isDigit(rest[1])))
      return number();
    if (rest.starts_with("/*"))
      return blockComment();
    for (llvm::StringRef symbol : {"||", "&&", "==", "!=", "<=", ">="})
      if (rest.starts_with(symbol))
        return Token{Token::Kind::Symbol, take(2)};
    if (llvm::StringRef("(){}[],;:='+-*/<>!").contains(rest.front()))
      return Token{Token::Kind::Symbol, take(1)};
    return unknownCharacter();
  }

  Token name() {
    llvm::StringRef text = take(rest.take_while(continuesName).size());
    if (text.size() <= kMaxNameLength)
      return {Token::Kind::Name, text};
    diagnostics.report(Diag::name_too_long, ast::rangeOf(text), text.size(), kMaxNameLength);
    return {Token::Kind::Faulty, text};
  }

  std::optional<Token> number() {
    llvm::StringRef text = numberAt(rest);
    llvm::StringRef tail = rest.drop_front(text.size()).take_while([](char c) {
      return continuesName(c) || c == '.';
    });
    bool isInteger = llvm::all_of(text, llvm::isDigit);
    if (tail.empty())
      return Token{isInteger ? Token::Kind::Integer : Token::Kind::Number, take(text.size())};
    llvm::StringRef whole = take(text.size() + tail.size());
    if (tail == "f")
      return Token{Token::Kind::Number, whole};
    DiagnosticEngine::Report report =
        diagnostics.report(Diag::malformed_number, ast::rangeOf(whole), whole);
    if (tail == "F" || tail == "l" || tail == "L")
      report.hint(Diag::literal_type_hint);
    // The parser goes on as if the number stood there.
    return Token{Token::Kind::Number, text};
  }

  std::nullopt_t blockComment() {
    diagnostics.report(Diag::block_comment, ast::rangeOf(rest.take_front(2)));
    size_t end = rest.find("*/", 2);
    take(end == llvm::StringRef::npos ? rest.size() : end + 2);
    return std::nullopt;
  }

  Token unknownCharacter() {
    // One report for a run of bytes that could be one character, or the rubble of one.
    auto isOdd = [](char c) { return !llvm::isASCII(c); };
    llvm::StringRef text = take(std::max<size_t>(1, rest.take_while(isOdd).size()));
    std::string shown = llvm::isPrint(text.front()) ? ("`" + text + "`").str()
                        : isOdd(text.front())
                            ? "a character outside ASCII"
                            : "the byte 0x" + llvm::utohexstr(text.front(), true, 2);
    DiagnosticEngine::Report report =
        diagnostics.report(Diag::unknown_character, ast::rangeOf(text), shown);
    if (llvm::StringRef hint = hintFor(text.front()); !hint.empty())
      report.hint(Diag::operator_hint, hint);
    return Token{Token::Kind::Faulty, text};
  }

  llvm::StringRef take(size_t count) {
    llvm::StringRef taken = rest.take_front(count);
    rest = rest.drop_front(count);
    return taken;
  }

  DiagnosticEngine &diagnostics;
  llvm::StringRef rest;
};

} // namespace

std::vector<Token> lex(DiagnosticEngine &diagnostics, llvm::StringRef text) {
  return Lexer(diagnostics, text).run();
}

std::string withSingleBlanks(llvm::StringRef text) {
  std::string result;
  while (!text.empty()) {
    llvm::StringRef next = skipBlanks(text);
    if (next.size() != text.size())
      result += ' ';
    text = next;
    if (text.empty())
      break;
    result += text.front();
    text = text.drop_front();
  }
  return result;
}

} // namespace stencilc
