// Sweeps: the assignments of one step, seen from the grid.
//
// Loops are gone: an assignment makes the points of a box, and reads at fixed distances from the
// point. The loop around all of them that moves no point is the loop over time; which memory holds
// which time level follows from it: `a[(t+1) % 2]`, pointers that change places, or arrays that
// stay.
#pragma once

#include "frontend/lift/LoopTree.h"
#include "frontend/lift/Refusal.h"
#include "ir/stencil/Stencil.h"

namespace stencilc::lift {

/// An array of the grid: the storages that change places belong to one array.
struct GridArray {
  std::string name;
  ScalarType type;
  bool isWritten = false;
  bool isLocal = false;
  bool isOverTime = false;
  std::vector<unsigned> axes; ///< ascending
  /// What holds the state at the start of a step, the one before (if there is memory for it), and
  /// what a step writes. Of an array that stays the first and the last are one.
  Storage current, next;
  std::optional<Storage> previous;
  /// What its memory changes places with at the end of each step.
  std::optional<Storage> partner;
  /// Subscripts that are numbers, by dimension: of an array of arrays, which of them it is.
  std::map<unsigned, Polynomial> fixedSubscripts = {};
  /// Where it has less points than the grid: how many. Those that it lacks are nobody's.
  std::array<std::optional<Polynomial>, kMaxRank> fewer = {};
  /// Its points in C before and behind those of the grid, by axis.
  std::array<std::pair<Polynomial, Polynomial>, kMaxRank> around = {};
  /// The boundary that loops have set, by axis and side; a number is in terms of the LoopTree.
  std::array<std::array<std::optional<Boundary>, 2>, kMaxRank> edges = {};
  /// What stands beyond its ends, where a read goes there: the boundary, by axis and side.
  std::array<std::array<BoundaryKind, 2>, kMaxRank> beyond = {};
  clang::SourceLocation where = {};

  bool hasLevels() const { return !(current == next); }
};

/// A slice of an axis, in terms of the source.
struct Range {
  Polynomial from, to;
  bool operator==(const Range &) const = default;
};

/// What an access stands for at a point.
struct GridRead {
  unsigned array;
  Storage storage;
  Offset offset = {};
  /// What keeps the position on the grid: a symbol of the LoopTree, and what is added to it.
  struct Kept {
    Symbol symbol;
    int64_t shift;
  };
  std::array<std::optional<Kept>, kMaxRank> kept = {};
  std::array<Range, kMaxRank> points = {}; ///< at which it is read
  int64_t timeOffset = 0;                  ///< of an array over time
};

struct Sweep {
  unsigned assignment; ///< number in LoopTree::assignments
  Formula value;       ///< in the terms of the LoopTree
  unsigned array;
  std::array<Range, kMaxRank> region = {};
  std::array<std::optional<unsigned>, kMaxRank> loopOfAxis = {}; ///< numbers in LoopTree::loops
  /// target subscript = loop variable + shift.
  std::array<int64_t, kMaxRank> shift = {};
  std::vector<unsigned> loops;        ///< without the one over time
  std::map<unsigned, GridRead> reads; ///< by number in LoopTree::accesses
};

/// A number over points of the newest state.
struct Summary {
  unsigned gathered; ///< number in LoopTree::reductions
  Sweep sweep;       ///< its points and reads; it makes nothing
};

struct Grid {
  unsigned rank = 0;
  std::vector<std::string> axes;
  std::array<Polynomial, kMaxRank> extents;
  /// The extent is declared; else it is taken from how far the loops reach.
  std::array<bool, kMaxRank> isDeclared = {};
  std::optional<unsigned> timeLoop; ///< number in LoopTree::loops
  std::vector<GridArray> arrays;
  std::vector<Sweep> sweeps;
  /// Those that a `reduce` can say, as it sees the newest state alone.
  std::vector<Summary> summaries;
  /// Accesses to elements that no loop moves: numbers of a run.
  std::map<unsigned, std::string> elements;
  std::vector<std::string> assumptions;
};

/// The points of an array along an axis, of those that the grid has.
const Polynomial &extentOf(const Grid &grid, const GridArray &array, unsigned axis);
/// The points that it has there in C.
Polynomial extentInC(const Grid &grid, const GridArray &array, unsigned axis);

/// Numbers that bound regions may be added to the tree.
std::optional<Grid> makeGrid(LoopTree &tree, Refusals &refusals);

} // namespace stencilc::lift
