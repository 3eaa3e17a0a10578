// LoopWork: what loops do, as far as C's syntax alone shows.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace stencilc::lift {

/// A loop of C, or a call that is handed a function for the body of its loops.
bool isLoop(const clang::Stmt &statement);
/// True of such a call.
bool handsLoopBody(const clang::Stmt &statement);
/// True of a function that is handed the body of its loops.
bool takesLoopBody(const clang::FunctionDecl &function);
/// True if the loop sets elements of arrays and reads such.
bool computes(const clang::Stmt &loop);
/// True if the loop stands around others that compute, and its turns name the same elements.
bool isOverTime(const clang::Stmt &loop);
/// The functions that compute and which the loop calls with the same arrays in each turn.
std::vector<const clang::FunctionDecl *> repeatedBy(const clang::Stmt &loop);

} // namespace stencilc::lift
