// The SM's own storage: clocks of a warp request that the L1 or shared memory answers, by its
// wavefronts of 128 bytes; stores by width and alignment beside it.
#include "costmodel/calibrate/Benchmark.h"
#include "costmodel/calibrate/Fit.h"

#include "fmt/format.h"

using namespace llvm;
using namespace stencilc;

namespace {

constexpr int64_t kThreads = 1024, kRequestsOfTurn = 8;
constexpr int64_t kWarpSize = 32, kWavefrontBytes = 128;

std::vector<Measurement> plan(const DeviceProfile &device) {
  std::vector<Measurement> all;
  const auto add = [&](const char *kernel, int64_t bytes, int64_t offset, int64_t turns) {
    const double requests = double(turns * kRequestsOfTurn * kThreads / kWarpSize);
    all.push_back({.launch = {.kernel = fmt::format("{}_{}", kernel, bytes),
                              .blocks = device.sms,
                              .threads = kThreads,
                              .numbers = {turns, offset}},
                   .dials = {{"requests", requests},
                             {"bytes", double(bytes)},
                             {"wavefronts", double(bytes * kWarpSize / kWavefrontBytes)},
                             {"offset", double(offset)}}});
  };
  constexpr int64_t kTurns = 12000, kStoreTurns = 2000;
  for (int64_t bytes : {4, 8, 16}) {
    for (int64_t offset : {0, 1})
      add("load", bytes, offset, kTurns);
    add("shared", bytes, 0, kTurns);
    for (int64_t offset : {0, 1})
      add("store", bytes, offset, kStoreTurns);
  }
  return all;
}

std::vector<Finding> fit(const Samples &samples, const DeviceProfile &device) {
  const auto clocksOf = [&](const Sample &sample) {
    return sample.median() * device.clock / sample.dial("requests");
  };
  // Wherever a request starts, the loads cost the same; a word off is measured to see it.
  std::vector<const Sample *> loads;
  for (const char *kernel : {"load", "shared"})
    for (const Sample *sample : samples.of(kernel))
      loads.push_back(sample);
  std::vector<std::vector<double>> rows;
  std::vector<double> clocks;
  for (const Sample *sample : loads) {
    rows.push_back({1, sample->dial("wavefronts")});
    clocks.push_back(clocksOf(*sample));
  }
  const std::optional<LinearFit> found = fitLinear(rows, clocks);
  std::vector<Finding> findings;
  for (unsigned i = 0; i < 2; ++i) {
    constexpr double kMostResidual = 0.05;
    Finding finding = findingOf("geometric", i == 0 ? "request-clocks" : "wavefront-clocks",
                                found ? found->factors[i] : 0,
                                "loads of 4, 8 and 16 bytes a lane that the L1, at two alignments, "
                                "or shared memory answers",
                                loads);
    if (found)
      checkResidual(finding, found->residual, kMostResidual);
    else
      finding.problem = "the loads do not tell requests from wavefronts";
    findings.push_back(std::move(finding));
  }
  const auto widest = samples.of("load_16");
  findings.push_back(
      findingOf("su2015", "smx-bandwidth",
                double(device.sms) * device.clock * 16 * kWarpSize / clocksOf(*widest.front()),
                "L1 read by 16 bytes a lane", widest));
  for (const Sample *store : samples.of("store"))
    findings.push_back(
        findingOf("",
                  fmt::format("clocks of a store of {:.0f} bytes a lane, {}", store->dial("bytes"),
                              store->dial("offset") > 0 ? "a word off" : "aligned"),
                  clocksOf(*store), "stores to the L2", store));
  return findings;
}

} // namespace

const Benchmark stencilc::kStorageBenchmark = {"storage", plan, fit};
