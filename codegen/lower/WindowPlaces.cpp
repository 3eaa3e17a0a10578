// The half of WindowLoads that says where elements of a window lie, and which of them lie alike.
#include "codegen/lower/ReadNames.h"
#include "codegen/lower/WindowLoads.h"

using namespace stencilc;

bool WindowLoads::endsReads(const ArrayWindow &window, unsigned axis, Side side) const {
  const BoundaryKind kind = arrayOf(window).boundary[axis][side].kind;
  if (kind == BoundaryKind::Fixed || kind == BoundaryKind::None)
    return true;
  // Points beyond the end read ghost points there, whichever way they reach.
  const bool isReadThere = kind == BoundaryKind::Halo && leftOut(stage.area[axis], side) < 0;
  return window.window.reach(axis, side) == 0 && !isReadThere;
}

int WindowLoads::ownBeside(unsigned axis) const {
  if (!shape.isWhole)
    return 0;
  return axis == shape.columnAxis ? shape.columns - 1 : axis == shape.rowAxis ? shape.rows - 1 : 0;
}

WindowLoads::Treatment WindowLoads::treatmentOf(const ArrayWindow &window, unsigned axis,
                                                int offset) const {
  const Array &array = arrayOf(window);
  if (offset == 0 || !array.hasAxis(axis))
    return Treatment::Plain;
  if (offset > 0 && (offset -= ownBeside(axis)) <= 0)
    return Treatment::Plain;
  const Side side = offset < 0 ? Low : High;
  const Treatment atEnd = side == Low ? Treatment::Low : Treatment::High;
  // Beyond the end at most. Pieces of a row may begin before the first point that is made.
  const bool isOfPieces = axis == shape.columnAxis && side == Low;
  const int64_t past = std::abs(offset) - (isOfPieces ? leastX : leftOut(stage.area[axis], side));
  if (endsReads(window, axis, side))
    return past > 0 ? atEnd : Treatment::Plain;
  switch (array.boundary[axis][side].kind) {
  case BoundaryKind::Halo:
    return past <= argumentOf(window).ghost[axis][side] ? Treatment::Plain
           : side == Low                                ? Treatment::Low
                                                        : Treatment::HighCapped;
  case BoundaryKind::Periodic:
  case BoundaryKind::Reflect:
  case BoundaryKind::Symmetric:
    return side == High && offset > window.window.reach(axis, High) ? Treatment::HighCapped : atEnd;
  case BoundaryKind::Clamp:
  case BoundaryKind::Value:
  case BoundaryKind::None:
  case BoundaryKind::Fixed:
    return atEnd;
  }
  llvm_unreachable("all kinds are handled");
}

/// True if a row, or a plane, of a thread's own that is on the grid anyhow is loaded by the loop
/// for those above it, of which one has to ask where they are. It answers itself for the one, and
/// saves a reader the same text again.
bool WindowLoads::joinsOwn(const ArrayWindow &window, unsigned axis, int above) const {
  // Rows whose points are not made beyond the end: those of several arrays have a branch in common
  // that asks for no row, and without it nvcc takes more registers.
  if (endsReads(window, axis, High))
    return false;
  const bool isPlane = axis == shape.planeAxis;
  const Boundary &boundary = arrayOf(window).boundary[axis][High];
  const Place place = placeOf(window, axis, constant(above), treatmentOf(window, axis, above));
  // Where there is no text but that of the place, two are said as shortly as a loop.
  return hasOwnOutside(window, axis, place.reach) ||
         (isPlane ? boundary.kind == BoundaryKind::Periodic : shape.rows > 2);
}

bool WindowLoads::joinsEnds(const ArrayWindow &window, unsigned axis) const {
  const Array &array = arrayOf(window);
  if (!window.isLarge || !array.hasAxis(axis) ||
      endsReads(window, axis, Low) != endsReads(window, axis, High))
    return false;
  if (endsReads(window, axis, Low))
    return true;
  const auto &[low, high] = array.boundary[axis];
  const auto outside = [&](Side side) {
    return stage.step.formula.outside(window.read.array, axis, side);
  };
  return low.kind == high.kind && low.factor == high.factor && low.kind != BoundaryKind::Halo &&
         (low.kind != BoundaryKind::Value || outside(Low) == outside(High));
}

int WindowLoads::kindOf(const ArrayWindow &window, unsigned axis, int offset) const {
  if (joinsEnds(window, axis))
    return int(Treatment::Both);
  const int own = axis == shape.rowAxis ? shape.rows : shape.marches ? 2 : 1;
  Treatment treatment = treatmentOf(window, axis, offset);
  if (!shape.isWhole && axis != shape.columnAxis && arrayOf(window).hasAxis(axis) && offset >= 0)
    for (int above = offset + 1; above < own && treatment == Treatment::Plain; ++above)
      if (joinsOwn(window, axis, above))
        treatment = treatmentOf(window, axis, above);
  // Both ends of a periodic axis make the same of a coordinate.
  return int(treatment == Treatment::Low &&
                     arrayOf(window).boundary[axis][Low].kind == BoundaryKind::Periodic
                 ? Treatment::High
                 : treatment);
}

