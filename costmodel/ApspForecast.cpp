#include "costmodel/ApspForecast.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>
#include <cmath>

using namespace llvm;

namespace stencilc {

namespace {

/// The pieces of one block of pivots, in rounds of one tile on every multiprocessor.
struct PivotRounds {
  int64_t pivots, cross, others;

  PivotRounds(int64_t nodes, const ApspKernel &kernel, int64_t sms)
      : pivots(divideCeil(nodes, kernel.blockWidth)) {
    const int64_t tiles = divideCeil(nodes, kernel.tile);
    const int64_t breadth = divideCeil(kernel.blockWidth, kernel.tile);
    // A lone block of pivots has no other tiles and no next one to be ready for.
    cross = pivots == 1 ? 0 : divideCeil(breadth * (2 * tiles - breadth), sms);
    others = pivots == 1 ? 0 : divideCeil((tiles - breadth) * (tiles - breadth), sms);
  }
};

Error unfit(const ApspKernel &kernel, StringRef why) {
  return createStringError(inconvertibleErrorCode(),
                           fmt::format("{}: {}", spelling(kernel), why.str()).c_str());
}

/// The mean that leaves equal relative errors on both sides.
double geometricMean(ArrayRef<double> values) {
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return std::exp(sum / values.size());
}

} // namespace

double ApspForecast::launchSeconds(double start, double work, LaunchMode mode) const {
  const double interval =
      mode == LaunchMode::Stream ? launching.hostInterval : launching.graphInterval;
  return std::max(interval, start + work);
}

int64_t ApspForecast::width(int64_t nodes) const { return divideCeil(nodes, kernel.blockWidth); }
int64_t ApspForecast::blocks(int64_t nodes) const { return width(nodes) * width(nodes); }

double ApspForecast::dispatchSeconds(int64_t nodes) const {
  return blocks(nodes) / launching.blocksPerSecond;
}

/// Warps over those that the device holds at once, which is the same ratio for blocks.
double ApspForecast::residentRounds(int64_t nodes) const {
  return double(blocks(nodes)) / resident;
}

/// Part of the distance and path matrices (four bytes an entry each) that the L2 cannot hold.
double ApspForecast::beyondL2(int64_t nodes) const {
  const double footprint = 8.0 * nodes * nodes;
  return std::max(0.0, 1 - l2Bytes / footprint);
}

int64_t ApspForecast::waves(int64_t nodes) const {
  if (kernel.algorithm != ApspAlgorithm::Blocked)
    return divideCeil(blocks(nodes), sms);
  const PivotRounds rounds(nodes, kernel, sms);
  return rounds.cross + rounds.others;
}

double ApspForecast::seconds(int64_t nodes, LaunchMode mode) const {
  if (nodes < 2)
    return 0;
  const auto minPlus = [&](const MinPlusConstants &c) {
    const double tile = std::max(divideCeil(blocks(nodes), resident) * c.tileLatency,
                                 divideCeil(blocks(nodes), sms) * c.tileThroughput);
    return minPlusLaunches(nodes) *
           launchSeconds(launching.start, std::max(dispatchSeconds(nodes), width(nodes) * tile),
                         mode);
  };
  const auto floydWarshall = [&](const FloydWarshallConstants &c) {
    return nodes * launchSeconds(c.start, workSeconds(c, nodes), mode);
  };
  const auto blocked = [&](const BlockedConstants &c) {
    const PivotRounds rounds(nodes, kernel, sms);
    return launching.start +
           rounds.pivots * (rounds.cross * c.tileThroughput +
                            std::max(c.pivotChain, rounds.others * c.tileThroughput));
  };
  return std::visit(makeVisitor(minPlus, floydWarshall, blocked), constants);
}

Expected<MinPlusConstants> ApspForecast::fitMinPlus(ArrayRef<ApspRun> sorted) const {
  const auto perTile = [&](const ApspRun &run) {
    return (run.seconds / minPlusLaunches(run.nodes) - launching.start) / width(run.nodes);
  };
  const ApspRun &least = sorted.front();
  if (least.nodes < 3 || blocks(least.nodes) > resident || perTile(least) <= 0)
    return unfit(kernel, "no run lies within one wave of blocks and above the cost of a launch");
  SmallVector<double> throughputs;
  for (const ApspRun &run : sorted)
    if (blocks(run.nodes) > resident)
      throughputs.push_back(perTile(run) / divideCeil(blocks(run.nodes), sms));
  if (throughputs.empty())
    return unfit(kernel, "no run needs more than one wave of blocks");
  return MinPlusConstants{perTile(least), geometricMean(throughputs)};
}

double ApspForecast::workSeconds(const FloydWarshallConstants &c, int64_t nodes) const {
  const double residence = c.residence + c.residenceBeyondL2 * beyondL2(nodes);
  return std::max(dispatchSeconds(nodes), residentRounds(nodes) * residence);
}

/// The residence that leaves runs of more than a wave with `c.start`.
void ApspForecast::fitResidence(FloydWarshallConstants &c, ArrayRef<ApspRun> sorted) const {
  SmallVector<double> within, beyond, excess;
  for (const ApspRun &run : sorted) {
    const double launch = run.seconds / run.nodes, work = launch - c.start;
    // Near the pace of the host nothing of the device is seen.
    if (run.mode == LaunchMode::Stream && launch < 1.1 * launching.hostInterval)
      continue;
    // Within a tenth of the time that starting the blocks takes, residence is hidden.
    if (blocks(run.nodes) <= resident || work < 1.1 * dispatchSeconds(run.nodes))
      continue;
    const double residence = work / residentRounds(run.nodes);
    if (beyondL2(run.nodes) == 0) {
      within.push_back(residence);
      continue;
    }
    beyond.push_back(residence);
    if (!within.empty() && residence > geometricMean(within))
      excess.push_back((residence - geometricMean(within)) / beyondL2(run.nodes));
  }
  if (!within.empty())
    c.residence = geometricMean(within);
  else if (!beyond.empty())
    c.residence = geometricMean(beyond);
  if (!excess.empty())
    c.residenceBeyondL2 = geometricMean(excess);
}

Expected<FloydWarshallConstants> ApspForecast::fitFloydWarshall(ArrayRef<ApspRun> sorted) const {
  if (blocks(sorted.back().nodes) <= resident)
    return unfit(kernel, "no run needs more than one wave of blocks");
  FloydWarshallConstants c{launching.start, 0, 0};
  fitResidence(c, sorted);
  // Where the host sets the pace, the device's own start cannot be seen.
  const ApspRun &least = sorted.front();
  if (blocks(least.nodes) <= sms && least.mode == LaunchMode::Graph)
    // Start and residence each need the other, weakly: few rounds settle both.
    for (int round = 0; round < 6; ++round) {
      c.start = least.seconds / least.nodes - workSeconds(c, least.nodes);
      fitResidence(c, sorted);
    }
  return c;
}

Expected<BlockedConstants> ApspForecast::fitBlocked(ArrayRef<ApspRun> sorted) const {
  const ApspRun &least = sorted.front(), &greatest = sorted.back();
  const PivotRounds few(least.nodes, kernel, sms);
  const PivotRounds many(greatest.nodes, kernel, sms);
  if (many.others < 2)
    return unfit(kernel, "no run has more than one tile for each multiprocessor");
  BlockedConstants c;
  c.tileThroughput =
      (greatest.seconds - launching.start) / (many.pivots * (many.cross + many.others));
  c.pivotChain = (least.seconds - launching.start) / few.pivots - few.cross * c.tileThroughput;
  if (c.tileThroughput <= 0 || c.pivotChain <= 0)
    return unfit(kernel, "the smallest run takes no longer than its tiles alone");
  return c;
}

Expected<ApspForecast> ApspForecast::fit(const DeviceProfile &device, const ApspKernel &kernel,
                                         ArrayRef<ApspRun> runs) {
  if (!device.launching || !device.launching->start.calibrated())
    return unfit(kernel, "what a launch costs on this device was never measured");
  std::vector<ApspRun> own;
  copy_if(runs, std::back_inserter(own), [&](const ApspRun &run) { return run.kernel == kernel; });
  if (own.empty())
    return unfit(kernel, "it was never measured on this device");
  stable_sort(own, [](const ApspRun &a, const ApspRun &b) { return a.nodes < b.nodes; });
  ApspForecast forecast(device, kernel);
  const auto keep = [&](auto constants) -> Expected<ApspForecast> {
    if (!constants)
      return constants.takeError();
    forecast.constants = *constants;
    return forecast;
  };
  switch (kernel.algorithm) {
  case ApspAlgorithm::MinPlus:
    return keep(forecast.fitMinPlus(own));
  case ApspAlgorithm::FloydWarshall:
    return keep(forecast.fitFloydWarshall(own));
  case ApspAlgorithm::Blocked:
    return keep(forecast.fitBlocked(own));
  }
  llvm_unreachable("all algorithms are handled");
}

ApspForecasts fitAll(const DeviceProfile &device, ArrayRef<ApspRun> runs) {
  std::vector<ApspKernel> kernels;
  for (const ApspRun &run : runs)
    if (!is_contained(kernels, run.kernel))
      kernels.push_back(run.kernel);
  ApspForecasts forecasts;
  for (const ApspKernel &kernel : kernels) {
    if (Expected<ApspForecast> forecast = ApspForecast::fit(device, kernel, runs))
      forecasts.fitted.push_back(std::move(*forecast));
    else
      forecasts.refusals.push_back(toString(forecast.takeError()));
  }
  return forecasts;
}

bool serves(const ApspKernel &kernel, StringRef weight, bool paths) {
  const bool anyPromise =
      kernel.algorithm != ApspAlgorithm::Blocked && weight.starts_with(kernel.weight);
  return kernel.paths == paths && (kernel.weight == weight || anyPromise);
}

const ApspForecast *fastest(ArrayRef<ApspForecast> forecasts, StringRef weight, bool paths,
                            int64_t nodes, LaunchMode mode) {
  const ApspForecast *best = nullptr;
  for (const ApspForecast &forecast : forecasts)
    if (serves(forecast.kernel, weight, paths) &&
        (!best || forecast.seconds(nodes, mode) < best->seconds(nodes, mode)))
      best = &forecast;
  return best;
}

} // namespace stencilc
