// Which model answers, and the names of what they speak of.
#include "costmodel/Instructions.h"
#include "costmodel/Prediction.h"

using namespace stencilc;

/// Compute capability of Volta: from there on all loads are cached in L1.
static constexpr double kVolta = 7.0;

llvm::StringRef stencilc::spelling(Bound bound) {
  static constexpr llvm::StringLiteral names[] = {
      "dram", "l2", "smx", "shared", "issue", "flops", "latency", "barrier", "dispatch", "launch"};
  static_assert(std::size(names) == kBounds);
  return names[unsigned(bound)];
}

llvm::StringRef stencilc::spelling(Model model) {
  return model == Model::Su2015 ? "su2015" : "geometric";
}

Model stencilc::defaultModel(const DeviceProfile &device) {
  return device.computeCapability < kVolta ? Model::Su2015 : Model::Geometric;
}

llvm::Expected<Prediction> stencilc::predict(const ProgramCounts &counts,
                                             const DeviceProfile &device,
                                             const PredictOptions &options) {
  return options.model.value_or(defaultModel(device)) == Model::Su2015
             ? predictSu2015(counts, device, options)
             : predictGeometric(counts, device, options);
}

llvm::Expected<Occupancy> stencilc::occupancyOf(const LaunchCounts &launch,
                                                const DeviceProfile &device,
                                                const PredictOptions &options) {
  BlockResources block;
  block.threads = launch.threads;
  block.sharedBytes = launch.sharedBytes;
  const RegisterEstimate estimate = estimateRegisters(*launch.kernel);
  block.registers = options.registers.value_or(estimate.wanted);
  block.needed = estimate.needed;
  if (!options.registers)
    block.residency = launch.kernel->residency;
  const Occupancy occupancy = occupancyOf(block, device.sm, device.threadsPerWarp);
  if (occupancy.blocks == 0)
    return llvm::createStringError("a block of `%s` does not fit on an SM of %s (%s)",
                                   launch.kernel->name.c_str(), device.name.c_str(),
                                   spelling(occupancy.limit).str().c_str());
  return occupancy;
}
