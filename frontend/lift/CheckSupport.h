// CheckSupport: C++ functions that every comparison of a function with its stencil calls.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace stencilc::lift {

/// `random_number` and `random_array`; `differ` for arrays; `agree` for numbers over all points.
llvm::StringRef comparingText();
/// Pointers of any type, and arrays and numbers put into objects, for originals in C++.
llvm::StringRef membersText();

} // namespace stencilc::lift
