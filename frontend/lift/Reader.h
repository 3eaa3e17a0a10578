// Reader: from Clang's syntax tree to a LoopTree.
//
// It runs the function once, with symbols for what is not known: every scalar variable holds the
// formula of its value, every pointer the place it points to, and every loop is walked once with a
// symbol for its variable. Functions and lambdas whose body is there are run where they are called.
// What cannot be followed so is refused at its place.
#pragma once

#include "frontend/lift/LoopTree.h"
#include "frontend/lift/Refusal.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace stencilc::lift {

/// The lines of a `#pragma scop` region, which alone is read.
struct Marked {
  clang::SourceLocation begin, end;
};

/// What `function` does, or none after a refusal. With `takesWeights`, small arrays of its own that
/// loops set before all others are numbers.
std::optional<LoopTree> read(clang::ASTContext &context, const clang::FunctionDecl &function,
                             std::optional<Marked> marked, bool takesWeights, Refusals &refusals);

} // namespace stencilc::lift
