// LiftedText: the `.stn` text of what was lifted.
#pragma once

#include "frontend/lift/Build.h"

namespace stencilc::lift {

/// The stencil behind a comment that says where it comes from and what is assumed. Lines of the
/// text say which line of `path` they come from.
std::string lift(const Lifted &lifted, llvm::StringRef function, llvm::StringRef path);

/// Why the text does not mean the stencil any more; empty if it does.
std::string whyDifferent(const std::string &text, const Stencil &stencil);

} // namespace stencilc::lift
