#include "frontend/lift/Extents.h"

#include "frontend/language/CNames.h"
#include "frontend/lift/Areas.h"
#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <fmt/format.h>

namespace stencilc::lift {

/// Arrays whose extents differ by more are of different grids.
constexpr int64_t kMostFewer = 16;

namespace {
class ExtentFinder {
public:
  ExtentFinder(Grid &grid, LoopTree &tree, Refusals &refusals)
      : grid(grid), tree(tree), refusals(refusals) {}

  bool find() {
    nameAxes();
    if (!findExtents() || !checkBounds() || !checkReads())
      return false;
    llvm::erase_if(grid.summaries, [&](const Summary &summary) { return !isInside(summary); });
    makeBounds();
    return true;
  }

private:
  std::nullopt_t refuse(clang::SourceLocation where, const llvm::Twine &seen,
                        const llvm::Twine &wayOut = "") {
    return refusals.refuse(where, seen, wayOut);
  }

  // ---- axes

  /// The loops' own names, if they agree and are free; else the field's.
  void nameAxes() {
    std::vector<std::string> names(grid.rank);
    bool agree = true;
    for (const Sweep &sweep : grid.sweeps)
      for (unsigned axis = 0; axis < grid.rank; ++axis)
        if (const auto loop = sweep.loopOfAxis[axis]) {
          const std::string &name = tree.symbols[tree.loops[*loop].variable].name;
          if (names[axis].empty())
            names[axis] = name;
          agree &= names[axis] == name;
        }
    llvm::StringSet<> taken;
    taken.insert("t");
    for (const GridArray &array : grid.arrays)
      taken.insert(array.name);
    for (const SymbolInfo &symbol : tree.symbols)
      if (symbol.kind == SymbolInfo::Kind::Param)
        taken.insert(symbol.name);
    for (const std::string &name : names)
      agree = agree && !name.empty() && !isReservedWord(name) && keptAs(name).empty() &&
              taken.insert(name).second;
    if (!agree) {
      const std::vector<std::string> usual = {"z", "y", "x"};
      names.assign(usual.end() - grid.rank, usual.end());
    }
    grid.axes = names;
  }

  // ---- extents

  /// The dimension of a buffer that an axis of an array is.
  static unsigned dimensionOf(const GridArray &array, const Storage &storage, unsigned place) {
    unsigned dimension = storage.slot ? 1 : 0;
    for (;; ++dimension)
      if (!array.fixedSubscripts.count(dimension) && place-- == 0)
        return dimension;
  }

  /// What the buffer is declared with there; none of a flat one that nobody reads or writes by
  /// rows.
  std::optional<Polynomial> declaredAs(const GridArray &array, const Storage &storage,
                                       unsigned place) const {
    const Buffer &buffer = tree.buffers[storage.buffer];
    const unsigned dimension = dimensionOf(array, storage, place);
    return dimension < buffer.extents.size() ? buffer.extents[dimension] : std::nullopt;
  }

  /// Takes over the extents that an array is declared with; of several the most, where they differ
  /// by a few points.
  bool declare(const GridArray &array, std::array<std::optional<Polynomial>, kMaxRank> &extents) {
    for (auto [place, axis] : llvm::enumerate(array.axes))
      for (const Storage &storage : {array.current, array.next}) {
        const Buffer &buffer = tree.buffers[storage.buffer];
        const auto declared = declaredAs(array, storage, place);
        if (!declared || (array.isLocal && extents[axis]))
          continue;
        const auto more = extents[axis] ? distance(*declared, *extents[axis]) : 0;
        if (!extents[axis] || (more && *more > 0 && *more <= kMostFewer))
          extents[axis] = *declared;
        else if (!more || std::abs(*more) > kMostFewer)
          return refuse(buffer.where,
                        "`" + buffer.name + "` has " + tree.text(*declared) + " points along `" +
                            grid.axes[axis] + "`, other arrays " + tree.text(*extents[axis]),
                        "arrays of one stencil have the same extents: give all of them the "
                        "larger one"),
                 false;
        grid.isDeclared[axis] = true;
      }
    return true;
  }

