#include "ir/stencil/StencilAreas.h"

#include "ir/stencil/StencilFacts.h"

#include <algorithm>
#include <fmt/format.h>

namespace stencilc {

/// A side of a temp without a place for reads beyond what is made.
static bool endsWithMade(const Boundary &boundary) {
  return boundary.kind == BoundaryKind::None || boundary.kind == BoundaryKind::Fixed;
}

std::optional<Area> joinedAll(std::vector<Area> areas, unsigned rank,
                              std::array<int64_t, kMaxRank> &least) {
  for (size_t first = 0; first < areas.size(); ++first)
    for (size_t second = first + 1; second < areas.size(); ++second)
      if (std::optional<Joined<Area>> both = joined(areas[first], areas[second], rank)) {
        least[both->axis] = std::max(least[both->axis], both->least);
        areas[first] = both->points;
        areas.erase(areas.begin() + second);
        // What did not fit before may fit the larger area.
        first = 0;
        second = 0;
      }
  return areas.size() == 1 ? std::optional(areas.front()) : std::nullopt;
}

namespace {
class AreaMaker {
public:
  explicit AreaMaker(const Stencil &stencil) : stencil(stencil) {}

  StencilAreas make() {
    std::vector<std::vector<Area>> ofArray(stencil.arrays.size());
    result.temps.resize(stencil.arrays.size());
    for (const Stage &stage : stencil.stages) {
      std::vector<Area> &areas = result.updates.emplace_back();
      for (const Update &update : stage.updates)
        areas.push_back(areaOf(update));
      for (size_t number = 0; number < stage.updates.size(); ++number) {
        const unsigned array = stage.updates[number].array;
        ofArray[array].push_back(areas[number]);
        if (stencil.arrays[array].kind == ArrayKind::Temp)
          result.temps[array] = joinedAll(ofArray[array], stencil.rank(), result.least);
      }
    }
    for (const Reduction &reduction : stencil.reductions)
      result.reductions.push_back(madeOf(reduction.region, reduction.formula));
    return std::move(result);
  }

private:
  Area areaOf(const Update &update) const {
    Area area = madeOf(update.region, update.formula);
    if (stencil.arrays[update.array].kind != ArrayKind::Temp)
      return area;
    const Widths ghosts = ghostWidths(stencil, update.array);
    for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
      AxisSpan &span = area[axis];
      if (span.isOpen(Low))
        span.from.front().offset = -ghosts[axis][Low];
      if (span.isOpen(High))
        span.to.front().offset = ghosts[axis][High];
    }
    return area;
  }

  Area madeOf(const Region &region, const Formula &formula) const {
    Area area;
    for (unsigned axis = 0; axis < stencil.rank(); ++axis)
      area[axis] = AxisSpan::of(region[axis]);
    forEachRead(formula, [&](const Read &read) { takeAway(area, read); });
    return area;
  }

  /// Leaves the points where the read has a value.
  void takeAway(Area &area, const Read &read) const {
    const Array &array = stencil.arrays[read.array];
    const std::optional<Area> &made = result.temps[read.array];
    for (unsigned axis : array.axes) {
      const int64_t offset = read.offset[axis];
      if (array.boundary[axis][Low].kind == BoundaryKind::Fixed)
        area[axis].startAt(fromStart(-offset));
      if (array.boundary[axis][High].kind == BoundaryKind::Fixed)
        area[axis].endBefore(fromEnd(-offset));
      if (!made)
        continue;
      const AxisSpan there = (*made)[axis].shifted(-offset);
      if (endsWithMade(array.boundary[axis][Low]))
        for (const AxisBound &bound : there.from)
          area[axis].startAt(bound);
      if (endsWithMade(array.boundary[axis][High]))
        for (const AxisBound &bound : there.to)
          area[axis].endBefore(bound);
    }
  }

  const Stencil &stencil;
  StencilAreas result;
};
} // namespace

