// The clock of the SMs while all of them compute: two counts of ticks, and how much longer the
// greater one takes.
#include "costmodel/calibrate/Benchmark.h"

#include "fmt/format.h"

using namespace stencilc;

static std::vector<Measurement> plan(const DeviceProfile &device) {
  std::vector<Measurement> all;
  for (int64_t clocks : {2'000'000, 6'000'000})
    all.push_back({.launch = {.kernel = "busy",
                              .blocks = 4 * device.sms.value,
                              .threads = 256,
                              .numbers = {clocks, 1}},
                   .dials = {{"clocks", double(clocks)}}});
  return all;
}

static std::vector<Finding> fit(const Samples &samples, const DeviceProfile &) {
  const auto both = samples.of("busy");
  const double clocks = both[1]->dial("clocks") - both[0]->dial("clocks");
  return {findingOf("", "clock-hertz", clocks / (both[1]->median() - both[0]->median()),
                    "ticks while all SMs multiply and add", both)};
}

const Benchmark stencilc::kClockBenchmark = {"clock", plan, fit};
