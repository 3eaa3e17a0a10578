// The harness's stand-in for CUDA's header, with what the shortest-path library uses beyond it.
#pragma once

#include "test/harness/Streams.h"

constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2;

inline cudaError_t cudaDeviceGetStreamPriorityRange(int *lowest, int *highest) {
  *lowest = *highest = 0;
  return cudaSuccess;
}
/// Preferred to the harness's own, since the library's configurations are no constants: it lets
/// streams be scheduled.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               Arguments &&...arguments) {
  if (!stencilc::harness::schedulesStreams())
    return cudaLaunchKernelEx(const_cast<const cudaLaunchConfig_t *>(config), kernel, arguments...);
  stencilc::harness::enqueue(*config, [=] { kernel(arguments...); }, shared_begin, shared_end);
  return cudaSuccess;
}

inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int) {
  return cudaStreamCreate(stream);
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  return cudaEventCreate(event);
}
