// SourceFile: the text of a .stn file.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace stencilc {

/// A longer text is a mistake; it is not even read.
constexpr size_t kMaxSourceBytes = size_t(1) << 20;

/// Makes every end of a line, as any system writes it, end with a newline; columns stay.
void endLinesAlike(std::string &text);

/// Reads a file, or standard input for "-", whose lines then end alike.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readSource(const std::string &path);

} // namespace stencilc
