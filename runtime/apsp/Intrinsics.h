// The machine's own instructions, each as a named function with a twin for the CPU.
//
// The twins serve kernels that run on the CPU, one fibre a thread, through a cuda_runtime.h that
// supplies threadIdx and a __syncthreads() at which fibres change. Where a twin needs values of
// other threads it meets them at such a barrier, so all threads of the block must call it. A twin
// of an asynchronous copy delivers only when it is waited for.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#define STENCILC_APSP_DEVICE __device__ __forceinline__
/// Dynamic shared memory of every kernel here.
extern __shared__ __align__(128) unsigned char stencilcApspShared[];
#else
#include <deque>
#include <vector>
#define STENCILC_APSP_DEVICE inline
/// Defined by whoever runs the kernels, as large as a block may ask for.
extern unsigned char stencilcApspShared[];
#endif

namespace stencilc::apsp::device {

/// The bits of a value as another type of the same size.
template <class To, class From> STENCILC_APSP_DEVICE To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

#if defined(__CUDACC__)

/// Begins to copy 16 bytes into shared memory, past the first cache.
STENCILC_APSP_DEVICE void copyAsync16(void *shared, const void *global) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<uint32_t>(__cvta_generic_to_shared(shared))),
               "l"(global));
}
/// Ends a group of copies.
STENCILC_APSP_DEVICE void commitCopies() { asm volatile("cp.async.commit_group;"); }
/// Waits until at most `pending` groups of this thread are under way.
template <int pending> STENCILC_APSP_DEVICE void waitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}
STENCILC_APSP_DEVICE void prefetchToL2(const void *global) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(global));
}

/// The value that a lane of the same group of `width` lanes holds.
template <class T> STENCILC_APSP_DEVICE T fromLane(T value, int lane, int width) {
  return __shfl_sync(~0u, value, lane, width);
}
/// Takes the next `count` places in a list that threads share; returns the first.
STENCILC_APSP_DEVICE uint32_t takePlaces(uint32_t *counter, uint32_t count) {
  return atomicAdd(counter, count);
}
STENCILC_APSP_DEVICE void addTo(uint32_t *counter, uint32_t amount) { atomicAdd(counter, amount); }
STENCILC_APSP_DEVICE void lowerTo(uint32_t *least, uint32_t value) { atomicMin(least, value); }
/// Most calls find the value there already, and then only read.
STENCILC_APSP_DEVICE void raiseTo(uint32_t *greatest, uint32_t value) {
  if (value > *static_cast<volatile uint32_t *>(greatest))
    atomicMax(greatest, value);
}
STENCILC_APSP_DEVICE int countBits(uint32_t word) { return __popc(word); }

/// min(a + b, c) in one instruction.
STENCILC_APSP_DEVICE uint32_t addMin(uint32_t a, uint32_t b, uint32_t c) {
  return __viaddmin_s32(a, b, c);
}
STENCILC_APSP_DEVICE uint32_t addMax(uint32_t a, uint32_t b, uint32_t c) {
  return __viaddmax_s32(a, b, c);
}
STENCILC_APSP_DEVICE uint32_t minOf3(uint32_t a, uint32_t b, uint32_t c) {
  return __vimin3_s32(a, b, c);
}
STENCILC_APSP_DEVICE uint32_t maxOf3(uint32_t a, uint32_t b, uint32_t c) {
  return __vimax3_s32(a, b, c);
}
STENCILC_APSP_DEVICE uint32_t addMinUnsigned(uint32_t a, uint32_t b, uint32_t c) {
  return __viaddmin_u32(a, b, c);
}
STENCILC_APSP_DEVICE uint32_t minOf3Unsigned(uint32_t a, uint32_t b, uint32_t c) {
  return __vimin3_u32(a, b, c);
}
/// The same on two 16-bit halves.
STENCILC_APSP_DEVICE uint32_t addMinU16x2(uint32_t a, uint32_t b, uint32_t c) {
  return __viaddmin_u16x2(a, b, c);
}
STENCILC_APSP_DEVICE uint32_t addMinS16x2(uint32_t a, uint32_t b, uint32_t c) {
  return __viaddmin_s16x2(a, b, c);
}
STENCILC_APSP_DEVICE uint32_t addMaxS16x2(uint32_t a, uint32_t b, uint32_t c) {
  return __viaddmax_s16x2(a, b, c);
}
STENCILC_APSP_DEVICE uint32_t minOf3U16x2(uint32_t a, uint32_t b, uint32_t c) {
  return __vimin3_u16x2(a, b, c);
}
STENCILC_APSP_DEVICE uint32_t minU16x2(uint32_t a, uint32_t b) { return __vminu2(a, b); }
STENCILC_APSP_DEVICE uint32_t maxU16x2(uint32_t a, uint32_t b) { return __vmaxu2(a, b); }
STENCILC_APSP_DEVICE uint32_t minS16x2(uint32_t a, uint32_t b) { return __vmins2(a, b); }
STENCILC_APSP_DEVICE uint32_t maxS16x2(uint32_t a, uint32_t b) { return __vmaxs2(a, b); }
STENCILC_APSP_DEVICE float least(float a, float b) { return fminf(a, b); }
STENCILC_APSP_DEVICE float greatest(float a, float b) { return fmaxf(a, b); }
STENCILC_APSP_DEVICE double least(double a, double b) { return fmin(a, b); }
STENCILC_APSP_DEVICE double greatest(double a, double b) { return fmax(a, b); }

