// Remarks: comments inside of a function, and what they speak of.
#pragma once

#include "frontend/lift/Refusal.h"

#include "clang/AST/Decl.h"
#include "clang/AST/RawCommentList.h"

#include <string>
#include <vector>

namespace stencilc::lift {

/// A comment of the source, without its signs. It speaks of what stands on its line, or else next
/// after it.
struct Remark {
  std::vector<std::string> lines;
  std::string variable; ///< that is set there; empty for an array
  unsigned line = 0;    ///< on which it is set
};

std::vector<std::string> linesOf(const clang::RawComment &comment, clang::ASTContext &context);
std::vector<Remark> remarksIn(const clang::FunctionDecl &function, clang::ASTContext &context);

/// The text of a stencil with the remarks before the lines that they speak of.
std::string withRemarks(llvm::StringRef text, llvm::ArrayRef<Remark> remarks);

} // namespace stencilc::lift
