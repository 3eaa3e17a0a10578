#include "frontend/lift/Overlaps.h"

#include "frontend/lift/JoinSweeps.h"
#include "frontend/lift/Numbers.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace stencilc::lift {

/// The sweep on some of its points.
static Sweep partOf(Sweep sweep, unsigned axis, const Range &range) {
  const Range whole = std::exchange(sweep.region[axis], range);
  for (auto &[_, read] : sweep.reads) {
    Range &points = read.points[axis];
    if (points == whole)
      points = range;
    if (const auto further = distance(range.from, points.from); further && *further > 0)
      points.from = range.from;
    if (const auto further = distance(points.to, range.to); further && *further > 0)
      points.to = range.to;
  }
  return sweep;
}

static void cutAt(Grid &grid, const Cut &cut) {
  if (cut.places.empty()) {
    grid.sweeps.erase(grid.sweeps.begin() + cut.sweep);
    return;
  }
  const Sweep whole = grid.sweeps[cut.sweep];
  Range rest = whole.region[cut.axis];
  for (const Polynomial &place : cut.places) {
    grid.sweeps.push_back(partOf(whole, cut.axis, {rest.from, place}));
    rest.from = place;
  }
  grid.sweeps[cut.sweep] = partOf(whole, cut.axis, rest);
}

void apply(Grid &grid, const Change &change) {
  if (const auto *cut = std::get_if<Cut>(&change))
    return cutAt(grid, *cut);
  const auto &join = std::get<Join>(change);
  grid.sweeps[join.earlier] = join.result;
  grid.sweeps.erase(grid.sweeps.begin() + join.later);
  for (const std::string &assumption : join.assumptions)
    if (!llvm::is_contained(grid.assumptions, assumption))
      grid.assumptions.push_back(assumption);
}

llvm::SmallVector<Polynomial, 2> placesInside(const Range &range, const Range &other,
                                              int64_t offset) {
  llvm::SmallVector<Polynomial, 2> places;
  for (const Polynomial &end : {other.from, other.to}) {
    const auto place = sum(end, offset);
    const auto behindStart = place ? distance(*place, range.from) : std::nullopt;
    const auto beforeEnd = place ? distance(range.to, *place) : std::nullopt;
    if ((behindStart || beforeEnd) && behindStart.value_or(1) > 0 && beforeEnd.value_or(1) > 0)
      places.push_back(*place);
  }
  return places;
}

static bool setsSameNumber(const Sweep &first, const Sweep &second) {
  const Formula &one = first.value;
  return std::holds_alternative<Literal>(one[one.result].node) && isSameValue(one, second.value);
}

bool Overlaps::areApart() {
  for (unsigned writer = 0; writer < grid.sweeps.size(); ++writer)
    for (unsigned other = 0; other < writer; ++other)
      if (!areApart(writer, other))
        return false;
  return true;
}

bool Overlaps::areApart(unsigned writer, unsigned other) {
  if (grid.sweeps[writer].array != grid.sweeps[other].array)
    return true;
  const auto answer = areas.overlap(areas.of(writer), areas.of(other));
  if (answer == Disjointness::Proven)
    return true;
  const bool isFirst = grid.sweeps[writer].assignment < grid.sweeps[other].assignment;
  unsigned earlier = isFirst ? writer : other, later = isFirst ? other : writer;
  const bool isPoint = grid.sweeps[later].loops.empty();
  if ((isPoint || answer != Disjointness::Refuted) && setWithin(earlier, later))
    return false;
  if (answer != Disjointness::Refuted)
    return true;
  const std::optional<bool> isTurned = areTurned(earlier, later);
  if (isTurned == true)
    std::swap(earlier, later);
  if (isTurned.has_value() && setAnew(earlier, later))
    return false;
  const Assignment &second = tree.assignments[grid.sweeps[writer].assignment];
  return refusals.refuse(second.where,
                         "points of `" + grid.arrays[grid.sweeps[writer].array].name +
                             "` are set twice in a step",
                         "set every point once, or keep the first value in an array of its own"),
         false;
}

