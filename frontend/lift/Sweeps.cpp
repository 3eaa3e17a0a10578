#include "frontend/lift/Sweeps.h"

#include "frontend/lift/Extents.h"
#include "frontend/lift/Levels.h"
#include "frontend/lift/Summaries.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace stencilc::lift {

/// Offsets of the language go no further.
constexpr int64_t kMaxReach = 10'000;

namespace {
class GridMaker {
public:
  GridMaker(LoopTree &tree, Refusals &refusals)
      : tree(tree), refusals(refusals), levels(tree, refusals) {}

  std::optional<Grid> make() {
    if (tree.assignments.empty())
      return refuse(tree.where, "no array is written: there is no stencil here");
    if (!levels.find())
      return std::nullopt;
    grid.timeLoop = levels.loop();
    if (!findWritten() || !findLevels())
      return std::nullopt;
    for (unsigned number = 0; number < tree.assignments.size(); ++number)
      if (!addSweep(number))
        return std::nullopt;
    for (Sweep &sweep : grid.sweeps)
      if (!addReads(sweep))
        return std::nullopt;
    addSummaries(
        tree, grid, levels, refusals,
        [&](Sweep &sweep, const Assignment &points) { return addPoints(sweep, points); },
        [&](Sweep &sweep) { return addReads(sweep); });
    if (!setExtents(grid, tree, refusals))
      return std::nullopt;
    return std::move(grid);
  }

private:
  std::nullopt_t refuse(clang::SourceLocation where, const llvm::Twine &seen,
                        const llvm::Twine &wayOut = "") {
    return refusals.refuse(where, seen, wayOut);
  }
  /// A remainder and a position that is kept on the grid count as what they are made of.
  bool namesLoop(const Polynomial &value) const {
    return value.namesAny(
        [&](Symbol symbol) { return tree.symbols[symbol].kind != SymbolInfo::Kind::Param; });
  }

  // ---- arrays

  bool findWritten() {
    for (const Assignment &assignment : tree.assignments) {
      const Storage storage = levels.storageOf(assignment.target);
      if (!llvm::is_contained(written, storage))
        written.push_back(storage);
      if (storage.slot && levels.slotOf(assignment.target.subscripts[0])->second !=
                              levels.modulusOf(storage.buffer))
        return refuse(assignment.where, "time levels are chosen by two different remainders"),
               false;
      const unsigned rank = levels.pointOf(assignment.target).size();
      if (grid.rank == 0)
        grid.rank = rank;
      if (rank == 0 || rank > kMaxRank || rank != grid.rank)
        return refuse(assignment.where,
                      "`" + tree.buffers[storage.buffer].name + "` has " + llvm::Twine(rank) +
                          " axes, " +
                          (rank == grid.rank
                               ? "where one to three are possible"
                               : "the arrays before it " + llvm::Twine(grid.rank).str()),
                      "all arrays that a stencil makes have the same axes"),
               false;
    }
    return true;
  }

  bool findLevels() {
    for (const Storage &storage : written) {
      const Buffer &buffer = tree.buffers[storage.buffer];
      GridArray array;
      array.type = buffer.type;
      array.isWritten = true;
      array.where = buffer.where;
      array.next = array.current = storage;
      for (unsigned axis = 0; axis < grid.rank; ++axis)
        array.axes.push_back(axis);
      if (const auto current = levels.seenNextAs(storage); current && !(*current == storage)) {
        array.current = *current;
        const auto previous = levels.seenNextAs(*current);
        const auto beforePrevious = previous ? levels.seenNextAs(*previous) : std::nullopt;
        const bool isRing =
            previous && (*previous == storage || (beforePrevious && *beforePrevious == storage));
        if (!isRing)
          return refuse(buffer.where, "`" + buffer.name + "` has more than three time levels",
                        "a step reads the state before it and the one before that"),
                 false;
        array.previous = previous;
        for (const GridArray &other : grid.arrays)
          if (other.hasLevels() && (other.next == array.current || other.current == storage))
            return refuse(buffer.where,
                          "two time levels of `" + tree.buffers[array.current.buffer].name +
                              "` are written in one step",
                          "write the new level alone, its boundary too"),
                   false;
      }
      array.partner = levels.partnerOf(storage);
      array.name = tree.buffers[array.current.buffer].name;
      array.fixedSubscripts = storage.part;
      nameParts(array);
      array.isLocal = buffer.isLocal && tree.buffers[array.current.buffer].isLocal;
      for (const Edge &edge : tree.edges)
        if (edge.storage == array.current || edge.storage == array.next ||
            edge.storage == array.previous)
          array.edges[edge.axis][edge.side] = edge.boundary;
      grid.arrays.push_back(std::move(array));
    }
    return true;
  }

