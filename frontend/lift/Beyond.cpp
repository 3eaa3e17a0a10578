// What has to stand beyond the ends of arrays.
#include "frontend/lift/Extents.h"

namespace stencilc::lift {

const Polynomial &endOf(const Range &range, Side side) {
  return side == Low ? range.from : range.to;
}

Polynomial limitOf(const Grid &grid, const GridRead &read, unsigned axis, Side side) {
  return *sum(side == Low ? Polynomial() : extentOf(grid, grid.arrays[read.array], axis),
              -read.offset[axis]);
}

/// True if a condition keeps the read from going beyond that end, or may do so.
static bool isKeptInside(const Grid &grid, const Sweep &sweep, const GridRead &read, unsigned axis,
                         Side side) {
  const Polynomial &whole = endOf(sweep.region[axis], side);
  const Polynomial limit = limitOf(grid, read, axis, side);
  const bool isTowards = side == Low ? read.offset[axis] <= 0 : read.offset[axis] >= 0;
  const auto beyond = side == Low ? distance(limit, whole) : distance(whole, limit);
  return isTowards && whole != endOf(read.points[axis], side) && beyond.value_or(1) > 0;
}

void setBeyond(Grid &grid) {
  for (const Sweep &sweep : grid.sweeps)
    for (const auto &[_, read] : sweep.reads)
      for (unsigned axis : grid.arrays[read.array].axes)
        for (const Side side : {Low, High}) {
          GridArray &array = grid.arrays[read.array];
          BoundaryKind &kind = array.beyond[axis][side];
          const bool isSet = array.edges[axis][side] && read.offset[axis] != 0;
          if (kind == BoundaryKind::None && !isSet && isKeptInside(grid, sweep, read, axis, side))
            kind = BoundaryKind::Clamp;
        }
}

} // namespace stencilc::lift
