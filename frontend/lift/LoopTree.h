// LoopTree: what a C function does to arrays, as loops and assignments.
//
// The Reader makes it of Clang's syntax; what comes behind knows nothing of C. Variables are gone:
// scalars stand where they were used, pointers and inlined calls are resolved, conversions are
// casts. What cannot be said so was refused by the Reader.
//
// Values are Formulas (ir/stencil/Formula.h) with numbers of this tree in place of the stencil's:
// the `array` of a Read is an Access, the `param` of a ParamValue a symbol, the `axis` of an
// AxisValue the symbol of a loop.
#pragma once

#include "frontend/lift/Polynomial.h"
#include "ir/stencil/Stencil.h"

#include "clang/Basic/SourceLocation.h"

#include <algorithm>
#include <cmath>

namespace stencilc::lift {

/// Of positions that are given one by one, at most so many beyond an end.
inline constexpr int64_t kMostMirrored = 8;

/// The turns that a loop over time has still to make, where the data ends it: it has no such
/// variable, but for a check.
inline constexpr const char *kTurnsLeft = "lift_turns_left";

/// A position that is kept on the grid: `max(i - 1, 0)`, `(i + 1) % n`, `i == 0 ? 0 : i - 1`.
struct Fold {
  Polynomial inner;                      ///< what it is where that is on the grid
  std::optional<Polynomial> least, most; ///< what is below or above becomes this
  std::optional<Polynomial> period;      ///< what is below or above comes in at the other end
  struct Place {
    Polynomial at, becomes;
    bool operator==(const Place &) const = default;
  };
  std::vector<Place> instead; ///< single positions that become others
  bool operator==(const Fold &) const = default;
};

/// A number with a name that has one value at a time.
struct SymbolInfo {
  enum class Kind {
    Loop,    ///< the variable of a loop
    Param,   ///< a number that is there before the loops: an argument, a global
    Modulo,  ///< `dividend` modulo `modulus`, from 0 up
    Folded,  ///< the `fold`
    Stopped, ///< where a loop of several points a turn has ended, of the variable `dividend`
  };
  Kind kind = Kind::Param;
  std::string name;                  ///< as it is written in C
  ScalarType type = ScalarType::Int; ///< Int, F32 or F64
  Polynomial dividend = {};
  int64_t modulus = 0;
  Fold fold = {};
  clang::SourceLocation where = {};
  /// It is taken for the same number as another one.
  std::optional<Symbol> sameAs = {};
  /// It is taken for a multiple of so many elements, or, of 0, for 1.
  std::optional<Polynomial> rowsOf = {};
  /// It has no variable in C: it is `dividend` by `divisor`, of what has one.
  bool isMade = false;
  Polynomial divisor = 1;
};

/// A type of whole numbers in C. Its numbers are held as float or double, where those are exact.
struct WholeType {
  std::string name; ///< as C writes it
  unsigned bits;    ///< 1 of `bool`
  bool isSigned;
  double least() const { return isSigned ? -std::ldexp(1.0, bits - 1) : 0; }
  double most() const { return std::ldexp(1.0, isSigned ? bits - 1 : bits) - 1; }
  bool operator==(const WholeType &) const = default;
};

/// Memory that is read or written with subscripts: an argument, a global, a local array.
struct Buffer {
  std::string name;
  ScalarType type;
  /// As declared, outermost first; none where the declaration does not say. A pointer to elements
  /// has one.
  std::vector<std::optional<Polynomial>> extents;
  std::optional<WholeType> whole = {}; ///< what its elements are in C, if no float or double
  std::string path = {};               ///< of a global: its name with those of what it stands in
  bool isLocal = false;                ///< the caller never sees it
  bool isReturned = false;             ///< it was local, and the caller gets it
  bool isPointerTable = false;         ///< `double **`: rows of their own
  bool isPointer = false;              ///< a variable that points to it
  bool isObject = false;               ///< a std::vector
  bool keepsName = false;      ///< it changes places by what it holds: no pointer to it does
  bool isFixed = false;        ///< its numbers stand in the source, and nobody changes them
  bool isRestrict = false;     ///< `restrict`, or an object of its own: it overlaps no other
  bool saysNeighbours = false; ///< which points are neighbours: a stencil knows that by itself
  bool holdsRows = false;      ///< of a table of pointers, which is the array
  bool isMadeAnew = false;     ///< a step sets all points that it reads
  /// Of an array of structs: the members' names; its elements are so many numbers each, in the last
  /// dimension.
  std::vector<std::string> members = {};
  bool isByTurn = false; ///< the number of the turn tells which time level it holds
  /// By dimension: how many points stand before and behind those of the grid, which subscripts and
  /// `extents` leave out. Empty where there are none.
  std::vector<std::pair<Polynomial, Polynomial>> around = {};
  clang::SourceLocation where = {};

