// Writing files so that a failed run leaves the old ones alone.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace stencilc {

struct OutputFile {
  std::string path; ///< "-" is standard output
  std::string text;
};

/// Writes every file under a temporary name beside its own and renames them only when all are
/// complete. What is no regular file (a pipe, /dev/null) is written to directly.
llvm::Error writeFiles(llvm::ArrayRef<OutputFile> files);

} // namespace stencilc
