// SourceFile: the text of a .stn file.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace stencilc {

/// A longer text is a mistake; it is not even read.
constexpr size_t kMaxSourceBytes = size_t(1) << 20;

/// Reads a file, or standard input for "-". Every end of a line, as any system writes it, ends with
/// a newline afterwards; columns stay.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readSource(const std::string &path);

} // namespace stencilc
