#include "costmodel/apsp/ApspForms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;

namespace stencilc {

namespace {

constexpr int64_t kTileRows = 64;

/// Entries in a word of 32 bits.
int64_t entriesPerWord(const ApspKernel &kernel) { return kernel.weight == "u16" ? 2 : 1; }

/// The stages of a run, in tiles for each SM. SMs hold several at once, which end one by one, so
/// that a part of a round takes a part of its time.
struct PivotStages {
  int64_t pivots; ///< blocks of them
  double cross, others, all;

  PivotStages(const ApspDevice &device, const ApspKernel &kernel, int64_t nodes)
      : pivots(divideCeil(nodes, kernel.blockWidth)) {
    // The matrix is padded to whole blocks of pivots and whole tiles; one is a multiple of the
    // other.
    const int64_t width = kernel.tile * entriesPerWord(kernel);
    const int64_t extent = alignTo(nodes, std::max<int64_t>(kernel.blockWidth, width));
    const int64_t down = extent / kTileRows, across = extent / width;
    const int64_t crossDown = divideCeil(kernel.blockWidth, kTileRows);
    const int64_t crossAcross = divideCeil(kernel.blockWidth, width);
    const int64_t beside = (down - crossDown) * (across - crossAcross);
    cross = double(down * across - beside) / device.sms;
    others = double(beside) / device.sms;
    all = double(down * across) / device.sms;
  }

  /// Tiles of an SM but for the crosses'; and as many as improve, by the share 1 / b of their
  /// entries.
  double tiles() const { return (pivots - 1) * others + all; }
  double improving() const {
    double sum = all / pivots;
    for (int64_t block = 1; block < pivots; ++block)
      sum += others / block;
    return sum;
  }
};

/// Tiles for each SM from which on their throughput is seen.
constexpr int64_t kManyTiles = 4;

} // namespace

double BlockedForm::seconds(const ApspDevice &device, const ApspKernel &kernel, int64_t nodes,
                            LaunchMode) const {
  if (nodes <= kernel.blockWidth)
    return loneBlock;
  const PivotStages stages(device, kernel, nodes);
  const auto stage = [&](double tiles, int64_t block) {
    const double tile = std::min(latency, tileThroughput + improvement / block);
    return std::max(latency, tiles * tile);
  };
  double sum = device.start(LaunchMode::Graph) + opening + stage(stages.all, stages.pivots);
  for (int64_t block = 1; block < stages.pivots; ++block)
    sum += stage(stages.cross, block) + stage(stages.others, block);
  return sum;
}

namespace {

/// Constants of stages that keep no SM busy; `several` have several blocks of pivots.
void fitLatency(BlockedForm &form, ArrayRef<ApspRun> several, double start,
                function_ref<PivotStages(const ApspRun &)> stages) {
  const ApspRun &least = several.front();
  const auto idle =
      partition_point(several, [&](const ApspRun &run) { return stages(run).others <= 1; }) - 1;
  // Between two such runs lie stages of mere latency. Where there is one, the opening is taken for
  // one more stage.
  const int64_t pivots = stages(least).pivots, between = stages(*idle).pivots - pivots;
  form.latency = between > 0 ? (idle->seconds - least.seconds) / (2 * between)
                             : (least.seconds - start) / (2 * pivots);
  form.opening = least.seconds - start - (2 * pivots - 1) * form.latency;
}

/// Constants of tiles among many, of the greatest runs.
void fitTiles(BlockedForm &form, ArrayRef<ApspRun> several, double start, bool paths,
              function_ref<PivotStages(const ApspRun &)> stages) {
  const auto meanTile = [&](const ApspRun &run) {
    const double crosses = (stages(run).pivots - 1) * form.latency;
    return (run.seconds - start - form.opening - crosses) / stages(run).tiles();
  };
  const auto improving = [&](const ApspRun &run) {
    return stages(run).improving() / stages(run).tiles();
  };
  form.tileThroughput = meanTile(several.back());
  form.improvement = 0;
  if (!paths || several.size() < 2)
    return;
  const ApspRun &greatest = several.back(), &before = several.drop_back().back();
  if (stages(before).others < kManyTiles || before.nodes == greatest.nodes)
    return;
  const double slope =
      (meanTile(before) - meanTile(greatest)) / (improving(before) - improving(greatest));
  form.improvement = std::clamp(slope, 0.0, meanTile(greatest) / improving(greatest));
  form.tileThroughput = std::max(0.0, meanTile(greatest) - form.improvement * improving(greatest));
}

} // namespace

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
  fitLatency(form, several, start, stages);
  fitTiles(form, several, start, kernel.paths, stages);
  if (form.latency <= 0 || form.tileThroughput + form.improvement <= 0)
    return unfit(kernel, "its runs take no longer than a launch");
  const size_t lone = sorted.size() - several.size();
  form.loneBlock = lone ? sorted[lone - 1].seconds : start + form.opening + form.latency;
  return form;
}

} // namespace stencilc