/// a + b on the multiplier's pipe, with `one` == 1 known only at run time: the assembler cannot see
/// an addition, so it forms no add-min of it, and a minimum of three takes two such sums at once.
STENCILC_APSP_DEVICE uint32_t addOnMultiplier(uint32_t a, uint32_t b, uint32_t one) {
  uint32_t sum;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(one), "r"(b));
  return sum;
}
/// Where mask has ones the bits of a, elsewhere those of b.
STENCILC_APSP_DEVICE uint32_t selectBits(uint32_t mask, uint32_t a, uint32_t b) {
  uint32_t result;
  asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(result) : "r"(mask), "r"(a), "r"(b));
  return result;
}

/// Two integers up to 2048 as halves, the first one low.
STENCILC_APSP_DEVICE uint32_t packHalves(uint32_t low, uint32_t high) {
  return __half_as_ushort(__uint2half_rn(low)) | uint32_t(__half_as_ushort(__uint2half_rn(high)))
                                                     << 16;
}
/// The warp's product of a 16 x 8 and an 8 x 8 matrix of halves (m16n8k8), exact in float.
STENCILC_APSP_DEVICE void multiplyHalves(float (&d)[4], uint32_t a0, uint32_t a1, uint32_t b) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
      "{%7, %7, %7, %7};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a0), "r"(a1), "r"(b), "f"(0.f));
}

#else

namespace twin {

constexpr int maximumThreads = 1024;
inline int thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
inline void meet() { __syncthreads(); }

struct Copy {
  void *to;
  const void *from;
};
struct Copies {
  std::vector<Copy> open;
  std::deque<std::vector<Copy>> committed;
};
inline Copies copies[maximumThreads];

/// One 16-byte value of every thread.
inline uint64_t posted[maximumThreads][2];
template <class T> void post(T value, int slot = 0) {
  memcpy(&posted[thread()][slot], &value, sizeof value);
}
template <class T> T read(int thread, int slot = 0) {
  T value;
  memcpy(&value, &posted[thread][slot], sizeof value);
  return value;
}

template <class Lane, class Operation>
uint32_t onHalves(uint32_t a, uint32_t b, uint32_t c, Operation operation) {
  auto half = [&](uint32_t word, int shift) { return static_cast<Lane>(word >> shift); };
  uint32_t result = 0;
  for (int shift : {0, 16}) {
    const Lane lane = operation(half(a, shift), half(b, shift), half(c, shift));
    result |= uint32_t(static_cast<uint16_t>(lane)) << shift;
  }
  return result;
}

inline float halfToFloat(uint32_t half) {
  const uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
  return exponent == 0 ? 0.f : bitCast<float>((exponent + 112) << 23 | fraction << 13);
}
inline uint32_t floatToHalf(float value) {
  const uint32_t bits = bitCast<uint32_t>(value);
  return value == 0.f ? 0 : ((bits >> 23) - 112) << 10 | (bits >> 13 & 1023);
}

} // namespace twin

inline void copyAsync16(void *shared, const void *global) {
  twin::copies[twin::thread()].open.push_back({shared, global});
}
inline void commitCopies() {
  twin::Copies &mine = twin::copies[twin::thread()];
  mine.committed.push_back(std::move(mine.open));
  mine.open.clear();
}
template <int pending> void waitForCopies() {
  twin::Copies &mine = twin::copies[twin::thread()];
  for (; mine.committed.size() > size_t(pending); mine.committed.pop_front())
    for (const twin::Copy &copy : mine.committed.front())
      memcpy(copy.to, copy.from, 16);
}
inline void prefetchToL2(const void *) {}

