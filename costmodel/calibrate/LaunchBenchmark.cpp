// Starting work: blocks of one launch, launches one after another on a stream and in a graph.
#include "costmodel/calibrate/Benchmark.h"
#include "costmodel/calibrate/Fit.h"

#include "fmt/format.h"

using namespace llvm;
using namespace stencilc;

namespace {

constexpr int64_t kSmallWords = 1 << 18;
constexpr int64_t kLaunches = 500;

std::vector<Measurement> plan(const DeviceProfile &device) {
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
    // Long enough for the next launch to wait already.
    for (int64_t clocks : {20'000, 60'000})
      all.push_back({.launch = {.kernel = "spin",
                                .blocks = device.sms,
                                .threads = 32,
                                .numbers = {clocks, 0}},
                     .launches = 100,
                     .graph = graph,
                     .dials = {{"clocks", double(clocks)}}});
  }
  return all;
}

/// Blocks per second, from what more of them take.
double startRate(ArrayRef<const Sample *> samples) {
  return (samples[1]->dial("blocks") - samples[0]->dial("blocks")) /
         (samples[1]->median() - samples[0]->median());
}

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

std::vector<Finding> fit(const Samples &samples, const DeviceProfile &device) {
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
  const LaunchTiming &timing = *device.launching;
  for (bool graph : {false, true}) {
    const auto empty = launches(samples, "empty", graph);
    findings.push_back(
        findingOf("launching", graph ? "graph-interval-seconds" : "host-interval-seconds",
                  empty.empty() ? 0 : empty[0]->median() / double(empty[0]->what.launches),
                  fmt::format("{} launches of one empty block {}", kLaunches,
                              graph ? "in a graph" : "on a stream"),
                  empty));
    // What a launch takes beyond its kernel's clocks, less the entry, which is kept.
    const auto spins = launches(samples, "spin", graph);
    std::vector<std::vector<double>> rows;
    std::vector<double> seconds;
    for (const Sample *spin : spins) {
      rows.push_back({1, spin->dial("clocks")});
      seconds.push_back(spin->median() / double(spin->what.launches));
    }
    const std::optional<LinearFit> found = fitLinear(rows, seconds);
    Finding start = findingOf(
        "launching", graph ? "start-seconds" : "stream-start-seconds",
        found ? found->factors[0] - timing.entry : 0,
        fmt::format("launches of kernels of 20 000 and 60 000 clocks {}, beyond these, less "
                    "entry-seconds",
                    graph ? "in a graph" : "on a stream"),
        spins);
    if (start.settles() && !found)
      start.problem = "it was not measured";
    constexpr double kAlike = 0.02;
    if (start.settles() && std::abs(found->factors[1] * device.clock - 1) > kAlike)
      start.problem = "a clock of these kernels is not a clock of the SM";
    findings.push_back(std::move(start));
  }
  return findings;
}

} // namespace

const Benchmark stencilc::kLaunchBenchmark = {"launch", plan, fit};
