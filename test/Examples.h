// The stencils of examples/, for unit tests and benchmarks. The folder comes from the build as
// STENCILC_EXAMPLES.
#pragma once

#include "frontend/language/Frontend.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace stencilc {

/// File names without folder, sorted.
inline std::vector<std::string> exampleNames() {
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(STENCILC_EXAMPLES, error), end; !error && file != end;
       file.increment(error))
    if (llvm::sys::path::extension(file->path()) == ".stn")
      names.push_back(llvm::sys::path::filename(file->path()).str());
  llvm::sort(names);
  return names;
}

inline Stencil stencilIn(const std::string &file, ScalarType real = ScalarType::F64) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    llvm::report_fatal_error(llvm::Twine("cannot read ") + file);
  DiagnosticEngine diagnostics(std::move(*buffer), llvm::errs());
  std::optional<Stencil> stencil = analyse(diagnostics, {real, {}});
  if (!stencil)
    llvm::report_fatal_error(llvm::Twine("refused: ") + file);
  return *stencil;
}

inline Stencil example(const std::string &name, ScalarType real = ScalarType::F64) {
  return stencilIn(std::string(STENCILC_EXAMPLES "/") + name, real);
}

} // namespace stencilc
