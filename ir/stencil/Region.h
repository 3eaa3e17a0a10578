// Regions: which points of the grid an update is written for, and what can be said of such sets of
// points whatever the extents.
//
// A Region is written per axis, as Python slices: `x[2:-2]`. What an update really makes is an
// Area: its region less the frames that boundaries and temps take away, so that each end of an axis
// has several bounds and the tightest counts. Bounds may name a `param int`; a statement about them
// that depends on its value is neither proven nor refuted here.
#pragma once

#include "ir/stencil/Formula.h"

#include <map>
#include <optional>

namespace stencilc {

/// Lower (`Low`, the `-` side of the language) and upper (`High`, `+`) end of an axis.
enum Side : unsigned { Low, High };

/// An index along an axis: `offset` from where the axis starts, from where it ends (its extent), or
/// from a `param int`.
struct AxisBound {
  enum class Base { Start, End, Param };
  Base base = Base::Start;
  int64_t offset = 0;
  unsigned param = 0; ///< `Param` only: number in Stencil::params

  bool operator==(const AxisBound &) const = default;
};
constexpr AxisBound fromStart(int64_t offset) { return {AxisBound::Base::Start, offset}; }
constexpr AxisBound fromEnd(int64_t offset) { return {AxisBound::Base::End, offset}; }
constexpr AxisBound fromParam(unsigned param, int64_t offset) {
  return {AxisBound::Base::Param, offset, param};
}

/// The points [from, to) of an axis that are on the grid; the whole axis unless said otherwise.
struct Slice {
  AxisBound from = fromStart(0), to = fromEnd(0);
  bool operator==(const Slice &) const = default;
};
using Region = std::array<Slice, kMaxRank>;

/// What bounds are evaluated with.
struct AxisEnds {
  int64_t extent;
  llvm::ArrayRef<double> params;
};
int64_t valueOf(const AxisBound &bound, const AxisEnds &ends);

/// The points at or after all bounds of `from` and before all bounds of `to`. Of bounds with one
/// base only the tightest is kept.
struct AxisSpan {
  llvm::SmallVector<AxisBound, 2> from, to;

  /// Whole axis, and `ghosts` points beyond each end.
  static AxisSpan whole(int64_t ghostsLow = 0, int64_t ghostsHigh = 0);
  /// The points of the slice that are on the grid.
  static AxisSpan of(const Slice &slice);

  void startAt(AxisBound bound);
  void endBefore(AxisBound bound);
  /// Leaves the points p for which p + offset is in `other`.
  void keep(const AxisSpan &other, int64_t offset);
  AxisSpan shifted(int64_t offset) const;
  /// No bound but the start (end) of the axis itself.
  bool isOpen(Side side) const;

  int64_t begin(const AxisEnds &ends) const;
  int64_t end(const AxisEnds &ends) const;
  bool operator==(const AxisSpan &) const = default;
};
/// A box of points, by axis.
using Area = std::array<AxisSpan, kMaxRank>;

/// All points of two, and the extent (along `axis`) from which on they are that.
template <class Points> struct Joined {
  Points points;
  int64_t least = 0;
  unsigned axis = 0;
};
/// The area of all points of both, where that is one: equal on all axes but one, on which one ends
/// where the other starts.
std::optional<Joined<Area>> joined(const Area &left, const Area &right, unsigned rank);

/// What the bounds of all regions say about a `param int`, as each is on the grid or one past it:
/// param + least >= 0 and param + most <= extent, by axis and param.
struct ParamRange {
  int64_t least, most;
  bool isEnd = false; ///< regions end there, and none starts there
  bool operator==(const ParamRange &) const = default;
};
using ParamRanges = std::map<std::pair<unsigned, unsigned>, ParamRange>;

/// Whether two areas have no point in common.
struct Disjointness {
  enum Answer {
    Proven,  ///< for all extents; along `axis` from the extent `least` on
    Refuted, ///< not for all large extents
    Unknown  ///< it depends on params
  };
  Answer answer;
  unsigned axis = 0;
  int64_t least = 0;
};
Disjointness disjointness(const Area &left, const Area &right, unsigned rank,
                          const ParamRanges &ranges);

} // namespace stencilc
