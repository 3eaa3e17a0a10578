// DeviceProfile: a GPU as data.
//
// One YAML file per device, in devices/, where every number stands beside its source: a table of a
// paper, a datasheet, or a micro-benchmark and its date. Nothing has a default: a missing key, an
// unknown key and a value without a source are errors. What was never measured on a device is a
// whole section left out (`launching`), so that no model can read a guess.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace stencilc {

/// A number and where it comes from; reads as the number.
template <class T> struct Sourced {
  T value{};
  std::string source;

  operator T() const { return value; }
};

/// What starting work costs, in seconds; measured, hence on present devices only.
struct LaunchTiming {
  Sourced<double> hostInterval;    ///< between two launches on a stream, at best
  Sourced<double> graphInterval;   ///< between two launches in a CUDA graph, at best
  Sourced<double> start;           ///< from a launch to the first result of a dependent chain
  Sourced<double> blocksPerSecond; ///< rate at which blocks start on the whole device
};

struct DeviceProfile {
  std::string name;
  Sourced<int64_t> memoryBytes, l2Bytes;
  // [duemmler2015] Table 1, in its order.
  Sourced<int64_t> sms, coresPerSm, threadsPerWarp, warpGranularity, coalescableAccesses;
  /// #BlocksPerSM_Occ of the shortest-path kernels, for blocks 8, 16 and 32 wide.
  std::array<Sourced<int64_t>, 3> residentBlocks;
  std::optional<LaunchTiming> launching;
};

/// Widths of the blocks that `residentBlocks` speaks of.
inline constexpr std::array<int, 3> kProfiledBlockWidths = {8, 16, 32};

/// Reads one profile; errors name the buffer, line and column.
llvm::Expected<DeviceProfile> parseDeviceProfile(llvm::MemoryBufferRef yaml);

/// A profile that ships with stencilc by its name (`h200`), or one read from `FILE.yaml`.
llvm::Expected<DeviceProfile> loadDeviceProfile(llvm::StringRef nameOrFile);

/// A file of devices/ as it was when stencilc was built.
struct ShippedFile {
  llvm::StringRef name, text;
};

/// Everything in devices/: the profiles (*.yaml) and measured runs (*.csv).
llvm::ArrayRef<ShippedFile> shippedFiles();

} // namespace stencilc
