// Completion: what may be written at a place.
#pragma once

#include "frontend/lsp/Analysis.h"

namespace stencilc::lsp {

struct Proposal {
  enum class Kind { Keyword, Array, Number, Formula, Function, Axis };
  Kind kind;
  std::string label;
  std::string detail; ///< how it is declared, or written
  std::string text;   ///< what it says
};

/// `known`: the names of the last state of the text that could be read, for those in which a
/// bracket is still open.
std::vector<Proposal> proposalsAt(const Analysis &analysis, size_t offset,
                                  llvm::ArrayRef<SymbolInfo> known);

} // namespace stencilc::lsp
