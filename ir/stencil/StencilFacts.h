// What follows from a Stencil alone: reach, halo widths, frames, counts per point.
//
// All numbers are counted from the formulas' distinct reads; nothing is declared twice.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// Non-negative widths in points, [axis][side].
using Widths = std::array<std::array<int, 2>, kMaxRank>;

/// How far the reads of `array` (any level, any update) go beyond the point.
Widths reach(const Stencil &stencil, unsigned array);

/// Ghost points of `array` beyond its extents: its reach on sides with boundary `halo`, else 0.
Widths ghostWidths(const Stencil &stencil, unsigned array);

/// Points at each end where `update` is not made, because a read would leave a `fixed` array.
Widths frame(const Stencil &stencil, const Update &update);

/// The least extent allowed along `axis`: the largest offset of a single access through a
/// `periodic` boundary (0 where there is none).
int minimumExtent(const Stencil &stencil, unsigned axis);

/// True if some formula reads `field[t-1]`.
bool readsPrevious(const Stencil &stencil, unsigned field);

/// True if the caller must supply a second buffer for the new level: unless every read of the
/// field's oldest level is in an earlier stage than the one that makes the new value, or in that
/// stage at the point itself.
bool needsNextBuffer(const Stencil &stencil, unsigned field);

/// Counts for one updated point of the whole step.
struct PointCounts {
  unsigned loads = 0;  ///< distinct reads (array, level, offset), summed over updates
  unsigned stores = 0; ///< updates
  /// Distinct + - * / and functions on numbers that depend on a read, each as one. What is one
  /// number per run counts nothing, nor do a change of sign, comparisons and `where`.
  unsigned flops = 0;
  /// Bytes that must move when each old level that is read is read once and each new level is
  /// written once. Arrays with fewer axes than the stencil count nothing.
  unsigned compulsoryBytes = 0;
};
PointCounts countPoint(const Stencil &stencil);

} // namespace stencilc
