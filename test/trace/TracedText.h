// TracedText: unmodified emitted text, compiled so that it reports its accesses, and loaded.
//
// The flags are -O0 -fsanitize-coverage=edge,trace-loads,trace-stores. Without optimisation each
// access that the text spells out is made where it stands, from an instruction of its own; at -O1
// clang moves loads and copies rows in one call. Vectors are copied by memcpy, of which coverage
// knows nothing: the address sanitizer for kernels, all else of it left out, makes it a call.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"

#include <string>
#include <vector>

namespace stencilc::trace {

class TracedText {
public:
  /// Compiles files of a folder into one object, and removes the folder in the end. Ends the
  /// process with what the compiler says if it refuses.
  TracedText(std::string folder, const std::vector<std::string> &files);
  ~TracedText();
  TracedText(const TracedText &) = delete;
  TracedText &operator=(const TracedText &) = delete;

  void *symbol(const std::string &name) const;
  /// "heat.cu:41: `const double u_west = u[here - 1];`" for an address in an instruction.
  std::string lineOf(uintptr_t instruction);

private:
  std::string folder, object;
  void *library;
  llvm::symbolize::LLVMSymbolizer symbolizer;
};

/// Makes an empty folder for temporary files.
std::string emptyFolder();
void writeFile(const std::string &path, llvm::StringRef text);

} // namespace stencilc::trace
