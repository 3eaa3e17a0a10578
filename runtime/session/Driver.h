// Driver: CUDA's driver, opened while the program runs. The environment variable
// STENCILC_CUDA_DRIVER names another library than libcuda.so.1.
#pragma once

#include "runtime/session/SharedLibrary.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace stencilc::session {

/// What the driver tells of a device.
struct DeviceFacts {
  std::string name;         ///< "NVIDIA H200"
  int major = 0, minor = 0; ///< compute capability
  int sms = 0;
  size_t memoryBytes = 0;
  int l2Bytes = 0, sharedBytesPerSm = 0, sharedBytesPerBlock = 0, registersPerSm = 0;
  int threadsPerSm = 0, blocksPerSm = 0;
  int clockKilohertz = 0, memoryClockKilohertz = 0, memoryBusBits = 0;
  int driverVersion = 0; ///< 13000 is that of CUDA 13.0

  /// "sm_90"
  std::string architecture() const { return "sm_" + std::to_string(major) + std::to_string(minor); }
};

struct Driver {
#define DRIVER_FUNCTION(NAME, PARAMETERS) int(*NAME) PARAMETERS = nullptr;
#include "runtime/session/DriverFunctions.def"
#undef DRIVER_FUNCTION

  /// Finds the library and its functions, and starts it.
  static Expected<Driver> open();

  /// "cuInit: no CUDA-capable device is detected"; nothing if the status is 0.
  std::optional<Fault> check(const char *function, int status) const;
  Expected<DeviceFacts> factsOf(int device) const;
};

} // namespace stencilc::session
