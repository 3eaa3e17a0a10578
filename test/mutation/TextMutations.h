// Mutations of printed text: mistakes that the printer could make with a right Program.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace stencilc::mutation {

struct TextMutation {
  llvm::StringRef kind;
  std::string name; ///< "line 58: here - 1 becomes here - 2"
  std::string text; ///< the whole file
};

/// Every single mutation of an emitted source file, in the order of the kinds, then of the text.
std::vector<TextMutation> textMutationsOf(llvm::StringRef source);

} // namespace stencilc::mutation
