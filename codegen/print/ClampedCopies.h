// ClampedCopies: branches that send a piece of a row to a tile, at once where all of it is there
// and each element clamped to the ends otherwise, which are calls of a function.
#pragma once

#include "ir/kernel/Kernel.h"

#include <optional>

namespace stencilc {

/// What such a branch sends.
struct ClampedCopy {
  CopyAsync row;     ///< where all of it is there
  Index column;      ///< of the first element
  Index first, last; ///< elements beyond these are those there
};

/// Nothing if a side does anything else.
std::optional<ClampedCopy> clampedCopy(const If &branch);

} // namespace stencilc
