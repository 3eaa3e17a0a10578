// Lets the unmodified text of a .cu file compile as C++20 and run on the CPU.
//
// It stands in for CUDA's header of the same name when this folder is on the include path:
//   clang++-19 -x c++ -std=c++20 -ffp-contract=off -I test/harness -c heat.cu
// The file must be linked with Engine.cpp, which runs the threads of a block as fibres, one block
// or cluster at a time. Only what emitted text may use is here, and no standard C++ header is
// included: this is compiled once per program of the random tests.
//
// Shared arrays lie in one section of the object file, so that the engine can poison them before
// each block: those of this text alone where Clang compiles it, else those of the whole program.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ static __attribute__((section("stencilc_shared")))

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

// ---- launching --------------------------------------------------------------------------------

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
};
using cudaStream_t = struct CUstream_st *;
#include "launch_attributes.h"
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes = 0;
  cudaStream_t stream = nullptr;
  cudaLaunchAttribute *attrs = nullptr;
  unsigned numAttrs = 0;
};

extern "C" {
#ifdef __clang__
// Clang puts what stands here before all that it makes of the text; a later subsection ends the
// part of the section that is this text's.
asm(".pushsection stencilc_shared, \"aw\", @progbits\n.p2align 4\nthe_shared_begin:\n.popsection\n"
    ".pushsection stencilc_shared, 1, \"aw\", @progbits\nthe_shared_end:\n.popsection");
extern char shared_begin[] asm("the_shared_begin") __attribute__((visibility("hidden")));
extern char shared_end[] asm("the_shared_end") __attribute__((visibility("hidden")));
#else
// From the linker; null where there is no such section.
extern char shared_begin[] asm("__start_stencilc_shared")
    __attribute__((weak, visibility("hidden")));
extern char shared_end[] asm("__stop_stencilc_shared") __attribute__((weak, visibility("hidden")));
#endif
}

namespace stencilc::harness {
/// Calls `thread(closure)` once for every thread of the grid.
cudaError_t launch(const cudaLaunchConfig_t &config, void (*thread)(void *), void *closure,
                   char *sharedBegin, char *sharedEnd);
/// Returns when every thread of the block has called it from the same line.
void barrier(int line);
/// Returns when `threads` threads of the block have called it with this number.
void barrierOf(unsigned number, unsigned threads, int line);
/// The bits that the lane at this distance hands on; all lanes of the warp call it together.
uint64_t shuffle(uint64_t bits, int distance, int line);
/// What the launch asks for beside static tiles.
unsigned char *dynamicSharedMemory();
/// Bytes arrive when the thread waits for their batch and are poison until then.
void copyAsync(void *to, const void *from, size_t bytes);
void commitCopies();
void waitCopies(unsigned pending);
/// Of blocks of a cluster: bytes arrive at the same place of the other block's shared memory when
/// it awaits their message. All lanes of a warp await it together.
void send(void *to, const void *from, size_t bytes, int message);
void await(int message, size_t bytes, int line);
} // namespace stencilc::harness

inline unsigned char *shared_memory() { return stencilc::harness::dynamicSharedMemory(); }

// What emitted text calls where blocks send each other rows of their tiles.
inline void open_mail(unsigned long long *) {}
template <int kLanes, class T>
void send_row(T *to, const T *from, unsigned long long *, int message) {
  stencilc::harness::send(to, from, kLanes * sizeof(T), message);
}
#define await_mail(mail, message, bytes) stencilc::harness::await(message, bytes, __LINE__)

// Static: another text's has other ends.
template <class... Parameters, class... Arguments>
static cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                      void (*kernel)(Parameters...), Arguments &&...arguments) {
  auto thread = [&] { kernel(arguments...); };
  return stencilc::harness::launch(
      *config, [](void *closure) { (*static_cast<decltype(thread) *>(closure))(); }, &thread,
      shared_begin, shared_end);
}

#define __syncthreads() stencilc::harness::barrier(__LINE__)
#define __barrier_sync_count(number, threads)                                                      \
  stencilc::harness::barrierOf(number, threads, __LINE__)
#define __shfl_up_sync(lanes, value, distance)                                                     \
  stencilc::harness::shuffled(value, -int(distance), __LINE__)
#define __shfl_down_sync(lanes, value, distance)                                                   \
  stencilc::harness::shuffled(value, int(distance), __LINE__)

namespace stencilc::harness {
template <class T> T shuffled(T value, int distance, int line) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = shuffle(bits, distance, line);
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
} // namespace stencilc::harness

enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
template <class Kernel> cudaError_t cudaFuncSetAttribute(Kernel *, cudaFuncAttribute, int bytes) {
  return bytes <= 232448 ? cudaSuccess : cudaErrorInvalidValue;
}

// ---- the runtime, as far as stand-alone programs use it ----------------------------------------

using cudaEvent_t = struct CUevent_st *;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
};
cudaError_t cudaGetLastError();
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
struct cudaDeviceProp {
  char name[256];
};
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaMalloc(void **memory, size_t bytes);
template <class T> cudaError_t cudaMalloc(T **memory, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void **>(memory), bytes);
}
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void *memory, int value, size_t bytes);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);

// ---- device functions --------------------------------------------------------------------------

#include "math_functions.h"

// Kernels stand in the unnamed namespace, where these hide the C library's functions of the same
// names: unlike those, the device's ignore a NaN and put -0 below +0.
namespace {

template <class T> inline T deviceMinimum(T a, T b) {
  if (a != a || b != b)
    return a != a ? b : a;
  if (a == b)
    return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T> inline T deviceMaximum(T a, T b) { return -deviceMinimum(-a, -b); }

inline double fmin(double a, double b) { return deviceMinimum(a, b); }
inline double fmax(double a, double b) { return deviceMaximum(a, b); }
inline float fminf(float a, float b) { return deviceMinimum(a, b); }
inline float fmaxf(float a, float b) { return deviceMaximum(a, b); }

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
inline int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }

template <class T> T __ldg(const T *address) { return *address; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double a) { return sqrt(a); }
inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fsqrt_rn(float a) { return sqrtf(a); }
inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline float __double2float_rn(double a) { return static_cast<float>(a); }

} // namespace