StencilAreas areasOf(const Stencil &stencil) { return AreaMaker(stencil).make(); }

// ---- what must be apart -------------------------------------------------------------------------

/// Points at one end of the grid are read by none who stays near the other end, if the axis is
/// long: leaves none of `strip` then, and all of it where reads of the points `inside` go beyond
/// `side`.
static void endWhereNoneGoesOn(AxisSpan &strip, const AxisSpan &inside, Side side,
                               bool isOpposite) {
  for (const AxisBound &bound : side == Low ? inside.from : inside.to) {
    if (bound.base != (side == Low ? AxisBound::Base::End : AxisBound::Base::Start))
      continue;
    // Some point is beyond the end where the axis is shorter than this.
    const int64_t length = side == Low ? -bound.offset : bound.offset;
    if ((side == Low) != isOpposite)
      strip.startAt(fromEnd(1 - length));
    else
      strip.endBefore(fromStart(length - 1));
  }
}

/// Calls `visit` with every area of points that a read from the points of `reader` gives the value
/// of, boundaries applied; along each axis the points it reaches inside and those that each end
/// sends it to are taken apart.
static void forEachHit(const Stencil &stencil, const Area &reader, const Read &read,
                       llvm::function_ref<void(const Area &)> visit) {
  const Array &array = stencil.arrays[read.array];
  std::array<llvm::SmallVector<AxisSpan, 3>, kMaxRank> spans;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    AxisSpan inside = reader[axis].shifted(read.offset[axis]);
    // How far beyond the ends reads may go, from what is known without params.
    int64_t below = 0, above = 0;
    for (const AxisBound &bound : inside.from)
      if (bound.base == AxisBound::Base::Start)
        below = std::max<int64_t>(0, -bound.offset);
    for (const AxisBound &bound : inside.to)
      if (bound.base == AxisBound::Base::End)
        above = std::max<int64_t>(0, bound.offset);
    inside.startAt(fromStart(0));
    inside.endBefore(fromEnd(0));
    spans[axis].push_back(inside);
    for (const auto &[side, beyond] : {std::pair(Low, below), std::pair(High, above)}) {
      if (beyond == 0)
        continue;
      int64_t width = 0; // of the strip at an end that stands for what is beyond
      switch (array.boundary[axis][side].kind) {
      case BoundaryKind::Clamp:
        width = 1;
        break;
      case BoundaryKind::Reflect:
        width = beyond + 1;
        break;
      case BoundaryKind::Symmetric:
      case BoundaryKind::Periodic:
        width = beyond;
        break;
      case BoundaryKind::None:
      case BoundaryKind::Fixed:
      case BoundaryKind::Halo:
      case BoundaryKind::Value:
        continue; // no point of the grid
      }
      const bool isOpposite = array.boundary[axis][side].kind == BoundaryKind::Periodic;
      AxisSpan strip = AxisSpan::whole();
      if ((side == Low) != isOpposite)
        strip.endBefore(fromStart(width));
      else
        strip.startAt(fromEnd(-width));
      endWhereNoneGoesOn(strip, inside, side, isOpposite);
      spans[axis].push_back(strip);
    }
  }
  Area area;
  const unsigned rank = stencil.rank();
  std::array<unsigned, kMaxRank> choice = {};
  for (bool isDone = false; !isDone;) {
    for (unsigned axis = 0; axis < rank; ++axis)
      area[axis] = spans[axis][choice[axis]];
    visit(area);
    unsigned axis = 0;
    while (axis < rank && ++choice[axis] == spans[axis].size())
      choice[axis++] = 0;
    isDone = axis == rank;
  }
}

