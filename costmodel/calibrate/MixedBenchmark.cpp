// Two resources in one kernel, one of them device memory: the p of the norm that composes their
// times, if one p does.
#include "costmodel/calibrate/Benchmark.h"
#include "costmodel/calibrate/Fit.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

using namespace llvm;
using namespace stencilc;

namespace {

constexpr int64_t kThreads = 256, kWordBytes = 16, kHeldWords = 1 << 15;

struct Pair {
  const char *kernel, *other;
  std::vector<int64_t> dials;
};
const Pair kPairs[] = {{"beside_arithmetic", "arithmetic", {32, 64, 96, 128, 192}},
                       {"beside_shared", "shared memory", {8, 16, 24, 32, 48}},
                       {"beside_l2", "the L2", {2, 4, 6, 8, 12}}};

std::vector<Measurement> plan(const DeviceProfile &device) {
  // A power of two, by which the kernels wrap.
  const int64_t words = std::min(bufferBytes(device), int64_t(1) << 30) / kWordBytes;
  std::vector<Measurement> all;
  const auto add = [&](const char *kernel, int64_t held, int64_t dial) {
    all.push_back({.launch = {.kernel = kernel,
                              .blocks = words / kThreads,
                              .threads = kThreads,
                              .numbers = {held, dial}},
                   .dials = {{"memory", held == words ? 1.0 : 0.0}, {"dial", double(dial)}}});
  };
  for (const Pair &pair : kPairs) {
    add(pair.kernel, words, 0);
    for (int64_t dial : pair.dials) {
      add(pair.kernel, kHeldWords, dial);
      add(pair.kernel, words, dial);
    }
  }
  return all;
}

std::vector<Finding> fit(const Samples &samples, const DeviceProfile &) {
  std::vector<double> norms;
  std::vector<std::string> words;
  for (const Pair &pair : kPairs) {
    std::map<std::pair<double, double>, double> seconds; // by memory and dial
    for (const Sample *sample : samples.of(pair.kernel))
      seconds[{sample->dial("memory"), sample->dial("dial")}] = sample->median();
    std::vector<MixedPoint> points;
    for (int64_t dial : pair.dials)
      points.push_back(
          {seconds.at({1, 0}), seconds.at({0, double(dial)}), seconds.at({1, double(dial)})});
    if (const std::optional<NormFit> norm = fitNorm(points)) {
      norms.push_back(norm->norm);
      words.push_back(fmt::format("{:.2g} with {}", norm->norm, pair.other));
    }
  }
  std::vector<const Sample *> all = samples.of("beside");
  Finding finding =
      findingOf("geometric", "norm", norms.empty() ? 0 : median(norms),
                fmt::format("device memory beside other work: {}", fmt::join(words, ", ")), all);
  constexpr double kAlike = 0.15; // as a share of the greatest
  const auto [least, most] = std::minmax_element(norms.begin(), norms.end());
  if (finding.settles() && (norms.size() < std::size(kPairs) || *most - *least > kAlike * *most))
    finding.problem = fmt::format("no one norm composes them: {}", fmt::join(words, ", "));
  return {finding};
}

} // namespace

const Benchmark stencilc::kMixedBenchmark = {"mixed", plan, fit};