  bool findExtents() {
    std::array<std::optional<Polynomial>, kMaxRank> extents;
    // What the function keeps for itself may be larger or smaller than it needs.
    for (bool isLocal : {false, true})
      for (const GridArray &array : grid.arrays)
        if (array.isLocal == isLocal && !declare(array, extents))
          return false;
    // A single row, such as an edge or the place of a source, says nothing about where the grid
    // ends if there are loops that do.
    for (bool isLoop : {true, false})
      for (const Sweep &sweep : grid.sweeps)
        for (unsigned axis = 0; axis < grid.rank; ++axis)
          if (!grid.isDeclared[axis] && sweep.loopOfAxis[axis].has_value() == isLoop &&
              (isLoop || !extents[axis] || distance(sweep.region[axis].to, *extents[axis])) &&
              !reachTo(sweep, axis, extents[axis]))
            return false;
    for (unsigned axis = 0; axis < grid.rank; ++axis)
      grid.extents[axis] = *extents[axis];
    for (const Edge &edge : tree.edges)
      if (distance(grid.extents[edge.axis], edge.points) != 0)
        return refuse(tree.buffers[edge.storage.buffer].where,
                      "where the grid ends is not where loops have set its boundary"),
               false;
    for (GridArray &array : grid.arrays) {
      if (!array.isLocal && !findFewer(array))
        return false;
      findAround(array);
    }
    return true;
  }

  /// Arrays of staggered grids differ by a point.
  bool findFewer(GridArray &array) {
    for (auto [place, axis] : llvm::enumerate(array.axes))
      for (const Storage &storage : {array.current, array.next}) {
        const Buffer &buffer = tree.buffers[storage.buffer];
        const auto declared = declaredAs(array, storage, place);
        const auto first = declaredAs(array, array.current, place);
        if (!declared || (storage == array.next && array.hasLevels() && declared == first))
          continue;
        if (first && declared != first)
          return refuse(buffer.where,
                        "the time levels of `" + array.name + "` have different extents",
                        "give both the larger one"),
                 false;
        if (*declared == grid.extents[axis])
          continue;
        array.fewer[axis] = *declared;
        assume(fmt::format("{} has {} points along {} in C; what stands beyond them here is "
                           "nobody's",
                           array.name, tree.text(*declared), grid.axes[axis]));
      }
    return true;
  }

  void findAround(GridArray &array) const {
    const Buffer &buffer = tree.buffers[array.current.buffer];
    for (auto [place, axis] : llvm::enumerate(array.axes))
      if (const unsigned dimension = dimensionOf(array, array.current, place);
          dimension < buffer.around.size())
        array.around[axis] = buffer.around[dimension];
  }

  bool reachTo(const Sweep &sweep, unsigned axis, std::optional<Polynomial> &extent) {
    if (!reachTo(sweep, axis, sweep.region[axis].to, extent))
      return false;
    for (const auto &[_, read] : sweep.reads) {
      const auto end = sum(read.points[axis].to, read.offset[axis]);
      const bool isBeyond = llvm::is_contained(grid.arrays[read.array].axes, axis) &&
                            !read.kept[axis] && read.offset[axis] > 0 &&
                            !grid.arrays[read.array].edges[axis][High];
      // A single row that a condition picks says nothing of where the grid ends either.
      const bool isPicked = read.points[axis].to != sweep.region[axis].to;
      if (isBeyond && (!isPicked || distance(*end, *extent)) && !reachTo(sweep, axis, *end, extent))
        return false;
    }
    return true;
  }