  std::optional<unsigned> arrayWith(const Storage &storage) const {
    for (auto [number, array] : llvm::enumerate(grid.arrays))
      if (array.isWritten &&
          (array.current == storage || array.next == storage || array.previous == storage))
        return number;
    return std::nullopt;
  }

  // ---- sweeps

  bool addSweep(unsigned number) {
    const Assignment &assignment = tree.assignments[number];
    Sweep sweep;
    sweep.assignment = number;
    sweep.array = *arrayWith(levels.storageOf(assignment.target));
    if (!addPoints(sweep, assignment))
      return false;
    grid.sweeps.push_back(std::move(sweep));
    return true;
  }

  /// The points that the assignment makes.
  bool addPoints(Sweep &sweep, const Assignment &assignment) {
    sweep.value = assignment.value;
    for (unsigned loop : assignment.loops)
      if (loop != grid.timeLoop)
        sweep.loops.push_back(loop);
    const std::vector<Polynomial> point = levels.pointOf(assignment.target);
    for (unsigned axis = 0; axis < grid.rank; ++axis)
      if (!addRange(sweep, assignment, axis, point[axis]))
        return false;
    for (unsigned loop : sweep.loops)
      if (!llvm::is_contained(sweep.loopOfAxis, std::optional(loop)))
        return refuse(
                   assignment.where,
                   "every turn of the loop over `" + tree.symbols[tree.loops[loop].variable].name +
                       "` writes the same points",
                   "a step makes a point once; steps are the turns of one loop around all others"),
               false;
    for (const Guard &guard : assignment.guards)
      if (guard.variable == levels.variable())
        return refuse(assignment.where, "what is done here depends on the number of the step"),
               false;
    return true;
  }

  bool addRange(Sweep &sweep, const Assignment &assignment, unsigned axis,
                const Polynomial &subscript) {
    const std::string &name = tree.buffers[assignment.target.buffer].name;
    if (!namesLoop(subscript)) {
      const auto next = sum(subscript, 1);
      sweep.region[axis] = {subscript, *next};
      return true;
    }
    for (unsigned number : sweep.loops) {
      const Loop &loop = tree.loops[number];
      const auto shift = distance(subscript, Polynomial::of(loop.variable));
      if (!shift)
        continue;
      if (loop.stride != Polynomial(1))
        return refuse(loop.where,
                      "the loop over `" + tree.symbols[loop.variable].name + "` takes every " +
                          tree.text(loop.stride) + "th point",
                      "a stencil makes all points of a box: colours and coarser grids are arrays "
                      "of their own"),
               false;
      if (namesLoop(loop.begin) || namesLoop(loop.end))
        return refuse(loop.where,
                      "the bounds of the loop over `" + tree.symbols[loop.variable].name +
                          "` depend on another loop: its points are no box",
                      "loops over blocks and skewed loops are the compiler's work: write the plain "
                      "loops"),
               false;
      if (llvm::is_contained(sweep.loopOfAxis, std::optional(number)))
        return refuse(assignment.where, "`" + name + "` is written along a diagonal"), false;
      Range range{*sum(loop.begin, *shift), *sum(loop.end, *shift)};
      if (!narrow(range, assignment, loop.variable, *shift))
        return false;
      sweep.loopOfAxis[axis] = number;
      sweep.shift[axis] = *shift;
      sweep.region[axis] = range;
      return true;
    }
    return refuse(assignment.where,
                  "`" + name + "` is written at `" + tree.text(subscript) +
                      "`, which is no loop variable and a fixed distance",
                  "subscripts are loop variables, with a number added or taken away"),
           false;
  }

