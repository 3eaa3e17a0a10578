// ApspIntervals: the interval model of [duemmler2015] for all-pairs shortest paths.
//
// Each of the four mappings of blocks to multiprocessors (ApspGrid.h) gives a time; together they
// span the interval in which the run is expected. Times are symbolic, in the units of Table 5,
// until one measured run at n0 gives the factor that turns them into seconds: the four calibrated
// times then have that run as their mean at n0. A factor holds for one device, kernel and block
// width. Not modelled, as in the paper: copies, initialisation, caches, overlap within an SM.
#pragma once

#include "costmodel/apsp/ApspGrid.h"

namespace stencilc {

/// The two kernels of the paper and ours.
enum class ApspAlgorithm { MinPlus, FloydWarshall, Blocked };

/// "min-plus", "floyd-warshall", "blocked".
llvm::StringRef spelling(ApspAlgorithm algorithm);
std::optional<ApspAlgorithm> parseApspAlgorithm(llvm::StringRef name);

/// [duemmler2015] Table 5 and (22): costs in symbolic units that fit every platform.
struct SymbolicCosts {
  double launch = 5000;
  double instruction = 10, read = 2000, write = 4000;
  double instructionsPerNode = 1000;    ///< min-plus, for each of the n nodes
  double instructionsFloydWarshall = 2; ///< (22), once a warp
  double updateProbability = 0.5;       ///< the paper's P_min
};

/// Four predictions of one run, by Mapping; symbolic or in seconds, as the function says.
struct ApspInterval {
  std::array<double, 4> times{};

  double operator[](Mapping mapping) const { return times[size_t(mapping)]; }
  double lower() const;
  double upper() const;
  double mean() const;
  /// Upper end over lower end; 1 where the interval is empty of doubt. What falls into an interval
  /// means nothing without it.
  double width() const;
  ApspInterval scaled(double factor) const;
};

/// Launches of one run: (1) or (19). `algorithm` is one of the paper's.
int64_t launches(ApspAlgorithm algorithm, int64_t nodes);

/// Symbolic time of one warp: (3) to (5), or (21) to (24).
double warpTime(const DeviceProfile &device, ApspAlgorithm algorithm, const ApspGrid &grid,
                const SymbolicCosts &costs = {});

/// Symbolic times of a run: (1) and (2), or (19) and (20).
ApspInterval symbolicInterval(const DeviceProfile &device, ApspAlgorithm algorithm, int blockWidth,
                              int64_t nodes);

/// The factor f of section 5: seconds per symbolic unit, from one run of n0 nodes.
double conversionFactor(const DeviceProfile &device, ApspAlgorithm algorithm, int blockWidth,
                        int64_t n0, double measuredSeconds);

} // namespace stencilc
