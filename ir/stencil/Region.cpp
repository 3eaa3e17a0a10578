#include "ir/stencil/Region.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

namespace stencilc {

int64_t valueOf(const AxisBound &bound, const AxisEnds &ends) {
  switch (bound.base) {
  case AxisBound::Base::Start:
    return bound.offset;
  case AxisBound::Base::End:
    return ends.extent + bound.offset;
  case AxisBound::Base::Param:
    return static_cast<int64_t>(ends.params[bound.param]) + bound.offset;
  }
  llvm_unreachable("unknown base");
}

static bool haveOneBase(const AxisBound &left, const AxisBound &right) {
  return left.base == right.base && left.param == right.param;
}

AxisSpan AxisSpan::whole(int64_t ghostsLow, int64_t ghostsHigh) {
  return {{fromStart(-ghostsLow)}, {fromEnd(ghostsHigh)}};
}

AxisSpan AxisSpan::of(const Slice &slice) {
  AxisSpan span = whole();
  span.startAt(slice.from);
  span.endBefore(slice.to);
  return span;
}

void AxisSpan::startAt(AxisBound bound) {
  for (AxisBound &known : from)
    if (haveOneBase(known, bound)) {
      known.offset = std::max(known.offset, bound.offset);
      return;
    }
  from.push_back(bound);
}

void AxisSpan::endBefore(AxisBound bound) {
  for (AxisBound &known : to)
    if (haveOneBase(known, bound)) {
      known.offset = std::min(known.offset, bound.offset);
      return;
    }
  to.push_back(bound);
}

void AxisSpan::keep(const AxisSpan &other, int64_t offset) {
  const AxisSpan moved = other.shifted(-offset);
  for (const AxisBound &bound : moved.from)
    startAt(bound);
  for (const AxisBound &bound : moved.to)
    endBefore(bound);
}

AxisSpan AxisSpan::shifted(int64_t offset) const {
  AxisSpan result = *this;
  for (AxisBound &bound : result.from)
    bound.offset += offset;
  for (AxisBound &bound : result.to)
    bound.offset += offset;
  return result;
}

bool AxisSpan::isOpen(Side side) const {
  const auto &bounds = side == Low ? from : to;
  if (bounds.size() != 1)
    return false;
  const AxisBound &bound = bounds.front();
  return side == Low ? bound.base == AxisBound::Base::Start && bound.offset <= 0
                     : bound.base == AxisBound::Base::End && bound.offset >= 0;
}

int64_t AxisSpan::begin(const AxisEnds &ends) const {
  int64_t begin = valueOf(from.front(), ends);
  for (const AxisBound &bound : from)
    begin = std::max(begin, valueOf(bound, ends));
  return begin;
}

int64_t AxisSpan::end(const AxisEnds &ends) const {
  int64_t end = valueOf(to.front(), ends);
  for (const AxisBound &bound : to)
    end = std::min(end, valueOf(bound, ends));
  return end;
}

/// From which extent on `lower <= upper` holds, as far as that needs no param: where both count
/// from one place, or from both ends of a long enough axis.
static std::optional<int64_t> leastForOrder(const AxisBound &lower, const AxisBound &upper) {
  using Base = AxisBound::Base;
  if (haveOneBase(lower, upper))
    return lower.offset <= upper.offset ? std::optional<int64_t>(0) : std::nullopt;
  if (lower.base == Base::Start && upper.base == Base::End)
    return std::max<int64_t>(0, lower.offset - upper.offset);
  return std::nullopt; // the end of an axis comes before a number on short axes only
}

/// All points of both, if `second` starts where `first` ends and neither is short of that place.
static std::optional<Joined<AxisSpan>> joinedInOrder(const AxisSpan &first,
                                                     const AxisSpan &second) {
  // The start and the end of the axis itself bound every span: they are on the grid's side of any
  // place, and no place to meet.
  const auto inner = [](llvm::ArrayRef<AxisBound> bounds, const auto &isOutermost) {
    llvm::SmallVector<AxisBound, 2> result;
    llvm::copy_if(bounds, std::back_inserter(result),
                  [&](const AxisBound &bound) { return !isOutermost(bound); });
    return result;
  };
  const auto isStart = [](const AxisBound &bound) {
    return bound.base == AxisBound::Base::Start && bound.offset <= 0;
  };
  const auto isEnd = [](const AxisBound &bound) {
    return bound.base == AxisBound::Base::End && bound.offset >= 0;
  };
  const auto ends = inner(first.to, isEnd), starts = inner(second.from, isStart);
  if (ends.size() != 1 || starts.size() != 1 || ends.front() != starts.front())
    return std::nullopt;
  const AxisBound &place = ends.front();

  Joined<AxisSpan> result = {{first.from, second.to}, 0};
  const auto order = [&](const AxisBound &lower, const AxisBound &upper) {
    const std::optional<int64_t> least = leastForOrder(lower, upper);
    result.least = std::max(result.least, least.value_or(0));
    return least.has_value();
  };
  for (const AxisBound &bound : inner(first.from, isStart))
    if (!order(bound, place))
      return std::nullopt;
  for (const AxisBound &bound : inner(second.to, isEnd))
    if (!order(place, bound))
      return std::nullopt;
  return result;
}

std::optional<Joined<Area>> joined(const Area &left, const Area &right, unsigned rank) {
  std::optional<unsigned> differs;
  for (unsigned axis = 0; axis < rank; ++axis)
    if (left[axis] != right[axis]) {
      if (differs)
        return std::nullopt;
      differs = axis;
    }
  if (!differs)
    return Joined<Area>{left, 0, 0};
  std::optional<Joined<AxisSpan>> along = joinedInOrder(left[*differs], right[*differs]);
  if (!along)
    along = joinedInOrder(right[*differs], left[*differs]);
  if (!along)
    return std::nullopt;
  Joined<Area> result = {left, along->least, *differs};
  result.points[*differs] = along->points;
  return result;
}

namespace {
/// What makes two areas disjoint, looked for along all axes.
class Search {
public:
  explicit Search(const ParamRanges &ranges) : ranges(ranges) {}

