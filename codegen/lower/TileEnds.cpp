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
  const auto within = [&](Index place, const SideOfTile &side) {
    if (!side.mayBeFar)
      return place;
    return &side == &low ? maximum(place, constant(-side.end.reach))
                         : minimum(place, add(extent(axis), side.end.reach - 1));
  };
  const auto isMappedTo = [](const SideOfTile &side) {
    return side.mayBeBeyond && side.end.kind == TileEnd::Mapped;
  };
  // One map does if there is another place beyond one end alone, or of one kind beyond both.
  const auto isNear = [](const SideOfTile &side) {
    return !side.mayBeBeyond || side.end.kind == TileEnd::Nearest;
  };
  const Index place = within(within(index, low), high);
  const bool mapsLow = isMappedTo(low), mapsHigh = isMappedTo(high);
  if (!mapsLow && !mapsHigh)
    return place;
  const BoundaryKind kindLow = low.end.boundary, kindHigh = high.end.boundary;
  if (mapsLow && (isNear(high) || (mapsHigh && kindLow == kindHigh)))
    return map(kindLow, axis, place);
  if (mapsHigh && isNear(low))
    return map(kindHigh, axis, place);
  // What is mirrored lies further inwards than the point itself, which is left alone elsewhere.
  if (!mapsHigh)
    return maximum(map(kindLow, axis, minimum(within(index, low), add(extent(axis), -1))),
                   within(index, high));
  const Index mirrored =
      minimum(map(kindHigh, axis, maximum(within(index, high), constant(0))), within(index, low));
  return mapsLow ? map(kindLow, axis, mirrored) : mirrored;
}
