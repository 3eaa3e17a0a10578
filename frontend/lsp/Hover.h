// Hover: what is said of the thing at a place, in Markdown.
#pragma once

#include "frontend/lsp/Analysis.h"

namespace stencilc::lsp {

struct Hover {
  llvm::StringRef about; ///< a slice of the analysed text
  std::string text;
};

/// Of an access its meaning, of a name its declaration, of a word of the language what it says, of
/// the stencil's name what a step costs, which takes as long as the choice of a schedule.
std::optional<Hover> hoverAt(const Analysis &analysis, size_t offset);

} // namespace stencilc::lsp
