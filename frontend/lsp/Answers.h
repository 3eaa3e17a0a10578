// Answers: what is known of a text as the protocol's JSON. Nothing here keeps a state.
#pragma once

#include "frontend/lsp/Analysis.h"

#include "llvm/Support/JSON.h"

namespace stencilc::lsp {

/// A text, what is known of it, and the address that the editor gave it.
struct View {
  const Text &text;
  const Analysis &analysis;
  llvm::StringRef uri;

  size_t offsetOf(Position position) const { return text.offsetOf(position); }
  llvm::json::Value range(Span span) const;
  llvm::json::Value range(llvm::StringRef slice) const { return range(analysis.spanOf(slice)); }
};

llvm::json::Array diagnosticsOf(const View &view);
llvm::json::Value hover(const View &view, Position position);
llvm::json::Value definition(const View &view, Position position);
llvm::json::Value references(const View &view, Position position, bool withDeclaration);
llvm::json::Value highlights(const View &view, Position position);
llvm::json::Value completion(const View &view, Position position, llvm::ArrayRef<SymbolInfo> known);
llvm::json::Value outline(const View &view);

/// The kinds of names, and what is said of them besides, by their numbers in `semanticTokens`.
llvm::json::Value semanticLegend();
llvm::json::Value semanticTokens(const View &view);

/// One edit, of what differs; null while the form of the text is wrong.
llvm::json::Value formatting(const View &view);

/// The name at a place that may be renamed, or null.
llvm::json::Value prepareRename(const View &view, Position position);
/// Fails where the text would mean something else with the new name.
llvm::Expected<llvm::json::Value> rename(const View &view, Position position,
                                         llvm::StringRef newName);

} // namespace stencilc::lsp
