// ApspStudy: everything that is known about one kernel on one device at one size, with counted,
// predicted and measured numbers kept apart. `--explain` and `--sweep` print it.
#pragma once

#include "costmodel/apsp/ApspForecast.h"
#include "costmodel/apsp/ApspJumps.h"

namespace stencilc {

struct ApspCounts {
  int64_t width = 0;                   ///< blocks, or tiles, along one side
  int64_t launches = 0;                ///< of the paper's kernels; pivots of the blocked one
  std::array<int64_t, 4> warpsPerSm{}; ///< by Mapping
};

struct ApspPrediction {
  std::optional<ApspInterval> interval; ///< of the paper's kernels
  bool inSeconds = false;               ///< the interval; else in symbolic units
  std::optional<double> forecast;       ///< in seconds
};

struct ApspPoint {
  int64_t nodes = 0;
  ApspCounts counted;
  ApspPrediction predicted;
  std::optional<double> measured; ///< seconds
};

/// One kernel on one device, calibrated as far as measured runs allow.
class ApspStudy {
public:
  /// Of `runs`, those of this kernel count: the one of n0 nodes calibrates the interval, all
  /// together fit the forecast. Without them the interval stays symbolic.
  ApspStudy(const DeviceProfile &device, const ApspKernel &kernel, llvm::ArrayRef<ApspRun> runs,
            int64_t n0, LaunchMode mode);

  ApspPoint at(int64_t nodes) const;
  std::optional<ApspJump> jumpFrom(int64_t nodes) const;
  /// How much longer the forecast says that one more node takes; nothing without a forecast.
  std::optional<double> forecastHeight(int64_t from) const;

  DeviceProfile device;
  ApspKernel kernel;
  std::optional<double> factor; ///< seconds per symbolic unit
  std::optional<ApspForecast> forecast;
  std::string noForecast; ///< why there is none

private:
  std::vector<ApspRun> runs;
  LaunchMode mode;
};

} // namespace stencilc
