// Stands in for CUDA's header of this name where the launcher of an emitted file is compiled alone:
// kernels are declared there, compiled elsewhere, and found by name in a table.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define __global__
#define __launch_bounds__(...)

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
typedef struct CUstream_st *cudaStream_t;
enum cudaError_t { cudaSuccess = 0 };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  struct {
    int programmaticStreamSerializationAllowed;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};

/// What the launcher needs of a device: two functions of the driver, and its kernels, the last of
/// which has no name.
struct StencilcDevice {
  int (*launch)(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                unsigned blockY, unsigned blockZ, unsigned sharedBytes, void *stream, void **params,
                void **extra);
  int (*setAttribute)(void *function, int attribute, int value);
  struct Kernel {
    const char *name;
    void *function;
  } const *kernels;
};

namespace stencilc {

inline thread_local const StencilcDevice *device = nullptr; // that of the run under way

inline void *functionOf(const char *name) {
  const StencilcDevice::Kernel *kernel = device->kernels;
  while (kernel->name && strcmp(kernel->name, name) != 0)
    ++kernel;
  return kernel->function;
}

template <class... Expected, class... Given>
cudaError_t launch(const cudaLaunchConfig_t *config, void (*)(Expected...), const char *name,
                   Given... given) {
  const auto withParams = [&](Expected... values) {
    void *params[] = {const_cast<void *>(static_cast<const void *>(&values))...};
    const dim3 grid = config->gridDim, block = config->blockDim;
    return device->launch(functionOf(name), grid.x, grid.y, grid.z, block.x, block.y, block.z,
                          config->dynamicSmemBytes, config->stream, params, nullptr);
  };
  return static_cast<cudaError_t>(withParams(given...));
}

inline cudaError_t setAttribute(const char *name, int attribute, int value) {
  return static_cast<cudaError_t>(device->setAttribute(functionOf(name), attribute, value));
}

} // namespace stencilc

#define cudaLaunchKernelEx(config, kernel, ...)                                                    \
  stencilc::launch(config, static_cast<decltype(&kernel)>(nullptr), #kernel, __VA_ARGS__)
#define cudaFuncSetAttribute(kernel, attribute, value)                                             \
  stencilc::setAttribute(#kernel, attribute, value)
