// Where updates are made: areas of points for all extents at once, and which of them must have no
// point in common.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

struct StencilAreas {
  /// [stage][update]: its region, less the points where it would read beyond a `fixed` array or a
  /// point of a temp that is not made; ghost points that later stages read, if a temp has them.
  std::vector<std::vector<Area>> updates;
  /// Per array: of a temp, all points that are made; none if they are not one area for all extents.
  std::vector<std::optional<Area>> temps;
  std::vector<Area> reductions;
  /// By axis: the extent from which on what is made of each temp is that area.
  std::array<int64_t, kMaxRank> least = {};
};
StencilAreas areasOf(const Stencil &stencil);

/// One area of all, or none if they are more; `least` is raised, by axis, to the extents from which
/// on they are that.
std::optional<Area> joinedAll(std::vector<Area> areas, unsigned rank,
                              std::array<int64_t, kMaxRank> &least);

/// Two areas that the meaning of the language keeps apart: two updates of one array in a step, or
/// what a read of u' hits and an update of u that is not made yet.
struct Separation {
  Area left, right;
  SourcePosition position;
  std::string what;    ///< "two updates of `u` make the same points": what is wrong if they meet
  unsigned array;      ///< that is made
  bool isRead;         ///< `left` is what a read hits
  SourcePosition made; ///< of the update that makes `right`, or of the first of two
};
/// All that have to be looked at: none in a stencil that makes each array once.
std::vector<Separation> separations(const Stencil &stencil, const StencilAreas &areas);

/// The least extent allowed along `axis`, 0 if all are: the largest offset of a single access
/// through a `periodic` or `symmetric` boundary, one more of a `reflect`, and what keeps the
/// regions of updates apart.
int64_t minimumExtent(const Stencil &stencil, unsigned axis);

/// What the bounds of all regions say about each `param int`.
ParamRanges paramRanges(const Stencil &stencil);

} // namespace stencilc
