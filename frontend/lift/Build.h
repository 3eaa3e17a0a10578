// Build: the Stencil, from sweeps whose order is known.
//
// Names are those of the source where the language takes them. An array that a step only passes on
// to later statements becomes a temp, or vanishes into them.
#pragma once

#include "frontend/lift/Order.h"
#include "frontend/lift/Remarks.h"

namespace stencilc::lift {

/// How the arrays and params of the Stencil are found in C, for the wrapper.
struct Binding {
  std::vector<unsigned> arrays;     ///< numbers in Grid::arrays, by array of the Stencil
  std::vector<std::string> params;  ///< C expressions, by param of the Stencil
  std::vector<unsigned> reductions; ///< numbers in LoopTree::reductions, by those of the Stencil
};

struct Lifted {
  Stencil stencil;
  Binding binding;
  std::vector<std::string> comment = {}; ///< that stands before the function, line by line
  std::vector<Remark> remarks = {};      ///< that stand inside of it
  std::vector<std::string> assumptions;  ///< what was not proven, a sentence each
};

/// `lineOf`: the line in the source, for positions.
std::optional<Lifted> build(const LoopTree &tree, const Grid &grid, const Order &order,
                            Refusals &refusals,
                            llvm::function_ref<SourcePosition(clang::SourceLocation)> positionOf);

} // namespace stencilc::lift
