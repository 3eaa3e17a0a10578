// MinMax: min and max of the language: a NaN is ignored, -0 lies below +0.
#pragma once

#include <cmath>

// A namespace, since an axis of any name may stand between these and their calls.
namespace ieee754 {

template <class T> T minimumNumber(T left, T right) {
  if (std::isnan(left) || std::isnan(right))
    return std::isnan(left) ? right : left;
  if (left == right)
    return std::signbit(left) ? left : right;
  return left < right ? left : right;
}

template <class T> T maximumNumber(T left, T right) {
  if (std::isnan(left) || std::isnan(right))
    return std::isnan(left) ? right : left;
  if (left == right)
    return std::signbit(left) ? right : left;
  return left < right ? right : left;
}

} // namespace ieee754
