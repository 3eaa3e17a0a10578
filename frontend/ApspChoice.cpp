#include "frontend/ApspChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace stencilc {

Expected<ApspData> loadApspData(const ApspCommandLine &line) {
  Expected<DeviceProfile> device = loadDeviceProfile(line.gpu);
  if (!device)
    return device.takeError();
  if (!device->apsp)
    return missingSection(*device, "interval", "apsp");
  if (line.runs.empty())
    return ApspData{*device, shippedApspRuns(*device)};
  auto buffer = MemoryBuffer::getFile(line.runs, /*IsText=*/true);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "cannot read `" + line.runs + "`: " + buffer.getError().message());
  auto runs = parseApspRuns((*buffer)->getBuffer(), line.runs);
  if (!runs)
    return runs.takeError();
  return ApspData{*device, std::move(*runs)};
}

ApspKernel kernelOf(const ApspCommandLine &line, ApspAlgorithm algorithm) {
  const bool blocked = algorithm == ApspAlgorithm::Blocked;
  ApspKernel kernel;
  kernel.algorithm = algorithm;
  kernel.blockWidth = line.block.value_or(blocked ? 128 : 32);
  kernel.tile = blocked ? line.tile.value_or(kernel.blockWidth) : kernel.blockWidth;
  kernel.weight = spelling(line.type);
  kernel.paths = !blocked || line.paths != apsp::PathKind::None;
  return kernel;
}

std::string weightName(WeightType type, apsp::WeightRange range, ArrayRef<ApspForecast> forecasts) {
  const std::string bare = spelling(type).str();
  const auto measured = [&](StringRef name) {
    return any_of(forecasts,
                  [&](const ApspForecast &forecast) { return forecast.kernel.weight == name; });
  };
  if (range == apsp::WeightRange::Below22Bits && measured(bare + "<2^22"))
    return bare + "<2^22";
  if (range != apsp::WeightRange::Any && measured(bare + "+"))
    return bare + "+";
  return bare;
}

ApspKernel chooseKernel(const ApspCommandLine &line, const ApspData &data, int64_t nodes,
                        apsp::WeightRange range) {
  if (line.algorithm)
    return {*line.algorithm, line.block.value_or(0), line.tile.value_or(0), "", false};
  const std::vector<ApspForecast> forecasts = fitAll(data.device, data.runs).fitted;
  if (const ApspForecast *best =
          fastest(forecasts, weightName(line.type, range, forecasts), line.wantsPaths(), nodes))
    return best->kernel;
  return {ApspAlgorithm::Blocked, 0, 0, "", false};
}

} // namespace stencilc
