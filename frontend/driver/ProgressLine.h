// ProgressLine: work under way, as a line on the terminal that changes; nothing where there is
// none.
#pragma once

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace stencilc {

/// An empty text leaves an empty line.
inline void showProgress(const std::string &text) {
  if (llvm::errs().is_displayed())
    llvm::errs() << "\r\033[K" << (text.empty() ? "" : "stencilc: ") << text;
}

} // namespace stencilc
