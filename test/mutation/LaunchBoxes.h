// LaunchBoxes: the boxes of launches on grids of many sizes, to tell mutated launches that do the
// same from others.
#pragma once

#include "ir/kernel/Program.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc::mutation {

/// A launch's box in some runs, and its blocks where none is moved to a memory line.
struct LaunchBox {
  std::array<int64_t, kMaxRank> begin = {}, end = {}, blocks = {};
  bool isEmpty = false;
  bool operator==(const LaunchBox &) const = default;
};
LaunchBox launchBoxOf(const Launch &launch, const RunNumbers &numbers);

/// Tries extents around all the widths, blocks and chunks of the subjects, in all combinations, and
/// params everywhere on each grid: the bounds of boxes are sums, minima and maxima of extents,
/// params and small constants.
bool forAllRuns(const Signature &signature, llvm::function_ref<bool(const RunNumbers &)> holds);

} // namespace stencilc::mutation