  /// Bytes of an element in C.
  int64_t elementSize() const {
    return whole ? std::max(whole->bits / 8, 1u) : type == ScalarType::F32 ? 4 : 8;
  }
  /// The type of an element in C.
  std::string elementText() const {
    return whole                     ? (whole->bits == 1 ? "unsigned char" : whole->name)
           : type == ScalarType::F32 ? "float"
                                     : "double";
  }
  /// The member that a number as subscript names; null if it names none.
  const std::string *memberAt(unsigned dimension, const Polynomial &subscript) const;
};

/// Memory of one time level: a buffer, or of `a[2][n][n]` the part whose first subscript is
/// `(t + slot) % 2`.
struct Storage {
  unsigned buffer;
  std::optional<int64_t> slot;
  /// Of an array of arrays which of them: subscripts that are numbers, by dimension.
  std::map<unsigned, Polynomial> part = {};
  bool operator==(const Storage &) const = default;
};

/// What stands beyond an end of an array, where loops have set it.
struct Edge {
  Storage storage; ///< one of its levels
  unsigned axis, side;
  Boundary boundary; ///< a number is in terms of the LoopTree
  Polynomial points; ///< that the grid has along the axis
};

/// Points of an array that the stencil leaves as they are, where loops set them for others: all but
/// those inside.
struct LeftOut {
  Storage storage; ///< one of its levels
  std::array<Polynomial, kMaxRank> from, to;
};

/// A condition on one loop variable: `from` <= variable < `to`.
struct Guard {
  Symbol variable;
  std::optional<Polynomial> from, to;
  bool operator==(const Guard &) const = default;
};

/// An element of a buffer.
struct Access {
  unsigned buffer;
  std::vector<Polynomial> subscripts;
  unsigned time; ///< number of assignments that are written before it
  clang::SourceLocation where = {};
  std::vector<Guard> turns = {}; ///< in which it is read, where conditions on positions say so
  /// The number of the turn chooses the buffer, as Loop::becomes says; this is that of the first.
  bool isByTurn = false;
};

/// Its variable takes the values from `begin` to `end` - 1, every one or every `stride`th.
struct Loop {
  Symbol variable;
  Polynomial begin, end;
  bool isDownward = false;
  Polynomial stride = 1;
  bool isBlocked = false; ///< turns are taken block by block, with those of other such loops
  /// Pointers that change places at the end of each turn, or are chosen by its number: what was
  /// known as buffer b is from then on what `becomes[b]` was.
  std::map<unsigned, unsigned> becomes = {};
  clang::SourceLocation where = {};
};

struct Assignment {
  std::vector<unsigned> loops; ///< those around it, outermost first: numbers in LoopTree::loops
  std::vector<Guard> guards;
  Access target;
  Formula value; ///< of the type of the target's buffer
  clang::SourceLocation where = {};
  /// The array is set as a whole, all its elements or so many of them: neither the target nor what
  /// is read has all its subscripts yet.
  bool isWhole = false;
  std::optional<Polynomial> elements = {};
  bool isFirst = false; ///< of an array that each turn makes anew: what it holds at first
};

/// A number gathered over the turns of loops.
struct Gathered {
  std::string name;
  Reduction::Op op;
  std::vector<unsigned> loops;
  std::vector<Guard> guards;
  bool isConditional; ///< on data
  Formula value;
  unsigned time; ///< number of assignments that are written before it
  clang::SourceLocation where = {};
  ScalarType type = ScalarType::F64;
  std::optional<Formula> start = {}; ///< what it is gathered from, where that is known
  unsigned outside = 0;              ///< of `loops`: those that begin it anew
  bool seesNaN = false;              ///< of NaNs it is not what `min` and `max` make of them
  /// How the caller gets it, as C text: `return`, `*error`; empty if not at all.
  std::string result = {};
};

/// A condition by which the data ends the loop over time, or that loop's own one, and a C text with
/// which the loop makes `kTurnsLeft` turns at most, whatever the data says.
struct Ending {
  clang::SourceRange condition;
  std::string instead;
  bool isKept = false; ///< both have to hold
};

struct LoopTree {
  std::string name;       ///< of the function
  bool isProgram = false; ///< it is `main`
  std::vector<std::string> assumptions = {};
  clang::SourceLocation where = {};
  std::vector<SymbolInfo> symbols;
  std::vector<Buffer> buffers;
  std::vector<Loop> loops;
  std::vector<Access> accesses; ///< that are read
  std::vector<Assignment> assignments;
  std::vector<Gathered> reductions;
  std::vector<Edge> edges;
  std::vector<LeftOut> leftOut;
  std::vector<std::string> leftBehind; ///< numbers that the caller sees changed afterwards
  /// Buffers whose swap at the end of a step is written as copies: in memory they change places.
  std::vector<std::pair<unsigned, unsigned>> exchanged;
  /// An array of the function's own that it sets outside of the loop over time, which is left out.
  std::string setOutside;
  bool hasWeights = false; ///< small arrays that are numbers here, as Reader.h says
  /// Numbers become whole ones, of which C says nothing where they are too large or NaN.
  bool roundsToWhole = false;
  /// What `edges` say has to be so before the first step.
  bool assumesStart = false;
  /// Members of objects that change places: the first is taken for the second.
  std::vector<std::pair<Symbol, Symbol>> sameNumbers;
  /// Before which the function does nothing and returns, as C text, and whether that names nothing
  /// but its arguments.
  std::vector<std::pair<std::string, bool>> givesUpWhen;
  /// What ends the loop over time, or lets it go on, where the data says so; empty if it makes all
  /// its turns.
  std::string endsWhen;
  std::vector<Ending> endings; ///< all that say so

  std::string text(const Polynomial &value) const;
  /// A number that is there before the loops, made of others: (nx - halo), (n / 2).
  Symbol made(const Polynomial &dividend, const Polynomial &divisor, clang::SourceLocation where);
  /// The value as a formula; none where it names more than params.
  std::optional<Formula> formulaOf(const Polynomial &value) const;
  std::string textOfMade(const SymbolInfo &info) const;
  /// True if a remainder or a position that is kept on the grid is made of the symbol.
  bool hidesIn(const Polynomial &value, Symbol symbol) const;
  /// True if the value needs the symbol, be it for numbers that are made.
  bool needs(const Polynomial &value, Symbol symbol) const;

  /// Leaves the other assignments out; what is told to come before or after one keeps its place.
  void keepAssignments(llvm::function_ref<bool(unsigned number)> isKept);
};

} // namespace stencilc::lift
