// The yardstick of every timing: a copy kernel, 16 bytes a thread, over arrays far larger than L2.
// Prints "copy <GB/s>": bytes read plus bytes written over the median time of many launches.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "copy: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

__global__ void __launch_bounds__(512) copy(const float4 *__restrict__ from, float4 *__restrict__ to) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

int main() {
  constexpr size_t bytes = size_t(1) << 31;
  constexpr int launches = 4, samples = 25;
  void *from, *to;
  check(cudaMalloc(&from, bytes));
  check(cudaMalloc(&to, bytes));
  check(cudaMemset(from, 0x3f, bytes));
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  std::vector<float> times;
  for (int sample = -3; sample < samples; ++sample) {
    check(cudaEventRecord(start));
    for (int i = 0; i < launches; ++i)
      copy<<<bytes / 16 / 512, 512>>>(static_cast<float4 *>(from), static_cast<float4 *>(to));
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    float ms;
    check(cudaEventElapsedTime(&ms, start, stop));
    if (sample >= 0) times.push_back(ms / launches);
  }
  std::sort(times.begin(), times.end());
  std::printf("copy %.1f GB/s\n", 2.0 * bytes / times[samples / 2] / 1e6);
}