WindowLoads::Treatment WindowLoads::treatmentOfAll(const ArrayWindow &window, unsigned axis,
                                                   int first, int count) const {
  Treatment treatment = Treatment::Plain;
  if (joinsEnds(window, axis)) {
    // The same for the planes ahead of a march and for that of a turn.
    const int own = axis == shape.planeAxis ? 1 + shape.ahead
                    : axis == shape.rowAxis ? shape.rows
                                            : shape.columns;
    const Treatment low = treatmentOf(window, axis, -window.window.reach(axis, Low)),
                    high = treatmentOf(window, axis, window.window.reach(axis, High) + own - 1);
    return low == Treatment::Plain    ? high
           : high == Treatment::Plain ? low
           : high == Treatment::High  ? Treatment::Both
                                      : Treatment::BothCapped;
  }
  for (int offset = first; offset < first + count && treatment == Treatment::Plain; ++offset)
    treatment = treatmentOf(window, axis, offset);
  return treatment;
}

WindowLoads::Place WindowLoads::placeOf(const ArrayWindow &window, unsigned axis,
                                        const Index &offset, Treatment treatment) const {
  const Array &array = arrayOf(window);
  Index index = add(point[axis], offset);
  if (treatment == Treatment::Plain)
    return {{index}, index};
  const bool isBoth = treatment == Treatment::Both || treatment == Treatment::BothCapped;
  const Side side = treatment == Treatment::Low ? Low : High;
  // What nobody reads is left out, along rows and where the kernel writes it; else something that
  // is there is loaded.
  if (endsReads(window, axis, side)) {
    if (axis == shape.columnAxis || argumentOf(window).access != Access::Read)
      return {{index, side, isBoth}, index};
    if (side == Low || isBoth)
      index = maximum(index, constant(0));
    if (side == High)
      index = minimum(index, add(extent(axis), -1));
    return {{index}, index};
  }
  const bool isHalo = array.boundary[axis][side].kind == BoundaryKind::Halo;
  const auto &ghost = argumentOf(window).ghost[axis];
  if (treatment == Treatment::HighCapped || treatment == Treatment::BothCapped)
    index = minimum(
        index, add(extent(axis), (isHalo ? ghost[High] : window.window.reach(axis, High)) - 1));
  else if (isHalo)
    index = maximum(index, constant(-ghost[Low]));
  if (isHalo)
    return {{index}, index};
  const Reach reach{index, side, isBoth};
  return {reach, bent(array, axis, reach)};
}

/// True of what a boundary makes of a coordinate: it gets a name.
static bool isBeyondSum(const Index &index) {
  return std::holds_alternative<IndexMin>(index->node) ||
         std::holds_alternative<IndexMax>(index->node) ||
         std::holds_alternative<IndexMap>(index->node);
}

WindowLoads::Place WindowLoads::named(Body &names, const ArrayWindow &window, unsigned axis,
                                      int offset) {
  const Treatment treatment = axis == shape.columnAxis ? treatmentOf(window, axis, offset)
                                                       : treatmentOfAll(window, axis, offset, 1);
  Place place = placeOf(window, axis, constant(offset), treatment);
  if (!isBeyondSum(place.at))
    return place;
  const Side side = offset < 0 ? Low : High;
  const BoundaryKind kind = endsReads(window, axis, side)
                                ? BoundaryKind::None
                                : arrayOf(window).boundary[axis][side].kind;
  const int last = kind == BoundaryKind::Halo ? argumentOf(window).ghost[axis][side]
                   : treatment == Treatment::HighCapped || treatment == Treatment::BothCapped
                       ? window.window.reach(axis, High)
                       : 0;
  Index &name = known[{axis, offset, kind, treatment, last}];
  if (!name) {
    Offset only = {};
    only[axis] = offset;
    name =
        kernel.letIndex(shape.marches && axis == shape.planeAxis ? names : outer,
                        stage.stencil.axes[axis] + direction(only, stage.stencil.rank()), place.at);
  }
  place.at = name;
  return place;
}

WindowLoads::Place WindowLoads::inLoop(Body &turn, const ArrayWindow &window, unsigned axis,
                                       const Index &offset, Treatment treatment, const char *what) {
  Place place = placeOf(window, axis, offset, treatment);
  // A large window's addresses say it themselves: their loops are as long as without ends.
  if (isBeyondSum(place.at) && !window.isLarge) {
    const unsigned local = kernel.localOfBody(stage.stencil.axes[axis] + "_" + what);
    turn.push_back({LetIndex{local, place.at}});
    place.at = coordinate(CoordinateKind::Local, local);
  }
  return place;
}
