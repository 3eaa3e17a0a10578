#include "frontend/language/Format.h"

#include "frontend/language/Lexer.h"
#include "frontend/language/Parser.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

namespace {

constexpr unsigned kIndent = 2;
/// How far a line goes in that goes on with a statement which gives no better place.
constexpr unsigned kContinue = 4;
constexpr unsigned kTab = 8;

/// A token or a comment, and where it stood.
struct Piece {
  Token token; ///< of a comment: its text alone
  bool isComment;
  unsigned column;   ///< from 0
  unsigned lineEnds; ///< between it and the piece before

  bool is(llvm::StringRef text) const { return !isComment && token.is(text); }
  bool isAny(llvm::ArrayRef<llvm::StringRef> texts) const {
    return llvm::any_of(texts, [&](llvm::StringRef text) { return is(text); });
  }
  bool isLineMark() const { return isComment && token.text.starts_with("#line"); }
};

/// All tokens of a text, and the comments between them.
class Pieces {
public:
  Pieces(llvm::StringRef text, llvm::ArrayRef<Token> tokens) {
    const char *at = text.begin();
    for (const Token &token : tokens) {
      readGap({at, size_t(token.text.begin() - at)});
      if (token.kind == Token::Kind::End)
        break;
      add(token, false);
      at = token.text.end();
    }
  }
  std::vector<Piece> pieces;

private:
  /// Blanks and comments.
  void readGap(llvm::StringRef gap) {
    while (!gap.empty()) {
      if (gap.consume_front("\n")) {
        ++lineEnds;
        column = 0;
      } else if (gap.consume_front("\t")) {
        column = (column / kTab + 1) * kTab;
      } else if (gap.starts_with("//") || gap.starts_with("#")) {
        llvm::StringRef comment = gap.take_until([](char c) { return c == '\n'; });
        gap = gap.drop_front(comment.size());
        add({Token::Kind::Symbol, comment.rtrim()}, true);
      } else {
        gap = gap.drop_front();
        ++column;
      }
    }
  }
  void add(const Token &token, bool isComment) {
    pieces.push_back({token, isComment, column, lineEnds});
    column += token.text.size();
    lineEnds = 0;
  }

  unsigned column = 0, lineEnds = 0;
};

/// Writes pieces one after the other, and knows what is open around the next one.
class Layout {
public:
  Layout(bool keepsLines, llvm::StringRef lineEnd) : keepsLines(keepsLines), lineEnd(lineEnd) {}

  void add(const Piece &piece) {
    const bool startsLine = out.empty() || piece.lineEnds > 0;
    if (!piece.isComment && !insideStatement() && !piece.is("}"))
      levels.push_back({0, lineIndent, kUnknown, kUnknown});
    if (startsLine) {
      endLine(piece);
      column = 0;
      startOfInput = piece.column;
      moveTo(piece.isComment ? startOfComment(piece) : startOfCode(piece));
      lineIndent = column;
    } else {
      moveTo(placeBehind(piece));
    }
    const unsigned begin = column;
    out += piece.token.text;
    column += piece.token.text.size();
    if (piece.isComment)
      comment = {piece.column, begin};
    else
      code(piece, begin);
    last = piece;
  }

  std::string take() {
    out += lineEnd;
    return std::move(out);
  }

private:
  static constexpr unsigned kUnknown = ~0u;

  /// What is open: a block `{`, a bracket, or (0) a statement.
  struct Level {
    char open;
    unsigned indent;           ///< of the line it starts on
    unsigned under;            ///< column for lines that go on with it
    unsigned home;             ///< of a statement: the same, for the next of a list
    unsigned tokens = 0;       ///< of a statement: so many up to here
    llvm::StringRef word = {}; ///< of a statement: its first
  };

  bool insideStatement() const { return !levels.empty() && levels.back().open != '{'; }
  unsigned blocks() const {
    return llvm::count_if(levels, [](const Level &level) { return level.open == '{'; });
  }

  // ---- lines

  void endLine(const Piece &next) {
    unsigned ends = next.lineEnds;
    const bool atEndOfBlock = next.is("}") || (last && last->is("{"));
    if (!keepsLines)
      ends = out.empty() ? 0 : std::min(ends, atEndOfBlock ? 1u : 2u);
    for (unsigned end = 0; end < ends; ++end)
      out += lineEnd;
    if (next.lineEnds != 1 || !next.isComment || next.isLineMark() || !last || !last->isComment)
      comment.reset();
  }

  /// The column for what goes on with the statement.
  unsigned continued() {
    Level &level = levels.back();
    if (level.under == kUnknown)
      level.under = level.indent + kContinue;
    return level.under;
  }

  unsigned startOfComment(const Piece &piece) {
    if (piece.isLineMark())
      return 0;
    if (comment && comment->before == piece.column)
      return comment->now;
    return insideStatement() ? continued() : blocks() * kIndent;
  }

  unsigned startOfCode(const Piece &piece) {
    if (piece.is("}"))
      return blocks() > 0 ? (blocks() - 1) * kIndent : 0;
    if (levels.back().open == 0 && levels.back().tokens == 0)
      return blocks() * kIndent;
    if (piece.isAny({")", "]"}))
      return levels.back().indent;
    const unsigned under = continued();
    const unsigned width = piece.token.text.size() + (isTight(piece) ? 0 : 1);
    return isOperator(piece) && !isUnary(piece) ? under - std::min(under, width) : under;
  }

