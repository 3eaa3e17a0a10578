// Calibrate: from measured times to a device's profile.
//
// A profile begins as one that is there already, of the same compute capability. What the driver
// tells of the device replaces its limits; each benchmark's findings replace constants, in an order
// in which later fits find what they use. A constant that no benchmark measures, or whose
// measurement does not settle, stays, and its source says from where.
#pragma once

#include "costmodel/calibrate/Benchmark.h"

#include <functional>

namespace stencilc {

/// What the driver tells of the device, and what else a source names.
struct MeasuredDevice {
  std::string name; ///< without its maker: "H200"
  double computeCapability = 0;
  int64_t memoryBytes = 0, sms = 0, l2Bytes = 0;
  int64_t threadsPerSm = 0, blocksPerSm = 0, registersPerSm = 0;
  int64_t sharedBytesPerSm = 0, sharedBytesPerBlock = 0;
  std::string software; ///< "driver of CUDA 13.0, NVRTC 13.0"
  std::string date;     ///< "2026-11-23"
};

/// Everything that was measured: what a fit can be made of again.
struct RawData {
  MeasuredDevice device;
  std::vector<Samples> benchmarks;
};

/// The GPU, or what stands in for it.
class Machine {
public:
  virtual ~Machine() = default;
  virtual MeasuredDevice device() = 0;
  /// Makes a benchmark's kernels of these names ready.
  virtual llvm::Error prepare(const Benchmark &benchmark, llvm::ArrayRef<std::string> kernels) = 0;
  /// Seconds of each of the repeats.
  virtual llvm::Expected<std::vector<double>> time(const Measurement &measurement,
                                                   int64_t bufferBytes) = 0;
};

/// The profile that a calibration of a device begins with: the one that is named, or one that
/// ships, of the same compute capability and rather of the same name. An error says how to name
/// another.
llvm::Expected<DeviceProfile> startingProfile(const MeasuredDevice &device, llvm::StringRef named);

/// Carries out all plans; `tell` hears how many measurements of how many are made.
llvm::Expected<RawData> measure(Machine &machine, const DeviceProfile &start,
                                const std::function<void(size_t made, size_t all)> &tell);

struct Calibrated {
  DeviceProfile profile;
  std::vector<Finding> findings; ///< in order, those that do not settle too
};
/// Fails where samples are missing, or if the values contradict each other.
llvm::Expected<Calibrated> calibrate(const RawData &raw, const DeviceProfile &start);

/// The profile as YAML, with a comment that says how it was made.
void printCalibrated(llvm::raw_ostream &out, const Calibrated &calibrated, const RawData &raw);
/// Every finding: its value, what it replaces, how far repeats spread, why it is not written.
void printFindings(llvm::raw_ostream &out, const Calibrated &calibrated,
                   const DeviceProfile &start);

/// All samples as JSON, and back; what cannot be read is an error that says where.
void printRaw(llvm::raw_ostream &out, const RawData &raw);
llvm::Expected<RawData> parseRaw(llvm::StringRef json);

} // namespace stencilc
