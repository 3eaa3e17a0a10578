#include "codegen/lower/TileEnds.h"

#include "codegen/lower/Outside.h"

using namespace stencilc;

bool stencilc::isMapped(BoundaryKind kind) {
  return isMirror(kind) || kind == BoundaryKind::Periodic;
}

TileEnd stencilc::tileEnd(const Stencil &stencil, unsigned array, unsigned axis, Side side) {
  const BoundaryKind kind = stencil.arrays[array].boundary[axis][side].kind;
  if (kind == BoundaryKind::Halo)
    return {TileEnd::Ghost, {}, ghostWidths(stencil, array)[axis][side]};
  if (isMapped(kind))
    return {TileEnd::Mapped, kind, reach(stencil, array)[axis][side]};
  return {TileEnd::Nearest, {}, 0};
}

Index stencilc::placeInMemory(unsigned axis, const Index &index, const SideOfTile &low,
                              const SideOfTile &high) {
  Index place = index;
  if (low.mayBeFar)
    place = maximum(place, constant(-low.end.reach));
  if (high.mayBeFar)
    place = minimum(place, add(extent(axis), high.end.reach - 1));
  for (const SideOfTile *side : {&low, &high})
    if (side->end.kind == TileEnd::Mapped && side->mayBeBeyond)
      return map(side->end.boundary, axis, place);
  return place;
}
