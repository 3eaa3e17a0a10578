#include "codegen/variants/TileFill.h"

#include "codegen/lower/ReadNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Index thread(const TileShape &shape, unsigned axis) {
  return coordinate(CoordinateKind::Thread, dimensionOf(axis, shape.rank));
}

// ---- the parts of a tile ------------------------------------------------------------------------

void TileFill::forEachPart(const TileLayer &layer,
                           llvm::function_ref<void(const Ends &)> visit) const {
  std::vector<Ends> parts = {Ends(shape.rank)};
  for (unsigned axis = shape.rank; axis-- > 0;)
    for (size_t known = parts.size(), part = 0; shape.hasMargin(axis) && part < known; ++part)
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

TileFill::Cells TileFill::beyond(const TileLayer &layer, unsigned axis, Side side,
                                 bool withCorners) const {
  Cells some = {};
  for (unsigned other = 0; other < shape.rank; ++other)
    some[other] = withCorners ? Span{0, layer.width(shape, other)}
                              : Span{layer.margin[other][Low], shape.points[other]};
  const int low = layer.margin[axis][Low];
  some[axis] =
      side == Low ? Span{0, low} : Span{low + shape.points[axis], layer.margin[axis][High]};
  return some;
}

bool TileFill::needsCorners(const TileLayer &layer) const {
  bool found = false;
  forEachPart(layer, [&](const Ends &ends) {
    found |= llvm::count_if(ends, [](const auto &end) { return end.has_value(); }) > 1;
  });
  return found;
}

bool TileFill::hasRowsAround() const {
  return llvm::any_of(layers.tiles, [&](const TileLayer &layer) {
    return llvm::any_of(llvm::ArrayRef(layer.margin).take_front(shape.rank - 1),
                        [](const auto &margin) { return margin[Low] + margin[High] > 0; });
  });
}

// ---- cells --------------------------------------------------------------------------------------

void TileFill::store(Body &body, const Plane &plane, std::vector<Index> at, Value value) {
  if (plane.slot)
    at.insert(at.begin(), plane.slot);
  body.push_back({StoreShared{plane.layer->tile, std::move(at), std::move(value)}});
}

void TileFill::bring(Body &body, const Plane &plane, std::vector<Index> at, TileCells &cells,
                     llvm::ArrayRef<Spot> spots) {
  const Read &layer = plane.layer->base;
  const auto storeValue = [&](Body &body) {
    Value value = cells.value(body, layer, spots);
    store(body, plane, at, std::move(value));
  };
  if (!copies)
    return storeValue(body);
  TileCells::Element from = cells.element(body, layer, spots);
  std::vector<Index> to = at;
  if (plane.slot)
    to.insert(to.begin(), plane.slot);
  const Statement copy{
      CopyAsync{plane.layer->tile, std::move(to), from.argument, std::move(from.where), 1}};
  if (from.isWhole.empty()) {
    body.push_back(copy);
  } else {
    If whole{std::move(from.isWhole), {copy}, {}};
    storeValue(whole.otherwise);
    body.push_back({std::move(whole)});
  }
}

/// Those of the thread's own point in the plane.
std::vector<Spot> TileFill::spotsIn(const Plane &plane) const {
  std::vector<Spot> spots = block.own;
  if (!shape.isTiled(0))
    spots[0] = plane.spot;
  return spots;
}

void TileFill::ownCell(Body &body, const Plane &plane) {
  std::vector<Index> at;
  for (unsigned axis = 0; axis < shape.rank; ++axis)
    if (shape.isTiled(axis))
      at.push_back(add(thread(shape, axis), plane.layer->margin[axis][Low]));
  if (plane.own && !copies)
    store(body, plane, std::move(at), plane.own);
  else
    bring(body, plane, std::move(at), cells, spotsIn(plane));
}

void TileFill::byRim(Body &body, const Plane &plane) {
  const TileLayer &layer = *plane.layer;
  ownCell(body, plane);
  forEachPart(layer, [&](const Ends &ends) {
    std::vector<Index> at;
    std::vector<Spot> spots = spotsIn(plane);
    If atRim;
    for (unsigned axis = 0; axis < shape.rank; ++axis) {
      if (!shape.isTiled(axis))
        continue;
      spots[axis] = spotOf(layer, axis, ends[axis]);
      const int low = layer.margin[axis][Low], high = layer.margin[axis][High];
      const Index own = thread(shape, axis);
      if (!ends[axis]) {
        at.push_back(add(own, low));
      } else if (*ends[axis] == Low) {
        at.push_back(own);
        atRim.box.push_back({own, nullptr, constant(low)});
      } else {
        at.push_back(add(own, low + high));
        atRim.box.push_back({own, constant(shape.points[axis] - high), nullptr});
      }
    }
    if (atRim.box.empty())
      return;
    bring(atRim.then, plane, std::move(at), cells, spots);
    body.push_back({std::move(atRim)});
  });
}

// Every thread loads all of its corners, without a branch. Where two threads load the same cell,
// one of them stores it: the one that has it at its lower corner.
void TileFill::byDiagonals(Body &body, const Plane &plane) {
  const TileLayer &layer = *plane.layer;
  std::vector<Ends> corners = {Ends(shape.rank)};
  for (unsigned axis = shape.rank; axis-- > 0;) {
    if (layer.margin[axis][Low] + layer.margin[axis][High] == 0)
      continue;
    for (size_t corner = 0, known = corners.size(); corner < known; ++corner) {
      corners.push_back(corners[corner]);
      corners.back()[axis] = High;
      corners[corner][axis] = Low;
    }
  }
  std::vector<Value> values;
  for (const Ends &ends : corners) {
    std::vector<Spot> spots = spotsIn(plane);
    Offset offset = {};
    for (unsigned axis = 0; axis < shape.rank; ++axis)
      if (shape.isTiled(axis)) {
        spots[axis] = spotOf(layer, axis, ends[axis]);
        if (ends[axis])
          offset[axis] = *ends[axis] == Low ? -layer.margin[axis][Low] : layer.margin[axis][High];
      }
    Read corner = layer.base;
    corner.offset = offset;
    values.push_back(builder.let(body, readName(stage.stencil, corner) + "_corner",
                                 cells.value(body, layer.base, spots)));
  }
  for (const auto &[ends, value] : llvm::zip_equal(corners, values)) {
    std::vector<Index> at;
    If first;
    for (unsigned axis = 0; axis < shape.rank; ++axis) {
      if (!shape.isTiled(axis))
        continue;
      const int around = layer.margin[axis][Low] + layer.margin[axis][High];
      const Index own = thread(shape, axis);
      const bool isUpper = ends[axis] && *ends[axis] == High;
      at.push_back(isUpper ? add(own, around) : own);
      if (isUpper && shape.points[axis] > around)
        first.box.push_back({own, constant(shape.points[axis] - around), nullptr});
    }
    store(first.box.empty() ? body : first.then, plane, std::move(at), value);
    if (!first.box.empty())
      body.push_back({std::move(first)});
  }
}

void TileFill::inTurns(Body &body, llvm::ArrayRef<Plane> planes, const Cells &some,
                       const Team &team) {
  const auto &[number, threads] = team;
  int64_t count = 1;
  for (unsigned axis = 0; axis < shape.rank; ++axis)
    if (shape.isTiled(axis))
      count *= some[axis].count;
  const TileLayer &alike = *planes.front().layer;
  const bool isOnce =
      count == threads || (count < threads && std::holds_alternative<Coordinate>(number->node));
  For turns{LoopKind::Serial, 0, number, constant(count), threads, {}};
  Index rest = number;
  if (!isOnce) {
    turns.local = builder.local("cell");
    rest = coordinate(CoordinateKind::Local, turns.local);
  }
  Body each;
  std::vector<Index> at;
  std::vector<Spot> spots = block.own;
  int64_t left = count;
  for (unsigned axis = shape.rank; axis-- > 0;) {
    if (!shape.isTiled(axis))
      continue;
    const auto [begin, width] = some[axis];
    left /= width;
    Index position = constant(begin);
    if (width > 1) {
      position = add(left > 1 ? remainder(rest, width) : rest, begin);
      rest = quotient(rest, width);
    }
    at.insert(at.begin(), position);
    const int low = alike.margin[axis][Low];
    const std::string name = "tile_" + stage.stencil.axes[axis];
    const Index there = builder.letIndex(each, name, add(add(block.corner[axis], position), -low));
    std::optional<int> below = block.own[axis].below;
    if (below)
      below = *below + low;
    spots[axis] = {there, name + "_at", below, std::nullopt};
  }
  TileCells within = cells;
  for (const Plane &plane : planes) {
    if (!shape.isTiled(0))
      spots[0] = plane.spot;
    bring(each, plane, at, within, spots);
  }
  if (!isOnce) {
    turns.body = std::move(each);
    body.push_back({std::move(turns)});
  } else if (count < threads) {
    body.push_back({If{{{number, nullptr, constant(count)}}, std::move(each), {}}});
  } else {
    llvm::move(each, std::back_inserter(body));
  }
}

// ---- all of it ----------------------------------------------------------------------------------

void TileFill::prepare(Body &body, TilePart part) {
  const auto prepareSpots = [&](const TileLayer &layer, const Ends &ends) {
    for (unsigned axis = shape.rank; axis-- > 0;)
      if (shape.isTiled(axis))
        cells.placeOf(body, layer.base.array, axis, spotOf(layer, axis, ends[axis]));
  };
  for (const TileLayer &layer : layers.tiles) {
    if (part == TilePart::Rows || part == TilePart::Columns || shape.style == TileStyle::Turns)
      continue;
    if (shape.style == TileStyle::Diagonal) {
      for (const Side side : {Low, High}) {
        Ends ends(shape.rank);
        for (unsigned axis = 0; axis < shape.rank; ++axis)
          if (layer.margin[axis][Low] + layer.margin[axis][High] > 0)
            ends[axis] = side;
        prepareSpots(layer, ends);
      }
    } else if (shape.style == TileStyle::Rim) {
      forEachPart(layer, [&](const Ends &ends) { prepareSpots(layer, ends); });
    } else {
      prepareSpots(layer, Ends(shape.rank));
    }
  }
}

void TileFill::append(Body &body, llvm::ArrayRef<Plane> planes, TilePart part) {
  // What is named here serves all branches that follow.
  for (const Plane &plane : planes)
    for (unsigned axis = 0; axis < shape.rank; ++axis)
      if (!shape.isTiled(axis))
        cells.placeOf(body, plane.layer->base.array, axis,
                      axis == 0 ? plane.spot : block.own[axis]);

  Team all{constant(0), 1};
  for (unsigned axis = 0; axis < shape.rank; ++axis)
    if (shape.isTiled(axis))
      all = {add(scale(all.number, shape.points[axis]), thread(shape, axis)),
             all.threads * shape.points[axis]};
  const Team row{thread(shape, shape.rank - 1), shape.points[shape.rank - 1]};
  if (shape.style == TileStyle::Turns) {
    // Tiles of one shape are filled by one loop.
    while (!planes.empty()) {
      const TileLayer &first = *planes.front().layer;
      const size_t alike =
          llvm::find_if(planes,
                        [&](const Plane &plane) { return plane.layer->margin != first.margin; }) -
          planes.begin();
      Cells whole = {};
      for (unsigned axis = 0; axis < shape.rank; ++axis)
        whole[axis] = {0, first.width(shape, axis)};
      inTurns(body, planes.take_front(alike), whole, all);
      planes = planes.drop_front(alike);
    }
    return;
  }
  for (const Plane &plane : planes) {
    const TileLayer &layer = *plane.layer;
    const unsigned last = shape.rank - 1;
    switch (part) {
    case TilePart::All:
      if (shape.style == TileStyle::Rim) {
        byRim(body, plane);
      } else if (shape.style == TileStyle::Diagonal) {
        byDiagonals(body, plane);
      } else {
        ownCell(body, plane);
        for (const Side side : {Low, High})
          if (layer.margin[last][side] > 0)
            inTurns(body, plane, beyond(layer, last, side, false), all);
      }
      break;
    case TilePart::Own:
      ownCell(body, plane);
      break;
    case TilePart::Rows:
      for (unsigned axis = 0; axis < last; ++axis)
        for (const Side side : {Low, High})
          if (layer.margin[axis][side] > 0)
            inTurns(body, plane, beyond(layer, axis, side, false), row);
      break;
    case TilePart::Columns:
      for (const Side side : {Low, High})
        if (layer.margin[last][side] > 0)
          inTurns(body, plane, beyond(layer, last, side, needsCorners(layer)), row);
      break;
    }
  }
}
