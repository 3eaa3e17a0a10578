// Which model answers, and what the models share.
#include "costmodel/model/PredictLaunches.h"
#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace stencilc;

/// Compute capability of Volta: from there on all loads are cached in L1, and kernels take more
/// arguments.
static constexpr double kVolta = 7.0, kHopper = 9.0;

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

namespace {
/// Estimates of kernels, made where nobody has kept them.
class Estimates {
public:
  explicit Estimates(KernelEstimates *known) : all(known ? *known : own) {}
  const EstimatedKernel &of(const Kernel &kernel) {
    return all.try_emplace(&kernel, kernel).first->second;
  }

private:
  KernelEstimates own;
  KernelEstimates &all;
};
} // namespace

static BlockResources resourcesOf(const ProgramCounts &counts, const LaunchCounts &launch,
                                  const EstimatedKernel &estimated, const DeviceProfile &device,
                                  const PredictOptions &options) {
  const CodeTable &table = device.codeTable();
  const bool isPromised = launch.kernel->promisesResidency && !options.registers;
  const int residency = isPromised ? counts.schedule.residency : 0;
  const bool haveFew =
      residency * launch.threads * table[CodeNumber::FewRegisters] > device.sm.registers;
  const RegisterEstimate &estimate = estimated.registers(table, haveFew);
  return {.threads = int(launch.threads),
          .registers = options.registers.value_or(estimate.wanted),
          .needed = estimate.needed,
          .residency = residency,
          .sharedBytes = launch.sharedBytes};
}

static llvm::Error checkBytes(const Kernel &kernel, int64_t bytes, const DeviceProfile *device) {
  const bool isOld = device && device->computeCapability < kVolta;
  const int64_t passed = isOld ? cuda::kMaxArgumentBytesBeforeVolta : cuda::kMaxArgumentBytes;
  if (bytes <= passed)
    return llvm::Error::success();
  return llvm::createStringError(fmt::format(
      "`{}` takes {} bytes of arguments, and {} passes a kernel {}; updates in stages of "
      "their own, and fewer numbers made of params, take fewer",
      kernel.name, bytes, device ? device->name : "a GPU", passed));
}

static llvm::Error checkCluster(const Kernel &kernel, const DeviceProfile *device) {
  if (kernel.cluster == 1 || !device || device->computeCapability >= kHopper)
    return llvm::Error::success();
  return llvm::createStringError(
      fmt::format("blocks of `{}` run in clusters, which GPUs have from compute capability 9.0 on; "
                  "{} has {:.1f}",
                  kernel.name, device->name, device->computeCapability.value));
}

llvm::Error stencilc::checkArguments(const Program &program, const DeviceProfile *device) {
  for (const Kernel &kernel : program.kernels)
    if (kernel.target == Target::Device) {
      if (llvm::Error error = checkBytes(kernel, argumentBytes(program, kernel), device))
        return error;
      if (llvm::Error error = checkCluster(kernel, device))
        return error;
    }
  return llvm::Error::success();
}

/// Of registers that a thread needs beyond those it has. Where many are missing compilers spill
/// about twice as many; where that begins was chosen on programs that were timed.
static int likelySpilled(int missing) {
  constexpr int few = 64;
  return missing + std::max(0, missing - few);
}

static llvm::Expected<Occupancy> occupancyOf(const ProgramCounts &counts,
                                             const LaunchCounts &launch,
                                             const EstimatedKernel &estimated,
                                             const DeviceProfile &device,
                                             const PredictOptions &options) {
  if (llvm::Error error = checkBytes(*launch.kernel, launch.argumentBytes, &device))
    return error;
  if (llvm::Error error = checkCluster(*launch.kernel, &device))
    return error;
  BlockResources block = resourcesOf(counts, launch, estimated, device, options);
  Occupancy occupancy = occupancyOf(block, device.sm, device.threadsPerWarp);
  occupancy.spilledRegisters = likelySpilled(occupancy.spilledRegisters);
  if (const CompiledKernel *compiled = options.compiledAs(*launch.kernel)) {
    // Compiled code keeps the promise of blocks; how freely it was made is still the estimate's.
    const double freedom = occupancy.freedom;
    block.registers = block.needed = compiled->registers;
    block.residency = 0;
    occupancy = occupancyOf(block, device.sm, device.threadsPerWarp);
    occupancy.freedom = freedom;
    occupancy.spilledRegisters = compiled->spilledBytes / 4;
  }
  if (occupancy.blocks == 0)
    return llvm::createStringError("a block of `%s` does not fit on an SM of %s (%s)",
                                   launch.kernel->name.c_str(), device.name.c_str(),
                                   spelling(occupancy.limit).str().c_str());
  return occupancy;
}

llvm::Expected<Occupancy> stencilc::occupancyOf(const ProgramCounts &counts,
                                                const LaunchCounts &launch,
                                                const DeviceProfile &device,
                                                const PredictOptions &options) {
  return ::occupancyOf(counts, launch, *launch.kernel, device, options);
}

/// What a thread of such a block may need, by the error of the estimate: whole registers.
static int mostNeeded(const BlockResources &block, double errorOfNeed) {
  return std::min(block.registers, int((1 + errorOfNeed) * block.needed));
}

