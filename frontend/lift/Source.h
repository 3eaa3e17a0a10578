// Source: finds what is to be lifted in a C file.
#pragma once

#include "frontend/lift/Reader.h"

namespace stencilc::lift {

/// The function to lift, and the marked region in it, if one is.
struct Chosen {
  const clang::FunctionDecl *function;
  std::optional<Marked> marked;
};

/// The function called `name`; without a name the one around the `#pragma scop`, or else the one
/// that Candidates.h finds to be meant. None after a refusal.
std::optional<Chosen> choose(clang::ASTContext &context, llvm::StringRef name, Refusals &refusals);

/// True if loops stand outside of any function: declarations and loops alone.
bool isFragment(llvm::StringRef text);

/// A fragment as a function, on the same lines: `variables` are what it uses and does not declare.
std::string wrapFragment(llvm::StringRef text, llvm::StringRef name,
                         llvm::ArrayRef<std::string> variables);

/// The name of the function that a fragment in `path` becomes.
std::string fragmentName(llvm::StringRef path);

} // namespace stencilc::lift
