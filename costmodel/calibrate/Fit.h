// Fits: what constants of a curve measured points say, and whether they say it.
//
// All residuals are relative, so that short times count as much as long ones. A fit that the points
// do not determine is none.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <vector>

namespace stencilc {

/// Of at least one number.
double median(std::vector<double> numbers);
/// Distance between the quartiles, as a share of the median.
double spread(llvm::ArrayRef<double> numbers);

struct LinearFit {
  std::vector<double> factors;
  double residual = 0; ///< root of the mean square, relative
};
/// Least squares: value = sum of factor * term, for each row of terms. None if the rows are fewer
/// than the factors or do not tell them apart, or if a value is not positive.
std::optional<LinearFit> fitLinear(llvm::ArrayRef<std::vector<double>> rows,
                                   llvm::ArrayRef<double> values);

/// A copy, or part of one: how long a byte took.
struct StreamPoint {
  double inFlight;       ///< bytes on their way per SM
  double turns;          ///< of each thread, one after another
  double secondsPerByte; ///< of the device
};
/// bandwidth * (1 - exp(-inFlight / scale)), taking longer by `marchLoss` for each doubling of the
/// turns.
struct SaturationFit {
  double bandwidth, scale, marchLoss;
  double residual;
};
/// None unless points lie on both sides of the scale.
std::optional<SaturationFit> fitSaturation(llvm::ArrayRef<StreamPoint> points);

/// One size of a sliding window, of one kind of stream.
struct WindowPoint {
  double window;  ///< bytes between a value's first use and its last
  double seconds; ///< for the same amount of work in all points of a kind
  unsigned kind;
};
/// Reuse kept in a cache falls as `keptReuse` of costmodel/model says; the times of each kind are
/// linear in it.
struct CapacityFit {
  double capacity, softness;
  double residual;
};
/// None unless windows lie on both sides of the capacity and the fall costs time.
std::optional<CapacityFit> fitCapacity(llvm::ArrayRef<WindowPoint> points);

/// The level that a curve has from its first point on: the median of the longest beginning whose
/// points are all within `tolerance` of it, as a share. None if fewer than three are.
std::optional<double> plateau(llvm::ArrayRef<double> values, double tolerance);

/// Two kinds of work, how long each takes alone, and both together.
struct MixedPoint {
  double one, other, both;
};
struct NormFit {
  double norm, residual;
};
/// The p of (one^p + other^p)^(1/p), from 1 to 40. None without points whose parts are alike enough
/// to tell.
std::optional<NormFit> fitNorm(llvm::ArrayRef<MixedPoint> points);

/// How long each of so many blocks takes that share an SM.
struct SharePoint {
  double blocks, clocks;
};
struct WaitFit {
  double busy;  ///< clocks that a block keeps the SM busy
  double alone; ///< that it takes by itself
  double norm;  ///< p of (busy^p + (alone / blocks)^p)^(1/p)
  double residual;
};
/// None unless one block by itself takes longer than each of the most.
std::optional<WaitFit> fitWaiting(llvm::ArrayRef<SharePoint> points);

} // namespace stencilc
