// Benchmark: one subject that is measured on a GPU, in three parts.
//
//   kernels/NAME.cu   what runs; every kernel takes two buffers and two whole numbers
//   plan              which launches are timed on this device, and what each stands for
//   fit               what the times say about keys of the device's profile
//
// Neither plan nor fit touches a GPU: a Machine carries out what is planned.
#pragma once

#include "costmodel/device/DeviceProfile.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace stencilc {

struct KernelLaunch {
  std::string kernel = {};
  int64_t blocks = 1, rows = 1; ///< of the grid, along x and y
  int64_t threads = 1;          ///< of a block
  std::array<int64_t, 2> numbers = {};
};

/// A span of launches that is timed as a whole, several times.
struct Measurement {
  KernelLaunch launch;
  int64_t launches = 1; ///< of the span, one after another
  bool graph = false;   ///< all of them in a CUDA graph, not one by one on a stream
  std::optional<KernelLaunch> before = {};  ///< once, not timed
  std::map<std::string, double> dials = {}; ///< what the fit reads of it: bytes, turns, ...
};

struct Sample {
  Measurement what;
  std::vector<double> seconds; ///< of each repeat

  double median() const;
  double spread() const;
  double dial(const std::string &name) const { return what.dials.at(name); }
};

/// What was measured for one benchmark.
struct Samples {
  std::string benchmark;
  std::vector<Sample> all;

  /// Those of a kernel, or of several whose names begin alike.
  std::vector<const Sample *> of(llvm::StringRef beginning) const;
};

/// What measurements say of one key, or beside all keys.
struct Finding {
  std::string section, key; ///< no section: nothing that a profile has; `key` is its name
  double value = 0;
  std::string how;     ///< what it was read off, for its source
  double spread = 0;   ///< of repeats, the widest among those that it was read off
  std::string problem; ///< why it is not to be written; empty if it is

  bool settles() const { return problem.empty(); }
};

struct Benchmark {
  llvm::StringRef name;
  /// The profile has what is known before anything is measured: SMs, caches.
  std::vector<Measurement> (*plan)(const DeviceProfile &device);
  /// The profile has also what benchmarks before this one have found.
  std::vector<Finding> (*fit)(const Samples &samples, const DeviceProfile &device);

  llvm::StringRef kernels() const; ///< the text of kernels/NAME.cu
};

/// All of them, those first whose findings others use.
llvm::ArrayRef<Benchmark> benchmarks();

/// Times of a measurement that repeats differ by more than this do not settle.
inline constexpr double kMostSpread = 0.05;
/// Bytes that each of the two buffers has: what a device of so much memory is measured with.
int64_t bufferBytes(const DeviceProfile &device);

/// One finding read off samples: their widest spread, and the problem that it is too wide.
Finding findingOf(llvm::StringRef section, llvm::StringRef key, double value, std::string how,
                  llvm::ArrayRef<const Sample *> samples);
/// Says that a fit is too far from what was measured, if it is.
void checkResidual(Finding &finding, double residual, double most);

// The subjects, a file each.
extern const Benchmark kClockBenchmark, kDramBenchmark, kL2Benchmark, kStorageBenchmark,
    kLatencyBenchmark, kPipesBenchmark, kBarrierBenchmark, kLaunchBenchmark, kMixedBenchmark;

} // namespace stencilc
