// Device: memory and time on the GPU that the program runs on.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <optional>
#include <vector>

/// Prints what a CUDA call complains of.
inline bool succeeded(cudaError_t error) {
  if (error != cudaSuccess)
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  return error == cudaSuccess;
}

/// Owns buffers on the device.
class Memory {
public:
  /// Null if there is none left.
  void *allocate(size_t bytes) {
    void *buffer = nullptr;
    if (!succeeded(cudaMalloc(&buffer, bytes == 0 ? 1 : bytes)))
      return nullptr;
    buffers.push_back(buffer);
    return buffer;
  }
  ~Memory() {
    for (void *buffer : buffers)
      cudaFree(buffer);
  }

private:
  std::vector<void *> buffers;
};

inline bool upload(void *to, const void *from, size_t bytes) {
  return succeeded(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}
inline bool download(void *to, const void *from, size_t bytes) {
  return succeeded(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

/// Prints where the program runs and what memory it needs; false if there is not enough.
inline bool checkMemory(size_t needed) {
  constexpr double kMiB = 1 << 20;
  size_t available = 0, total = 0;
  cudaDeviceProp properties;
  if (!succeeded(cudaMemGetInfo(&available, &total)) ||
      !succeeded(cudaGetDeviceProperties(&properties, 0)))
    return false;
  std::printf("device: %s, %.1f MiB of device memory needed, %.1f MiB free\n", properties.name,
              needed / kMiB, available / kMiB);
  if (needed > available)
    std::fprintf(stderr, "not enough device memory: choose smaller extents\n");
  return needed <= available;
}

/// Seconds that the work queued by `run` takes; none if it fails.
template <class Run> std::optional<double> timeOf(Run run) {
  cudaEvent_t begin, end;
  float milliseconds = 0;
  if (!succeeded(cudaEventCreate(&begin)) || !succeeded(cudaEventCreate(&end)))
    return std::nullopt;
  const bool done = succeeded(cudaEventRecord(begin)) && run() && succeeded(cudaEventRecord(end)) &&
                    succeeded(cudaEventSynchronize(end)) &&
                    succeeded(cudaEventElapsedTime(&milliseconds, begin, end));
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return done ? std::optional(milliseconds * 1e-3) : std::nullopt;
}
