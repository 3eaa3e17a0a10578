// predictSu2015: the launches of a time step, each by the model of [su2015], one after another.
#include "costmodel/Su2015Launch.h"

using namespace stencilc;

llvm::Expected<Prediction> stencilc::predictSu2015(const ProgramCounts &counts,
                                                   const DeviceProfile &device,
                                                   const PredictOptions &options) {
  const std::string model = spelling(Model::Su2015).str();
  if (!device.su2015)
    return missingSection(device, model, "su2015");
  Prediction prediction;
  prediction.model = model;
  prediction.schedule = counts.schedule;
  double longest = -1;
  for (const LaunchCounts &launch : counts.launches) {
    if (launch.shared.requests > 0)
      return llvm::createStringError("the model `%s` counts loads from registers to the caches of "
                                     "an SM only, and `%s` uses its shared memory",
                                     model.c_str(), launch.kernel->name.c_str());
    llvm::Expected<Occupancy> occupancy = occupancyOf(launch, device, options);
    if (!occupancy)
      return occupancy.takeError();
    const Su2015Launch predicted(launch, device, *occupancy);
    prediction.bytes.smx += predicted.smxBytes / counts.steps;
    prediction.bytes.l2 += predicted.l2Bytes / counts.steps;
    prediction.bytes.dram += predicted.dramBytes / counts.steps;
    prediction.total += predicted.seconds() / counts.steps;
    if (predicted.seconds() > longest) {
      longest = predicted.seconds();
      prediction.occupancy = *occupancy;
      prediction.su2015 = predicted.quantities;
    }
  }

  const Su2015Constants &constants = *device.su2015;
  const double least =
      double(counts.compulsoryReadBytes + counts.compulsoryWriteBytes) / counts.steps;
  prediction.levels = {{
      {"SM", prediction.bytes.smx, 0, constants.smxBandwidth, 0},
      {"L2", prediction.bytes.l2, least, constants.l2Bandwidth, 0},
      {"device memory", prediction.bytes.dram, least, constants.dramBandwidth, 0},
  }};
  for (LevelPrediction &level : prediction.levels)
    level.seconds = level.bytes / level.bandwidth;
  prediction[Bound::Smx] = prediction.levels[0].seconds;
  prediction[Bound::L2] = prediction.levels[1].seconds;
  prediction[Bound::Dram] = prediction.levels[2].seconds;
  for (const Bound bound : {Bound::Dram, Bound::L2, Bound::Smx})
    if (prediction[bound] > prediction[prediction.bottleneck])
      prediction.bottleneck = bound;
  return prediction;
}
