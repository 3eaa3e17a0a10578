#include "frontend/lift/Order.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

static std::optional<AxisBound> boundOf(const Polynomial &place, const Polynomial &extent,
                                        const LoopTree &tree) {
  const auto fromStartOf = place.number();
  const auto fromEndOf = distance(place, extent);
  // Of an extent that is a number, the nearer end counts.
  if (fromStartOf && *fromStartOf >= 0 && (!fromEndOf || *fromStartOf <= -*fromEndOf))
    return fromStart(*fromStartOf);
  if (fromEndOf && *fromEndOf <= 0)
    return fromEnd(*fromEndOf);
  const auto rest = difference(place, place.constantTerm());
  const auto symbol = rest ? rest->symbol() : std::nullopt;
  if (symbol && tree.symbols[*symbol].kind == SymbolInfo::Kind::Param)
    return fromParam(*symbol, place.constantTerm());
  return std::nullopt;
}

std::optional<Slice> sliceOf(const Range &range, const Polynomial &extent, const LoopTree &tree) {
  const auto from = boundOf(range.from, extent, tree), to = boundOf(range.to, extent, tree);
  if (!from || !to)
    return std::nullopt;
  return Slice{*from, *to};
}

namespace {
enum class Age { Old, New };

/// Where the points of a sweep are to be cut in parts: along an axis, at places that ascend.
/// Without places all of it is left out.
struct Cut {
  unsigned sweep, axis;
  llvm::SmallVector<Polynomial, 2> places;
};

/// The sweep on some of its points.
Sweep partOf(Sweep sweep, unsigned axis, const Range &range) {
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

void cutAt(Grid &grid, const Cut &cut) {
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

class OrderMaker {
public:
  OrderMaker(const LoopTree &tree, const Grid &grid, Refusals &refusals)
      : tree(tree), grid(grid), refusals(refusals) {}

  std::optional<Order> make() {
    for (const Sweep &sweep : grid.sweeps) {
      Area area;
      for (unsigned axis = 0; axis < grid.rank; ++axis) {
        const auto slice = sliceOf(sweep.region[axis], grid.extents[axis], tree);
        if (!slice)
          return refusals.refuse(tree.assignments[sweep.assignment].where,
                                 "along `" + grid.axes[axis] + "` the points from " +
                                     tree.text(sweep.region[axis].from) + " to " +
                                     tree.text(sweep.region[axis].to) +
                                     " are made: that is no fixed distance from an end of the " +
                                     tree.text(grid.extents[axis]) + " points there",
                                 "bounds are the extent or one whole param, with a number added or "
                                 "taken away");
        area[axis] = AxisSpan::of(*slice);
        for (const AxisBound &bound : {slice->from, slice->to})
          note(axis, bound);
      }
      areas.push_back(area);
    }
    for (unsigned writer = 0; writer < grid.sweeps.size(); ++writer)
      for (unsigned other = 0; other < writer; ++other)
        if (!areApart(writer, other))
          return std::nullopt;
    order.levels.resize(grid.sweeps.size());
    needs.resize(grid.sweeps.size());
    for (unsigned reader = 0; reader < grid.sweeps.size(); ++reader)
      for (const auto &[access, read] : grid.sweeps[reader].reads)
        if (grid.arrays[read.array].isWritten && !setLevel(reader, access, read))
          return std::nullopt;
    return makeStages() ? std::optional(std::move(order)) : std::nullopt;
  }

  /// After a failure without a refusal: what to cut before it is tried again.
  const std::optional<Cut> &cut() const { return wanted; }

private:
  /// A param that bounds a region is on the grid, or one past it.
  void note(unsigned axis, const AxisBound &bound) {
    if (bound.base != AxisBound::Base::Param)
      return;
    const ParamRange here{bound.offset, bound.offset};
    ParamRange &range = ranges.try_emplace({axis, bound.param}, here).first->second;
    range.least = std::min(range.least, bound.offset);
    range.most = std::max(range.most, bound.offset);
  }

  bool isDisjoint(const Area &left, const Area &right) const {
    return disjointness(left, right, grid.rank, ranges).answer == Disjointness::Proven;
  }

  bool areApart(unsigned writer, unsigned other) {
    if (grid.sweeps[writer].array != grid.sweeps[other].array ||
        disjointness(areas[writer], areas[other], grid.rank, ranges).answer !=
            Disjointness::Refuted)
      return true;
    const bool isFirst = grid.sweeps[writer].assignment < grid.sweeps[other].assignment;
    if (leaveOut(isFirst ? writer : other, isFirst ? other : writer))
      return false;
    const Assignment &second = tree.assignments[grid.sweeps[writer].assignment];
    return refusals.refuse(second.where,
                           "points of `" + grid.arrays[grid.sweeps[writer].array].name +
                               "` are set twice in a step",
                           "set every point once, or keep the first value in an array of its own"),
           false;
  }

  /// Wants those points left out of a sweep that a later one sets again, such as corners that
  /// belong to two edges; false if somebody reads them in between.
  bool leaveOut(unsigned earlier, unsigned later) {
    const Sweep &first = grid.sweeps[earlier], &second = grid.sweeps[later];
    const bool isInterleaved =
        !first.loops.empty() && !second.loops.empty() && first.loops[0] == second.loops[0];
    if (isInterleaved && !setsSameNumber(first, second))
      return false;
    for (unsigned axis = 0; axis < grid.rank; ++axis)
      if (Cut cut{earlier, axis, placesInside(first.region[axis], second.region[axis], 0)};
          !cut.places.empty()) {
        wanted = cut;
        return true;
      }
    for (unsigned reader = 0; reader < grid.sweeps.size(); ++reader)
      for (const auto &[access, read] : grid.sweeps[reader].reads) {
        const unsigned time = tree.accesses[access].time;
        if (read.array == first.array && time > first.assignment && time <= second.assignment &&
            !isDisjoint(pointsOf(reader, read), areas[earlier]))
          return false;
      }
    wanted = Cut{earlier, 0, {}};
    return true;
  }

  bool setsSameNumber(const Sweep &first, const Sweep &second) const {
    const Formula &one = tree.assignments[first.assignment].value;
    return std::holds_alternative<Literal>(one[one.result].node) &&
           isSameValue(one, tree.assignments[second.assignment].value);
  }

  /// The ends of `other`, moved, that are inside of `range`. An end that depends on params is taken
  /// to be inside if it is on one side.
  static llvm::SmallVector<Polynomial, 2> placesInside(const Range &range, const Range &other,
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

  /// What a sweep reads of an array.
  Area pointsOf(unsigned reader, const GridRead &read) const {
    Area points;
    for (unsigned axis = 0; axis < grid.rank; ++axis) {
      const auto slice = sliceOf(read.points[axis], grid.extents[axis], tree);
      const AxisSpan span = slice ? AxisSpan::of(*slice) : areas[reader][axis];
      points[axis] = read.kept[axis] ? AxisSpan::whole() : span.shifted(read.offset[axis]);
    }
    return points;
  }

  /// Whether `writer` has overwritten the element before `reader` reads it.
  std::optional<Age> ageOf(unsigned writer, unsigned reader, unsigned accessNumber,
                           const GridRead &read) const {
    const Sweep &write = grid.sweeps[writer], &use = grid.sweeps[reader];
    const Access &access = tree.accesses[accessNumber];
    std::optional<Age> age;
    bool isBlocked = false;
    for (auto [mine, theirs] : llvm::zip(use.loops, write.loops)) {
      if (mine != theirs)
        break;
      const auto axisOf = [&](const Sweep &sweep) {
        return llvm::find(sweep.loopOfAxis, std::optional(mine)) - sweep.loopOfAxis.begin();
      };
      const unsigned axis = axisOf(use);
      if (axis != axisOf(write) || read.kept[axis])
        return std::nullopt;
      // The turn that writes the element, seen from the turn that reads it.
      const int64_t turns = read.offset[axis] + use.shift[axis] - write.shift[axis];
      const int64_t later = tree.loops[mine].isDownward ? -turns : turns;
      isBlocked |= tree.loops[mine].isBlocked;
      if (later == 0)
        continue;
      const Age here = later < 0 ? Age::New : Age::Old;
      // Of blocks the order is that of turns only where all loops agree about it.
      if (age && *age != here && isBlocked)
        return std::nullopt;
      age = age.value_or(here);
    }
    if (age)
      return age;
    return write.assignment < access.time ? Age::New : Age::Old;
  }

  bool setLevel(unsigned reader, unsigned accessNumber, const GridRead &read) {
    const GridArray &array = grid.arrays[read.array];
    const Access &access = tree.accesses[accessNumber];
    const auto setTo = [&](TimeLevel level) {
      order.levels[reader][accessNumber] = level;
      return true;
    };
    if (array.hasLevels() && read.storage == array.current)
      return setTo(TimeLevel::Current);
    if (array.hasLevels() && !(read.storage == array.next))
      return setTo(TimeLevel::Previous);

    const Area points = pointsOf(reader, read);
    std::optional<Age> age;
    for (unsigned writer = 0; writer < grid.sweeps.size(); ++writer) {
      if (grid.sweeps[writer].array != read.array || isDisjoint(points, areas[writer]))
        continue;
      const auto found = ageOf(writer, reader, accessNumber, read);
      if (found && age && *age != *found && cutByAge(reader, writer, read))
        return false;
      if (!found || (age && *age != *found))
        return refusals.refuse(
                   access.where,
                   "`" + array.name +
                       "` is read here partly before and partly after it is overwritten",
                   "read the old state alone, from an array that the step does not "
                   "write"),
               false;
      age = found;
      if (found == Age::New)
        needs[reader].push_back({writer, accessNumber});
      if (found == Age::New && writer == reader)
        return refuseOwn(reader, access, read), false;
    }
    if (age == Age::New)
      return setTo(TimeLevel::Next);
    if (!array.hasLevels())
      return setTo(TimeLevel::Current);
    if (array.previous && *array.previous == array.next)
      return setTo(TimeLevel::Previous);
    return refusals.refuse(access.where,
                           "`" + tree.buffers[access.buffer].name +
                               "` holds the state three steps back here",
                           "a step reads the state before it and the one before that"),
           false;
  }

  /// Wants the reader cut where the points that it reads of the writer begin and end; false if they
  /// do so nowhere inside of it.
  bool cutByAge(unsigned reader, unsigned writer, const GridRead &read) {
    for (unsigned axis = 0; axis < grid.rank; ++axis) {
      const Cut cut{reader, axis,
                    placesInside(grid.sweeps[reader].region[axis], grid.sweeps[writer].region[axis],
                                 -read.offset[axis])};
      if (!cut.places.empty()) {
        wanted = cut;
        return true;
      }
    }
    return false;
  }

  /// An update that reads what it has just made.
  void refuseOwn(unsigned reader, const Access &access, const GridRead &read) {
    const Sweep &sweep = grid.sweeps[reader];
    std::string here, there;
    for (unsigned axis = 0; axis < grid.rank; ++axis) {
      const std::string name = sweep.loopOfAxis[axis]
                                   ? tree.symbols[tree.loops[*sweep.loopOfAxis[axis]].variable].name
                                   : tree.text(sweep.region[axis].from);
      const int64_t far = sweep.loopOfAxis[axis] ? read.offset[axis] : 0;
      here += (here.empty() ? "" : ", ") + name;
      there += (there.empty() ? "" : ", ") + name +
               (far ? (far > 0 ? "+" : "") + std::to_string(far) : std::string());
    }
    refusals.refuse(access.where,
                    "the turn (" + here + ") reads what the turn (" + there +
                        ") has just written to `" + grid.arrays[read.array].name +
                        "`: the order of the points matters (Gauss-Seidel, ADI, a recurrence)",
                    "write to a second array what is read from the first, as Jacobi's method does");
  }

  bool makeStages() {
    order.stages.assign(grid.sweeps.size(), 0);
    // Longest chains: after as many rounds as there are sweeps, something goes round in circles.
    for (unsigned round = 0; round <= grid.sweeps.size(); ++round) {
      bool hasChanged = false;
      for (unsigned reader = 0; reader < grid.sweeps.size(); ++reader)
        for (const auto &[writer, access] : needs[reader])
          if (order.stages[reader] <= order.stages[writer]) {
            order.stages[reader] = order.stages[writer] + 1;
            hasChanged = true;
            if (round == grid.sweeps.size())
              return refusals.refuse(tree.accesses[access].where,
                                     "two arrays need each other's new values here, turn by turn: "
                                     "the order of the points matters",
                                     "read the old state of one of them"),
                     false;
          }
      if (!hasChanged)
        return true;
    }
    return true;
  }

  const LoopTree &tree;
  const Grid &grid;
  Refusals &refusals;
  Order order;
  std::vector<Area> areas;
  ParamRanges ranges;
  std::optional<Cut> wanted;
  /// By reader: the writers whose new values it reads, and where.
  std::vector<std::vector<std::pair<unsigned, unsigned>>> needs;
};
} // namespace

std::optional<Order> makeOrder(const LoopTree &tree, Grid &grid, Refusals &refusals) {
  constexpr unsigned kCuts = 64;
  for (unsigned cuts = 0; cuts < kCuts; ++cuts) {
    OrderMaker maker(tree, grid, refusals);
    std::optional<Order> order = maker.make();
    if (order || !maker.cut())
      return order;
    cutAt(grid, *maker.cut());
  }
  return refusals.refuse(tree.where, "what is read before and after it is overwritten are too many "
                                     "parts of the grid");
}

} // namespace stencilc::lift
