// A Stencil as a .stn text that means the same.
//
// For a stencil of the language as the parser knows it, parsing the text gives the stencil again
// (`difference` of Stencil.h finds none). Only sums of some thousand terms come out nested more
// deeply than the parser takes.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// With a `file`, lines say which line of it the updates come from.
void printSource(llvm::raw_ostream &out, const Stencil &stencil, llvm::StringRef file = "");

} // namespace stencilc
