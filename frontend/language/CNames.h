// CNames: which names C, C++ and CUDA keep for themselves, so that no output could use them.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace stencilc {

/// What `name` is already ("a keyword of C or C++"); empty if it is free.
llvm::StringRef keptAs(llvm::StringRef name);

/// A name like `name` that is free.
std::string freeName(llvm::StringRef name);

} // namespace stencilc
