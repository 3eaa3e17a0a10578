#include "costmodel/apsp/ApspIntervals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <cassert>
#include <cmath>
#include <numeric>

using namespace llvm;

namespace stencilc {

StringRef spelling(ApspAlgorithm algorithm) {
  switch (algorithm) {
  case ApspAlgorithm::MinPlus:
    return "min-plus";
  case ApspAlgorithm::FloydWarshall:
    return "floyd-warshall";
  case ApspAlgorithm::Blocked:
    return "blocked";
  }
  llvm_unreachable("all algorithms are handled");
}

std::optional<ApspAlgorithm> parseApspAlgorithm(StringRef name) {
  return StringSwitch<std::optional<ApspAlgorithm>>(name)
      .Case("min-plus", ApspAlgorithm::MinPlus)
      .Case("floyd-warshall", ApspAlgorithm::FloydWarshall)
      .Case("blocked", ApspAlgorithm::Blocked)
      .Default(std::nullopt);
}

double ApspInterval::lower() const { return *min_element(times); }
double ApspInterval::upper() const { return *max_element(times); }
double ApspInterval::mean() const {
  return std::accumulate(times.begin(), times.end(), 0.0) / times.size();
}
double ApspInterval::width() const { return lower() > 0 ? upper() / lower() : 1; }

ApspInterval ApspInterval::scaled(double factor) const {
  ApspInterval result = *this;
  for (double &time : result.times)
    time *= factor;
  return result;
}

int64_t launches(ApspAlgorithm algorithm, int64_t nodes) {
  assert(algorithm != ApspAlgorithm::Blocked && "the paper knows no blocked kernel");
  return algorithm == ApspAlgorithm::MinPlus ? minPlusLaunches(nodes) : nodes;
}

double warpTime(const DeviceProfile &device, ApspAlgorithm algorithm, const ApspGrid &grid,
                const SymbolicCosts &costs) {
  const bool minPlus = algorithm == ApspAlgorithm::MinPlus;
  const auto transactions = [&](double accesses) {
    return std::ceil(accesses * device.threadsPerWarp / device.apsp->coalescableAccesses);
  };
  const double instructions =
      minPlus ? grid.nodes * costs.instructionsPerNode : costs.instructionsFloydWarshall;
  const double reads = minPlus ? 1 + 2 * double(grid.width) : 2; // (4), (23)
  return instructions * costs.instruction +
         transactions(reads + costs.updateProbability) * costs.read +
         transactions(2 * costs.updateProbability) * costs.write; // (5), (24)
}

ApspInterval symbolicInterval(const DeviceProfile &device, ApspAlgorithm algorithm, int blockWidth,
                              int64_t nodes) {
  const ApspGrid grid = apspGrid(device, nodes, blockWidth);
  const SymbolicCosts costs;
  const double warp = warpTime(device, algorithm, grid, costs);
  ApspInterval interval;
  for (Mapping mapping : kMappings) {
    const double warps =
        warpsPerSm(mapping, grid.groups, device.sms, residentBlocks(device, blockWidth));
    interval.times[size_t(mapping)] =
        launches(algorithm, nodes) *
        (costs.launch + warp * warps * device.threadsPerWarp / device.apsp->coresPerSm);
  }
  return interval;
}

double conversionFactor(const DeviceProfile &device, ApspAlgorithm algorithm, int blockWidth,
                        int64_t n0, double measuredSeconds) {
  return measuredSeconds / symbolicInterval(device, algorithm, blockWidth, n0).mean();
}

} // namespace stencilc
