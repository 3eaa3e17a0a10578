// Starting kernels, and cutting the caller's workspace into what they need.
#pragma once

#include "Intrinsics.h"
#include "LookAhead.h"

#include <cstddef>

namespace stencilc::apsp::device {

namespace detail {

/// Starts kernels, until one fails.
struct Launcher {
  cudaStream_t stream;
  Status status = Status::Ok;

  template <class... Parameters, class... Arguments>
  void operator()(void (*kernel)(Parameters...), dim3 grid, dim3 block, int sharedBytes,
                  Arguments... arguments) {
    if (status != Status::Ok)
      return;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.stream = stream;
#if defined(__CUDACC__)
    config.dynamicSmemBytes = sharedBytes;
    cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                         cudaSharedmemCarveoutMaxShared);
    if (sharedBytes > 48 * 1024)
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes);
#else
    (void)sharedBytes;
#endif
    if (cudaLaunchKernelEx(&config, kernel, arguments...) != cudaSuccess)
      status = Status::LaunchFailed;
  }
};

constexpr int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }
inline unsigned blocksFor(int64_t n, int64_t width) {
  return static_cast<unsigned>((n + width - 1) / width);
}

/// Cuts a workspace into parts; with a null workspace it only adds up.
class Parts {
public:
  explicit Parts(void *workspace) : begin(static_cast<char *>(workspace)) {}
  template <class T> T *take(int64_t count) {
    T *part = begin ? reinterpret_cast<T *>(begin + used) : nullptr;
    used += roundUp(count * int64_t(sizeof(T)), 256);
    return part;
  }
  size_t bytes() const { return static_cast<size_t>(used); }

private:
  char *begin;
  int64_t used = 0;
};

template <class T> struct Type {
  using type = T;
};

/// Whether four neighbouring elements of any row may be moved at once.
template <class T> bool movesInFours(const T *matrix, int64_t pitch) {
  return reinterpret_cast<uintptr_t>(matrix) % 16 == 0 && pitch * sizeof(T) % 16 == 0;
}

} // namespace detail

} // namespace stencilc::apsp::device