  bool narrow(Range &range, const Assignment &assignment, Symbol variable, int64_t shift) {
    for (const Guard &guard : assignment.guards) {
      if (guard.variable != variable)
        continue;
      for (const auto &[limit, bound, sign] :
           {std::tuple(&guard.from, &range.from, 1), std::tuple(&guard.to, &range.to, -1)}) {
        if (!*limit)
          continue;
        const auto place = sum(**limit, shift);
        const auto further = place ? distance(*place, *bound) : std::nullopt;
        if (!further)
          return refuse(assignment.where,
                        "whether the condition on `" + tree.symbols[variable].name +
                            "` or the loop's bound comes first is known only during a run",
                        "write the box of points as the bounds of the loop"),
                 false;
        if (*further * sign > 0)
          *bound = *place;
      }
    }
    return true;
  }

  // ---- reads

  bool addReads(Sweep &sweep) {
    for (const Expr &expr : sweep.value.exprs)
      if (const auto *read = std::get_if<Read>(&expr.node))
        if (!addRead(sweep, read->array))
          return false;
    return true;
  }

  bool addRead(Sweep &sweep, unsigned number) {
    const Access &access = tree.accesses[number];
    const Storage storage = levels.storageOf(access);
    if (storage.slot &&
        levels.slotOf(access.subscripts[0])->second != levels.modulusOf(storage.buffer))
      return refuse(access.where, "time levels are chosen by two different remainders"), false;
    if (const auto array = arrayWith(storage)) {
      GridRead read = readOf(sweep, access, *array, storage);
      if (!offsetsOf(sweep, access, read))
        return false;
      sweep.reads.emplace(number, read);
      return true;
    }
    const auto sharesBuffer = [&](const Storage &other) {
      return other.buffer == storage.buffer && other.part == storage.part;
    };
    if (storage.slot || levels.changesPlaces(storage.buffer) || llvm::any_of(written, sharesBuffer))
      return refuse(access.where,
                    "`" + tree.buffers[storage.buffer].name +
                        "` is read at a time level that no step makes",
                    "a step reads the state before it and the one before that"),
             false;
    if (tree.buffers[storage.buffer].isLocal)
      return refuse(access.where,
                    "`" + tree.buffers[storage.buffer].name + "` is read here but never set"),
             false;
    return addConstRead(sweep, number);
  }

  /// At the points of the sweep, less those that conditions on positions take away.
  GridRead readOf(const Sweep &sweep, const Access &access, unsigned array,
                  const Storage &storage) const {
    GridRead read{array, storage};
    read.points = sweep.region;
    for (unsigned axis = 0; axis < grid.rank; ++axis)
      for (const Guard &turns : access.turns)
        if (const auto loop = sweep.loopOfAxis[axis];
            loop && tree.loops[*loop].variable == turns.variable)
          read.points[axis] = {*sum(*turns.from, sweep.shift[axis]),
                               *sum(*turns.to, sweep.shift[axis])};
    return read;
  }

  /// How far the subscript is from the point along an axis; notes what keeps it on the grid.
  std::optional<int> offsetOf(const Sweep &sweep, const Access &access, const Polynomial &subscript,
                              unsigned axis, GridRead &read) const {
    Polynomial there = subscript, here = targetSubscript(sweep, axis);
    std::optional<int64_t> far = distance(there, here);
    for (Symbol symbol = 0; symbol < tree.symbols.size() && !far; ++symbol)
      if (const auto shift = distance(subscript, Polynomial::of(symbol)))
        if (far = distanceKept(symbol, *shift, here, read.points[axis]); far)
          read.kept[axis] = GridRead::Kept{symbol, *shift};
    // A condition may say which turn it is: then the number of that turn is the position.
    for (const Guard &turns : access.turns)
      if (!far && distance(*turns.to, *turns.from) == 1)
        if (const auto second = here.with(turns.variable, *turns.from))
          if (const auto first = there.with(turns.variable, *turns.from))
            far = distance(*first, *second);
    return far && std::abs(*far) <= kMaxReach ? std::optional(int(*far)) : std::nullopt;
  }