int stencilc::mostResidency(const ProgramCounts &counts, const DeviceProfile &device,
                            KernelEstimates *known) {
  Estimates estimates(known);
  const double errorOfNeed = device.codeTable()[CodeNumber::ErrorOfNeed];
  int most = device.sm.blocks;
  for (const LaunchCounts &launch : counts.launches) {
    BlockResources block = resourcesOf(counts, launch, estimates.of(*launch.kernel), device, {});
    block.residency = std::min(most, placesFor(block.threads, device.sm, device.threadsPerWarp));
    const auto isEnough = [&] {
      const Occupancy occupancy = occupancyOf(block, device.sm, device.threadsPerWarp);
      return occupancy.blocks >= block.residency && occupancy.spilledRegisters == 0 &&
             occupancy.registers >= mostNeeded(block, errorOfNeed);
    };
    while (block.residency > 1 && !isEnough())
      --block.residency;
    most = block.residency;
  }
  return most;
}

std::optional<int> stencilc::spillsAlone(const Program &program, const DeviceProfile &device,
                                         KernelEstimates *known) {
  Estimates estimates(known);
  for (const Kernel &kernel : program.kernels) {
    if (kernel.target != Target::Device || !kernel.promisesResidency)
      continue;
    const RegisterEstimate &estimate = estimates.of(kernel).registers(device.codeTable());
    const BlockResources block = {.threads = kernel.threads(),
                                  .registers = estimate.wanted,
                                  .needed = estimate.needed,
                                  .residency = 1};
    if (occupancyOf(block, device.sm, device.threadsPerWarp).spilledRegisters > 0)
      return estimate.needed;
  }
  return std::nullopt;
}

std::string stencilc::registerShortage(const ProgramCounts &counts, const DeviceProfile &device,
                                       KernelEstimates *known) {
  Estimates estimates(known);
  const double errorOfNeed = device.codeTable()[CodeNumber::ErrorOfNeed];
  for (const LaunchCounts &launch : counts.launches) {
    const BlockResources block =
        resourcesOf(counts, launch, estimates.of(*launch.kernel), device, {});
    const int left = occupancyOf(block, device.sm, device.threadsPerWarp).registers;
    const int most = mostNeeded(block, errorOfNeed);
    if (left >= most)
      continue;
    const std::string error = fmt::format("{:.0f} %", 100 * errorOfNeed);
    return fmt::format(
        "{} {} registers, and it needs about {}, {}",
        left < device.sm.registersPerThread ? "so many blocks on an SM leave a thread"
                                            : "a thread has at most",
        left, block.needed,
        left < block.needed ? "give or take " + error
                            : fmt::format("with an error of {} up to {}", error, most));
  }
  return {};
}

llvm::Expected<Prediction> stencilc::predictLaunches(
    Model model, const ProgramCounts &counts, const DeviceProfile &device,
    const PredictOptions &options, const LevelBandwidths &bandwidths,
    llvm::function_ref<LaunchPrediction(const LaunchCounts &, const EstimatedKernel &,
                                        const Occupancy &)>
        predictLaunch) {
  Prediction sum;
  sum.model = spelling(model);
  sum.schedule = counts.schedule;
  double longest = -1;
  std::array<double, kBounds> setBy = {};
  Estimates estimates(options.known);
  for (const LaunchCounts &launch : counts.launches) {
    const EstimatedKernel &estimated = estimates.of(*launch.kernel);
    llvm::Expected<Occupancy> occupancy = ::occupancyOf(counts, launch, estimated, device, options);
    if (!occupancy)
      return occupancy.takeError();
    const LaunchPrediction predicted = predictLaunch(launch, estimated, *occupancy);
    sum.bytes.smx += predicted.smxBytes / counts.steps;
    sum.bytes.l2 += predicted.l2Bytes / counts.steps;
    sum.bytes.dram += predicted.dramBytes / counts.steps;
    for (auto [seconds, ofLaunch] : llvm::zip_equal(sum.seconds, predicted.seconds))
      seconds += ofLaunch / counts.steps;
    sum.total += predicted.total / counts.steps;
    setBy[unsigned(predicted.bottleneck)] += predicted.total;
    sum.launches.push_back({launch.kernel->name, predicted.smxBytes / counts.steps,
                            predicted.l2Bytes / counts.steps, predicted.dramBytes / counts.steps,
                            predicted.total / counts.steps, predicted.bottleneck});
    if (device.launching)
      sum[Bound::Launch] += device.launching->hostInterval / counts.steps;
    if (predicted.total > longest) {
      longest = predicted.total;
      sum.occupancy = *occupancy;
      sum.su2015 = predicted.su2015;
      sum.geometric = predicted.geometric;
    }
  }
  sum.bottleneck = Bound(llvm::max_element(setBy) - setBy.begin());
  if (sum[Bound::Launch] > sum.total) {
    sum.total = sum[Bound::Launch];
    sum.bottleneck = Bound::Launch;
  }
  const double least =
      double(counts.compulsoryReadBytes + counts.compulsoryWriteBytes) / counts.steps;
  sum.levels = {{
      {"SM", sum.bytes.smx, 0, bandwidths.smx, sum[Bound::Smx]},
      {"L2", sum.bytes.l2, least, bandwidths.l2, sum[Bound::L2]},
      {"device memory", sum.bytes.dram, least, bandwidths.dram, sum[Bound::Dram]},
  }};
  return sum;
}
