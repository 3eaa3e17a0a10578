// GridReads: what the reads around a point of the grid see, boundaries applied, wherever the values
// lie: in global memory, or at some time level in a tile. A ReadSource.
#pragma once

#include "codegen/lower/Outside.h"
#include "codegen/lower/ReadSource.h"

namespace stencilc {

/// Where the values of arrays lie: gives that of the read's array, at the read's level, at a point
/// of the grid or a ghost point.
using Place = std::function<Value(const Read &read, Point where)>;

class GridReads {
public:
  GridReads(KernelBuilder &kernel, const Stencil &stencil, const StepFormula &formula, Here here,
            Place place);

  /// What a read at the point sees; names the coordinates that it needs. The point lies in the
  /// area of an update that makes the read.
  Value operator()(Body &body, const Read &read);
  /// The same at any point of `area`: 0 where no update reads it. `made`: the points of the array,
  /// if it is a temp.
  Value within(const Area &area, const std::optional<Area> &made, Body &body, const Read &read);

  /// From here on the point is so far from an end of `axis` that no read looks beyond it.
  void keepInside(unsigned axis, Side side) { isInside[axis][side] = true; }

  /// The reads around a point that a loop moves from this one along `axis`. Names ahead of the
  /// loop, in `body`, what the given reads need of the other axes.
  GridReads movedAlong(unsigned axis, Index index, llvm::ArrayRef<Read> reads, Body &body);

private:
  /// The coordinate of a read along an axis, as the array's boundary there sees it.
  Index neighbour(Body &body, const Read &read, unsigned axis);
  Reach reachOf(const Read &read, unsigned axis) const;

  KernelBuilder &kernel;
  const Stencil &stencil;
  const StepFormula &formula;
  Here here;
  Place place;
  std::array<std::array<bool, 2>, kMaxRank> isInside = {}; ///< by axis and end
  /// Named coordinates beyond the point, by boundary, axis and offset.
  std::map<std::tuple<BoundaryKind, unsigned, int>, Index> neighbours;
};

} // namespace stencilc
