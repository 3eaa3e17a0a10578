// The second stream of Algorithm::Blocked.
#pragma once

#include "Apsp.h"

#include <cuda_runtime.h>

namespace stencilc::apsp::device {

/// A second stream on which Algorithm::Blocked closes the next pivots while the product of the
/// former ones is under way. It may serve any number of calls, one after another.
struct LookAhead {
  cudaStream_t stream = nullptr;
  cudaEvent_t crossMade = nullptr, pivotsClosed = nullptr;
};

inline void destroyLookAhead(LookAhead &ahead) {
  if (ahead.crossMade)
    cudaEventDestroy(ahead.crossMade);
  if (ahead.pivotsClosed)
    cudaEventDestroy(ahead.pivotsClosed);
  if (ahead.stream)
    cudaStreamDestroy(ahead.stream);
  ahead = {};
}

inline Status createLookAhead(LookAhead &ahead) {
  ahead = {};
  int lowest, highest;
  if (cudaDeviceGetStreamPriorityRange(&lowest, &highest) == cudaSuccess &&
      cudaStreamCreateWithPriority(&ahead.stream, cudaStreamNonBlocking, highest) == cudaSuccess &&
      cudaEventCreateWithFlags(&ahead.crossMade, cudaEventDisableTiming) == cudaSuccess &&
      cudaEventCreateWithFlags(&ahead.pivotsClosed, cudaEventDisableTiming) == cudaSuccess)
    return Status::Ok;
  destroyLookAhead(ahead);
  return Status::LaunchFailed;
}

} // namespace stencilc::apsp::device
