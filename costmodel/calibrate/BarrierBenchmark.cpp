// Blocks that alternate arithmetic and barriers, alone on an SM and several together: what a
// barrier adds to what a block waits for, and how sharply waiting gives way to throughput.
#include "costmodel/calibrate/Benchmark.h"
#include "costmodel/calibrate/Fit.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

using namespace llvm;
using namespace stencilc;

namespace {

constexpr int64_t kThreads = 256, kMostBlocks = 8;
constexpr int64_t kChains[] = {16, 64, 256};

std::vector<Measurement> plan(const DeviceProfile &device) {
  std::vector<Measurement> all;
  constexpr int64_t kTurns = 3000;
  for (int64_t chain : kChains)
    for (int64_t blocks : {int64_t(1), int64_t(2), int64_t(4), kMostBlocks})
      all.push_back({.launch = {.kernel = "alternate",
                                .blocks = blocks * device.sms,
                                .threads = kThreads,
                                .numbers = {kTurns, chain}},
                     .dials = {{"turns", double(kTurns)},
                               {"chain", double(chain)},
                               {"blocks of an SM", double(blocks)}}});
  for (int64_t threads : {32, 128, 256, 512, 1024})
    all.push_back({.launch = {.kernel = "barriers",
                              .blocks = device.sms,
                              .threads = threads,
                              .numbers = {8 * kTurns, 0}},
                   .dials = {{"turns", double(8 * kTurns)}, {"threads", double(threads)}}});
  return all;
}

/// Clocks of an SM for one turn of one block, by blocks of an SM.
std::vector<SharePoint> pointsOf(ArrayRef<const Sample *> samples, int64_t chain, double clock) {
  std::vector<SharePoint> points;
  for (const Sample *sample : samples)
    if (sample->dial("chain") == double(chain)) {
      const double blocks = sample->dial("blocks of an SM");
      points.push_back({blocks, sample->median() * clock / (sample->dial("turns") * blocks)});
    }
  return points;
}

std::vector<Finding> fit(const Samples &samples, const DeviceProfile &device) {
  std::vector<Finding> findings;
  for (const Sample *sample : samples.of("barriers")) {
    const double clocks = sample->median() * device.clock / sample->dial("turns");
    const bool isOfBlock = sample->dial("threads") == double(kThreads);
    if (isOfBlock)
      findings.push_back(findingOf("geometric", "barrier-latency", clocks,
                                   "nothing but barriers of 256 threads", sample));
    else
      findings.push_back(findingOf(
          "", fmt::format("clocks of a barrier of {:.0f} threads", sample->dial("threads")), clocks,
          "nothing but barriers", sample));
  }
  const auto all = samples.of("alternate");
  std::vector<double> norms;
  for (int64_t chain : kChains)
    if (const std::optional<WaitFit> found = fitWaiting(pointsOf(all, chain, device.clock)))
      norms.push_back(found->norm);
  findings.push_back(findingOf(
      "", "norm of waiting", norms.empty() ? 0 : median(norms),
      fmt::format("1, 2, 4 and 8 blocks on an SM, with barriers, after chains of {} instructions: "
                  "{:.3g}",
                  fmt::join(kChains, ", "), fmt::join(norms, ", ")),
      all));
  return findings;
}

} // namespace

const Benchmark stencilc::kBarrierBenchmark = {"barrier", plan, fit};
