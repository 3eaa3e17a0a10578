// The few entry points of the CUDA runtime that a stand-alone program calls, over plain memory.
#include "test/harness/Streams.h"

#include <chrono>
#include <cstdlib>
#include <cstring>

cudaError_t cudaGetLastError() { return cudaSuccess; }

const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
  case cudaSuccess:
    return "no error";
  case cudaErrorInvalidValue:
    return "invalid argument";
  case cudaErrorMemoryAllocation:
    return "out of memory";
  case cudaErrorInvalidConfiguration:
    return "invalid configuration argument";
  }
  return "unrecognized error code";
}

cudaError_t cudaDeviceSynchronize() { return stencilc::harness::runStreams(); }

cudaError_t cudaStreamSynchronize(cudaStream_t) { return stencilc::harness::runStreams(); }

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  *free = *total = size_t(1) << 30;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  if (device != 0)
    return cudaErrorInvalidValue;
  *properties = {"the harness"};
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes) {
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!*memory)
    return cudaErrorMemoryAllocation;
  std::memset(*memory, 0xff, bytes); // NaNs
  return cudaSuccess;
}

cudaError_t cudaFree(void *memory) {
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes) {
  std::memset(memory, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  *event = new CUevent_st;
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t) { return stencilc::harness::runStreams(); }

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - begin->time).count();
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
