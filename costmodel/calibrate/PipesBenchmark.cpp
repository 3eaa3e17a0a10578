// Lanes per clock and SM of each pipe, instructions that can be issued, and clocks until an
// instruction can use the result of the one before.
#include "costmodel/calibrate/Benchmark.h"

#include "fmt/format.h"

using namespace llvm;
using namespace stencilc;

namespace {

constexpr int64_t kThreads = 256, kBlocksOfSm = 4, kWarpSize = 32;

struct Pipe {
  const char *kernel, *key, *how;
  int64_t instructions; ///< of a thread in a turn
};
constexpr Pipe kPipes[] = {
    {"fp32", "fp32-rate", "multiply-adds of f32", 256},
    {"fp64", "fp64-rate", "multiply-adds of f64", 256},
    {"integer", "integer-rate", "shifts and logical operations of 32 bits", 512},
    {"multiply_add", "multiply-add-rate", "multiply-adds of 32-bit integers", 256},
    {"special", "special-rate", "ex2.approx", 256},
    {"issue", "issue-rate", "multiply-adds of f32 and shifts, two to one", 192},
};
constexpr Pipe kAlone[] = {{"fp32_alone", "", "", 256}, {"multiply_add_alone", "", "", 256}};

std::vector<Measurement> plan(const DeviceProfile &device) {
  std::vector<Measurement> all;
  const auto add = [&](const Pipe &pipe, int64_t blocks, int64_t threads, int64_t turns) {
    all.push_back({.launch = {.kernel = pipe.kernel,
                              .blocks = blocks,
                              .threads = threads,
                              .numbers = {turns, 3}},
                   .dials = {{"instructions", double(pipe.instructions * turns)},
                             {"threads of an SM", double(blocks * threads / device.sms)}}});
  };
  for (const Pipe &pipe : kPipes)
    add(pipe, kBlocksOfSm * device.sms, kThreads,
        pipe.key == StringRef("special-rate") ? 300 : 1000);
  for (const Pipe &pipe : kAlone)
    for (int64_t turns : {1000, 3000})
      add(pipe, device.sms, kWarpSize, turns);
  return all;
}

std::vector<Finding> fit(const Samples &samples, const DeviceProfile &device) {
  const auto sampleOf = [&](StringRef kernel) {
    std::vector<const Sample *> found;
    for (const Sample *sample : samples.of(kernel))
      if (sample->what.launch.kernel == kernel)
        found.push_back(sample);
    return found;
  };
  std::vector<Finding> findings;
  for (const Pipe &pipe : kPipes) {
    const auto found = sampleOf(pipe.kernel);
    const double lanes = found[0]->dial("instructions") * found[0]->dial("threads of an SM") /
                         (found[0]->median() * device.clock);
    const bool isIssue = pipe.key == StringRef("issue-rate");
    findings.push_back(
        findingOf("geometric", pipe.key, isIssue ? lanes / kWarpSize : lanes, pipe.how, found));
  }
  // Both kinds of instruction, since most of a kernel's are of these.
  double clocks[2];
  std::vector<const Sample *> all;
  for (unsigned i = 0; i < 2; ++i) {
    const auto found = sampleOf(kAlone[i].kernel);
    clocks[i] = (found[1]->median() - found[0]->median()) * device.clock /
                (found[1]->dial("instructions") - found[0]->dial("instructions"));
    all.insert(all.end(), found.begin(), found.end());
  }
  Finding dependent = findingOf("geometric", "dependent-clocks", (clocks[0] + clocks[1]) / 2,
                                fmt::format("multiply-adds of f32 and of integers, one waiting for "
                                            "the other: {:.2f} and {:.2f}",
                                            clocks[0], clocks[1]),
                                all);
  constexpr double kAlike = 0.15;
  if (dependent.settles() && std::abs(clocks[0] - clocks[1]) > kAlike * dependent.value)
    dependent.problem =
        fmt::format("{:.2f} and {:.2f} clocks are not one value", clocks[0], clocks[1]);
  findings.push_back(std::move(dependent));
  return findings;
}

} // namespace

const Benchmark stencilc::kPipesBenchmark = {"pipes", plan, fit};
