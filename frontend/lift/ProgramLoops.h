// ProgramLoops: what is lifted of `main`, as a function that can be called.
//
// Its text is the program's own: the loops as they stand, and before them what their variables are
// declared and set to. What the stencil is given, its arrays and params, the function takes as
// arguments in their place.
#pragma once

#include "frontend/lift/Prototype.h"
#include "frontend/lift/Reader.h"
#include "frontend/lift/Sweeps.h"

namespace stencilc::lift {

/// Sets `loops` and `arguments` of the prototype of `main`, or `whyNoLoops`.
void takeLoopsOut(Prototype &prototype, const clang::FunctionDecl &main,
                  const std::optional<Marked> &marked, const LoopTree &tree, const Grid &grid,
                  const clang::ASTContext &context);

} // namespace stencilc::lift
