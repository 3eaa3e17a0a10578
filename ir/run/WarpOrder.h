// WarpOrder: the order in which the warps of a block take their turns. A right kernel gives the
// same values in every order.
#pragma once

#include <cstdint>

namespace stencilc {

struct WarpOrder {
  enum Kind { Ascending, Descending, Shuffled } kind = Ascending;
  uint64_t seed = 1; ///< of Shuffled, which draws a new order for each round of turns
};

} // namespace stencilc
