// How many (extend, select) pairs a second the arithmetic alone allows: everything in registers,
// with nothing to load.
#include "Ceilings.h"

#include "runtime/apsp/Intrinsics.h"

#include <algorithm>
#include <vector>

namespace stencilc::apsp::bench {
namespace {

constexpr int chains = 16, steps = 4096;

/// What a chain adds and compares with; `one` is 1.
struct Operands {
  uint32_t x, y, z, w, one;
};

// Steps of a chain c beside its neighbour n, each with the pairs that it does.

struct AddMin {
  static constexpr double pairs = 1;
  static __device__ uint32_t step(uint32_t c, uint32_t, const Operands &o) {
    return __float_as_uint(fminf(__uint_as_float(c) + __uint_as_float(o.x), __uint_as_float(o.y)));
  }
};
struct TwoAddMinOfBits {
  static constexpr double pairs = 2;
  static __device__ uint32_t step(uint32_t c, uint32_t n, const Operands &o) {
    return device::minOf3(__float_as_uint(__uint_as_float(c) + __uint_as_float(o.x)),
                          __float_as_uint(__uint_as_float(n) + __uint_as_float(o.w)), o.y);
  }
};
struct FusedS32 {
  static constexpr double pairs = 1;
  static __device__ uint32_t step(uint32_t c, uint32_t, const Operands &o) {
    return device::addMin(c, o.x, o.y);
  }
};
struct MixedS32 {
  static constexpr double pairs = 3;
  static __device__ uint32_t step(uint32_t c, uint32_t n, const Operands &o) {
    const uint32_t two = device::minOf3(device::addOnMultiplier(c, o.x, o.one),
                                        device::addOnMultiplier(n, o.w, o.one), o.y);
    return device::addMin(two, o.z, o.w);
  }
};
struct FusedS16 {
  static constexpr double pairs = 2;
  static __device__ uint32_t step(uint32_t c, uint32_t, const Operands &o) {
    return device::addMinS16x2(c, o.x, o.y);
  }
};
struct MixedU16 {
  static constexpr double pairs = 6;
  static __device__ uint32_t step(uint32_t c, uint32_t n, const Operands &o) {
    const uint32_t two = device::minOf3U16x2(device::addOnMultiplier(c, o.x, o.one),
                                             device::addOnMultiplier(n, o.w, o.one), o.y);
    return device::addMinU16x2(two, o.z, o.w);
  }
};

template <class Step> struct Chains {
  static constexpr int threads = 512, blocksPerSm = 2;
  static constexpr double pairs = Step::pairs * chains * threads * steps;

  static __device__ uint32_t run(const uint32_t *in, uint32_t one) {
    Operands operands = {in[0], in[1], in[2], in[3], one};
    uint32_t c[chains];
#pragma unroll
    for (int i = 0; i < chains; ++i)
      c[i] = in[(threadIdx.x + i) % 32];
#pragma unroll 1
    for (int step = 0; step < steps; step += 8)
#pragma unroll
      for (int u = 0; u < 8; ++u)
#pragma unroll
        for (int i = 0; i < chains; ++i)
          c[i] = Step::step(c[i], c[(i + 1) % chains], operands);
    uint32_t all = 0;
#pragma unroll
    for (uint32_t word : c)
      all ^= word;
    return all;
  }
};

/// Sums of the tensor cores, and the minimum of three that takes two of them.
struct TensorLoop {
  static constexpr int threads = 128, blocksPerSm = 3;
  static constexpr double pairs = 64.0 * threads * steps;

  static __device__ uint32_t run(const uint32_t *in, uint32_t one) {
    uint32_t best[2][8][4], left[2][4], right[2][8];
#pragma unroll
    for (int q = 0; q < 8; ++q)
#pragma unroll
      for (int u = 0; u < 2; ++u) {
        right[u][q] = in[(threadIdx.x + 5 * q + u) % 32];
        left[u][q % 4] = in[(threadIdx.x + q + 3 * u) % 32];
#pragma unroll
        for (int e = 0; e < 4; ++e)
          best[u][q][e] = in[(threadIdx.x + q * e) % 32];
      }
#pragma unroll 1
    for (int step = 0; step < steps; step += 2) {
#pragma unroll
      for (int q = 0; q < 8; ++q)
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          float sums[2][4];
          device::multiplyHalves(sums[0], left[0][2 * i], left[0][2 * i + 1], right[0][q]);
          device::multiplyHalves(sums[1], left[1][2 * i], left[1][2 * i + 1], right[1][q]);
#pragma unroll
          for (int e = 0; e < 4; ++e)
            best[i][q][e] = device::minOf3(__float_as_uint(sums[0][e]), __float_as_uint(sums[1][e]),
                                           best[i][q][e]);
        }
#pragma unroll
      for (int i = 0; i < 4; ++i) // no product can be kept
        left[0][i] += one, left[1][i] += one;
    }
    uint32_t all = 0;
#pragma unroll
    for (int q = 0; q < 8; ++q)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        all ^= best[0][q][e] ^ best[1][q][e];
    return all;
  }
};

template <class Work>
__global__ void __launch_bounds__(Work::threads, Work::blocksPerSm)
    runOnce(const uint32_t *in, uint32_t *out) {
  out[blockIdx.x * Work::threads + threadIdx.x] = Work::run(in + 1, in[0]);
}

template <class Work> double pairsPerSecond() {
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  const int blocks = processors * Work::blocksPerSm;
  uint32_t *in, *out;
  cudaMalloc(&in, 64 * 4);
  cudaMalloc(&out, size_t(blocks) * Work::threads * 4);
  std::vector<uint32_t> host(64, 5);
  host[0] = 1;
  cudaMemcpy(in, host.data(), 64 * 4, cudaMemcpyHostToDevice);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times;
  for (int repeat = 0; repeat < 9; ++repeat) {
    cudaEventRecord(begin);
    for (int launch = 0; launch < 8; ++launch)
      runOnce<Work><<<blocks, Work::threads>>>(in, out);
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
  return 8 * Work::pairs * blocks / (times[4] * 1e-3);
}

} // namespace

std::vector<Ceiling> measureCeilings() {
  return {{"f32 any sign: add, min", pairsPerSecond<Chains<AddMin>>()},
          {"f32 non-negative: 2 add, min of 3 bits", pairsPerSecond<Chains<TwoAddMinOfBits>>()},
          {"s32: add-min", pairsPerSecond<Chains<FusedS32>>()},
          {"s32: 2 multiply-add, min of 3; add-min", pairsPerSecond<Chains<MixedS32>>()},
          {"s16: add-min of two", pairsPerSecond<Chains<FusedS16>>()},
          {"u16: as s32, of two", pairsPerSecond<Chains<MixedU16>>()},
          {"below 2^22: tensor cores, min of 3", pairsPerSecond<TensorLoop>()}};
}

} // namespace stencilc::apsp::bench
