// From source text to Stencil: Lexer, Parser, Sema behind one door.
#pragma once

#include "frontend/language/Diagnostics.h"
#include "ir/stencil/Stencil.h"

namespace stencilc {

namespace ast {
struct File;
}

struct FrontendOptions {
  ScalarType real = ScalarType::F64; ///< what the type `real` means (--real=)
  std::string name = {};             ///< in place of the stencil's own (--name=), if not empty
  /// New defaults for params, as written after -D: name and value text ("0.25", "-1e-3", "1/3").
  std::vector<std::pair<std::string, std::string>> defines = {};
};

/// Parses the buffer that `diagnostics` was made for and gives it its meaning. None if an error was
/// reported. With `printAst` set, the parsed file is also printed there (--emit=ast), as a .stn
/// text that parses to the same tree.
std::optional<Stencil> analyse(DiagnosticEngine &diagnostics, const FrontendOptions &options,
                               llvm::raw_ostream *printAst = nullptr);

/// The second half alone, of a file that parseFile has read from the buffer.
std::optional<Stencil> analyse(DiagnosticEngine &diagnostics, const FrontendOptions &options,
                               const ast::File &file);

} // namespace stencilc
