// Clocks that one thread waits for a word: of a chain in the L1, in the L2, in device memory. What
// first visits cost drops out of the difference between two lengths.
#include "costmodel/calibrate/Benchmark.h"

#include "fmt/format.h"

using namespace llvm;
using namespace stencilc;

namespace {

constexpr int64_t kLineBytes = 128;

struct Chase {
  const char *kernel, *where, *section, *key;
  int64_t lines, hops;
};
constexpr Chase kChases[] = {
    {"chase_l1", "16 KiB", "geometric", "l1-latency", 128, 20000},
    {"chase_l2", "1 MiB", "geometric", "l2-latency", 8192, 20000},
    {"chase_l2", "512 MiB", "", "clocks, latency of device memory", int64_t(1) << 22, 10000}};

std::vector<Measurement> plan(const DeviceProfile &device) {
  std::vector<Measurement> all;
  for (const Chase &chase : kChases)
    for (int64_t times : {1, 3})
      all.push_back({.launch = {.kernel = chase.kernel, .numbers = {times * chase.hops, 0}},
                     .before = KernelLaunch{.kernel = "link",
                                            .blocks = device.sms,
                                            .threads = 256,
                                            .numbers = {chase.lines, 0}},
                     .dials = {{"hops", double(times * chase.hops)},
                               {"bytes", double(chase.lines * kLineBytes)}}});
  return all;
}

std::vector<Finding> fit(const Samples &samples, const DeviceProfile &device) {
  std::vector<Finding> findings;
  for (const Chase &chase : kChases) {
    std::vector<const Sample *> both;
    for (const Sample *sample : samples.of(chase.kernel))
      if (sample->dial("bytes") == double(chase.lines * kLineBytes))
        both.push_back(sample);
    const double clocks = (both[1]->median() - both[0]->median()) * device.clock /
                          (both[1]->dial("hops") - both[0]->dial("hops"));
    findings.push_back(findingOf(chase.section, chase.key, clocks,
                                 fmt::format("pointer chase over {}", chase.where), both));
  }
  return findings;
}

} // namespace

const Benchmark stencilc::kLatencyBenchmark = {"latency", plan, fit};
