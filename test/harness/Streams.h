// Streams and events: the orders that work on several streams may run in.
//
// A device keeps the order of work on one stream, and lets a stream wait for an event of another;
// it promises nothing beyond that. So a program that forgets to wait is right in most runs. Here
// the order is chosen: a program that waits for all it must gives the same values under each of
// them.
#pragma once

#include "test/harness/cuda_runtime.h"

#include <chrono>
#include <cstdint>
#include <functional>

struct CUevent_st {
  std::chrono::steady_clock::time_point time;
  uint64_t recorded = 0; ///< times that it was recorded, and that such a record was come past
  uint64_t passed = 0;
};
struct CUstream_st {};

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);

namespace stencilc::harness {

/// AsCalled, the order at the start, does everything at the call. The others keep all work until
/// the program waits for the device, and then take it from whichever stream may go on: from those
/// created last first (as early as their waits allow), last, or by chance.
enum class StreamOrder { AsCalled, CreatedFirst, CreatedLast, Random };

/// To be called with no work kept.
void setStreamOrder(StreamOrder order, uint64_t seed = 0);

bool schedulesStreams();
/// Keeps what `launch` takes, until streams are run.
void enqueue(const cudaLaunchConfig_t &config, std::function<void()> thread, char *sharedBegin,
             char *sharedEnd);
/// Does all that is kept. Fails if a launch does, or if streams wait for each other.
cudaError_t runStreams();

} // namespace stencilc::harness
