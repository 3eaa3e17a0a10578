#include "test/harness/Streams.h"

#include <deque>
#include <random>
#include <vector>

namespace stencilc::harness {

namespace {

/// What a stream has to do, as soon as `event` was passed so many times.
struct Work {
  cudaEvent_t event = nullptr;
  uint64_t passed = 0;
  std::function<cudaError_t()> act;

  bool isReady() const { return !event || event->passed >= passed; }
};

struct Queue {
  cudaStream_t stream;
  std::deque<Work> works;
};

StreamOrder order = StreamOrder::AsCalled;
std::mt19937_64 random;
std::vector<Queue> queues = {{nullptr, {}}}; ///< in the order of creation

void push(cudaStream_t stream, Work work) {
  for (Queue &queue : queues)
    if (queue.stream == stream)
      queue.works.push_back(std::move(work));
}

Queue *next() {
  std::vector<Queue *> ready;
  for (Queue &queue : queues)
    if (!queue.works.empty() && queue.works.front().isReady())
      ready.push_back(&queue);
  if (ready.empty())
    return nullptr;
  switch (order) {
  case StreamOrder::AsCalled:
  case StreamOrder::CreatedFirst:
    return ready.front();
  case StreamOrder::CreatedLast:
    return ready.back();
  case StreamOrder::Random:
    return ready[random() % ready.size()];
  }
  return nullptr;
}

} // namespace

void setStreamOrder(StreamOrder newOrder, uint64_t seed) {
  order = newOrder;
  random.seed(seed);
}

bool schedulesStreams() { return order != StreamOrder::AsCalled; }

void enqueue(const cudaLaunchConfig_t &config, std::function<void()> thread, char *sharedBegin,
             char *sharedEnd) {
  push(config.stream,
       {nullptr, 0, [=]() mutable {
          return launch(
              config, [](void *closure) { (*static_cast<std::function<void()> *>(closure))(); },
              &thread, sharedBegin, sharedEnd);
        }});
}

cudaError_t runStreams() {
  cudaError_t result = cudaSuccess;
  while (Queue *queue = next()) {
    const cudaError_t error = queue->works.front().act();
    queue->works.pop_front();
    result = result == cudaSuccess ? error : result;
  }
  for (Queue &queue : queues) {
    if (!queue.works.empty())
      result = cudaErrorInvalidValue;
    queue.works.clear();
  }
  return result;
}

} // namespace stencilc::harness

using namespace stencilc::harness;

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  *stream = new CUstream_st;
  queues.push_back({*stream, {}});
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const cudaError_t error = runStreams();
  std::erase_if(queues, [&](const Queue &queue) { return queue.stream == stream; });
  delete stream;
  return error;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const uint64_t number = ++event->recorded;
  const auto pass = [=] {
    event->time = std::chrono::steady_clock::now();
    event->passed = number;
    return cudaSuccess;
  };
  if (!schedulesStreams())
    return pass();
  push(stream, {nullptr, 0, pass});
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (schedulesStreams())
    push(stream, {event, event->recorded, [] { return cudaSuccess; }});
  return cudaSuccess;
}
