// Su2015Footprint: what a block loads of one array, in the shapes that [su2015] gives it.
//
// Counted from the boxes of an interior block, in elements. x, y and z are dimensions 0, 1 and 2;
// along an axis that the stencil or the array lacks there is one point without halo. Halo widths
// are those of both sides together, as the paper's are.
#pragma once

#include "costmodel/count/Counts.h"

namespace stencilc {

struct Su2015Footprint {
  /// Along x, y and z.
  using Sizes = std::array<int64_t, 3>;
  using Span = std::array<Interval, 3>;

  /// `block` and `grid` are points: those that a block advances, which are fewer than it covers
  /// where the grid is narrower, and all that are updated.
  Su2015Footprint(const ArrayCounts &array, const LaunchCounts &launch, const Sizes &block,
                  const Sizes &grid);

  const ArrayCounts &array;
  Sizes block = {1, 1, 1}, grid = {1, 1, 1};
  Sizes below = {}, above = {}; ///< points loaded before the block's first and after its last

  int64_t haloWidth(unsigned dimension) const { return below[dimension] + above[dimension]; }

  /// (6) and (16): the block's points and a halo on its six faces, in lines at the ends of rows.
  int64_t faces(int64_t lineBytes) const;
  /// Every row touched, with lines at those ends where it leaves the block: the same for a star,
  /// and more for what reaches across edges.
  int64_t rows(int64_t lineBytes) const;
  /// (12): `width` points per dimension and their halo, in lines at the ends of rows.
  int64_t group(const Sizes &width, int64_t lineBytes) const;

private:
  int64_t inLines(int64_t points, int64_t lineBytes) const;

  std::vector<Span> boxes; ///< counted from the block's first point
};

} // namespace stencilc
