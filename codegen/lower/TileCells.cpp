#include "codegen/lower/TileCells.h"

#include "codegen/lower/UpdateBox.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

Spot Spot::moved(int distance, std::string name) const {
  Spot result{add(index, distance), std::move(name), below, above};
  if (below)
    result.below = *below - distance;
  if (above)
    result.above = *above + distance;
  return result;
}

bool Spot::mayBeBeyond(Side side) const {
  const std::optional<int> &most = side == Low ? below : above;
  return !most || *most > 0;
}

bool TileCells::canHold(const Stencil &stencil, unsigned array) {
  return stencil.arrays[array].kind != ArrayKind::Temp || isWhole(areasOf(stencil).temps[array]);
}

Index TileCells::placeOf(Body &body, unsigned array, unsigned axis, const Spot &spot) {
  const auto sideOf = [&](Side side, const std::optional<int> &most) {
    const TileEnd end = tileEnd(stage->stencil, array, axis, side);
    return SideOfTile{end, spot.mayBeBeyond(side), !most || *most > end.reach};
  };
  const SideOfTile low = sideOf(Low, spot.below), high = sideOf(High, spot.above);
  const Index place = placeInMemory(axis, spot.index, low, high);
  if (place == spot.index)
    return place;
  Index &known = named[{spot.name, low.end, high.end}];
  if (!known)
    known = stage->builder.letIndexOnce(body, spot.name, place);
  return known;
}

/// The ends that the spots may lie beyond.
template <class Axes>
static void forEachEnd(const Axes &axes, const Array &array, llvm::ArrayRef<Spot> spots,
                       llvm::function_ref<void(unsigned, Side, const Boundary &)> visit) {
  for (unsigned axis : axes)
    for (const Side side : {Low, High})
      if (spots[axis].mayBeBeyond(side))
        visit(axis, side, array.boundary[axis][side]);
}

Value TileCells::value(Body &body, const Read &layer, llvm::ArrayRef<Spot> spots) {
  const Array &array = stage->stencil.arrays[layer.array];
  const Element from = element(body, layer, spots);
  Value value = stage->builder.load(from.argument, from.where);
  const auto choose = [&](Range range, Value then, Value otherwise) {
    return makeValue(array.type, GuardedValue{{std::move(range)}, then, otherwise});
  };
  const auto number = [&](double number) { return makeValue(array.type, LiteralValue{number}); };
  Box onGrid; // along the axes that have numbers outside
  // The axis named first decides what stands outside, so its guard is the outermost.
  forEachEnd(llvm::reverse(array.axes), array, spots,
             [&](unsigned axis, Side side, const Boundary &boundary) {
               if (boundary.kind != BoundaryKind::Value)
                 return;
               onGrid.push_back(isOnGrid(axis, {spots[axis].index, side}));
               value = choose(onGrid.back(), value,
                              stage->step.formula.tree(
                                  stage->builder,
                                  stage->step.formula.outside(layer.array, axis, side), Here{}));
             });
  forEachEnd(array.axes, array, spots, [&](unsigned axis, Side side, const Boundary &boundary) {
    if (!isMirror(boundary.kind) || boundary.factor == 1)
      return;
    Value factor = number(boundary.factor);
    if (!onGrid.empty())
      factor = makeValue(array.type, GuardedValue{onGrid, factor, number(1)});
    factor = choose(isOnGrid(axis, {spots[axis].index, side}), number(1), factor);
    value = makeValue(array.type, BinaryValue{BinaryOp::Multiply, value, factor});
  });
  return value;
}

TileCells::Element TileCells::element(Body &body, const Read &layer, llvm::ArrayRef<Spot> spots) {
  const Array &array = stage->stencil.arrays[layer.array];
  Element result{stage->arrays.argument(layer.array, layer.level), {}, {}};
  for (unsigned axis : array.axes)
    result.where.push_back(placeOf(body, layer.array, axis, spots[axis]));
  forEachEnd(array.axes, array, spots, [&](unsigned axis, Side side, const Boundary &boundary) {
    if (boundary.kind == BoundaryKind::Value || boundary.factor != 1)
      result.isWhole.push_back(isOnGrid(axis, {spots[axis].index, side}));
  });
  return result;
}
