// UnrolledRange: the turns of a loop that is unrolled as written, between constants.
#pragma once

#include "ir/kernel/Kernel.h"

#include <optional>

namespace stencilc {

struct UnrolledRange {
  int64_t begin, end, step;
};
/// Nothing of other loops.
std::optional<UnrolledRange> rangeOf(const For &loop);
/// How many turns these are, or 1.
int64_t unrolledTripCount(const For &loop);

} // namespace stencilc
