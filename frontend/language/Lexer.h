// Lexer: source text to tokens. Comments (`//` or `#` to the end of the line) and blanks vanish.
#pragma once

#include "frontend/language/Diagnostics.h"

namespace stencilc {

struct Token {
  enum class Kind { Name, Integer, Number, Symbol, Faulty, End };
  Kind kind;
  llvm::StringRef text; ///< a slice of the source; empty at the End

  bool is(llvm::StringRef symbolOrWord) const {
    return (kind == Kind::Symbol || kind == Kind::Name) && text == symbolOrWord;
  }
  llvm::SMRange range() const {
    return {llvm::SMLoc::getFromPointer(text.begin()), llvm::SMLoc::getFromPointer(text.end())};
  }
};

/// The letters that C promises to tell apart in a name.
constexpr size_t kMaxNameLength = 63;

/// All tokens of `text`, an End last. What is no token is reported and becomes a Faulty one.
std::vector<Token> lex(DiagnosticEngine &diagnostics, llvm::StringRef text);

/// `text` with each run of blanks and comments made one blank.
std::string withSingleBlanks(llvm::StringRef text);

} // namespace stencilc
