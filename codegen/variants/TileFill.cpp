#include "codegen/variants/TileFill.h"

#include "codegen/lower/ReadNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Index thread(const TileShape &shape, unsigned axis) {
  return coordinate(CoordinateKind::Thread, dimensionOf(axis, shape.rank));
}

void TileFill::forEachPart(const TileLayer &layer,
                           llvm::function_ref<void(const Ends &)> visit) const {
  std::vector<Ends> parts = {Ends(shape.rank)};
  for (unsigned axis = shape.rank; axis-- > 0;)
    for (size_t known = parts.size(), part = 0; shape.isTiled(axis) && part < known; ++part)
      for (const Side side : {Low, High}) {
        parts.push_back(parts[part]);
        parts.back()[axis] = side;
      }
  for (const Ends &ends : parts)
    if (layer.reachesBeyond(ends))
      visit(ends);
}

Spot TileFill::spotOf(const TileLayer &layer, unsigned axis, std::optional<Side> end) const {
  if (!end)
    return block.own[axis];
  Offset offset = {};
  offset[axis] = *end == Low ? -layer.margin[axis][Low] : layer.margin[axis][High];
  return block.own[axis].moved(offset[axis],
                               stage.stencil.axes[axis] + direction(offset, shape.rank));
}

void TileFill::prepare(Body &body) {
  if (!byRim)
    return;
  for (const TileLayer &layer : layers.tiles)
    forEachPart(layer, [&](const Ends &ends) {
      for (unsigned axis = shape.rank; axis-- > 0;)
        if (shape.isTiled(axis))
          cells.placeOf(body, layer.base.array, axis, spotOf(layer, axis, ends[axis]));
    });
}

void TileFill::append(Body &body, llvm::ArrayRef<Plane> planes) {
  for (const Plane &plane : planes)
    for (unsigned axis = 0; axis < shape.rank; ++axis)
      if (!shape.isTiled(axis))
        cells.placeOf(body, plane.layer->base.array, axis,
                      axis == 0 ? plane.spot : block.own[axis]);
  if (byRim) {
    for (const Plane &plane : planes)
      byThreadsAtTheRim(body, plane);
    return;
  }
  // Tiles of one shape are filled by one loop.
  while (!planes.empty()) {
    const size_t alike = llvm::find_if(planes,
                                       [&](const Plane &plane) {
                                         return plane.layer->margin != planes.front().layer->margin;
                                       }) -
                         planes.begin();
    byTurns(body, planes.take_front(alike));
    planes = planes.drop_front(alike);
  }
}

void TileFill::byThreadsAtTheRim(Body &body, const Plane &plane) {
  const TileLayer &layer = *plane.layer;
  forEachPart(layer, [&](const Ends &ends) {
    std::vector<Index> at;
    if (plane.slot)
      at.push_back(plane.slot);
    std::vector<Spot> spots = block.own;
    spots[0] = shape.isTiled(0) ? spots[0] : plane.spot;
    If atRim;
    for (unsigned axis = 0; axis < shape.rank; ++axis) {
      if (!shape.isTiled(axis))
        continue;
      spots[axis] = spotOf(layer, axis, ends[axis]);
      const int low = layer.margin[axis][Low], high = layer.margin[axis][High];
      const Index own = thread(shape, axis);
      if (!ends[axis])
        at.push_back(add(own, low));
      else if (*ends[axis] == Low)
        at.push_back(own), atRim.box.push_back({own, nullptr, constant(low)});
      else
        at.push_back(add(own, low + high)),
            atRim.box.push_back({own, constant(shape.points[axis] - high), nullptr});
    }
    const bool isInside = atRim.box.empty();
    Body &where = isInside ? body : atRim.then;
    Value value = isInside && plane.own ? plane.own : cells.value(where, layer.base, spots);
    where.push_back({StoreShared{layer.tile, std::move(at), std::move(value)}});
    if (!isInside)
      body.push_back({std::move(atRim)});
  });
}

void TileFill::byTurns(Body &body, llvm::ArrayRef<Plane> planes) {
  const TileLayer &first = *planes.front().layer;
  int64_t count = 1, threads = 1;
  Index number = constant(0);
  for (unsigned axis = 0; axis < shape.rank; ++axis) {
    if (!shape.isTiled(axis))
      continue;
    number = add(scale(number, shape.points[axis]), thread(shape, axis));
    count *= first.width(shape, axis);
    threads *= shape.points[axis];
  }
  For turns{LoopKind::Serial, builder.local("cell"), number, constant(count), threads, {}};
  std::vector<Index> at;
  std::vector<Spot> spots = block.own;
  Index rest = coordinate(CoordinateKind::Local, turns.local);
  for (unsigned axis = shape.rank; axis-- > 0;) {
    if (!shape.isTiled(axis))
      continue;
    const int width = first.width(shape, axis), low = first.margin[axis][Low];
    count /= width;
    const Index position = count > 1 ? remainder(rest, width) : rest;
    rest = quotient(rest, width);
    at.insert(at.begin(), position);
    Spot &spot = spots[axis];
    const std::string name = "tile_" + stage.stencil.axes[axis];
    const Index there =
        builder.letIndex(turns.body, name, add(add(block.corner[axis], position), -low));
    spot = {there, name + "_at", spot.below, std::nullopt};
    if (spot.below)
      spot.below = *spot.below + low;
  }
  TileCells within = cells;
  for (const Plane &plane : planes) {
    std::vector<Index> place = at;
    if (plane.slot)
      place.insert(place.begin(), plane.slot);
    if (!shape.isTiled(0))
      spots[0] = plane.spot;
    Value value = within.value(turns.body, plane.layer->base, spots);
    turns.body.push_back({StoreShared{plane.layer->tile, std::move(place), std::move(value)}});
  }
  body.push_back({std::move(turns)});
}
