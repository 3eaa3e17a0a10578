// predictGeometric: each launch by the geometric model.
#include "costmodel/model/GeometricLaunch.h"
#include "costmodel/model/PredictLaunches.h"

using namespace stencilc;

/// Bytes of a wavefront (costmodel/count/Counts.h).
static constexpr double kWavefrontBytes = 128;

llvm::Expected<Prediction> stencilc::predictGeometric(const ProgramCounts &counts,
                                                      const DeviceProfile &device,
                                                      const PredictOptions &options) {
  if (!device.geometric)
    return missingSection(device, spelling(Model::Geometric), "geometric");
  if (!device.launching)
    return missingSection(device, spelling(Model::Geometric), "launching");

  const GeometricConstants &constants = *device.geometric;
  const double smxBandwidth =
      kWavefrontBytes / constants.wavefrontClocks * double(device.sms) * device.clock;
  return predictLaunches(Model::Geometric, counts, device, options,
                         {smxBandwidth, constants.l2Bandwidth, constants.dramBandwidth},
                         [&](const LaunchCounts &launch, const Occupancy &occupancy) {
                           const GeometricLaunch predicted(launch, occupancy, device);
                           return LaunchPrediction{.smxBytes = predicted.traffic.smxBytes,
                                                   .l2Bytes = predicted.traffic.l2Bytes,
                                                   .dramBytes = predicted.traffic.dramBytes(),
                                                   .seconds = predicted.seconds,
                                                   .total = predicted.total,
                                                   .bottleneck = predicted.bottleneck,
                                                   .geometric = predicted.traffic.seen};
                         });
}
