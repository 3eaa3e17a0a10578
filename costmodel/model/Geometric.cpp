// predictGeometric: each launch by the geometric model.
#include "costmodel/model/GeometricLaunch.h"
#include "costmodel/model/PredictLaunches.h"

using namespace stencilc;

llvm::Expected<Prediction> stencilc::predictGeometric(const ProgramCounts &counts,
                                                      const DeviceProfile &device,
                                                      const PredictOptions &options) {
  if (!device.geometric)
    return missingSection(device, spelling(Model::Geometric), "geometric");
  if (!device.launching)
    return missingSection(device, spelling(Model::Geometric), "launching");

  const GeometricConstants &constants = *device.geometric;
  auto prediction = predictLaunches(
      Model::Geometric, counts, device, options,
      {.smx = 0, .l2 = constants.l2Bandwidth, .dram = constants.dramBandwidth},
      [&](const LaunchCounts &launch, const EstimatedKernel &estimated,
          const Occupancy &occupancy) {
        const CompiledKernel *compiled = options.compiledAs(*launch.kernel);
        const LoadWaits *waits = compiled && compiled->waits ? &*compiled->waits : nullptr;
        const GeometricLaunch predicted(launch, estimated, occupancy, device, waits);
        return LaunchPrediction{.smxBytes = predicted.traffic.smxBytes,
                                .l2Bytes = predicted.traffic.l2Bytes,
                                .dramBytes = predicted.traffic.dramBytes(),
                                .seconds = predicted.seconds,
                                .total = predicted.total,
                                .bottleneck = predicted.bottleneck,
                                .geometric = predicted.traffic.seen};
      });
  // Requests take their time beside the bytes that they move, and long marches take device memory
  // longer: what these two reach is no constant of the device.
  if (prediction)
    for (LevelPrediction *level : {&prediction->levels.front(), &prediction->levels.back()})
      if (level->seconds > 0)
        level->bandwidth = level->bytes / level->seconds;
  return prediction;
}
