// Edits: texts that take the place of others in the file that is lifted, for a check.
#pragma once

#include "frontend/lift/Prototype.h"

namespace stencilc::lift {

/// What ends a loop over time, as edits of the file; none if one of them is made by a macro or
/// stands in another file.
std::vector<Edit> editsOf(llvm::ArrayRef<Ending> endings, const clang::ASTContext &context);

/// A text that begins at the `start`th letter of the file, with the edits that lie in it.
std::string edited(llvm::StringRef text, unsigned start, std::vector<Edit> edits);
/// Likewise a part of the file, or of another one.
std::string edited(clang::CharSourceRange part, llvm::ArrayRef<Edit> edits,
                   const clang::ASTContext &context);

} // namespace stencilc::lift
