// Signature: what the C ABI of a stencil is made of. It depends on the stencil alone, never on how
// it is computed.
#pragma once

#include "ir/stencil/StencilAreas.h"
#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

/// The steps at which an array over time is read, counted from the one under way.
struct StepSpan {
  int first = 0, last = 0;
};
/// An array as the caller sees it; of a temp, which the caller does not see, what later stages do.
struct SignatureArray {
  std::string name;
  ScalarType type;
  llvm::SmallVector<unsigned, 3> axes;
  Widths ghost = {};
  ArrayKind kind = ArrayKind::Field;
  bool hasPrevious = false; ///< `name_prev` exists
  bool hasNext = false;     ///< `name_next` exists
  /// It has a value a step, `name_steps` of them.
  std::optional<StepSpan> overTime = {};

  bool isField() const { return kind == ArrayKind::Field; }
};
struct SignatureParam {
  std::string name;
  ScalarType type; ///< Int: a whole number of 64 bits
  std::optional<double> defaultValue;
};
struct Signature {
  std::string name; ///< of the stencil
  std::vector<std::string> axes;
  std::vector<SignatureArray> arrays; ///< one per Stencil::arrays; temps of a form come last
  std::vector<SignatureParam> params;
  /// Least extents (periodic boundaries), per axis.
  std::array<int64_t, kMaxRank> minimumExtent = {};
  int firstUpdated = 0; ///< the first point of a row that a step updates
  int lineStart = 0;    ///< the point of a row that recommended layouts put at the start of a line
  /// Of reductions: `double *name`, where the number is wanted.
  std::vector<std::string> results = {};
  ReductionTree reductionTree = {};
  /// `step` exists: what is computed depends on the number of the step.
  bool countsSteps = false;
  /// Whole params outside are refused, by axis and number in `params`.
  ParamRanges paramRanges = {};
  /// Runs in which two of a pair have a point in common are refused.
  std::vector<std::pair<Area, Area>> apart = {};

  unsigned rank() const { return axes.size(); }
  /// No list of a reduction's runs has more elements; runs of the caller that need more are
  /// refused.
  int64_t mostRuns() const { return std::min<int64_t>(2'000'000'000, reductionTree.mostRuns()); }
  /// The arrays that the caller passes: all but temps.
  auto passed() const {
    return llvm::make_filter_range(
        arrays, [](const SignatureArray &array) { return array.kind != ArrayKind::Temp; });
  }
};

/// The signature of a stencil; every lowering starts from it.
Signature signatureOf(const Stencil &stencil);
/// True if callers of one can call the other. Temps, which no caller sees, may differ.
bool isSameInterface(const Signature &one, const Signature &other);
bool hasArraysOverTime(const Signature &signature);
/// Params as a run takes them that is told nothing else: their defaults; without one, as far along
/// the grid as regions end there, or 0. Those that bound regions are moved onto the grid.
std::vector<double> usualParams(const Signature &signature, llvm::ArrayRef<int64_t> extents);
/// A state on a grid of no extent 0 from which steps are refused, and why: params that leave the
/// grid or put apart regions together.
std::optional<std::string> refusal(const Signature &signature, llvm::ArrayRef<int64_t> extents,
                                   llvm::ArrayRef<double> params);
/// Ghost points around the caller's arrays with all axes: the widest of them.
Widths widestGhosts(const Signature &signature);

/// Bytes of a memory line.
inline constexpr unsigned kLineBytes = 128;

inline int elementsOfLine(ScalarType type) { return kLineBytes / sizeInBytes(type); }

/// What arrays share that lie alike: rows of one length in whole lines, and a point in each that
/// starts a line.
struct LineRows {
  Widths ghost = {}; ///< points around the extents
  int line = 1;      ///< elements of a line, of the narrowest type
  int lineStart = 0; ///< the point that starts a line
};
/// Of the caller's arrays with all axes, in the layout that the emitted layout function recommends.
LineRows recommendedRows(const Signature &signature);

} // namespace stencilc
