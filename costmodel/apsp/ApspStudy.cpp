#include "costmodel/apsp/ApspStudy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace stencilc {

ApspStudy::ApspStudy(const DeviceProfile &device, const ApspKernel &kernel,
                     ArrayRef<ApspRun> allRuns, int64_t n0, LaunchMode mode)
    : device(device), kernel(kernel), mode(mode) {
  copy_if(allRuns, std::back_inserter(runs),
          [&](const ApspRun &run) { return run.kernel == kernel; });
  if (Expected<ApspForecast> fitted = ApspForecast::fit(device, kernel, runs))
    forecast = *fitted;
  else
    noForecast = toString(fitted.takeError());
  const auto reference = find_if(runs, [&](const ApspRun &run) { return run.nodes == n0; });
  if (kernel.algorithm != ApspAlgorithm::Blocked && reference != runs.end())
    factor = conversionFactor(device, kernel.algorithm, kernel.blockWidth, n0, reference->seconds);
}

ApspPoint ApspStudy::at(int64_t nodes) const {
  ApspPoint point;
  point.nodes = nodes;
  if (kernel.algorithm == ApspAlgorithm::Blocked) {
    point.counted.width = divideCeil(nodes, kernel.blockWidth);
    point.counted.launches = point.counted.width;
  } else {
    const ApspGrid grid = apspGrid(device, nodes, kernel.blockWidth);
    point.counted.width = grid.width;
    point.counted.launches = launches(kernel.algorithm, nodes);
    for (auto [warps, mapping] : zip(point.counted.warpsPerSm, kMappings))
      warps =
          warpsPerSm(mapping, grid.groups, device.sms, residentBlocks(device, kernel.blockWidth));
    point.predicted.interval = symbolicInterval(device, kernel.algorithm, kernel.blockWidth, nodes)
                                   .scaled(factor.value_or(1));
    point.predicted.inSeconds = factor.has_value();
  }
  if (forecast)
    point.predicted.forecast = forecast->seconds(nodes, mode);
  const auto run = find_if(runs, [&](const ApspRun &run) { return run.nodes == nodes; });
  if (run != runs.end())
    point.measured = run->seconds;
  return point;
}

std::optional<ApspJump> ApspStudy::jumpFrom(int64_t nodes) const {
  if (kernel.algorithm == ApspAlgorithm::Blocked)
    return std::nullopt;
  return nextJump(device, kernel.algorithm, kernel.blockWidth, nodes);
}

std::optional<double> ApspStudy::forecastHeight(int64_t from) const {
  if (!forecast || from < 3)
    return std::nullopt;
  return forecast->seconds(from + 1, mode) / forecast->seconds(from, mode) - 1;
}

} // namespace stencilc
