// The words of the language that no stencil may use as a name.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace stencilc {

/// Every function of the language.
llvm::ArrayRef<llvm::StringRef> functionNames();

/// Keywords, kinds, functions, and words kept for what the language may still learn.
bool isReservedWord(llvm::StringRef text);

} // namespace stencilc
