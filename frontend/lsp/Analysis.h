// Analysis: all that is known of one state of a text.
#pragma once

#include "frontend/language/Frontend.h"
#include "frontend/language/Lexer.h"
#include "frontend/lsp/Symbols.h"
#include "frontend/lsp/Text.h"

#include <memory>

namespace stencilc::lsp {

struct Message {
  Severity severity;
  llvm::StringRef name; ///< of Diagnostics.def
  std::string text;
  std::optional<Span> place;  ///< none: the text as a whole
  std::vector<Message> notes; ///< one without a place is a way out
};

/// Pointers of tree and symbols lead into its own copy of the text, where offsets are the same.
class Analysis {
public:
  /// `name` is what messages and the stencil call the file.
  Analysis(llvm::StringRef text, llvm::StringRef name);

  llvm::ArrayRef<Message> messages() const { return found; }
  unsigned errorCount() const;
  const ast::File *file() const { return tree ? &*tree : nullptr; }
  const Stencil *stencil() const { return meaning ? &*meaning : nullptr; }
  const Symbols &symbols() const { return names; }
  llvm::ArrayRef<Token> tokens() const { return words; }
  llvm::StringRef text() const { return source; }

  Span spanOf(llvm::StringRef slice) const {
    return {size_t(slice.begin() - source.begin()), size_t(slice.end() - source.begin())};
  }
  const char *at(size_t offset) const { return source.begin() + offset; }

private:
  void add(Severity severity, const DiagnosticEngine::Message &message,
           llvm::ArrayRef<DiagnosticEngine::Message> notes);
  Message made(Severity severity, const DiagnosticEngine::Message &message) const;

  std::vector<Message> found;
  std::unique_ptr<DiagnosticEngine> engine; ///< holds the text
  llvm::StringRef source;
  std::vector<Token> words;
  std::optional<ast::File> tree;
  std::optional<Stencil> meaning;
  Symbols names;
};

} // namespace stencilc::lsp