  bool reachTo(const Sweep &sweep, unsigned axis, const Polynomial &end,
               std::optional<Polynomial> &extent) {
    if (!extent) {
      extent = end;
      return true;
    }
    const auto further = distance(end, *extent);
    if (further) {
      if (*further > 0)
        extent = end;
      return true;
    }
    // A part of the points, such as n / 2, is taken to be less than n.
    if (isPart(end) != isPart(*extent)) {
      if (isPart(*extent))
        extent = end;
      return true;
    }
    // So are ny - halo, and the points next to it.
    const bool isLess = isShortOf(*extent, end);
    if (isLess || isShortOf(end, *extent)) {
      const Polynomial least = isLess ? *extent : end;
      extent = isLess ? end : *extent;
      assume(fmt::format("{} is no more than {}", tree.text(least), tree.text(*extent)));
      return true;
    }
    return refuse(tree.assignments[sweep.assignment].where,
                  "how many points there are along `" + grid.axes[axis] +
                      "` is not known: the loops end at " + tree.text(*extent) + " and at " +
                      tree.text(end),
                  "declare the arrays with their extents, as in `double (*u)[ny][nx]`"),
           false;
  }

  bool isPart(const Polynomial &place) const {
    return place.namesAny([&](Symbol symbol) { return tree.symbols[symbol].isMade; });
  }

  /// The larger place is the other one and params more, give or take a number.
  bool isShortOf(const Polynomial &place, const Polynomial &larger) const {
    const auto more = difference(larger, place);
    return more && llvm::all_of(more->terms(), [&](const auto &term) {
             const auto &[monomial, factor] = term;
             return monomial.empty() || (factor > 0 && monomial.size() == 1 &&
                                         tree.symbols[monomial[0]].kind == SymbolInfo::Kind::Param);
           });
  }

  bool checkBounds() {
    for (const Sweep &sweep : grid.sweeps) {
      const clang::SourceLocation where = tree.assignments[sweep.assignment].where;
      for (unsigned axis = 0; axis < grid.rank; ++axis)
        if (!checkBound(where, axis, sweep.region[axis].from, Polynomial(), false) ||
            !checkBound(where, axis, sweep.region[axis].to,
                        extentOf(grid, grid.arrays[sweep.array], axis), true))
          return false;
    }
    return true;
  }

  /// The points, and what is read there, are on the grid for certain.
  bool isInside(const Summary &summary) const {
    const auto isOn = [&](const Range &points, unsigned axis, int64_t offset) {
      const auto before = distance(points.from, -offset);
      const auto behind = distance(points.to, *sum(grid.extents[axis], -offset));
      return before && behind && *before >= 0 && *behind <= 0;
    };
    for (unsigned axis = 0; axis < grid.rank; ++axis) {
      if (!isOn(summary.sweep.region[axis], axis, 0))
        return false;
      for (const auto &[_, read] : summary.sweep.reads)
        if (!isOn(read.points[axis], axis, read.offset[axis]) ||
            grid.arrays[read.array].fewer[axis])
          return false;
    }
    return true;
  }

  /// A bound that is no fixed distance from an end, nor from a param, is a number of its own.
  void makeBounds() {
    for (Sweep &sweep : grid.sweeps)
      for (unsigned axis = 0; axis < grid.rank; ++axis)
        for (Polynomial *bound : {&sweep.region[axis].from, &sweep.region[axis].to}) {
          const auto moving = difference(*bound, bound->constantTerm());
          const bool isFixed = moving && !moving->namesAny([&](Symbol symbol) {
            return tree.symbols[symbol].kind != SymbolInfo::Kind::Param;
          });
          if (!isFixed || moving->number() || sliceOf({*bound, *bound}, grid.extents[axis], tree))
            continue;
          const Symbol made = tree.made(*moving, 1, tree.assignments[sweep.assignment].where);
          const Polynomial old = *bound;
          *bound = *sum(Polynomial::of(made), bound->constantTerm());
          for (auto &[_, read] : sweep.reads)
            for (Polynomial *end : {&read.points[axis].from, &read.points[axis].to})
              if (*end == old)
                *end = *bound;
        }
  }

