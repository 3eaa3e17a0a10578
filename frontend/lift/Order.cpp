#include "frontend/lift/Order.h"

#include "frontend/lift/JoinSweeps.h"
#include "frontend/lift/Numbers.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

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
/// A sweep that does the work of two.
struct Join {
  unsigned earlier, later;
  Sweep result;
  std::vector<std::string> assumptions;
};
using Change = std::variant<Cut, Join>;

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

  /// After a failure without a refusal: what to change before it is tried again.
  const std::optional<Change> &change() const { return wanted; }

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
    if (grid.sweeps[writer].array != grid.sweeps[other].array)
      return true;
    const auto answer = disjointness(areas[writer], areas[other], grid.rank, ranges).answer;
    if (answer == Disjointness::Proven)
      return true;
    const bool isFirst = grid.sweeps[writer].assignment < grid.sweeps[other].assignment;
    unsigned earlier = isFirst ? writer : other, later = isFirst ? other : writer;
    if (setPoint(earlier, later))
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
  std::optional<bool> areTurned(unsigned earlier, unsigned later) const {
    const Sweep &first = grid.sweeps[earlier], &second = grid.sweeps[later];
    if (first.loops.empty() || second.loops.empty() || first.loops[0] != second.loops[0] ||
        takeSameTurns(first, second) || setsSameNumber(first, second))
      return false;
    // Along the loop's axis the points of both are one row: its turn, seen from each.
    const auto turnOf = [&](const Sweep &mine, const Sweep &other) -> std::optional<Polynomial> {
      const unsigned axis =
          llvm::find(mine.loopOfAxis, std::optional(mine.loops[0])) - mine.loopOfAxis.begin();
      const Range &row = other.region[axis];
      return lift::distance(row.to, row.from) == 1 ? sum(row.from, -mine.shift[axis])
                                                   : std::nullopt;
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
    const auto further = lift::distance(*two, *one);
    return further ? std::optional((*further < 0) != loop.isDownward) : std::nullopt;
  }

  /// True if somebody else reads points of the first between both, or the second reads more of
  /// the array than the points that it makes.
  bool isSeenBetween(unsigned earlier, unsigned later) const {
    const Sweep &first = grid.sweeps[earlier], &second = grid.sweeps[later];
    for (unsigned reader = 0; reader < grid.sweeps.size(); ++reader)
      for (const auto &[access, read] : grid.sweeps[reader].reads) {
        const unsigned time = tree.accesses[access].time;
        if (read.array != first.array || !(read.storage == grid.arrays[first.array].next) ||
            isDisjoint(pointsOf(reader, read), areas[earlier]))
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

  /// A single point, such as a source, that is made after a box around it: the choice of it becomes
  /// part of the formula.
  bool setPoint(unsigned earlier, unsigned later) {
    const Sweep &first = grid.sweeps[earlier], &second = grid.sweeps[later];
    if (!second.loops.empty() || first.loops.empty() || isSeenBetween(earlier, later))
      return false;
    const auto after = joined(tree, grid, first, second);
    Join join{earlier, later, first, {}};
    std::optional<Formula> isHere;
    for (unsigned axis = 0; axis < grid.rank && after; ++axis) {
      const Polynomial &place = second.region[axis].from;
      if (!first.loopOfAxis[axis]) {
        if (place != first.region[axis].from)
          return false;
        continue;
      }
      for (const auto &[limit, text, far] :
           {std::tuple(first.region[axis].from, "least",
                       lift::distance(place, first.region[axis].from)),
            std::tuple(*sum(first.region[axis].to, -1), "most",
                       lift::distance(*sum(first.region[axis].to, -1), place))}) {
        if (far && *far < 0)
          return false;
        if (!far)
          join.assumptions.push_back(fmt::format("{} is at {} {} along {}", tree.text(place), text,
                                                 tree.text(limit), grid.axes[axis]));
      }
      const auto turn = sum(place, -first.shift[axis]);
      const auto value = turn ? formulaOf(*turn) : std::nullopt;
      const Symbol variable = tree.loops[*first.loopOfAxis[axis]].variable;
      const auto here =
          value ? compare(CompareOp::Equal, leaf(ScalarType::Int, AxisValue{variable}), *value)
                : std::nullopt;
      if (!here)
        return false;
      isHere = isHere ? binary(BinaryOp::And, *isHere, *here) : here;
    }
    if (!after || !isHere)
      return false;
    join.result = *after;
    join.result.value = select(*isHere, after->value, first.value);
    wanted = join;
    return true;
  }

  /// The later one sets points of the earlier one again, such as corners that belong to two edges,
  /// or makes more of them: wants them left out of the earlier one, or made by both at once.
  bool setAnew(unsigned earlier, unsigned later) {
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
      wanted = Cut{earlier, 0, {}};
      return true;
    }
    const auto both =
        first.region == second.region ? joined(tree, grid, first, second) : std::nullopt;
    if (both)
      wanted = Join{earlier, later, *both, {}};
    return both.has_value();
  }

  bool setsSameNumber(const Sweep &first, const Sweep &second) const {
    const Formula &one = first.value;
    return std::holds_alternative<Literal>(one[one.result].node) && isSameValue(one, second.value);
  }

  /// A whole number that no loop changes.
  std::optional<Formula> formulaOf(const Polynomial &value) const {
    std::optional<Formula> result = literal(ScalarType::Int, double(value.constantTerm()));
    for (const auto &[monomial, factor] : value.terms()) {
      if (monomial.empty())
        continue;
      std::optional<Formula> term = literal(ScalarType::Int, double(std::abs(factor)));
      for (Symbol symbol : monomial) {
        if (tree.symbols[symbol].kind != SymbolInfo::Kind::Param)
          return std::nullopt;
        const Formula param = leaf(ScalarType::Int, ParamValue{symbol});
        const auto *number = std::get_if<Literal>(&(*term)[term->result].node);
        term = number && number->value == 1 ? param : binary(BinaryOp::Multiply, *term, param);
      }
      const auto *start = std::get_if<Literal>(&(*result)[result->result].node);
      if (start && start->value == 0 && factor > 0)
        result = term;
      else
        result = binary(factor < 0 ? BinaryOp::Subtract : BinaryOp::Add, *result, *term);
    }
    return result;
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
  std::optional<Change> wanted;
  /// By reader: the writers whose new values it reads, and where.
  std::vector<std::vector<std::pair<unsigned, unsigned>>> needs;
};
} // namespace

std::optional<Order> makeOrder(const LoopTree &tree, Grid &grid, Refusals &refusals) {
  constexpr unsigned kCuts = 64;
  for (unsigned cuts = 0; cuts < kCuts; ++cuts) {
    OrderMaker maker(tree, grid, refusals);
    std::optional<Order> order = maker.make();
    if (order || !maker.change())
      return order;
    apply(grid, *maker.change());
  }
  return refusals.refuse(tree.where, "what is read before and after it is overwritten are too many "
                                     "parts of the grid");
}

} // namespace stencilc::lift
