// TileCells: the values that reads see at places on the grid and beyond its ends, for whoever keeps
// them in shared tiles. GridReads knows from a read's offset which end it may lie beyond; here only
// the place decides, since the points around a block may lie anywhere. Places that no read reaches
// have some value of the array, or the one that stands beyond the end.
#pragma once

#include "codegen/lower/StageKernel.h"
#include "codegen/lower/TileEnds.h"

namespace stencilc {

/// A coordinate along one axis.
struct Spot {
  Index index;
  std::string name; ///< of the place that its boundary makes of it
  /// How far beyond the ends it lies at most; none: anywhere. Not positive: on the grid.
  std::optional<int> below, above;

  Spot moved(int distance, std::string name) const;
  bool mayBeBeyond(Side side) const;
};

/// A body inside another one takes a copy, whose names end with it.
class TileCells {
public:
  explicit TileCells(StageKernel &stage) : stage(&stage) {}

  /// False of a temp that is not made everywhere: a tile cannot be filled with what is not there.
  static bool canHold(const Stencil &stencil, unsigned array);

  /// The coordinate, on the grid or its ghost points, whose element a place beyond the end sees.
  /// Named in the body unless it has a name already, or needs none.
  Index placeOf(Body &body, unsigned array, unsigned axis, const Spot &spot);
  /// What a read of the layer's array sees at a place, one spot per axis of the stencil.
  Value value(Body &body, const Read &layer, llvm::ArrayRef<Spot> spots);
  /// The same where an element of the array is all that may be taken, and where that is right.
  struct Element {
    unsigned argument;
    Point where;
    Box isWhole; ///< holds where the element is what the read sees
  };
  Element element(Body &body, const Read &layer, llvm::ArrayRef<Spot> spots);

private:
  StageKernel *stage;
  std::map<std::tuple<std::string, TileEnd, TileEnd>, Index> named;
};

} // namespace stencilc
