#include "frontend/apsp/ApspChoice.h"

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
  kernel.weight = spelling(line.type);
  kernel.paths = !blocked || line.wantsPaths();
  kernel.blockWidth = line.block.value_or(!blocked ? 32 : kernel.paths ? 64 : 128);
  const bool narrow = kernel.paths || line.type == WeightType::F64;
  kernel.tile = !blocked ? kernel.blockWidth
                         : line.tile.value_or(narrow ? 64 : std::min(kernel.blockWidth, 128));
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
    return {*line.algorithm, line.block.value_or(0), line.tile.value_or(0), "", line.wantsPaths()};
  const std::vector<ApspForecast> forecasts = fitAll(data.device, data.runs).fitted;
  if (const ApspForecast *best =
          fastest(forecasts, weightName(line.type, range, forecasts), line.wantsPaths(), nodes))
    return best->kernel;
  return {ApspAlgorithm::Blocked, 0, 0, "", line.wantsPaths()};
}

Expected<apsp::Plan> planOf(const ApspKernel &kernel, apsp::WeightRange range) {
  switch (kernel.algorithm) {
  case ApspAlgorithm::MinPlus:
    return apsp::Plan{apsp::Algorithm::MinPlus, kernel.blockWidth, 0, range};
  case ApspAlgorithm::FloydWarshall:
    return apsp::Plan{apsp::Algorithm::PivotByPivot, kernel.blockWidth, 0, range};
  case ApspAlgorithm::Blocked:
    break;
  }
  const bool below22Bits = range == apsp::WeightRange::Below22Bits;
  if (kernel.paths && kernel.blockWidth > apsp::greatestBlockSize(apsp::PathKind::FirstHop, range))
    return createStringError(
        inconvertibleErrorCode(),
        Twine("blocks of ") + Twine(kernel.blockWidth) +
            " pivots with paths take weights from 0 to 2^22 / n of type s32; others take 64");
  // Tensor cores, which add what lies below 22 bits, have no narrow tiles without paths.
  if (below22Bits && !kernel.paths && kernel.tile == 64)
    range = apsp::WeightRange::NonNegative;
  return apsp::Plan{apsp::Algorithm::Blocked, kernel.blockWidth, kernel.tile, range};
}

} // namespace stencilc