  // ---- blanks within a line

  unsigned placeBehind(const Piece &piece) const {
    const unsigned gapBefore = piece.column - (last->column + unsigned(last->token.text.size()));
    const bool mayStandApart = piece.isComment || last->isAny({";", "}"});
    if (!mayStandApart)
      return column + (needsBlank(piece) ? 1 : 0);
    const unsigned least = column + (piece.isComment ? 2 : 1);
    return gapBefore < 2 ? least : std::max(least, lineIndent + (piece.column - startOfInput));
  }

  bool needsBlank(const Piece &piece) const {
    if (piece.is("}"))
      return !last->is("{");
    if (piece.is("{") || last->is("{"))
      return true;
    if (piece.isAny({",", ";", ")", "]", "'", "["}) || last->isAny({"(", "["}))
      return false;
    if (last->is(","))
      return true;
    if (lastIsUnary || levels.back().open == '[')
      return false;
    if (piece.is(":") || (levels.back().open == '(' && (piece.is("=") || last->isAny({"=", ":"}))))
      return false;
    if (isSide(piece) || (piece.is("(") && last->token.kind == Token::Kind::Name))
      return false;
    return !isTight(piece) && !isTight(*last);
  }

  static bool isTight(const Piece &piece) { return piece.isAny({"*", "/"}); }
  static bool isOperator(const Piece &piece) {
    return piece.isAny({"||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "!"});
  }
  /// `x-`, `y+`: no expression stands in a boundary but in parentheses.
  bool isSide(const Piece &piece) const {
    return levels.back().open == 0 && levels.back().word == "boundary" && piece.isAny({"+", "-"});
  }
  bool isUnary(const Piece &piece) const {
    return piece.isAny({"-", "!"}) && !isSide(piece) &&
           (isOperator(*lastCode) || lastCode->isAny({"(", "[", ",", "=", ":"}));
  }

  // ---- what is open

  void code(const Piece &piece, unsigned begin) {
    lastIsUnary = insideStatement() && lastCode && isUnary(piece);
    if (insideStatement())
      statement(piece, begin);
    else if (piece.is("}") && !levels.empty())
      levels.pop_back();
    lastCode = piece;
  }

  void statement(const Piece &piece, unsigned begin) {
    Level &level = levels.back();
    if (level.tokens == 0 && level.open == 0) {
      level.word = piece.token.text;
      level.indent = lineIndent;
      level.under = level.home = lineIndent + kContinue;
    } else if (level.under == kUnknown && !piece.isAny({")", "]"})) {
      level.under = begin;
      if (!lastCode->is("="))
        level.home = begin;
    }
    ++level.tokens;
    if (piece.isAny({"(", "["}))
      levels.push_back({piece.token.text.front(), lineIndent, kUnknown, kUnknown});
    else if (piece.isAny({")", "]"}))
      levels.pop_back();
    else if (level.open == 0)
      atStatement(level, piece);
  }

  /// Outside all brackets.
  void atStatement(Level &level, const Piece &piece) {
    const bool isDeclaration = llvm::is_contained({"field", "temp", "const", "param"}, level.word);
    if (piece.is(";"))
      levels.pop_back();
    else if (piece.is("{"))
      level.open = '{';
    else if (piece.is("=") || piece.is(":") || (isDeclaration && level.tokens == 2))
      level.under = kUnknown;
    else if (piece.is(","))
      level.under = level.home;
  }

  void moveTo(unsigned place) {
    out.append(place - column, ' ');
    column = place;
  }

  const bool keepsLines;
  const llvm::StringRef lineEnd;
  std::string out;
  unsigned column = 0;
  unsigned lineIndent = 0;   ///< of the line in the making
  unsigned startOfInput = 0; ///< the same, as it stood
  std::vector<Level> levels; ///< innermost last
  std::optional<Piece> last, lastCode;
  bool lastIsUnary = false;

  struct Comment {
    unsigned before, now; ///< columns
  };
  std::optional<Comment> comment; ///< of the line before, while nothing follows it but a comment
};

/// CR LF where the first line ends so.
llvm::StringRef lineEndOf(llvm::StringRef text) {
  const size_t end = text.find('\n');
  return end != llvm::StringRef::npos && text.take_front(end).ends_with("\r") ? "\r\n" : "\n";
}

} // namespace

std::optional<std::string> format(DiagnosticEngine &diagnostics) {
  if (!parseFile(diagnostics) || diagnostics.hasErrors())
    return std::nullopt;
  const llvm::StringRef text = diagnostics.text();
  const std::vector<Token> tokens = lex(diagnostics, text); // again, without a fault to report
  const std::vector<Piece> pieces = Pieces(text, tokens).pieces;
  Layout layout(llvm::any_of(pieces, [](const Piece &piece) { return piece.isLineMark(); }),
                lineEndOf(text));
  for (const Piece &piece : pieces)
    layout.add(piece);
  return layout.take();
}

} // namespace stencilc
