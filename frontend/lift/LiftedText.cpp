#include "frontend/lift/LiftedText.h"

#include "frontend/language/Frontend.h"
#include "ir/stencil/StencilSource.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace stencilc::lift {

std::string lift(const Lifted &lifted, llvm::StringRef function, llvm::StringRef path) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "// " << function << " of " << llvm::sys::path::filename(path) << ", one step of it.\n";
  for (const std::string &line : lifted.comment)
    out << "// " << line << "\n";
  if (!lifted.assumptions.empty()) {
    out << "// Taken for granted:\n";
    for (const std::string &assumption : lifted.assumptions)
      out << "// - " << assumption << "\n";
  }
  std::string stencil;
  llvm::raw_string_ostream stencilOut(stencil);
  printSource(stencilOut, lifted.stencil, path);
  return text + withRemarks(stencil, lifted.remarks);
}

std::string whyDifferent(const std::string &text, const Stencil &stencil) {
  std::string messages;
  llvm::raw_string_ostream out(messages);
  DiagnosticEngine diagnostics(llvm::MemoryBuffer::getMemBufferCopy(text, "lifted.stn"), out);
  const std::optional<Stencil> parsed = analyse(diagnostics, {});
  if (!parsed)
    return messages;
  return difference(*parsed, stencil).value_or("");
}

} // namespace stencilc::lift
