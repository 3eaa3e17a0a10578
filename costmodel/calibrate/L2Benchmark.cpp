// The L2: how fast it is, and the window of reuse that half of is lost.
#include "costmodel/calibrate/Benchmark.h"
#include "costmodel/calibrate/Fit.h"

#include "fmt/format.h"

using namespace llvm;
using namespace stencilc;

namespace {

constexpr int64_t kThreads = 256;
constexpr int64_t kPieceBytes = kThreads * 16 * 4;  // of a cyclic kernel's block in a turn
constexpr int64_t kWindowBytes = kThreads * 16 * 2; // of a window kernel's block

/// The nearest multiple of a piece, but one at least.
int64_t inPieces(double bytes, int64_t piece) {
  return std::max<int64_t>(1, std::llround(bytes / double(piece))) * piece;
}

std::vector<Measurement> plan(const DeviceProfile &device) {
  const int64_t all = bufferBytes(device);
  const auto l2 = double(device.caches.l2Bytes);
  std::vector<Measurement> plan;
  const auto cyclic = [&](const char *kernel, double share) {
    const int64_t bytes = inPieces(share * l2, kPieceBytes),
                  laps = std::max<int64_t>(2, all / bytes);
    plan.push_back({.launch = {.kernel = kernel,
                               .blocks = 6 * device.sms.value,
                               .threads = kThreads,
                               .numbers = {bytes, laps}},
                    .dials = {{"size", double(bytes)}, {"bytes", double(bytes) * double(laps)}}});
  };
  for (double share : {0.125, 0.1875, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2,
                       1.35, 1.5, 1.75, 2.1})
    cyclic("read_cyclic", share);
  for (double share : {0.125, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6})
    cyclic("write_cyclic", share);
  // A window of three planes, and the plane that is written beside it.
  for (const auto &[kernel, planes] : {std::pair("window_read", 3), std::pair("window_write", 4)})
    for (double share : {0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 1.0,
                         1.1, 1.25, 1.6}) {
      const int64_t plane = inPieces(share * l2 / planes, kWindowBytes);
      const int64_t blocks = (all - 2 * plane) / kWindowBytes;
      plan.push_back({.launch = {.kernel = kernel,
                                 .blocks = blocks,
                                 .threads = kThreads,
                                 .numbers = {plane, 0}},
                      .dials = {{"window", double(planes * plane)}, {"blocks", double(blocks)}}});
    }
  return plan;
}

double rateOf(const Sample &sample) { return sample.dial("bytes") / sample.median(); }

/// Bytes per second while the L2 holds all.
Finding levelOf(StringRef section, StringRef key, ArrayRef<const Sample *> samples,
                const std::string &how, double l2) {
  // Of what a stencil leaves there: more than a few blocks' worth, and surely held.
  constexpr double kTolerance = 0.08, kLeast = 0.29, kMost = 0.61;
  std::vector<const Sample *> held;
  std::vector<double> rates;
  for (const Sample *sample : samples)
    if (const double size = sample->dial("size"); size >= kLeast * l2 && size <= kMost * l2) {
      held.push_back(sample);
      rates.push_back(rateOf(*sample));
    }
  const std::optional<double> level = plateau(rates, kTolerance);
  Finding finding = findingOf(section, key, level.value_or(0), how, held);
  if (!level)
    finding.problem = "its rate has no level from 0.3 to 0.6 of its size";
  return finding;
}

/// Where a cyclic sweep has half of its reuse: time is linear in what is lost.
double cyclicCapacity(ArrayRef<const Sample *> samples) {
  const auto secondsPerByte = [&](size_t i) { return 1 / rateOf(*samples[i]); };
  const double half = (secondsPerByte(0) + secondsPerByte(samples.size() - 1)) / 2;
  for (size_t i = 1; i < samples.size(); ++i)
    if (secondsPerByte(i) >= half) {
      const double part =
          (half - secondsPerByte(i - 1)) / (secondsPerByte(i) - secondsPerByte(i - 1));
      const double before = samples[i - 1]->dial("size");
      return before + part * (samples[i]->dial("size") - before);
    }
  return 0;
}

std::vector<Finding> fit(const Samples &samples, const DeviceProfile &device) {
  const auto l2 = double(device.caches.l2Bytes);
  const auto reads = samples.of("read_cyclic"), writes = samples.of("write_cyclic");
  std::vector<Finding> findings;
  const std::string how = "L2 read over and over, 0.3 to 0.6 of its size";
  findings.push_back(levelOf("geometric", "l2-bandwidth", reads, how, l2));
  findings.push_back(levelOf("su2015", "l2-bandwidth", reads, how, l2));
  findings.push_back(
      levelOf("", "bytes per second, written to the L2", writes, "the same, written", l2));
  findings.push_back(findingOf("", "bytes, half kept of a cyclic sweep", cyclicCapacity(reads),
                               "sweeps of up to twice the L2", reads));

  const auto windows = samples.of("window");
  std::vector<WindowPoint> points;
  for (const Sample *sample : windows)
    points.push_back({sample->dial("window"), sample->median() / sample->dial("blocks"),
                      sample->what.launch.kernel == "window_write" ? 1u : 0u});
  constexpr double kMostResidual = 0.05;
  const std::optional<CapacityFit> found = fitCapacity(points);
  for (const auto &[key, value] :
       {std::pair("l2-effective-bytes", found ? std::round(found->capacity) : 0),
        std::pair("l2-softness", found ? found->softness : 0)}) {
    Finding finding = findingOf("geometric", key, value,
                                fmt::format("{} sliding windows of three planes, alone and beside "
                                            "a written one, 0.1 to 1.6 of the L2",
                                            windows.size()),
                                windows);
    if (found)
      checkResidual(finding, found->residual, kMostResidual);
    else
      finding.problem = "the windows do not say where their reuse is lost";
    findings.push_back(std::move(finding));
  }
  return findings;
}

} // namespace

const Benchmark stencilc::kL2Benchmark = {"l2", plan, fit};