template <class T> T fromLane(T value, int lane, int width) {
  twin::post(value);
  twin::meet();
  const T result = twin::read<T>(twin::thread() / width * width + lane);
  twin::meet();
  return result;
}
inline uint32_t takePlaces(uint32_t *counter, uint32_t count) {
  const uint32_t first = *counter;
  *counter += count;
  return first;
}
inline void addTo(uint32_t *counter, uint32_t amount) { *counter += amount; }
inline void lowerTo(uint32_t *least, uint32_t value) { *least = min(*least, value); }
inline void raiseTo(uint32_t *greatest, uint32_t value) { *greatest = max(*greatest, value); }
inline int countBits(uint32_t word) { return __builtin_popcount(word); }
inline void __threadfence() {}

inline uint32_t minOf3(uint32_t a, uint32_t b, uint32_t c) {
  return min(int(a), min(int(b), int(c)));
}
inline uint32_t maxOf3(uint32_t a, uint32_t b, uint32_t c) {
  return max(int(a), max(int(b), int(c)));
}
inline uint32_t addMin(uint32_t a, uint32_t b, uint32_t c) { return min(int(a + b), int(c)); }
inline uint32_t addMax(uint32_t a, uint32_t b, uint32_t c) { return max(int(a + b), int(c)); }
inline uint32_t minOf3Unsigned(uint32_t a, uint32_t b, uint32_t c) { return min(a, min(b, c)); }
inline uint32_t addMinUnsigned(uint32_t a, uint32_t b, uint32_t c) { return min(a + b, c); }
inline uint32_t addMinU16x2(uint32_t a, uint32_t b, uint32_t c) {
  return twin::onHalves<uint16_t>(a, b, c,
                                  [](int x, int y, int z) { return min(int(uint16_t(x + y)), z); });
}
inline uint32_t addMinS16x2(uint32_t a, uint32_t b, uint32_t c) {
  return twin::onHalves<int16_t>(a, b, c,
                                 [](int x, int y, int z) { return min(int(int16_t(x + y)), z); });
}
inline uint32_t addMaxS16x2(uint32_t a, uint32_t b, uint32_t c) {
  return twin::onHalves<int16_t>(a, b, c,
                                 [](int x, int y, int z) { return max(int(int16_t(x + y)), z); });
}
inline uint32_t minOf3U16x2(uint32_t a, uint32_t b, uint32_t c) {
  return twin::onHalves<uint16_t>(a, b, c, [](int x, int y, int z) { return min(x, min(y, z)); });
}
inline uint32_t minU16x2(uint32_t a, uint32_t b) { return minOf3U16x2(a, b, b); }
inline uint32_t maxU16x2(uint32_t a, uint32_t b) {
  return twin::onHalves<uint16_t>(a, b, b, [](int x, int y, int) { return max(x, y); });
}
inline uint32_t minS16x2(uint32_t a, uint32_t b) {
  return twin::onHalves<int16_t>(a, b, b, [](int x, int y, int) { return min(x, y); });
}
inline uint32_t maxS16x2(uint32_t a, uint32_t b) {
  return twin::onHalves<int16_t>(a, b, b, [](int x, int y, int) { return max(x, y); });
}
template <class T> T least(T a, T b) { return b < a ? b : a; }
template <class T> T greatest(T a, T b) { return b > a ? b : a; }

inline uint32_t addOnMultiplier(uint32_t a, uint32_t b, uint32_t one) { return a * one + b; }
inline uint32_t selectBits(uint32_t mask, uint32_t a, uint32_t b) {
  return (mask & a) | (~mask & b);
}
inline uint32_t packHalves(uint32_t low, uint32_t high) {
  return twin::floatToHalf(low) | twin::floatToHalf(high) << 16;
}
inline void multiplyHalves(float (&d)[4], uint32_t a0, uint32_t a1, uint32_t b) {
  twin::post(uint64_t(a1) << 32 | a0, 0);
  twin::post(b, 1);
  twin::meet();
  const int warp = twin::thread() / 32 * 32, group = twin::thread() % 32 / 4,
            quarter = twin::thread() % 4;
  for (int e = 0; e < 4; ++e) {
    const int column = 2 * quarter + e % 2;
    d[e] = 0;
    for (int k = 0; k < 8; ++k) {
      const uint64_t left = twin::read<uint64_t>(warp + group * 4 + k / 2, 0) >> (32 * (e / 2));
      const uint32_t right = twin::read<uint32_t>(warp + column * 4 + k / 2, 1);
      d[e] += twin::halfToFloat(uint32_t(left) >> (16 * (k % 2)) & 0xffff) *
              twin::halfToFloat(right >> (16 * (k % 2)) & 0xffff);
    }
  }
  twin::meet();
}

#endif

} // namespace stencilc::apsp::device
