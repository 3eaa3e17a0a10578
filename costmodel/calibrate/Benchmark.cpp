#include "costmodel/calibrate/Benchmark.h"

#include "costmodel/calibrate/Fit.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace stencilc {

static constexpr ShippedFile kKernels[] = {
#include "costmodel/calibrate/Kernels.inc"
};

StringRef Benchmark::kernels() const {
  for (const ShippedFile &file : kKernels)
    if (file.name == (name + ".cu").str())
      return file.text;
  llvm_unreachable("every benchmark has kernels");
}

ArrayRef<Benchmark> benchmarks() {
  static const Benchmark all[] = {kClockBenchmark,   kDramBenchmark,   kL2Benchmark,
                                  kStorageBenchmark, kPipesBenchmark,  kLatencyBenchmark,
                                  kBarrierBenchmark, kLaunchBenchmark, kMixedBenchmark};
  return all;
}

double Sample::median() const { return stencilc::median(seconds); }
double Sample::spread() const { return stencilc::spread(seconds); }

std::vector<const Sample *> Samples::of(StringRef beginning) const {
  std::vector<const Sample *> found;
  for (const Sample &sample : all)
    if (StringRef(sample.what.launch.kernel).starts_with(beginning))
      found.push_back(&sample);
  return found;
}

int64_t bufferBytes(const DeviceProfile &device) {
  constexpr int64_t kGiB = int64_t(1) << 30;
  int64_t bytes = 2 * kGiB;
  while (bytes > device.memoryBytes.value / 4)
    bytes /= 2;
  return bytes;
}

Finding findingOf(StringRef section, StringRef key, double value, std::string how,
                  ArrayRef<const Sample *> samples) {
  Finding finding{section.str(), key.str(), value, std::move(how), 0, ""};
  for (const Sample *sample : samples)
    finding.spread = std::max(finding.spread, sample->spread());
  if (samples.empty())
    finding.problem = "it was not measured";
  else if (finding.spread > kMostSpread)
    finding.problem = fmt::format("repeats differ by {:.1f} %, more than {:g} %",
                                  100 * finding.spread, 100 * kMostSpread);
  return finding;
}

void checkResidual(Finding &finding, double residual, double most) {
  finding.how += fmt::format(", {:.1f} % rms", 100 * residual);
  if (finding.settles() && !(residual <= most))
    finding.problem = fmt::format("the curve misses what was measured by {:.1f} % rms, more than "
                                  "{:g} %",
                                  100 * residual, 100 * most);
}

} // namespace stencilc