  /// Reads that are kept on the grid first: they say what stands beyond it.
  bool checkReads() {
    for (bool isKept : {true, false})
      for (const Sweep &sweep : grid.sweeps)
        for (const auto &[access, read] : sweep.reads)
          for (unsigned axis : grid.arrays[read.array].axes) {
            if (read.kept[axis].has_value() != isKept)
              continue;
            if (isKept && !changesOnlyBeyond(read, axis))
              return refuse(tree.accesses[access].where,
                            "`" + grid.arrays[read.array].name + "` is read at `" +
                                tree.symbols[read.kept[axis]->symbol].name +
                                "`, which is no fixed distance from the point",
                            "a position is kept on the grid where it would leave it, nowhere else"),
                     false;
            for (const Side side : {Low, High})
              if (isKept ? !checkKept(access, read, axis, side)
                         : !checkPlain(access, read, axis, side))
                return false;
          }
    return true;
  }

  /// The read goes beyond that end at no point at which it is read.
  bool checkPlain(unsigned access, const GridRead &read, unsigned axis, Side side) {
    if (side == Low ? read.offset[axis] > 0 : read.offset[axis] < 0)
      return true;
    if (grid.arrays[read.array].edges[axis][side] && read.offset[axis] != 0)
      return true;
    return checkBound(tree.accesses[access].where, axis, endOf(read.points[axis], side),
                      limitOf(grid, read, axis, side), side == High);
  }

  bool checkKept(unsigned access, const GridRead &read, unsigned axis, Side side) {
    if (side == Low ? read.offset[axis] >= 0 : read.offset[axis] <= 0)
      return true;
    const auto kind = kindBeyond(read, axis, side);
    const auto &edge = grid.arrays[read.array].edges[axis][side];
    if (!kind || (edge && edge->kind == *kind))
      return checkPlain(access, read, axis, side);
    if (edge)
      return refuseBeyond(access, read, axis, side), false;
    auto &known = grid.arrays[read.array].beyond[axis];
    const auto set = [&](Side end) {
      const bool isSame = known[end] == BoundaryKind::None || known[end] == *kind;
      known[end] = *kind;
      return isSame;
    };
    if (set(side) && (*kind != BoundaryKind::Periodic || set(side == Low ? High : Low)))
      return true;
    return refuseBeyond(access, read, axis, side), false;
  }

  void refuseBeyond(unsigned access, const GridRead &read, unsigned axis, Side side) {
    refuse(tree.accesses[access].where,
           "what is read of `" + grid.arrays[read.array].name + "` beyond the " +
               (side == Low ? "start" : "end") + " of `" + grid.axes[axis] +
               "` is not the same everywhere",
           "beyond an end of an array one rule holds: the nearest point, the other end, or "
           "the mirror image");
  }

  static bool isShifted(const std::optional<Polynomial> &place, int64_t shift,
                        const Polynomial &wanted) {
    return place && distance(wanted, *place) == shift;
  }

  /// The position is what it would be without being kept, wherever that is on the grid.
  bool changesOnlyBeyond(const GridRead &read, unsigned axis) const {
    const SymbolInfo &info = tree.symbols[read.kept[axis]->symbol];
    const int64_t shift = read.kept[axis]->shift;
    const Polynomial &extent = extentOf(grid, grid.arrays[read.array], axis);
    if (info.kind == SymbolInfo::Kind::Modulo)
      return shift == 0 && extent == Polynomial(info.modulus);
    const Fold &fold = info.fold;
    if (fold.period && (shift != 0 || *fold.period != extent))
      return false;
    return (!fold.least || isShifted(fold.least, shift, 0)) &&
           (!fold.most || isShifted(fold.most, shift, *sum(extent, -1))) &&
           llvm::all_of(fold.instead, [&](const Fold::Place &place) {
             const auto before = distance(*sum(place.at, shift), Polynomial(0));
             const auto behind = distance(*sum(place.at, shift), extent);
             return before.value_or(0) < 0 || behind.value_or(-1) >= 0;
           });
  }

