// Sourced: a value beside where it comes from, and what a number may be.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cmath>
#include <string>

namespace stencilc {

/// A number or word and where it comes from; reads as the value.
template <class T> struct Sourced {
  T value{};
  std::string source;

  operator T() const { return value; }
  /// Whether it was measured or published for the very thing that it is said of.
  bool calibrated() const { return !llvm::StringRef(source).starts_with("uncalibrated: "); }
};

/// A value of a file by its place: `norm` of `geometric`. What stands above the sections has "".
struct SourcedValue {
  std::string section, key;
  bool calibrated;
};

/// From the least to the most that a number can be: beyond what any device has, and near enough
/// that sums and products of such numbers stay finite.
struct ValueRange {
  double least, most;
};
/// Of words.
inline constexpr ValueRange kAny = {-INFINITY, INFINITY};

} // namespace stencilc
