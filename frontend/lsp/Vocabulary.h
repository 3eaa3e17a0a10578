// Vocabulary: the words of the language, each with what it says, for hover and completion.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace stencilc::lsp {

struct Word {
  enum class Kind { Item, Type, Boundary, Function };
  Kind kind;
  llvm::StringRef name;
  llvm::StringRef form; ///< how it is written
  llvm::StringRef text;
};

/// All of them, but those that the language keeps for later.
llvm::ArrayRef<Word> vocabulary();
const Word *findWord(llvm::StringRef name);

} // namespace stencilc::lsp
