// Device memory: bandwidth, the bytes on their way that it takes, and the loss of long marches, of
// one fit; reads and writes alone beside it.
#include "costmodel/calibrate/Benchmark.h"
#include "costmodel/calibrate/Fit.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace stencilc;

namespace {

constexpr int64_t kThreads = 256;
constexpr int64_t kBlocksOfSm = 8; // with 256 threads the most that any SM holds

struct Copy {
  const char *kernel;
  int64_t wordBytes, words;
};
constexpr Copy kCopies[] = {{"copy_4x1", 4, 1},   {"copy_4x2", 4, 2},   {"copy_4x4", 4, 4},
                            {"copy_8x1", 8, 1},   {"copy_8x2", 8, 2},   {"copy_8x4", 8, 4},
                            {"copy_16x1", 16, 1}, {"copy_16x2", 16, 2}, {"copy_16x4", 16, 4}};
constexpr Copy kReads[] = {{"read_4x1", 4, 1},
                           {"read_4x4", 4, 4},
                           {"read_16x1", 16, 1},
                           {"read_16x2", 16, 2},
                           {"read_16x4", 16, 4}};

/// Blocks that share the SMs and march through all of a buffer, or several grids of them that march
/// less far. `ways`: a byte is read, or read and written.
Measurement march(const Copy &copy, int64_t blocks, int64_t blocksOfSm, int64_t turns, int64_t rows,
                  double ways) {
  const int64_t blockBytes = kThreads * copy.wordBytes * copy.words, plane = blocks * blockBytes;
  return {.launch = {.kernel = copy.kernel,
                     .blocks = blocks,
                     .rows = rows,
                     .threads = kThreads,
                     .numbers = {turns, plane}},
          .dials = {{"bytes", ways * double(plane) * double(turns) * double(rows)},
                    {"in flight", ways * double(blocksOfSm) * double(blockBytes)},
                    {"turns", double(turns)}}};
}

std::vector<Measurement> plan(const DeviceProfile &device) {
  const int64_t bytes = bufferBytes(device);
  const int64_t most = std::min(kBlocksOfSm, device.sm.threads / kThreads);
  std::vector<Measurement> all;
  const auto shareSms = [&](const Copy &copy, double ways) {
    for (int64_t blocksOfSm = 1; blocksOfSm <= most; blocksOfSm *= 2) {
      const int64_t blocks = blocksOfSm * device.sms;
      const int64_t turns = bytes / (blocks * kThreads * copy.wordBytes * copy.words);
      all.push_back(march(copy, blocks, blocksOfSm, turns, 1, ways));
    }
  };
  for (const Copy &copy : kCopies)
    shareSms(copy, 2);
  // Marches as a stencil's blocks make them, one word a thread and turn, through planes of one
  // mebibyte and of two.
  const auto marchPlanes = [&](const Copy &copy, int64_t plane, double ways) {
    for (int64_t turns : {1, 8, 32, 128})
      all.push_back(march(copy, plane / (kThreads * copy.wordBytes * copy.words), most, turns,
                          bytes / plane / turns, ways));
  };
  constexpr int64_t kMiB = int64_t(1) << 20;
  for (int64_t plane : {kMiB, 2 * kMiB}) {
    marchPlanes(kCopies[3], plane, 2); // of 8 bytes
    marchPlanes(kCopies[6], plane, 2); // of 16
  }
  for (const Copy &read : kReads)
    shareSms(read, 1);
  marchPlanes(kReads[2], kMiB, 1);
  all.push_back(march({"write_16x1", 16, 1}, bytes / (kThreads * 16), most, 1, 1, 1));
  all.front().before = KernelLaunch{.kernel = "scramble",
                                    .blocks = 8 * device.sms.value,
                                    .threads = kThreads,
                                    .numbers = {bytes / 4, 0}};
  return all;
}

std::vector<StreamPoint> pointsOf(ArrayRef<const Sample *> samples) {
  std::vector<StreamPoint> points;
  for (const Sample *sample : samples)
    points.push_back({sample->dial("in flight"), sample->dial("turns"),
                      sample->median() / sample->dial("bytes")});
  return points;
}

std::vector<Finding> fit(const Samples &samples, const DeviceProfile &) {
  constexpr double kMostResidual = 0.12; // of copies by three widths of words, which differ by 10 %
  std::vector<Finding> findings;
  const auto copies = samples.of("copy");
  const std::optional<SaturationFit> copied = fitSaturation(pointsOf(copies));
  const auto [least, most] = std::minmax_element(
      copies.begin(), copies.end(), [](const Sample *left, const Sample *right) {
        return left->dial("in flight") < right->dial("in flight");
      });
  const std::string how = fmt::format(
      "{} copies of 4, 8 and 16 bytes a word, with {:g} to {:g} KiB on their way per SM, one to "
      "thousands of turns, fitted together",
      copies.size(), (*least)->dial("in flight") / 1024, (*most)->dial("in flight") / 1024);
  const SaturationFit none = {0, 0, 0, INFINITY};
  for (const auto &[section, key, value] :
       {std::tuple("geometric", "dram-bandwidth", copied.value_or(none).bandwidth),
        std::tuple("geometric", "dram-in-flight-bytes", std::round(copied.value_or(none).scale)),
        std::tuple("geometric", "march-loss", copied.value_or(none).marchLoss),
        std::tuple("su2015", "dram-bandwidth", copied.value_or(none).bandwidth)}) {
    Finding finding = findingOf(section, key, value, how, copies);
    if (copied)
      checkResidual(finding, copied->residual, kMostResidual);
    else
      finding.problem = "the copies do not say where they saturate";
    findings.push_back(std::move(finding));
  }
  const auto reads = samples.of("read");
  if (const std::optional<SaturationFit> read = fitSaturation(pointsOf(reads))) {
    findings.push_back(findingOf("", "bytes per second, read", read->bandwidth,
                                 "loads of 4 and 16 bytes a thread", reads));
    checkResidual(findings.back(), read->residual, kMostResidual);
    findings.push_back(findingOf("", "bytes in flight, read", read->scale, "the same", reads));
  }
  const auto writes = samples.of("write");
  findings.push_back(findingOf("", "bytes per second, written",
                               writes[0]->dial("bytes") / writes[0]->median(),
                               "stores of 16 bytes a thread", writes));
  return findings;
}

} // namespace

const Benchmark stencilc::kDramBenchmark = {"dram", plan, fit};