  /// How far a position that is kept on the grid is from the point before it is.
  std::optional<int64_t> distanceKept(Symbol symbol, int64_t shift, const Polynomial &here,
                                      const Range &points) const {
    const SymbolInfo &info = tree.symbols[symbol];
    const bool isModulo = info.kind == SymbolInfo::Kind::Modulo;
    if (!isModulo && info.kind != SymbolInfo::Kind::Folded)
      return std::nullopt;
    const Polynomial &inner = isModulo ? info.dividend : info.fold.inner;
    const auto position = sum(inner, shift);
    const std::optional<Polynomial> period =
        isModulo ? std::optional(Polynomial(info.modulus)) : info.fold.period;
    if (!position || !period)
      return position ? distance(*position, here) : std::nullopt;
    // C's remainders of numbers below 0 are none of ours.
    const auto start = difference(*position, here);
    const auto least = start ? sum(points.from, *start) : std::nullopt;
    if (!least || least->number().value_or(0) < 0)
      return std::nullopt;
    // Of positions that are whole periods apart the nearest.
    std::optional<int64_t> nearest;
    for (int64_t times = 0; times <= 2; ++times) {
      const auto whole = product(*period, times);
      const auto moved = whole ? difference(*position, *whole) : std::nullopt;
      const auto far = moved ? distance(*moved, here) : std::nullopt;
      if (far && (!nearest || std::abs(*far) < std::abs(*nearest)))
        nearest = far;
    }
    return nearest;
  }

  bool offsetsOf(const Sweep &sweep, const Access &access, GridRead &read) {
    const std::vector<Polynomial> point = levels.pointOf(access);
    if (point.size() != grid.rank)
      return refuse(access.where, "the access has another number of axes than the grid"), false;
    for (unsigned axis = 0; axis < grid.rank; ++axis) {
      const auto far = offsetOf(sweep, access, point[axis], axis, read);
      if (!far)
        return refuse(access.where,
                      "`" + tree.buffers[access.buffer].name + "` is read at `" +
                          tree.text(point[axis]) + "` where `" +
                          tree.text(targetSubscript(sweep, axis)) +
                          "` is written: that is no fixed distance",
                      "a stencil reads at fixed distances from the point it makes, along the same "
                      "axes"),
               false;
      read.offset[axis] = *far;
    }
    return true;
  }

  Polynomial targetSubscript(const Sweep &sweep, unsigned axis) const {
    const auto loop = sweep.loopOfAxis[axis];
    return loop ? *sum(Polynomial::of(tree.loops[*loop].variable), sweep.shift[axis])
                : sweep.region[axis].from;
  }

