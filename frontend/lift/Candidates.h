// Candidates: which function of a file is meant, where nobody names one.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace stencilc::lift {

/// A function with a body in the main file.
struct Candidate {
  /// What its loops do, from little to much.
  enum class Work {
    None,
    Sets,     ///< numbers, of nothing that an array holds
    Computes, ///< elements of arrays of others
    Steps,    ///< so again and again: over time
  };
  const clang::FunctionDecl *function;
  Work work = Work::None;
  /// It is handed the body of its loops: whoever calls it has them.
  bool takesBody = false;
  bool stepsItself = false; ///< the loop over time stands around loops of its own
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> calls = {};
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> repeated = {}; ///< by a loop over time

  bool hasCalled(const Candidate &other) const {
    return calls.contains(other.function->getCanonicalDecl());
  }
};

struct Candidates {
  std::vector<Candidate> functions;
  const clang::FunctionDecl *pattern = nullptr; ///< a function template
};

Candidates candidatesIn(clang::ASTContext &context);

/// The functions that may be meant: one where that is clear. What computes comes before what only
/// fills arrays, and of what a program calls, what has a loop over time before the rest. `main` is
/// meant where it does more than all others.
std::vector<const clang::FunctionDecl *> meantOf(const Candidates &candidates);

} // namespace stencilc::lift
