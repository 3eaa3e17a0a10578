#include "frontend/lift/Extents.h"

#include "frontend/language/CNames.h"
#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <fmt/format.h>

namespace stencilc::lift {

namespace {
class ExtentFinder {
public:
  ExtentFinder(Grid &grid, const LoopTree &tree, Refusals &refusals)
      : grid(grid), tree(tree), refusals(refusals) {}

  bool find() {
    nameAxes();
    return findExtents() && checkBounds();
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

  bool findExtents() {
    std::array<std::optional<Polynomial>, kMaxRank> extents;
    for (const GridArray &array : grid.arrays)
      for (auto [place, axis] : llvm::enumerate(array.axes))
        for (const Storage &storage : {array.current, array.next}) {
          const Buffer &buffer = tree.buffers[storage.buffer];
          const unsigned dimension = dimensionOf(array, storage, place);
          const auto &declared = buffer.extents[dimension];
          if (!declared)
            continue;
          if (!extents[axis])
            extents[axis] = *declared;
          else if (*extents[axis] != *declared)
            return refuse(buffer.where,
                          "`" + buffer.name + "` has " + tree.text(*declared) + " points along `" +
                              grid.axes[axis] + "`, other arrays " + tree.text(*extents[axis]),
                          "arrays of one stencil have the same extents: give all of them the "
                          "larger one"),
                   false;
          grid.isDeclared[axis] = true;
        }
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
    return true;
  }

  /// Largest distance of a read from the point, up an axis; at least 0.
  int64_t reachUp(const Sweep &sweep, unsigned axis) const {
    int64_t reach = 0;
    for (const auto &[_, read] : sweep.reads)
      if (llvm::is_contained(grid.arrays[read.array].axes, axis))
        reach = std::max<int64_t>(reach, read.offset[axis]);
    return reach;
  }

  bool reachTo(const Sweep &sweep, unsigned axis, std::optional<Polynomial> &extent) {
    const auto end = sum(sweep.region[axis].to, reachUp(sweep, axis));
    if (!extent) {
      extent = *end;
      return true;
    }
    const auto further = distance(*end, *extent);
    if (further) {
      if (*further > 0)
        extent = *end;
      return true;
    }
    return refuse(tree.assignments[sweep.assignment].where,
                  "how many points there are along `" + grid.axes[axis] +
                      "` is not known: the loops end at " + tree.text(*extent) + " and at " +
                      tree.text(*end),
                  "declare the arrays with their extents, as in `double (*u)[ny][nx]`"),
           false;
  }

  bool checkBounds() {
    for (const Sweep &sweep : grid.sweeps) {
      const clang::SourceLocation where = tree.assignments[sweep.assignment].where;
      for (unsigned axis = 0; axis < grid.rank; ++axis) {
        int64_t low = 0, high = 0;
        for (const auto &[_, read] : sweep.reads)
          if (llvm::is_contained(grid.arrays[read.array].axes, axis)) {
            low = std::max<int64_t>(low, -read.offset[axis]);
            high = std::max<int64_t>(high, read.offset[axis]);
          }
        if (!checkBound(where, axis, sweep.region[axis].from, Polynomial(low), false) ||
            !checkBound(where, axis, sweep.region[axis].to, *sum(grid.extents[axis], -high), true))
          return false;
      }
    }
    return true;
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
  const LoopTree &tree;
  Refusals &refusals;
};
} // namespace

bool setExtents(Grid &grid, const LoopTree &tree, Refusals &refusals) {
  return ExtentFinder(grid, tree, refusals).find();
}

} // namespace stencilc::lift
