// predictGeometric: the launches of a time step by the geometric model, one after another.
#include "costmodel/GeometricLaunch.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

/// Bytes of a wavefront (costmodel/Counts.h).
static constexpr double kWavefrontBytes = 128;

llvm::Expected<Prediction> stencilc::predictGeometric(const ProgramCounts &counts,
                                                      const DeviceProfile &device,
                                                      const PredictOptions &options) {
  if (!device.geometric)
    return missingSection(device, spelling(Model::Geometric), "geometric");
  if (!device.launching)
    return missingSection(device, spelling(Model::Geometric), "launching");

  Prediction prediction;
  prediction.model = spelling(Model::Geometric);
  prediction.schedule = counts.schedule;
  double longest = 0;
  for (const LaunchCounts &launch : counts.launches) {
    llvm::Expected<Occupancy> occupancy = occupancyOf(launch, device, options);
    if (!occupancy)
      return occupancy.takeError();
    const GeometricLaunch predicted(launch, *occupancy, device);
    prediction.bytes.smx += predicted.traffic.smxBytes / counts.steps;
    prediction.bytes.l2 += predicted.traffic.l2Bytes / counts.steps;
    prediction.bytes.dram += predicted.traffic.dramBytes() / counts.steps;
    for (auto [sum, seconds] : llvm::zip_equal(prediction.seconds, predicted.seconds))
      sum += seconds / counts.steps;
    prediction.total += predicted.total / counts.steps;
    if (predicted.total > longest) {
      longest = predicted.total;
      prediction.occupancy = *occupancy;
      prediction.geometric = predicted.traffic.seen;
    }
  }
  // Launches of one stream follow each other no faster than the host issues them.
  prediction.total = std::max(prediction.total, prediction[Bound::Launch]);
  prediction.bottleneck = Bound(llvm::max_element(prediction.seconds) - prediction.seconds.begin());

  const GeometricConstants &constants = *device.geometric;
  const double least =
      double(counts.compulsoryReadBytes + counts.compulsoryWriteBytes) / counts.steps;
  const double smxBandwidth =
      kWavefrontBytes / constants.wavefrontClocks * double(device.sms) * device.clock;
  prediction.levels = {{
      {"SM", prediction.bytes.smx, 0, smxBandwidth, prediction[Bound::Smx]},
      {"L2", prediction.bytes.l2, least, constants.l2Bandwidth, prediction[Bound::L2]},
      {"device memory", prediction.bytes.dram, least, constants.dramBandwidth,
       prediction[Bound::Dram]},
  }};
  return prediction;
}
