// Declares what emitted text uses of CUDA, for type checks by clang in its real CUDA mode on a
// machine without a toolkit:
//   clang++-19 -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -I test/harness/typecheck
//       -fsyntax-only --cuda-device-only heat.cu        (and --cuda-host-only)
// Nothing here has a definition. Thread coordinates come from clang's own header.
#pragma once

// As the real one does, with all their macros.
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define __CUDACC__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

#include <__clang_cuda_builtin_vars.h>

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
};
using cudaStream_t = struct CUstream_st *;
using cudaEvent_t = struct CUevent_st *;
#include "../launch_attributes.h"
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               Arguments &&...arguments) {
  if (!config) // never run: it converts each argument as a launch does
    kernel(static_cast<Arguments &&>(arguments)...);
  return cudaSuccess;
}

enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
template <class Function>
cudaError_t cudaFuncSetAttribute(Function *kernel, cudaFuncAttribute attribute, int value);

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
};
extern "C" {
cudaError_t cudaGetLastError();
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
struct cudaDeviceProp {
  char name[256];
};
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void *memory, int value, size_t bytes);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
template <class T> cudaError_t cudaMalloc(T **memory, size_t bytes);

__device__ int min(int, int);
__device__ int max(int, int);
__device__ unsigned min(unsigned, unsigned);
__device__ unsigned max(unsigned, unsigned);
__device__ int64_t min(int64_t, int64_t);
__device__ int64_t max(int64_t, int64_t);

__device__ size_t __cvta_generic_to_shared(const void *);
template <class T> __device__ T __shfl_up_sync(unsigned lanes, T value, unsigned distance);
template <class T> __device__ T __ldg(const T *address);
template <class T> __device__ T __shfl_down_sync(unsigned lanes, T value, unsigned distance);

#include "../math_functions.h"

extern "C" {
__device__ double fmin(double, double) noexcept;
__device__ double fmax(double, double) noexcept;
__device__ float fminf(float, float) noexcept;
__device__ float fmaxf(float, float) noexcept;

__device__ double __dadd_rn(double, double);
__device__ double __dsub_rn(double, double);
__device__ double __dmul_rn(double, double);
__device__ double __ddiv_rn(double, double);
__device__ double __dsqrt_rn(double);
__device__ double __fma_rn(double, double, double);
__device__ float __fadd_rn(float, float);
__device__ float __fsub_rn(float, float);
__device__ float __fmul_rn(float, float);
__device__ float __fdiv_rn(float, float);
__device__ float __fsqrt_rn(float);
__device__ float __fmaf_rn(float, float, float);
__device__ float __double2float_rn(double);
}
