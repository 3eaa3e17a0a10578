// How many (extend, select) pairs a second the arithmetic alone allows: chains in registers, with
// nothing to load.
#include "Ceilings.h"

#include "runtime/apsp/Lanes.h"

#include <algorithm>
#include <vector>

namespace stencilc::apsp::bench {
namespace {

constexpr int chains = 16, threads = 512, steps = 2048;

/// Each chain takes the best of itself and of sums with its two neighbours.
template <class L> struct Chains {
  static constexpr double pairsPerStep = 2.0 * chains * L::perWord * threads;
  static __device__ void run(uint32_t (&c)[chains], uint32_t x, uint32_t y, uint32_t one) {
#pragma unroll
    for (int i = 0; i < chains; ++i)
      c[i] = L::extendTwice(i, c[i], c[(i + 1) % chains], x, c[(i + 2) % chains], y, one);
  }
};

/// Sums of the tensor cores, and the minimum of three that takes two of them.
struct TensorChains {
  static constexpr double pairsPerStep = 2.0 * chains * threads;
  static __device__ void run(uint32_t (&c)[chains], uint32_t &x, uint32_t y, uint32_t one) {
#pragma unroll
    for (int group = 0; group < chains; group += 4) {
      float sums[2][4];
      device::multiplyHalves(sums[0], x, y, one);
      device::multiplyHalves(sums[1], y, x, one);
#pragma unroll
      for (int e = 0; e < 4; ++e)
        c[group + e] =
            device::minOf3(__float_as_uint(sums[0][e]), __float_as_uint(sums[1][e]), c[group + e]);
      x += one;
    }
  }
};

template <class Work>
__global__ void __launch_bounds__(threads) chainKernel(const uint32_t *in, uint32_t *out) {
  uint32_t c[chains], x = in[0], y = in[1], one = in[2];
#pragma unroll
  for (int i = 0; i < chains; ++i)
    c[i] = in[3 + (threadIdx.x + i) % 32];
#pragma unroll 1
  for (int step = 0; step < steps; step += 4)
#pragma unroll
    for (int u = 0; u < 4; ++u)
      Work::run(c, x, y, one);
  uint32_t all = 0;
#pragma unroll
  for (int i = 0; i < chains; ++i)
    all ^= c[i];
  out[blockIdx.x * threads + threadIdx.x] = all;
}

template <class Work> double pairsPerSecond() {
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  const int blocks = processors * 2;
  uint32_t *in, *out;
  cudaMalloc(&in, 64 * 4);
  cudaMalloc(&out, size_t(blocks) * threads * 4);
  std::vector<uint32_t> host(64, 5);
  host[2] = 1;
  cudaMemcpy(in, host.data(), 64 * 4, cudaMemcpyHostToDevice);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times;
  for (int repeat = 0; repeat < 9; ++repeat) {
    cudaEventRecord(begin);
    for (int launch = 0; launch < 8; ++launch)
      chainKernel<Work><<<blocks, threads>>>(in, out);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds;
    cudaEventElapsedTime(&milliseconds, begin, end);
    times.push_back(milliseconds);
  }
  std::sort(times.begin(), times.end());
  cudaFree(in);
  cudaFree(out);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return 8 * Work::pairsPerStep * steps * blocks / (times[4] * 1e-3);
}

} // namespace

std::vector<Ceiling> measureCeilings() {
  using device::Lanes;
  constexpr auto any = WeightRange::Any, nonNegative = WeightRange::NonNegative;
  return {{"f32 any sign: add, min", pairsPerSecond<Chains<Lanes<MinPlus, float, any>>>()},
          {"f32 non-negative: 2 add, min of 3 bits",
           pairsPerSecond<Chains<Lanes<MinPlus, float, nonNegative>>>()},
          {"s32: add-min, 2 multiply-add and min of 3",
           pairsPerSecond<Chains<Lanes<MinPlus, int32_t, any>>>()},
          {"s16: add-min of two", pairsPerSecond<Chains<Lanes<MinPlus, int16_t, any>>>()},
          {"u16: as s32, of two", pairsPerSecond<Chains<Lanes<MinPlus, uint16_t, any>>>()},
          {"below 2^22: tensor cores, min of 3", pairsPerSecond<TensorChains>()}};
}

} // namespace stencilc::apsp::bench
