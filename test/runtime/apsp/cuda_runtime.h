// The harness's stand-in for CUDA's header, with what the shortest-path library uses beyond it.
// Streams and events order nothing here: every launch is done when it returns.
#pragma once

#include "test/harness/cuda_runtime.h"

constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2;

inline cudaError_t cudaDeviceGetStreamPriorityRange(int *lowest, int *highest) {
  *lowest = *highest = 0;
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int) {
  *stream = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  return cudaEventCreate(event);
}
