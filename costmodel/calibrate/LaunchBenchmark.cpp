// Starting work: blocks of one launch, launches one after another on a stream and in a graph.
#include "costmodel/calibrate/Benchmark.h"
#include "costmodel/calibrate/Fit.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace stencilc;

namespace {

constexpr int64_t kSmallWords = 1 << 18;
constexpr int64_t kLaunches = 500;

std::vector<Measurement> plan(const DeviceProfile &) {
  std::vector<Measurement> all;
  // Blocks that do nothing, and blocks with a load and a store a thread.
  for (const char *kernel : {"empty", "touch"})
    for (int64_t threads : {32, 64, 128, 256, 512, 1024})
      for (int64_t millions : {1, 3})
        all.push_back(
            {.launch = {.kernel = kernel,
                        .blocks = millions * 1'000'000,
                        .threads = threads,
                        .numbers = {kSmallWords, 0}},
             .dials = {{"blocks", double(millions) * 1e6}, {"threads", double(threads)}}});
  for (bool graph : {false, true}) {
    all.push_back({.launch = {.kernel = "empty", .threads = 32},
                   .launches = kLaunches,
                   .graph = graph,
                   .dials = {{"blocks", 1}}});
    // Enough blocks for the next launch to wait already; and a single one.
    for (int64_t blocks : {1, 8000, 16000, 32000})
      all.push_back({.launch = {.kernel = "touch",
                                .blocks = blocks,
                                .threads = 64,
                                .numbers = {kSmallWords, 0}},
                     .launches = kLaunches,
                     .graph = graph,
                     .dials = {{"blocks", double(blocks)}}});
  }
  return all;
}

/// Blocks per second, from what more of them take.
double startRate(ArrayRef<const Sample *> samples) {
  return (samples[1]->dial("blocks") - samples[0]->dial("blocks")) /
         (samples[1]->median() - samples[0]->median());
}

double perLaunch(const Sample &sample) { return sample.median() / double(sample.what.launches); }

std::vector<const Sample *> byThreads(const Samples &samples, StringRef kernel, double threads) {
  std::vector<const Sample *> found;
  for (const Sample *sample : samples.of(kernel))
    if (sample->what.dials.count("threads") && sample->dial("threads") == threads)
      found.push_back(sample);
  return found;
}

std::vector<const Sample *> launches(const Samples &samples, StringRef kernel, bool graph) {
  std::vector<const Sample *> found;
  for (const Sample *sample : samples.of(kernel))
    if (sample->what.launches > 1 && sample->what.graph == graph)
      found.push_back(sample);
  return found;
}

std::vector<Finding> fit(const Samples &samples, const DeviceProfile &) {
  std::vector<Finding> findings;
  const auto blocks = byThreads(samples, "empty", 128);
  findings.push_back(findingOf("launching", "blocks-per-second", startRate(blocks),
                               "empty blocks of 128 threads, from 1 to 3 million", blocks));
  for (const char *kernel : {"empty", "touch"})
    for (double threads : {32, 64, 128, 256, 512, 1024}) {
      const auto found = byThreads(samples, kernel, threads);
      findings.push_back(findingOf(
          "",
          fmt::format("blocks per second, {:.0f} threads {}", threads,
                      kernel == StringRef("empty") ? "that do nothing" : "that copy a word"),
          startRate(found), "1 to 3 million blocks", found));
    }
  double start = 0; // in a graph
  for (bool graph : {false, true}) {
    const char *where = graph ? "in a graph" : "on a stream";
    const auto empty = launches(samples, "empty", graph), touch = launches(samples, "touch", graph);
    findings.push_back(
        findingOf("launching", graph ? "graph-interval-seconds" : "host-interval-seconds",
                  perLaunch(*empty[0]),
                  fmt::format("{} launches of one empty block {}", kLaunches, where), empty));
    std::vector<std::vector<double>> rows;
    std::vector<double> seconds;
    for (const Sample *sample : drop_begin(touch)) {
      rows.push_back({1, sample->dial("blocks")});
      seconds.push_back(perLaunch(*sample));
    }
    constexpr double kMostResidual = 0.05;
    const std::optional<LinearFit> found = fitLinear(rows, seconds);
    start = found ? found->factors[0] : 0;
    findings.push_back(findingOf(
        "", fmt::format("seconds of a launch {} before its blocks start", where), start,
        "launches of 8000 to 32 000 blocks of 64 threads that copy a word, beyond starting their "
        "blocks",
        touch));
    checkResidual(findings.back(), found ? found->residual : INFINITY, kMostResidual);
    if (graph)
      findings.push_back(findingOf("", "seconds of one such block", perLaunch(*touch[0]) - start,
                                   "launches of it in a graph, less those seconds", touch));
  }
  return findings;
}

} // namespace

const Benchmark stencilc::kLaunchBenchmark = {"launch", plan, fit};
