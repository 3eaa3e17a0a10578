// Stencil: what is to be computed, with every name resolved and every type known.
//
// It is what Sema makes of a .stn file and what the StencilInterpreter runs: the meaning of the
// language. Nothing here knows of threads, blocks or buffers. All axes, arrays and params are
// numbered in the order of their declaration; axis 0 is the slowest, axis rank()-1 is contiguous.
// Whoever builds one, the rules of StencilVerifier.h hold for it.
//
// `let`s are gone: they are names of values in formulas. `sum`, `laplace`, `diff` and `diff2` are
// expanded to plain reads. Literal-only subexpressions are folded exactly and rounded once.
//
// A step makes the updates of its stages, stage by stage. In every stage a field is the state at
// the start of the step, `u[t-1]` the one before, and `u'` the new state: what earlier stages made,
// and `u` at points that no stage makes. A temp is made like a field, read as `u'` alone, and gone
// after the step.
#pragma once

#include "ir/stencil/Region.h"

#include "llvm/Support/raw_ostream.h"

namespace stencilc {

/// Position in the source text, counted from 1; line 0 means "none".
struct SourcePosition {
  unsigned line = 0, column = 0;
};

// ---- declarations -----------------------------------------------------------------------------

/// What a read beyond an end of an axis gives.
enum class BoundaryKind {
  None,
  Fixed,     ///< nothing: updates that would read there are not made at that point
  Halo,      ///< memory beyond the extents; of a temp, what its updates are evaluated to there
  Clamp,     ///< the nearest point
  Periodic,  ///< the index modulo the extent
  Reflect,   ///< mirrored at the outermost point: -1 is 1
  Symmetric, ///< mirrored behind the outermost point: -1 is 0
  Value      ///< a number
};
/// "fixed", "symmetric", ...; "none".
llvm::StringRef spelling(BoundaryKind kind);

struct Boundary {
  BoundaryKind kind = BoundaryKind::None;
  /// `Value` only: of literals, params, the step number and arrays over time, in the array's type.
  Formula value = {};
  /// `Reflect` and `Symmetric`: what is read there is multiplied by it, in the array's type; of
  /// several axes one after the other, slowest first.
  double factor = 1;
};

/// A field is advanced by every step, a const array is read only, a temp lives within a step.
enum class ArrayKind { Field, Const, Temp };
/// "field", "const", "temp".
llvm::StringRef spelling(ArrayKind kind);

struct Array {
  std::string name;
  ArrayKind kind = ArrayKind::Field;
  ScalarType type = ScalarType::F64;
  llvm::SmallVector<unsigned, 3> axes; ///< the stencil's axes this array has, slowest first
  /// A const array with a value a step, read by TimeRead; it has none of the stencil's axes.
  bool isOverTime = false;
  /// Of a field: its new level has a buffer even where it could be made in place. No text says so;
  /// it keeps the C interface of a stencil that is lowered in another form.
  bool hasOwnNext = false;
  std::array<std::array<Boundary, 2>, kMaxRank> boundary; ///< [axis][side]
  Formula init;         ///< starting values; empty: none were given
  Formula initPrevious; ///< of `u[t-1]`; empty: `u[t-1]` starts as `u`
  SourcePosition position;

  bool hasAxis(unsigned axis) const;
};

struct Param {
  std::string name;
  ScalarType type = ScalarType::F64; ///< Int: `param int`
  std::optional<double> defaultValue;
  SourcePosition position;
};

/// `array' on region = formula`.
struct Update {
  unsigned array;
  Formula formula;  ///< of the array's type
  std::string text; ///< the assignment as written, blanks made single, without the `;`
  SourcePosition position;
  Region region = {}; ///< by axis; the whole grid unless said otherwise
};

struct Stage {
  std::vector<Update> updates;
};

/// The number that a run leaves: of the newest state, over the points of a region where no read
/// leaves a `fixed` array. Sums are taken as ReductionTree.h says.
struct Reduction {
  enum class Op { Min, Max, Sum };
  std::string name;
  Op op = Op::Sum;
  Formula formula; ///< of type f64
  std::string text;
  SourcePosition position;
  Region region = {};
};
/// "min", "max", "sum".
llvm::StringRef spelling(Reduction::Op op);

/// How many numbers are combined at a time (ir/stencil/ReductionTree.h). The language has one such
/// tree; with a smaller one, few numbers reach all of its levels.
struct ReductionTree {
  int lanes = 256; ///< a power of two, at least 2
  int turns = 16;  ///< numbers that a lane takes of a run

  int run() const { return lanes * turns; }
  /// As many as lanes, each made of runs of runs.
  int64_t mostRuns() const { return int64_t(lanes) * run() * run(); }
  bool operator==(const ReductionTree &) const = default;
};

struct Stencil {
  std::string name;
  std::string file;              ///< base name of the source, for banners
  std::vector<std::string> axes; ///< slowest first
  std::vector<Array> arrays;
  std::vector<Param> params;
  std::vector<Stage> stages; ///< one when the source has no `stage`
  std::vector<Reduction> reductions;
  ReductionTree reductionTree;

  unsigned rank() const { return axes.size(); }
};

/// The `--emit=stencil` text: declarations, boundaries, each formula one value a line, then the
/// derived facts of StencilFacts.h.
void print(llvm::raw_ostream &out, const Stencil &stencil);

/// Where the two mean something else, in words ("the boundary of `u` at `x-`"); none if they are
/// one stencil, whatever the order of values in formulas, their names, spelled text and positions.
std::optional<std::string> difference(const Stencil &left, const Stencil &right);

} // namespace stencilc