std::vector<Separation> separations(const Stencil &stencil, const StencilAreas &areas) {
  struct Making {
    unsigned stage;
    const Update *update;
    const Area *area;
  };
  std::vector<std::vector<Making>> makings(stencil.arrays.size());
  for (unsigned stage = 0; stage < stencil.stages.size(); ++stage)
    for (size_t number = 0; number < stencil.stages[stage].updates.size(); ++number) {
      const Update &update = stencil.stages[stage].updates[number];
      makings[update.array].push_back({stage, &update, &areas.updates[stage][number]});
    }

  std::vector<Separation> result;
  for (const std::vector<Making> &ofArray : makings)
    for (size_t second = 1; second < ofArray.size(); ++second)
      for (size_t first = 0; first < second; ++first)
        result.push_back(
            {*ofArray[first].area, *ofArray[second].area, ofArray[second].update->position,
             fmt::format("two updates of `{}` make the same points",
                         stencil.arrays[ofArray[second].update->array].name),
             ofArray[second].update->array, /*isRead=*/false, ofArray[first].update->position});

  for (const std::vector<Making> &readers : makings)
    for (const Making &reader : readers)
      forEachRead(reader.update->formula, [&](const Read &read) {
        if (read.level != TimeLevel::Next)
          return;
        for (const Making &making : makings[read.array])
          if (making.stage >= reader.stage)
            forEachHit(stencil, *reader.area, read, [&](const Area &hit) {
              result.push_back(
                  {hit, *making.area, reader.update->position,
                   fmt::format("`{}'` is read at points that no earlier stage has made "
                               "yet",
                               stencil.arrays[read.array].name),
                   read.array, /*isRead=*/true, making.update->position});
            });
      });
  return result;
}

ParamRanges paramRanges(const Stencil &stencil) {
  ParamRanges ranges;
  const auto addBound = [&](unsigned axis, const AxisBound &bound, bool isEnd) {
    if (bound.base != AxisBound::Base::Param)
      return;
    auto [found, isNew] =
        ranges.try_emplace({axis, bound.param}, ParamRange{bound.offset, bound.offset, isEnd});
    ParamRange &range = found->second;
    range.least = std::min(range.least, bound.offset);
    range.most = std::max(range.most, bound.offset);
    range.isEnd &= isEnd;
  };
  const auto add = [&](const Region &region) {
    for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
      addBound(axis, region[axis].from, false);
      addBound(axis, region[axis].to, true);
    }
  };
  for (const Stage &stage : stencil.stages)
    for (const Update &update : stage.updates)
      add(update.region);
  for (const Reduction &reduction : stencil.reductions)
    add(reduction.region);
  return ranges;
}

// ---- least extents ------------------------------------------------------------------------------

/// The least extent with which an index `beyond` an end still finds its place.
static int leastFor(BoundaryKind kind, int beyond) {
  switch (kind) {
  case BoundaryKind::Periodic:
  case BoundaryKind::Symmetric:
    return beyond;
  case BoundaryKind::Reflect:
    return beyond + 1;
  case BoundaryKind::None:
  case BoundaryKind::Fixed:
  case BoundaryKind::Halo:
  case BoundaryKind::Clamp:
  case BoundaryKind::Value:
    return 0;
  }
  llvm_unreachable("unknown boundary");
}

int64_t minimumExtent(const Stencil &stencil, unsigned axis) {
  int64_t least = 0;
  forEachRead(stencil, [&](const Read &read) {
    const auto &boundary = stencil.arrays[read.array].boundary;
    for (unsigned side : {Low, High})
      if (const int beyond = distance(read.offset[axis], side); beyond > 0)
        least = std::max<int64_t>(least, leastFor(boundary[axis][side].kind, beyond));
  });
  const StencilAreas areas = areasOf(stencil);
  least = std::max(least, areas.least[axis]);
  const ParamRanges ranges = paramRanges(stencil);
  for (const Separation &separation : separations(stencil, areas)) {
    const Disjointness apart =
        disjointness(separation.left, separation.right, stencil.rank(), ranges);
    if (apart.answer == Disjointness::Proven && apart.axis == axis)
      least = std::max(least, apart.least);
  }
  return least;
}

} // namespace stencilc