  /// What a position that is kept on the grid becomes beyond that end; none if it is not kept
  /// there, or at other places.
  std::optional<BoundaryKind> kindBeyond(const GridRead &read, unsigned axis, Side side) const {
    const SymbolInfo &info = tree.symbols[read.kept[axis]->symbol];
    const int64_t shift = read.kept[axis]->shift;
    // Beyond the end of an array that has less points than the grid stands nothing.
    if (grid.arrays[read.array].fewer[axis])
      return std::nullopt;
    const Polynomial &extent = grid.extents[axis];
    const Polynomial last = *sum(extent, -1);
    const auto isAt = [&](const std::optional<Polynomial> &place, const Polynomial &wanted) {
      return isShifted(place, shift, wanted);
    };
    if (info.kind == SymbolInfo::Kind::Modulo || info.fold.period)
      return BoundaryKind::Periodic;
    if (side == Low ? isAt(info.fold.least, 0) : isAt(info.fold.most, last))
      return BoundaryKind::Clamp;
    // Single positions are others: all those beyond the end that the read reaches.
    const int64_t reach = std::abs(read.offset[axis]);
    const auto isAll = [&](llvm::function_ref<Polynomial(int64_t)> image) {
      for (int64_t far = 1; far <= reach; ++far) {
        const Polynomial beyond = side == Low ? Polynomial(-far) : *sum(last, far);
        if (llvm::none_of(info.fold.instead, [&](const Fold::Place &place) {
              return isAt(place.at, beyond) && isAt(place.becomes, image(far));
            }))
          return false;
      }
      return reach > 0 && reach <= kMostMirrored;
    };
    const auto inside = [&](int64_t far) {
      return side == Low ? Polynomial(far) : *sum(last, -far);
    };
    if (isAll([&](int64_t) { return inside(0); }))
      return BoundaryKind::Clamp;
    if (isAll(inside))
      return BoundaryKind::Reflect;
    if (isAll([&](int64_t far) { return inside(far - 1); }))
      return BoundaryKind::Symmetric;
    if (isAll([&](int64_t far) { return side == Low ? *sum(extent, -far) : Polynomial(far - 1); }))
      return BoundaryKind::Periodic;
    return std::nullopt;
  }

  /// `bound` is so many times `limit`: by other extents, or exactly by a number above 1.
  static bool isMultiple(const Polynomial &bound, const Polynomial &limit) {
    const auto parts = limit == Polynomial(1) ? std::nullopt : divide(bound, limit);
    const auto times = parts ? parts->quotient.number() : std::nullopt;
    return parts && (!times || (*times > 1 && parts->rest == Polynomial()));
  }

  /// `bound` is at most (at least) `limit`.
  bool checkBound(clang::SourceLocation where, unsigned axis, const Polynomial &bound,
                  const Polynomial &limit, bool isUpper) {
    const auto beyond = isUpper ? distance(bound, limit) : distance(limit, bound);
    if (beyond && *beyond > 0)
      return refuse(where,
                    "points beyond the " + llvm::Twine(isUpper ? "end" : "start") + " of `" +
                        grid.axes[axis] + "`, which has " + tree.text(grid.extents[axis]) +
                        " points, are read or written here",
                    "in a flat array that is the neighbouring row: keep the loops away from the "
                    "ends by as much as the stencil reaches"),
             false;
    if (isUpper && !beyond && isMultiple(bound, limit))
      return refuse(where,
                    "this goes on to " + tree.text(bound) + " along `" + grid.axes[axis] +
                        "`, which has " + tree.text(limit) + " points",
                    "rows of a flat array are one axis where any loop takes them so: write loops "
                    "over rows and points of a row here, too, or a copy of the whole array by "
                    "memcpy"),
             false;
    if (!beyond)
      assume(fmt::format("{} is at {} {} along {}", tree.text(bound), isUpper ? "most" : "least",
                         tree.text(limit), grid.axes[axis]));
    return true;
  }

  void assume(std::string text) {
    if (!llvm::is_contained(grid.assumptions, text))
      grid.assumptions.push_back(std::move(text));
  }

  Grid &grid;
  LoopTree &tree;
  Refusals &refusals;
};
} // namespace

bool setExtents(Grid &grid, LoopTree &tree, Refusals &refusals) {
  return ExtentFinder(grid, tree, refusals).find();
}

} // namespace stencilc::lift
