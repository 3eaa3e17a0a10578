// The verifier's rule `cover`: where a kernel has its blocks stand.
//
// Along each axis that a launch covers with more than one block, every use of the block's number in
// the kernel's indices is `first + block * points`: `first` the integer argument that the launch
// gives the cover's first point, `points` the cover's own number. So what a launch counts blocks by
// is what they advance by.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// An index that holds the block's number along a dimension as first + block * points.
struct BlockUse {
  std::optional<unsigned> first; ///< number in Kernel::integers; none: it holds something else
  int64_t points = 0;
};
/// Per dimension, each kind once.
using BlockUses = std::array<std::vector<BlockUse>, kMaxRank>;
BlockUses blockUses(const Kernel &kernel);

} // namespace stencilc
