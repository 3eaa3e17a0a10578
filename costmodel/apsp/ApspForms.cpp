#include "costmodel/apsp/ApspForms.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;

namespace stencilc {

Error unfit(const ApspKernel &kernel, StringRef why) {
  return createStringError(inconvertibleErrorCode(),
                           fmt::format("{}: {}", spelling(kernel), why.str()).c_str());
}

double geometricMean(ArrayRef<double> values) {
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return std::exp(sum / values.size());
}

Expected<ApspDevice> ApspDevice::of(const DeviceProfile &device) {
  const auto lacking = [](StringRef what) {
    return createStringError(inconvertibleErrorCode(), what + " on this device was never measured");
  };
  if (!device.launching || !device.launching->start.calibrated())
    return lacking("what a launch costs");
  if (!device.geometric || !device.apsp || !device.apsp->exposedAccess.calibrated())
    return lacking("what a tile's accesses cost");
  const double exposed = device.apsp->exposedAccess;
  const double sectorsPerSecond =
      device.geometric->l2Bandwidth / (device.sms * device.caches.sectorBytes);
  return ApspDevice{device.sms,
                    device.caches.l2Bytes,
                    *device.launching,
                    exposed * device.geometric->wavefrontClocks / device.clock,
                    exposed / sectorsPerSecond,
                    device.caches.sectorBytes / 4};
}

double ApspDevice::start(LaunchMode mode) const {
  return mode == LaunchMode::Stream ? launching.streamStart : launching.start;
}

double ApspDevice::shortestLaunch(LaunchMode mode) const {
  return mode == LaunchMode::Stream ? launching.hostInterval : launching.graphInterval;
}

SquareGrid::SquareGrid(const ApspDevice &device, int64_t nodes, int blockWidth)
    : width(divideCeil(nodes, blockWidth)), rounds(divideCeil(width * width, device.sms)) {}

int64_t wavefrontsPerRequest(int64_t pitch, int blockWidth) {
  constexpr int lanes = 32, banks = 32;
  std::array<int64_t, banks> words{};
  for (int lane = 0; lane < lanes; ++lane)
    ++words[(lane / blockWidth * pitch + lane % blockWidth) % banks];
  return *max_element(words);
}

double sectorsPerRow(int64_t pitch, int blockWidth, int64_t wordsPerSector) {
  int64_t sectors = 0;
  for (int64_t row = 0; row < wordsPerSector; ++row)
    sectors += divideCeil(row * pitch % wordsPerSector + blockWidth, wordsPerSector);
  return double(sectors) / wordsPerSector;
}

namespace {

double square(double x) { return x * x; }

/// Blocks one after another on an SM, `alone` being what a single one takes; and solved for what
/// each one adds, and for `alone`.
double roundsSeconds(int64_t rounds, double alone, double each) {
  return std::sqrt(square(alone) + (square(rounds) - 1) * square(each));
}
double eachOf(int64_t rounds, double seconds, double alone) {
  return std::sqrt(std::max(0.0, square(seconds) - square(alone)) / (square(rounds) - 1));
}
double aloneOf(int64_t rounds, double seconds, double each) {
  return std::sqrt(std::max(square(each), square(seconds) - (square(rounds) - 1) * square(each)));
}

/// What the places of rows add to one product of two tiles.
double accessSeconds(const ApspDevice &device, int64_t nodes, int blockWidth) {
  const int rows = 2 * blockWidth;
  const double requests = rows * blockWidth / 32.0;
  double seconds = requests * (wavefrontsPerRequest(device.pitch(nodes), blockWidth) - 1) *
                   device.exposedWavefront;
  if (device.exceedsL2(nodes)) {
    const double aligned = double(blockWidth) / device.wordsPerSector;
    seconds += rows *
               (sectorsPerRow(device.pitch(nodes), blockWidth, device.wordsPerSector) - aligned) *
               device.exposedSector;
  }
  return seconds;
}

double launchSeconds(const ApspDevice &device, const SquareGrid &grid, double work,
                     LaunchMode mode) {
  const double dispatch = grid.blocks() / device.launching.blocksPerSecond;
  return std::max(device.shortestLaunch(mode), device.start(mode) + std::max(dispatch, work));
}

} // namespace

double MinPlusForm::seconds(const ApspDevice &device, const ApspKernel &kernel, int64_t nodes,
                            LaunchMode mode) const {
  const SquareGrid grid(device, nodes, kernel.blockWidth);
  const double each = tileThroughput + accessSeconds(device, nodes, kernel.blockWidth);
  const double tile = roundsSeconds(grid.rounds, tileLatency, each);
  return minPlusLaunches(nodes) *
         launchSeconds(device, grid, device.launching.entry + grid.width * tile, mode);
}

Expected<MinPlusForm> MinPlusForm::fit(const ApspDevice &device, const ApspKernel &kernel,
                                       int64_t residentBlocks, ArrayRef<ApspRun> sorted) {
  const auto grid = [&](const ApspRun &run) {
    return SquareGrid(device, run.nodes, kernel.blockWidth);
  };
  const auto tile = [&](const ApspRun &run) {
    const double launch = run.seconds / minPlusLaunches(run.nodes);
    return (launch - device.start(run.mode) - device.launching.entry) / grid(run).width;
  };
  const ApspRun &least = sorted.front();
  if (least.nodes < 3 || grid(least).blocks() > residentBlocks || tile(least) <= 0)
    return unfit(kernel, "no run lies within one wave of blocks and above the cost of a launch");
  if (grid(sorted.back()).blocks() <= residentBlocks)
    return unfit(kernel, "no run needs more than one wave of blocks");

  MinPlusForm form{tile(least), 0};
  // Both constants need each other, weakly: few turns settle them.
  for (int turn = 0; turn < 6; ++turn) {
    SmallVector<double> throughputs;
    for (const ApspRun &run : sorted)
      if (grid(run).blocks() > residentBlocks) {
        throughputs.push_back(eachOf(grid(run).rounds, tile(run), form.tileLatency) -
                              accessSeconds(device, run.nodes, kernel.blockWidth));
        if (throughputs.back() <= 0)
          return unfit(kernel, "a large run takes no longer than the small one");
      }
    form.tileThroughput = geometricMean(throughputs);
    form.tileLatency =
        aloneOf(grid(least).rounds, tile(least),
                form.tileThroughput + accessSeconds(device, least.nodes, kernel.blockWidth));
  }
  return form;
}

double FloydWarshallForm::seconds(const ApspDevice &device, const ApspKernel &kernel, int64_t nodes,
                                  LaunchMode mode) const {
  const SquareGrid grid(device, nodes, kernel.blockWidth);
  const double each = device.exceedsL2(nodes) ? blockThroughputBeyondL2 : blockThroughput;
  return nodes * launchSeconds(device, grid,
                               roundsSeconds(grid.rounds, device.launching.entry, each), mode);
}

Expected<FloydWarshallForm> FloydWarshallForm::fit(const ApspDevice &device,
                                                   const ApspKernel &kernel, int64_t residentBlocks,
                                                   ArrayRef<ApspRun> sorted) {
  SmallVector<double> within, beyond;
  for (const ApspRun &run : sorted) {
    const SquareGrid grid(device, run.nodes, kernel.blockWidth);
    const double launch = run.seconds / run.nodes;
    // Near the pace of the host nothing of the device is seen.
    if (grid.blocks() <= residentBlocks ||
        (run.mode == LaunchMode::Stream && launch < 1.1 * device.launching.hostInterval))
      continue;
    // Where starting the blocks took all the time this is an upper bound, and does no harm.
    const double each =
        eachOf(grid.rounds, launch - device.start(run.mode), device.launching.entry);
    if (each > 0)
      (device.exceedsL2(run.nodes) ? beyond : within).push_back(each);
  }
  if (within.empty() && beyond.empty())
    return unfit(kernel, "no run needs more than one wave of blocks");
  // Either one stands for the other where that is all there is.
  return FloydWarshallForm{geometricMean(within.empty() ? beyond : within),
                           geometricMean(beyond.empty() ? within : beyond)};
}

} // namespace stencilc
