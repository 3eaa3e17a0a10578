// Areas: the points that assignments make and read, as slices of the stencil's axes.
#pragma once

#include "frontend/lift/Sweeps.h"
#include "ir/stencil/Stencil.h"

namespace stencilc::lift {

/// The slice of the stencil's axis that a range of the source is; none if its ends are neither at a
/// fixed distance from an end of the axis nor from a whole param.
std::optional<Slice> sliceOf(const Range &range, const Polynomial &extent, const LoopTree &tree);

class Areas {
public:
  Areas(const LoopTree &tree, const Grid &grid) : tree(tree), grid(grid) {}

  /// False after a refusal.
  bool find(Refusals &refusals);
  /// What a sweep makes.
  const Area &of(unsigned sweep) const { return areas[sweep]; }
  /// What a sweep reads of an array.
  Area pointsOf(unsigned reader, const GridRead &read) const;
  Disjointness::Answer overlap(const Area &left, const Area &right) const {
    return disjointness(left, right, grid.rank, ranges).answer;
  }
  bool isDisjoint(const Area &left, const Area &right) const {
    return overlap(left, right) == Disjointness::Proven;
  }

private:
  void note(unsigned axis, const AxisBound &bound);

  const LoopTree &tree;
  const Grid &grid;
  std::vector<Area> areas;
  ParamRanges ranges;
};

} // namespace stencilc::lift