/// Whether turns of a loop around both make the points that both make in another order than that
/// of the statements; none if that is not plain.
std::optional<bool> Overlaps::areTurned(unsigned earlier, unsigned later) const {
  const Sweep &first = grid.sweeps[earlier], &second = grid.sweeps[later];
  if (first.loops.empty() || second.loops.empty() || first.loops[0] != second.loops[0] ||
      takeSameTurns(first, second) || setsSameNumber(first, second))
    return false;
  // Along the loop's axis the points of both are one row: its turn, seen from each.
  const auto turnOf = [&](const Sweep &mine, const Sweep &other) -> std::optional<Polynomial> {
    const unsigned axis =
        llvm::find(mine.loopOfAxis, std::optional(mine.loops[0])) - mine.loopOfAxis.begin();
    const Range &row = other.region[axis];
    return distance(row.to, row.from) == 1 ? sum(row.from, -mine.shift[axis]) : std::nullopt;
  };
  const Loop &loop = tree.loops[first.loops[0]];
  const auto one = turnOf(first, second), two = turnOf(second, first);
  if (!one || !two || first.loops.size() > 1 || second.loops.size() > 1 || loop.isBlocked)
    return std::nullopt;
  if (one == two)
    return false;
  const Polynomial start = loop.isDownward ? *sum(loop.end, -1) : loop.begin;
  if (one == start || two == start)
    return two == start;
  const auto further = distance(*two, *one);
  return further ? std::optional((*further < 0) != loop.isDownward) : std::nullopt;
}

/// True if somebody else reads points of the first between both, or the second reads more of
/// the array than the points that it makes.
bool Overlaps::isSeenBetween(unsigned earlier, unsigned later) const {
  const Sweep &first = grid.sweeps[earlier], &second = grid.sweeps[later];
  for (unsigned reader = 0; reader < grid.sweeps.size(); ++reader)
    for (const auto &[access, read] : grid.sweeps[reader].reads) {
      const unsigned time = tree.accesses[access].time;
      if (read.array != first.array || !(read.storage == grid.arrays[first.array].next) ||
          areas.isDisjoint(areas.pointsOf(reader, read), areas.of(earlier)))
        continue;
      const bool isKept =
          llvm::any_of(read.kept, [](const auto &kept) { return kept.has_value(); });
      if (reader == later && time > first.assignment && read.offset == Offset{} && !isKept)
        continue;
      // Turns of a loop around come before the second and after it.
      const bool isAmong = reader != earlier && !first.loops.empty() && !second.loops.empty() &&
                           first.loops[0] == second.loops[0] && !takeSameTurns(first, second) &&
                           !grid.sweeps[reader].loops.empty() &&
                           grid.sweeps[reader].loops[0] == first.loops[0];
      if (isAmong || (time > first.assignment && time <= second.assignment))
        return true;
    }
  return false;
}

/// The condition under which a turn of the first makes a point of the second; empty if every turn
/// does. Notes what is taken for granted of places that are known only during a run.
std::optional<std::vector<Formula>> Overlaps::conditions(const Sweep &first, const Sweep &second,
                                                         unsigned axis, Join &join) const {
  std::vector<Formula> result;
  const Range &whole = first.region[axis], &part = second.region[axis];
  const auto inside = [&](const Polynomial &low, const Polynomial &high, const Polynomial &place,
                          llvm::StringRef side, const Polynomial &limit) {
    const auto far = distance(high, low);
    if (!far)
      join.assumptions.push_back(fmt::format("{} is at {} {} along {}", tree.text(place),
                                             side.str(), tree.text(limit), grid.axes[axis]));
    return !far || *far >= 0;
  };
  if (!inside(whole.from, part.from, part.from, "least", whole.from) ||
      !inside(part.to, whole.to, part.to, "most", whole.to))
    return std::nullopt;
  if (!first.loopOfAxis[axis])
    return part == whole ? std::optional(result) : std::nullopt;
  const Formula turn =
      leaf(ScalarType::Int, AxisValue{tree.loops[*first.loopOfAxis[axis]].variable});
  const auto add = [&](CompareOp op, const Polynomial &place) {
    const auto moved = sum(place, -first.shift[axis]);
    const auto value = moved ? tree.formulaOf(*moved) : std::nullopt;
    const auto test = value ? compare(op, turn, *value) : std::nullopt;
    if (test)
      result.push_back(*test);
    return test.has_value();
  };
  const bool isRow = distance(part.to, part.from) == 1;
  if (isRow ? !add(CompareOp::Equal, part.from)
            : (part.from != whole.from && !add(CompareOp::GreaterEqual, part.from)) ||
                  (part.to != whole.to && !add(CompareOp::Less, part.to)))
    return std::nullopt;
  return result;
}

