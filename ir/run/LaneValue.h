// LaneValue: a value of any type in the double that a lane of the interpreter has for it: of an
// Int, its 64 bits.
#pragma once

#include "ir/stencil/Scalar.h"

#include <bit>

namespace stencilc {

inline double toLane(ScalarType type, ScalarValue value) {
  return type == ScalarType::Int ? std::bit_cast<double>(value.whole) : value.number;
}
inline ScalarValue fromLane(ScalarType type, double lane) {
  if (type == ScalarType::Int)
    return {.whole = std::bit_cast<int64_t>(lane)};
  return {.number = lane};
}

} // namespace stencilc
