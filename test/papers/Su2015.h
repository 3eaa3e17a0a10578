// The K20 of [su2015] and predictions on it; registers are those that every table here is for.
#pragma once

#include "test/papers/Model.h"

namespace stencilc {

/// The profile with the halo that the paper writes, or with the one its text on 19PT speaks of.
inline DeviceProfile k20(HaloMode halo) {
  DeviceProfile device = llvm::cantFail(loadDeviceProfile("k20"));
  device.su2015->haloMode.value = halo;
  return device;
}

inline Prediction predictOnK20(const Stencil &stencil, const std::string &schedule, int64_t n,
                               const DeviceProfile &device, int registers = 32) {
  const Counted counted(stencil, schedule, std::vector<int64_t>(stencil.rank(), n));
  PredictOptions options;
  options.registers = registers;
  return llvm::cantFail(predictSu2015(counted.counts, device, options));
}

inline constexpr double kMiB = 1024 * 1024;

} // namespace stencilc
