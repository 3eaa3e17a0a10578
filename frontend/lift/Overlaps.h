// Overlaps: points that a step sets twice, and how each comes to be made once.
#pragma once

#include "frontend/lift/Areas.h"

namespace stencilc::lift {

/// Where the points of a sweep are to be cut in parts: along an axis, at places that ascend.
/// Without places all of it is left out.
struct Cut {
  unsigned sweep, axis;
  llvm::SmallVector<Polynomial, 2> places;
};
/// A sweep that does the work of two.
struct Join {
  unsigned earlier, later;
  Sweep result;
  std::vector<std::string> assumptions;
};
using Change = std::variant<Cut, Join>;

void apply(Grid &grid, const Change &change);

/// The ends of `other`, moved, that are inside of `range`. An end that depends on params is taken
/// to be inside if it is on one side.
llvm::SmallVector<Polynomial, 2> placesInside(const Range &range, const Range &other,
                                              int64_t offset);

class Overlaps {
public:
  Overlaps(const LoopTree &tree, const Grid &grid, const Areas &areas, Refusals &refusals)
      : tree(tree), grid(grid), areas(areas), refusals(refusals) {}

  /// No sweep makes points of another. If one does, a change is wanted after which less do, or it
  /// is refused.
  bool areApart();
  const std::optional<Change> &change() const { return wanted; }

private:
  bool areApart(unsigned writer, unsigned other);
  std::optional<bool> areTurned(unsigned earlier, unsigned later) const;
  bool isSeenBetween(unsigned earlier, unsigned later) const;
  std::optional<std::vector<Formula>> conditions(const Sweep &first, const Sweep &second,
                                                 unsigned axis, Join &join) const;
  bool setWithin(unsigned earlier, unsigned later);
  bool mayLeaveOut(const Range &whole, const Range &part, unsigned axis) const;
  bool setAnew(unsigned earlier, unsigned later);

  const LoopTree &tree;
  const Grid &grid;
  const Areas &areas;
  Refusals &refusals;
  std::optional<Change> wanted;
};

} // namespace stencilc::lift
