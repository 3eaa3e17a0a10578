// DataRange: what a formula of whole numbers may be worth.
//
// Arrays of whole numbers are held as float or double, which are exact as far as their numbers are
// small enough. How large those of a formula may become follows from what the arrays may hold.
#pragma once

#include "frontend/lift/LoopTree.h"

namespace stencilc::lift {

/// So far each whole number has a float or double of its own.
inline constexpr double kMostInFloat = 0x1p24, kMostInDouble = 0x1p53;

struct DataRange {
  double least, most;
  bool mayBeMinusZero; ///< which no whole number is
  bool isWithin(double from, double to) const { return least >= from && most <= to; }
};

DataRange rangeOf(const Formula &formula, const LoopTree &tree);

} // namespace stencilc::lift
