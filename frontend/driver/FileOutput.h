// Writing files as one transaction: all of them are replaced, or none is.
//
// Every text is written to a temporary file beside its place; only when all are complete are they
// renamed, one directly after the other. If a rename fails, those before it are undone. A signal
// waits for the end; a crash removes the temporary files.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace stencilc {

struct OutputFile {
  std::string path; ///< "-" is standard output
  std::string text;
};

/// True for standard output and for what is neither a file nor a folder: a pipe, /dev/null. It is
/// written to directly, after all files are in place.
bool isWrittenDirectly(llvm::StringRef path);

/// Why the outputs cannot be written without loss: one would overwrite an input, or another output.
/// Empty if they can.
std::string findOverwritten(llvm::ArrayRef<std::string> outputs,
                            llvm::ArrayRef<std::string> inputs);

/// Writes every file. A symbolic link stays, and the file that it leads to is replaced.
llvm::Error writeFiles(llvm::ArrayRef<OutputFile> files);

} // namespace stencilc
