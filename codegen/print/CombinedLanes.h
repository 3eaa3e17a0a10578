// CombinedLanes: statements that make one number of those of all lanes, which are a call of a
// function.
#pragma once

#include "ir/kernel/LaneTree.h"

namespace stencilc {

struct CombinedLanes {
  LaneTree tree;
  size_t statements; ///< in place of so many
};

/// What the first of the statements do, if that is all a tree does of more lanes than a warp has.
std::optional<CombinedLanes> combinedLanes(llvm::ArrayRef<Statement> statements,
                                           const Kernel &kernel);

} // namespace stencilc
