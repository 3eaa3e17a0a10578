// Understood: a function with all that was found out about it, and how:
//
//   C text -> syntax tree (Clang) -> LoopTree (Reader) -> one subscript an axis (Shapes)
//          -> Grid of sweeps (Sweeps) -> versions and stages (Order) -> Stencil (Build) -> .stn
#pragma once

#include "frontend/lift/Build.h"
#include "frontend/lift/Prototype.h"

namespace stencilc::lift {

struct Understood {
  Prototype prototype;
  LoopTree tree;
  Grid grid;
  Lifted lifted;
};

/// The function called that; without a name as Source.h chooses it. None after a refusal.
std::optional<Understood> understand(clang::ASTContext &context, llvm::StringRef function);

} // namespace stencilc::lift