  /// An array that no step changes: it may have fewer axes, or be told apart by numbers.
  bool addConstRead(Sweep &sweep, unsigned number) {
    const Access &access = tree.accesses[number];
    const Buffer &buffer = tree.buffers[access.buffer];
    GridArray array;
    array.type = buffer.type;
    array.where = buffer.where;
    array.name = buffer.name;
    array.current = array.next = {access.buffer, std::nullopt};
    GridRead read = readOf(sweep, access, 0, array.current);
    const auto isAtFixedDistance = [&] {
      for (unsigned axis = 0; axis < grid.rank; ++axis) {
        const auto far = offsetOf(sweep, access, access.subscripts[axis], axis, read);
        if (!far)
          return false;
        read.offset[axis] = *far;
      }
      return true;
    };
    if (access.subscripts.size() == grid.rank && isAtFixedDistance()) {
      for (unsigned axis = 0; axis < grid.rank; ++axis)
        array.axes.push_back(axis);
      return addConst(sweep, number, std::move(array), read);
    }
    read.offset = {};
    read.kept = {};
    for (auto [dimension, subscript] : llvm::enumerate(access.subscripts)) {
      std::optional<unsigned> axis;
      for (unsigned candidate = 0; candidate < grid.rank && !axis; ++candidate)
        if (sweep.loopOfAxis[candidate] && namesLoop(subscript))
          if (const auto far = offsetOf(sweep, access, subscript, candidate, read)) {
            axis = candidate;
            read.offset[candidate] = *far;
          }
      if (axis) {
        if (!array.axes.empty() && array.axes.back() >= *axis)
          return refuse(access.where,
                        "`" + buffer.name +
                            "` is read with its axes in another order than the "
                            "array that is written",
                        "store it transposed"),
                 false;
        array.axes.push_back(*axis);
      } else if (const auto time = levels.variable(); time && subscript.names(*time)) {
        const auto far = distance(subscript, Polynomial::of(*time));
        const auto start = tree.loops[*grid.timeLoop].begin.number();
        if (!far || !start || access.subscripts.size() != 1)
          return refuse(access.where,
                        "`" + tree.text(subscript) + "` is no step and a fixed distance"),
                 false;
        array.isOverTime = true;
        read.timeOffset = *far + *start;
      } else if (!namesLoop(subscript)) {
        array.fixedSubscripts[dimension] = subscript;
      } else
        return refuse(access.where,
                      "`" + buffer.name + "` is read at `" + tree.text(subscript) +
                          "`, which is no fixed distance from the point",
                      "a stencil reads at fixed distances from the point it makes, along the same "
                      "axes, every point of them"),
               false;
    }
    if (array.axes.empty() && !array.isOverTime) {
      std::string text = buffer.name;
      for (const Polynomial &subscript : access.subscripts)
        text += "[" + tree.text(subscript) + "]";
      grid.elements[number] = text;
      return true;
    }
    nameParts(array);
    return addConst(sweep, number, std::move(array), read);
  }

  void nameParts(GridArray &array) const {
    for (const auto &[dimension, subscript] : array.fixedSubscripts)
      if (dimension > 0 || !isBehindPointer(array.current.buffer)) {
        const auto *member = tree.buffers[array.current.buffer].memberAt(dimension, subscript);
        array.name += "_" + (member ? *member : plain(tree.text(subscript)));
      }
  }

  /// True of what a pointer to a single array points to: `(*a)[i][j]`.
  bool isBehindPointer(unsigned buffer) const {
    const auto isOther = [&](const Access &access) {
      return access.buffer == buffer && !access.subscripts.empty() &&
             access.subscripts[0] != Polynomial();
    };
    return tree.buffers[buffer].isPointer && !tree.buffers[buffer].extents[0] &&
           llvm::none_of(tree.accesses, isOther) &&
           llvm::none_of(tree.assignments,
                         [&](const Assignment &made) { return isOther(made.target); });
  }

  bool addConst(Sweep &sweep, unsigned number, GridArray array, GridRead read) {
    const auto known = llvm::find_if(grid.arrays, [&](const GridArray &other) {
      return other.current == array.current && other.fixedSubscripts == array.fixedSubscripts &&
             other.axes == array.axes && other.isOverTime == array.isOverTime && !other.isWritten;
    });
    read.array = known - grid.arrays.begin();
    if (known == grid.arrays.end())
      grid.arrays.push_back(std::move(array));
    sweep.reads.emplace(number, read);
    return true;
  }

  static std::string plain(std::string text) {
    for (char &letter : text)
      if (!isalnum(static_cast<unsigned char>(letter)))
        letter = '_';
    return text;
  }

  LoopTree &tree;
  Refusals &refusals;
  Levels levels;
  Grid grid;
  std::vector<Storage> written;
};
} // namespace

const Polynomial &extentOf(const Grid &grid, const GridArray &array, unsigned axis) {
  return array.fewer[axis] ? *array.fewer[axis] : grid.extents[axis];
}

Polynomial extentInC(const Grid &grid, const GridArray &array, unsigned axis) {
  const auto &[before, after] = array.around[axis];
  return *sum(extentOf(grid, array, axis), *sum(before, after));
}

std::optional<Grid> makeGrid(LoopTree &tree, Refusals &refusals) {
  return GridMaker(tree, refusals).make();
}

} // namespace stencilc::lift
