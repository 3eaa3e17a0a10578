// predictSu2015: each launch by the model of [su2015].
#include "costmodel/model/PredictLaunches.h"
#include "costmodel/model/Su2015Launch.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

llvm::Expected<Prediction> stencilc::predictSu2015(const ProgramCounts &counts,
                                                   const DeviceProfile &device,
                                                   const PredictOptions &options) {
  const std::string model = spelling(Model::Su2015).str();
  if (!device.su2015)
    return missingSection(device, model, "su2015");
  for (const LaunchCounts &launch : counts.launches)
    if (launch.together.shared.requests > 0)
      return llvm::createStringError("the model `%s` counts loads from registers to the caches of "
                                     "an SM only, and `%s` uses its shared memory",
                                     model.c_str(), launch.kernel->name.c_str());

  const Su2015Constants &constants = *device.su2015;
  const LevelBandwidths bandwidths{constants.smxBandwidth, constants.l2Bandwidth,
                                   constants.dramBandwidth};
  return predictLaunches(
      Model::Su2015, counts, device, options, bandwidths,
      [&](const LaunchCounts &launch, const EstimatedKernel &, const Occupancy &occupancy) {
        const Su2015Launch predicted(launch, device, occupancy);
        LaunchPrediction result{.smxBytes = predicted.smxBytes,
                                .l2Bytes = predicted.l2Bytes,
                                .dramBytes = predicted.dramBytes,
                                .total = predicted.seconds(),
                                .su2015 = predicted.quantities};
        result.seconds[unsigned(Bound::Smx)] = predicted.smxBytes / bandwidths.smx;
        result.seconds[unsigned(Bound::L2)] = predicted.l2Bytes / bandwidths.l2;
        result.seconds[unsigned(Bound::Dram)] = predicted.dramBytes / bandwidths.dram;
        result.bottleneck = Bound(llvm::max_element(result.seconds) - result.seconds.begin());
        return result;
      });
}
