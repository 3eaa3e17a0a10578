// TileEnds: where an array's memory has what stands at the points of a tile, which may lie
// anywhere: also beyond the ends of the grid, and further than reads reach. For whoever keeps
// tiles, in shared memory or in registers.
#pragma once

#include "ir/kernel/Index.h"
#include "ir/stencil/StencilFacts.h"

#include <tuple>

namespace stencilc {

/// True of boundaries beyond which stand other points of the grid: images and mirrors.
bool isMapped(BoundaryKind kind);

/// How the points beyond an end of an axis become places that memory has.
struct TileEnd {
  enum Kind { Nearest, Ghost, Mapped } kind;
  BoundaryKind boundary; ///< of Mapped
  int reach;             ///< of Ghost and Mapped: how far beyond they are defined
  bool operator<(const TileEnd &other) const {
    return std::tie(kind, boundary, reach) < std::tie(other.kind, other.boundary, other.reach);
  }
};
TileEnd tileEnd(const Stencil &stencil, unsigned array, unsigned axis, Side side);

/// A side of an axis as a coordinate along it may have to do with it.
struct SideOfTile {
  TileEnd end;
  bool mayBeBeyond; ///< the coordinate may lie beyond this end
  bool mayBeFar;    ///< and further than `end.reach`
};

/// The place of a coordinate; of one too far beyond an end, some place.
Index placeInMemory(unsigned axis, const Index &index, const SideOfTile &low,
                    const SideOfTile &high);

} // namespace stencilc