/// Points within those of an earlier assignment, of which it is known only during a run where they
/// are, or that are few, such as a source: the choice of them becomes part of the formula.
bool Overlaps::setWithin(unsigned earlier, unsigned later) {
  const Sweep &first = grid.sweeps[earlier], &second = grid.sweeps[later];
  const bool isAmong = !first.loops.empty() && !second.loops.empty() &&
                       first.loops[0] == second.loops[0] && !takeSameTurns(first, second);
  if (isAmong || first.loops.empty() || isSeenBetween(earlier, later))
    return false;
  const auto after = joined(tree, grid, first, second);
  Join join{earlier, later, first, {}};
  std::optional<Formula> isHere;
  for (unsigned axis = 0; axis < grid.rank && after; ++axis) {
    const auto tests = conditions(first, second, axis, join);
    if (!tests)
      return false;
    for (const Formula &test : *tests)
      isHere = isHere ? binary(BinaryOp::And, *isHere, test) : test;
  }
  if (!after || !isHere)
    return false;
  join.result = *after;
  join.result.value = select(*isHere, after->value, first.value);
  wanted = join;
  return true;
}

/// True if only a run tells whether `part` has all points of `whole`, as where a param says which
/// one it is.
bool Overlaps::mayLeaveOut(const Range &whole, const Range &part, unsigned axis) const {
  const auto isOfParam = [&](const Polynomial &place) {
    const auto slice = sliceOf({place, place}, grid.extents[axis], tree);
    return !slice || slice->from.base == AxisBound::Base::Param;
  };
  const auto isLess = [&](const Polynomial &place, const Polynomial &other) {
    const auto far = distance(other, place);
    return far ? *far > 0 : isOfParam(place) || isOfParam(other);
  };
  return isLess(whole.from, part.from) || isLess(part.to, whole.to);
}

/// The later one sets points of the earlier one again, such as corners that belong to two edges,
/// or makes more of them: wants them left out of the earlier one, or made by both at once.
bool Overlaps::setAnew(unsigned earlier, unsigned later) {
  const Sweep &first = grid.sweeps[earlier], &second = grid.sweeps[later];
  const bool isMore = readsOwnPoint(grid, second);
  for (unsigned axis = 0; axis < grid.rank; ++axis)
    if (Cut cut{earlier, axis, placesInside(first.region[axis], second.region[axis], 0)};
        !cut.places.empty()) {
      wanted = cut;
      return true;
    }
  for (unsigned axis = 0; axis < grid.rank && isMore; ++axis)
    if (Cut cut{later, axis, placesInside(second.region[axis], first.region[axis], 0)};
        !cut.places.empty()) {
      wanted = cut;
      return true;
    }
  if (isSeenBetween(earlier, later))
    return false;
  if (!isMore) {
    for (unsigned axis = 0; axis < grid.rank; ++axis)
      if (mayLeaveOut(first.region[axis], second.region[axis], axis))
        return false;
    wanted = Cut{earlier, 0, {}};
    return true;
  }
  const auto both =
      first.region == second.region ? joined(tree, grid, first, second) : std::nullopt;
  if (both)
    wanted = Join{earlier, later, *both, {}};
  return both.has_value();
}

/// A whole number that no loop changes.

} // namespace stencilc::lift
