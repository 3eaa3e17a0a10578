#include "frontend/lift/Areas.h"
#include "frontend/language/Parser.h"

#include <cstdlib>

namespace stencilc::lift {

static std::optional<AxisBound> boundOf(const Polynomial &place, const Polynomial &extent,
                                        const LoopTree &tree) {
  const auto fromStartOf = place.number();
  const auto fromEndOf = distance(place, extent);
  // Of an extent that is a number, the nearer end counts.
  if (fromStartOf && *fromStartOf >= 0 && (!fromEndOf || *fromStartOf <= -*fromEndOf))
    return fromStart(*fromStartOf);
  if (fromEndOf && *fromEndOf <= 0)
    return fromEnd(*fromEndOf);
  const auto rest = difference(place, place.constantTerm());
  const auto symbol = rest ? rest->symbol() : std::nullopt;
  if (symbol && tree.symbols[*symbol].kind == SymbolInfo::Kind::Param)
    return fromParam(*symbol, place.constantTerm());
  return std::nullopt;
}

std::optional<Slice> sliceOf(const Range &range, const Polynomial &extent, const LoopTree &tree) {
  const auto from = boundOf(range.from, extent, tree), to = boundOf(range.to, extent, tree);
  if (!from || !to)
    return std::nullopt;
  return Slice{*from, *to};
}

bool Areas::find(Refusals &refusals) {
  for (const Sweep &sweep : grid.sweeps) {
    Area area;
    for (unsigned axis = 0; axis < grid.rank; ++axis) {
      const auto slice = sliceOf(sweep.region[axis], grid.extents[axis], tree);
      if (!slice)
        return refusals.refuse(tree.assignments[sweep.assignment].where,
                               "along `" + grid.axes[axis] + "` the points from " +
                                   tree.text(sweep.region[axis].from) + " to " +
                                   tree.text(sweep.region[axis].to) +
                                   " are made: that is no fixed distance from an end of the " +
                                   tree.text(grid.extents[axis]) + " points there",
                               "bounds are the extent or one whole param, with a number added or "
                               "taken away"),
               false;
      area[axis] = AxisSpan::of(*slice);
      for (const AxisBound &bound : {slice->from, slice->to}) {
        if (std::abs(bound.offset) > kMaxInteger)
          return refusals.refuse(tree.assignments[sweep.assignment].where,
                                 "along `" + grid.axes[axis] + "` points " +
                                     std::to_string(std::abs(bound.offset)) +
                                     " from an end are made: " + std::to_string(kMaxInteger) +
                                     " are the most"),
                 false;
        note(axis, bound);
      }
    }
    areas.push_back(area);
    for (const auto &[_, read] : sweep.reads)
      for (unsigned axis = 0; axis < grid.rank; ++axis)
        if (const auto slice = sliceOf(read.points[axis], grid.extents[axis], tree))
          for (const AxisBound &bound : {slice->from, slice->to})
            note(axis, bound);
  }
  return true;
}

/// A param that bounds a region is on the grid, or one past it.
void Areas::note(unsigned axis, const AxisBound &bound) {
  if (bound.base != AxisBound::Base::Param)
    return;
  const ParamRange here{bound.offset, bound.offset};
  ParamRange &range = ranges.try_emplace({axis, bound.param}, here).first->second;
  range.least = std::min(range.least, bound.offset);
  range.most = std::max(range.most, bound.offset);
}

Area Areas::pointsOf(unsigned reader, const GridRead &read) const {
  Area points;
  for (unsigned axis = 0; axis < grid.rank; ++axis) {
    const auto slice = sliceOf(read.points[axis], grid.extents[axis], tree);
    const AxisSpan span = slice ? AxisSpan::of(*slice) : areas[reader][axis];
    points[axis] = read.kept[axis] ? AxisSpan::whole() : span.shifted(read.offset[axis]);
  }
  return points;
}

} // namespace stencilc::lift