  /// One more way: no point is at or after `start` and before `end`.
  void tryEmpty(unsigned axis, llvm::ArrayRef<AxisBound> start, llvm::ArrayRef<AxisBound> end) {
    for (const AxisBound &from : start)
      for (const AxisBound &to : end)
        tryOrder(axis, to, from);
  }

  Disjointness result() const {
    if (best)
      return *best;
    return {dependsOnParams ? Disjointness::Unknown : Disjointness::Refuted};
  }

private:
  using Base = AxisBound::Base;

  /// `lower <= upper`, if that holds from some extent on.
  void tryOrder(unsigned axis, const AxisBound &lower, const AxisBound &upper) {
    const bool ofParams = lower.base == Base::Param || upper.base == Base::Param;
    if (haveOneBase(lower, upper) || !ofParams) {
      if (std::optional<int64_t> least = leastForOrder(lower, upper))
        prove(axis, *least);
    } else if (lower.base == Base::Param && upper.base == Base::Param) {
      dependsOnParams = true;
    } else if (lower.base == Base::Param) {
      const ParamRange range = ranges.at({axis, lower.param});
      if (upper.base == Base::End && lower.offset - range.most <= upper.offset)
        prove(axis, 0);
      else if (upper.base == Base::End || lower.offset - range.least <= upper.offset)
        dependsOnParams = true;
    } else {
      const ParamRange range = ranges.at({axis, upper.param});
      if (lower.base == Base::Start && lower.offset <= upper.offset - range.least)
        prove(axis, 0);
      else if (lower.base == Base::Start || lower.offset <= upper.offset - range.most)
        dependsOnParams = true;
    }
  }

  void prove(unsigned axis, int64_t least) {
    if (!best || least < best->least)
      best = Disjointness{Disjointness::Proven, axis, least};
  }

  const ParamRanges &ranges;
  std::optional<Disjointness> best;
  bool dependsOnParams = false;
};
} // namespace

Disjointness disjointness(const Area &left, const Area &right, unsigned rank,
                          const ParamRanges &ranges) {
  Search search(ranges);
  for (unsigned axis = 0; axis < rank; ++axis) {
    search.tryEmpty(axis, left[axis].from, left[axis].to);
    search.tryEmpty(axis, right[axis].from, right[axis].to);
    search.tryEmpty(axis, left[axis].from, right[axis].to);
    search.tryEmpty(axis, right[axis].from, left[axis].to);
  }
  return search.result();
}

} // namespace stencilc
