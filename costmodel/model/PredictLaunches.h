// PredictLaunches: what the two models share: the launches of a time step, one after another.
#pragma once

#include "costmodel/compiled/Instructions.h"
#include "costmodel/model/Prediction.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc {

/// What a model says of one launch, in bytes and seconds.
struct LaunchPrediction {
  double smxBytes = 0, l2Bytes = 0, dramBytes = 0;
  std::array<double, kBounds> seconds = {}; ///< that each resource alone would need
  double total = 0;
  Bound bottleneck = Bound::Dram; ///< what sets `total`
  std::optional<Su2015Quantities> su2015 = {};
  std::optional<GeometricQuantities> geometric = {};
};

/// Of each level, from the SM outwards, bytes per second.
struct LevelBandwidths {
  double smx, l2, dram;
};

/// Adds up what `predictLaunch` says of each launch and its occupancy. Launches of one stream
/// follow each other no faster than the host issues them, where the profile knows how fast that is.
/// What sets the time of most of the step is its bottleneck.
llvm::Expected<Prediction>
predictLaunches(Model model, const ProgramCounts &counts, const DeviceProfile &device,
                const PredictOptions &options, const LevelBandwidths &bandwidths,
                llvm::function_ref<LaunchPrediction(const LaunchCounts &, const EstimatedKernel &,
                                                    const Occupancy &)>
                    predictLaunch);

} // namespace stencilc
