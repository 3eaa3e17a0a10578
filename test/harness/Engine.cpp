// The fibre engine: runs the threads of a block between barriers in a chosen order.
//
// A runner is a fibre that starts one thread after another for as long as they end without meeting
// a barrier, so a kernel without barriers costs one switch a block. A thread that meets a barrier
// keeps its runner, suspended, and the engine takes another one for the threads not yet started.
#include "test/harness/Engine.h"

#include "test/harness/cuda_runtime.h"

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace stencilc::harness {
namespace {

using boost::context::fiber;

class Engine {
public:
  Engine();
  void setOrder(ThreadOrder newOrder, uint64_t seed) {
    order = newOrder;
    random = seed;
  }
  void runGrid(const cudaLaunchConfig_t &config, void (*function)(void *), void *argument,
               char *sharedBegin, char *sharedEnd);
  void waitAtBarrier(int line);
  std::optional<ThreadPlace> place() const;
  unsigned launchCount() const { return launches; }
  std::span<const char> shared() const { return tiles; }

private:
  struct Waiter {
    unsigned thread;
    int line; ///< of the barrier
    fiber runner;
  };

  fiber makeRunner();
  void enter(unsigned thread);
  void resume(fiber runner);
  void runBlock();
  void checkBarrier() const;
  template <class T> void arrange(std::vector<T> &items);

  ThreadOrder order = ThreadOrder::Ascending;
  uint64_t random = 0;

  void (*function)(void *) = nullptr;
  void *argument = nullptr;
  std::vector<uint3> indices;   ///< threadIdx by thread number
  std::vector<unsigned> starts; ///< thread numbers, in the order in which they start
  size_t started = 0, ended = 0;
  unsigned current = 0; ///< thread that runs
  unsigned launches = 0, block = 0, interval = 0;
  bool runs = false; ///< a kernel
  std::span<const char> tiles;
  int barrierLine = 0; ///< where the current thread waits; 0: nowhere
  fiber home;          ///< the engine itself, while a runner runs
  std::vector<fiber> idle;
  std::vector<Waiter> waiters;
};

Engine::Engine() {
  const char *name = std::getenv("STENCILC_THREAD_ORDER");
  if (!name)
    return;
  if (!std::strcmp(name, "descending"))
    order = ThreadOrder::Descending;
  else if (!std::strcmp(name, "random"))
    order = ThreadOrder::Random;
}

fiber Engine::makeRunner() {
  return fiber(std::allocator_arg, boost::context::fixedsize_stack(64 * 1024),
               [this](fiber &&engine) {
                 home = std::move(engine);
                 for (;;) {
                   while (started < starts.size()) {
                     enter(starts[started++]);
                     function(argument);
                     ++ended;
                   }
                   home = std::move(home).resume();
                 }
                 return fiber();
               });
}

void Engine::enter(unsigned thread) {
  current = thread;
  threadIdx = indices[thread];
}

/// Runs a runner until it has nothing to do or its thread waits at a barrier.
void Engine::resume(fiber runner) {
  barrierLine = 0;
  runner = std::move(runner).resume();
  if (barrierLine != 0)
    waiters.push_back({current, barrierLine, std::move(runner)});
  else
    idle.push_back(std::move(runner));
}

void Engine::waitAtBarrier(int line) {
  barrierLine = line;
  home = std::move(home).resume();
}

/// Brings items that stand in ascending order, or in any order a former call left, into the order
/// of execution.
template <class T> void Engine::arrange(std::vector<T> &items) {
  if (order != ThreadOrder::Random)
    return;
  for (size_t i = items.size(); i > 1; --i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    std::swap(items[i - 1], items[(random >> 33) % i]);
  }
}

void Engine::checkBarrier() const {
  auto fail = [](const char *what, unsigned thread) {
    std::fprintf(stderr, "harness: barrier in divergent control flow: block (%u, %u, %u): %s %u\n",
                 blockIdx.x, blockIdx.y, blockIdx.z, what, thread);
    std::abort();
  };
  if (ended != 0)
    fail("some threads ended while others wait, the first of them thread", waiters[0].thread);
  for (const Waiter &waiter : waiters)
    if (waiter.line != waiters[0].line)
      fail("threads wait at different barriers, one of them thread", waiter.thread);
}

void Engine::runBlock() {
  started = ended = 0;
  interval = 0;
  arrange(starts);
  while (started < starts.size()) {
    fiber runner;
    if (idle.empty()) {
      runner = makeRunner();
    } else {
      runner = std::move(idle.back());
      idle.pop_back();
    }
    resume(std::move(runner));
  }
  while (!waiters.empty()) {
    checkBarrier();
    ++interval;
    std::vector<Waiter> ready;
    ready.swap(waiters);
    arrange(ready);
    for (Waiter &waiter : ready) {
      enter(waiter.thread);
      resume(std::move(waiter.runner));
    }
  }
}

void Engine::runGrid(const cudaLaunchConfig_t &config, void (*newFunction)(void *),
                     void *newArgument, char *sharedBegin, char *sharedEnd) {
  function = newFunction;
  argument = newArgument;
  gridDim = config.gridDim;
  blockDim = config.blockDim;
  tiles = {sharedBegin, sharedEnd};

  indices.clear();
  for (unsigned z = 0; z < blockDim.z; ++z)
    for (unsigned y = 0; y < blockDim.y; ++y)
      for (unsigned x = 0; x < blockDim.x; ++x)
        indices.push_back({x, y, z});
  starts.resize(indices.size());
  std::vector<unsigned> blocks(size_t(gridDim.x) * gridDim.y * gridDim.z);
  for (std::vector<unsigned> *numbers : {&starts, &blocks}) {
    std::iota(numbers->begin(), numbers->end(), 0);
    if (order == ThreadOrder::Descending)
      std::reverse(numbers->begin(), numbers->end());
  }
  arrange(blocks);

  runs = true;
  for (unsigned next : blocks) {
    block = next;
    blockIdx = {block % gridDim.x, block / gridDim.x % gridDim.y, block / gridDim.x / gridDim.y};
    // A NaN as an f32 and as an f64: what a tile holds before it is stored shows up.
    const uint32_t poison = 0x7ff4dead;
    for (char *word = sharedBegin; word + sizeof poison <= sharedEnd; word += sizeof poison)
      std::memcpy(word, &poison, sizeof poison);
    runBlock();
  }
  runs = false;
  ++launches;
}

std::optional<ThreadPlace> Engine::place() const {
  if (!runs)
    return std::nullopt;
  return ThreadPlace{launches, block, current, interval};
}

/// Never destroyed: suspended runners may outlive the statics of a loaded program.
Engine &engine() {
  static Engine *theEngine = new Engine;
  return *theEngine;
}

int launchesLeft = -1;

} // namespace

void setThreadOrder(ThreadOrder order, uint64_t seed) { engine().setOrder(order, seed); }

void failLaunchAfter(int count) { launchesLeft = count; }

std::optional<ThreadPlace> threadPlace() { return engine().place(); }

unsigned launchCount() { return engine().launchCount(); }

std::span<const char> sharedMemory() { return engine().shared(); }

void barrier(int line) { engine().waitAtBarrier(line); }

cudaError_t launch(const cudaLaunchConfig_t &config, void (*thread)(void *), void *closure,
                   char *sharedBegin, char *sharedEnd) {
  if (launchesLeft == 0)
    return cudaErrorInvalidConfiguration;
  if (launchesLeft > 0)
    --launchesLeft;
  const dim3 &grid = config.gridDim, &block = config.blockDim;
  const bool legal = grid.x >= 1 && grid.x <= 0x7fffffffu && grid.y >= 1 && grid.y <= 65535 &&
                     grid.z >= 1 && grid.z <= 65535 && block.x >= 1 && block.y >= 1 &&
                     block.z >= 1 && block.z <= 64 &&
                     uint64_t(block.x) * block.y * block.z <= 1024 && config.dynamicSmemBytes == 0;
  if (!legal)
    return cudaErrorInvalidConfiguration;
  engine().runGrid(config, thread, closure, sharedBegin, sharedEnd);
  return cudaSuccess;
}

} // namespace stencilc::harness
