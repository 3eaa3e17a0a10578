#include "costmodel/ApspForms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;

namespace stencilc {

namespace {

/// What follows one block of pivots, in tiles of the busiest SM.
struct PivotStages {
  int64_t pivots; ///< blocks of them
  int64_t cross, others;

  PivotStages(const ApspDevice &device, const ApspKernel &kernel, int64_t nodes)
      : pivots(divideCeil(nodes, kernel.blockWidth)) {
    // The matrix is padded to whole blocks of pivots and whole tiles; one is a multiple of the
    // other.
    const int64_t unit = std::max(kernel.blockWidth, kernel.tile);
    const int64_t tiles = alignTo(nodes, unit) / kernel.tile;
    const int64_t breadth = divideCeil(kernel.blockWidth, kernel.tile);
    cross = divideCeil(breadth * (2 * tiles - breadth), device.sms);
    others = divideCeil((tiles - breadth) * (tiles - breadth), device.sms);
  }
};

/// Mean over blocks of pivots of the share of entries that improve: 1, 1/2, 1/3 ...
double meanImproving(int64_t pivots) {
  double sum = 0;
  for (int64_t block = 1; block <= pivots; ++block)
    sum += 1.0 / block;
  return sum / pivots;
}

/// Tiles for each SM from which on their throughput is seen.
constexpr int64_t kManyTiles = 4;

} // namespace

double BlockedForm::uncorrected(const ApspDevice &device, const ApspKernel &kernel,
                                int64_t nodes) const {
  const PivotStages stages(device, kernel, nodes);
  double sum = 0;
  for (int64_t block = 1; block <= stages.pivots; ++block) {
    const double tile = std::min(latency, tileThroughput + improvement / block);
    sum += std::max(latency, stages.cross * tile) + std::max(latency, stages.others * tile);
  }
  return device.start(LaunchMode::Graph) + sum;
}

double BlockedForm::seconds(const ApspDevice &device, const ApspKernel &kernel, int64_t nodes,
                            LaunchMode) const {
  if (nodes <= kernel.blockWidth)
    return loneBlock;
  const double at = std::log(nodes);
  const auto next = partition_point(corrections, [&](const auto &c) { return c.first < at; });
  double correction;
  if (next == corrections.begin() || next == corrections.end())
    correction = next == corrections.end() ? corrections.back().second : next->second;
  else {
    const auto &[x0, y0] = *(next - 1);
    const auto &[x1, y1] = *next;
    correction = y0 + (y1 - y0) * (at - x0) / (x1 - x0);
  }
  return uncorrected(device, kernel, nodes) * std::exp(correction);
}

Expected<BlockedForm> BlockedForm::fit(const ApspDevice &device, const ApspKernel &kernel,
                                       ArrayRef<ApspRun> sorted) {
  const auto stages = [&](const ApspRun &run) { return PivotStages(device, kernel, run.nodes); };
  const double start = device.start(LaunchMode::Graph);
  const ArrayRef<ApspRun> several =
      sorted.drop_while([&](const ApspRun &run) { return run.nodes <= kernel.blockWidth; });
  if (several.empty() || stages(several.front()).others > 1)
    return unfit(kernel, "no run has a few blocks of pivots and one tile for each multiprocessor");
  if (stages(several.back()).others < kManyTiles)
    return unfit(kernel, "no run has many tiles for each multiprocessor");

  BlockedForm form;
  const ApspRun &least = several.front();
  form.latency = (least.seconds - start) / stages(least).pivots / 2;
  const size_t lone = sorted.size() - several.size();
  form.loneBlock = lone ? sorted[lone - 1].seconds : start + form.latency;

  const auto meanTile = [&](const ApspRun &run) {
    const double pivots = (run.seconds - start) / stages(run).pivots;
    return (pivots - form.latency) / stages(run).others;
  };
  const ApspRun &greatest = several.back();
  const double share = meanImproving(stages(greatest).pivots);
  form.improvement = 0;
  if (kernel.paths && several.size() > 1) {
    const ApspRun &before = several.drop_back().back();
    if (stages(before).others >= kManyTiles && before.nodes < greatest.nodes) {
      const double slope =
          (meanTile(before) - meanTile(greatest)) / (meanImproving(stages(before).pivots) - share);
      form.improvement = std::clamp(slope, 0.0, meanTile(greatest) / share);
    }
  }
  form.tileThroughput = meanTile(greatest) - form.improvement * share;
  if (form.latency <= 0 || meanTile(greatest) <= 0)
    return unfit(kernel, "its runs take no longer than a launch");
  for (const ApspRun &run : several)
    form.corrections.emplace_back(
        std::log(run.nodes), std::log(run.seconds / form.uncorrected(device, kernel, run.nodes)));
  return form;
}

} // namespace stencilc
