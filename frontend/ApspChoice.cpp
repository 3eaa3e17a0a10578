#include "frontend/ApspChoice.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace stencilc {

Expected<ApspData> loadApspData(const ApspCommandLine &line) {
  Expected<DeviceProfile> device = loadDeviceProfile(line.gpu);
  if (!device)
    return device.takeError();
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

ApspKernel chooseKernel(const ApspCommandLine &line, const ApspData &data, int64_t nodes) {
  if (line.algorithm)
    return {*line.algorithm, line.block.value_or(0), line.tile.value_or(0), "", false};
  const ApspForecasts forecasts = fitAll(data.device, data.runs);
  if (const ApspForecast *best =
          fastest(forecasts.fitted, spelling(line.type), line.wantsPaths(), nodes))
    return best->kernel;
  return {ApspAlgorithm::Blocked, 0, 0, "", false};
}

} // namespace stencilc
