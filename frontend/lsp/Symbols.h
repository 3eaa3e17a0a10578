// Symbols: every name of a file, where it is declared and where it is used, by the language's rules
// of scope. It follows from the tree alone, so that it is there while the meaning has faults.
#pragma once

#include "frontend/language/Ast.h"

#include <string>
#include <vector>

namespace stencilc::lsp {

enum class SymbolKind {
  Stencil,
  Axis,
  Field,
  Temp,
  Const,
  Param,
  Let,
  Function,
  Parameter, ///< of a function
  Index,     ///< of a `sum`
  Reduction
};
/// "a field", "an index of a sum", ...
llvm::StringRef describe(SymbolKind kind);

struct SymbolInfo {
  SymbolKind kind;
  llvm::StringRef name;  ///< where it is declared
  std::string text;      ///< what declares it, in one line: "param real k = 0.1"
  llvm::StringRef scope; ///< where it is known, if not everywhere
};

/// A name in the text.
struct Occurrence {
  llvm::StringRef name;
  unsigned symbol; ///< number in Symbols::all
  bool isDeclaration = false;
};

/// A read or a call in a formula.
struct ReadPlace {
  llvm::StringRef text;
  const ast::Access *access;
};
struct CallPlace {
  llvm::StringRef function;
  std::optional<unsigned> symbol; ///< none: a function of the language
};

struct Symbols {
  std::vector<SymbolInfo> all;
  std::vector<Occurrence> occurrences; ///< in the order of the text
  std::vector<ReadPlace> reads;
  std::vector<CallPlace> calls;

  /// The name that holds `place`, or ends there.
  const Occurrence *at(const char *place) const;
};

/// Points into the tree and into its text.
Symbols findSymbols(const ast::File &file);

} // namespace stencilc::lsp
