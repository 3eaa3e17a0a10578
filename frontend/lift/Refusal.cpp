#include "frontend/lift/Refusal.h"

#include <utility>

namespace stencilc::lift {

std::nullopt_t Refusals::refuse(clang::SourceLocation where, const llvm::Twine &seen,
                                const llvm::Twine &wayOut) {
  if (std::exchange(hasRefused, true) || trials > 0)
    return std::nullopt;
  engine.Report(where, engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << seen.str();
  if (const std::string note = wayOut.str(); !note.empty())
    engine.Report(where, engine.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0")) << note;
  return std::nullopt;
}

} // namespace stencilc::lift
