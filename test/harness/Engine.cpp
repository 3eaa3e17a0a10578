// The fibre engine: runs the threads of a block between barriers in a chosen order.
//
// A runner is a fibre that starts one thread after another for as long as they end without meeting
// a gate, so a kernel without barriers costs one switch a block. A thread that meets a gate keeps
// its runner, suspended, and the engine takes another one for the threads not yet started. A gate
// is a barrier of the block or of some of its warps, or a shuffle of one warp; it opens when all
// threads it counts have come.
#include "test/harness/FibreEngine.h"

#include <boost/context/fixedsize_stack.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace stencilc::harness {

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

/// Runs a runner until it has nothing to do or its thread waits at a gate.
void Engine::resume(fiber runner) {
  arrived.reset();
  runner = std::move(runner).resume();
  if (!arrived)
    return idle.push_back(std::move(runner));
  arrived->runner = std::move(runner);
  waiters.push_back(std::move(*arrived));
}

void Engine::wait(unsigned gate, unsigned threads, int line) {
  arrived = Waiter{current, gate, threads, line, {}};
  home = std::move(home).resume();
}

void Engine::waitAtBarrier(unsigned number, unsigned threads, int line) {
  wait(number, threads ? threads : indices.size(), line);
}

uint64_t Engine::shuffle(uint64_t bits, int distance, int line) {
  const unsigned thread = current, warp = thread / kLanes;
  exchanged[thread] = {bits, distance};
  wait(kBarriers + warp, std::min<size_t>(kLanes, indices.size() - warp * kLanes), line);
  return exchanged[thread].bits;
}

/// Hands on what the lanes of a warp brought.
void Engine::exchange(unsigned warp) {
  const int first = warp * kLanes;
  const std::vector<Exchange> brought(exchanged.begin() + first,
                                      exchanged.begin() +
                                          std::min<size_t>(first + kLanes, exchanged.size()));
  for (int lane = 0; lane < int(brought.size()); ++lane) {
    const int partner = lane + brought[lane].distance;
    if (partner >= 0 && partner < int(brought.size()))
      exchanged[first + lane].bits = brought[partner].bits;
  }
}

/// A NaN as an f32 and as an f64.
constexpr uint32_t kPoison = 0x7ff4dead;

void poison(char *begin, const char *end) {
  for (; begin + sizeof kPoison <= end; begin += sizeof kPoison)
    std::memcpy(begin, &kPoison, sizeof kPoison);
}

void Engine::copyAsync(void *to, const void *from, size_t bytes) {
  if ((bytes != 4 && bytes != 8 && bytes != 16) || uintptr_t(to) % bytes || uintptr_t(from) % bytes)
    fail("an asynchronous copy is not aligned to its size, in thread", current);
  const char *source = static_cast<const char *>(from);
  copies[current].open.push_back({to, {source, source + bytes}});
  poison(static_cast<char *>(to), static_cast<char *>(to) + bytes);
}

void Engine::commitCopies() {
  copies[current].batches.push_back(std::exchange(copies[current].open, {}));
}

void Engine::waitCopies(unsigned pending) {
  std::deque<std::vector<Copy>> &batches = copies[current].batches;
  for (; batches.size() > pending; batches.pop_front())
    for (const Copy &copy : batches.front())
      std::memcpy(copy.to, copy.bytes.data(), copy.bytes.size());
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

void Engine::fail(const char *what, unsigned thread) const {
  std::fprintf(stderr, "harness: block (%u, %u, %u): %s %u\n", blockIdx.x, blockIdx.y, blockIdx.z,
               what, thread);
  std::abort();
}

/// The threads at a gate to which all have come, in the order of execution among such gates.
std::vector<Engine::Waiter> Engine::openGate() {
  std::map<unsigned, unsigned> here;
  for (const Waiter &waiter : waiters)
    ++here[waiter.gate];
  std::vector<unsigned> open;
  for (const Waiter &waiter : waiters)
    if (here[waiter.gate] == waiter.threads && isOpen(waiter.gate) &&
        std::find(open.begin(), open.end(), waiter.gate) == open.end())
      open.push_back(waiter.gate);
  const auto awaitsMail = [](const Waiter &waiter) { return waiter.gate >= kMail; };
  if (open.empty() && std::any_of(waiters.begin(), waiters.end(), awaitsMail))
    return {};
  if (open.empty())
    fail(ended ? "barrier in divergent control flow: some threads ended while others wait, the "
                 "first of them thread"
               : "barrier in divergent control flow: threads wait for each other, the first of "
                 "them thread",
         waiters[0].thread);
  arrange(open);
  const unsigned gate = open.front();
  std::vector<Waiter> ready;
  for (Waiter &waiter : waiters)
    if (waiter.gate == gate)
      ready.push_back(std::move(waiter));
  std::erase_if(waiters, [&](const Waiter &waiter) { return waiter.gate == gate; });
  // Warps with roles of their own meet at a numbered barrier from different lines.
  for (const Waiter &waiter : ready)
    if ((gate == 0 || gate >= kBarriers) && waiter.line != ready[0].line)
      fail("barrier in divergent control flow: threads wait at different barriers, one of them "
           "thread",
           waiter.thread);
  if (gate >= kMail)
    takeMail(gate - kMail);
  else if (gate >= kBarriers)
    exchange(gate - kBarriers);
  else
    ++interval;
  return ready;
}

/// A block begins, with nothing in its tiles.
void Engine::begin(unsigned number) {
  block = number;
  wasRun[number] = true;
  blockIdx = {block % gridDim.x, block / gridDim.x % gridDim.y, block / gridDim.x / gridDim.y};
  // What a tile holds before it is stored shows up.
  poison(tiles.data(), tiles.data() + tiles.size());
  poison(reinterpret_cast<char *>(requested), reinterpret_cast<char *>(requested) + requestedBytes);
  started = ended = 0;
  interval = 0;
  exchanged.assign(starts.size(), {});
  copies.assign(starts.size(), {});
  awaited.assign((starts.size() + kLanes - 1) / kLanes, {});
  arrange(starts);
}

/// Starts all threads.
void Engine::start() {
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
}

/// Runs all threads until they have ended, or wait for the other block of a cluster. False if none
/// did anything.
bool Engine::goOn() {
  bool moved = false;
  while (!waiters.empty()) {
    std::vector<Waiter> ready = openGate();
    if (ready.empty())
      break;
    moved = true;
    arrange(ready);
    for (Waiter &waiter : ready) {
      enter(waiter.thread);
      resume(std::move(waiter.runner));
    }
  }
  return moved;
}

/// Runs a block, and with it the one that sends it what it awaits.
void Engine::runBlock(unsigned number) {
  partner = {};
  begin(number);
  start();
  goOn();
  if (!waiters.empty())
    runPartners();
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
  requestedBytes = config.dynamicSmemBytes;
  wasRun.assign(blocks.size(), false);
  for (unsigned next : blocks) {
    if (wasRun[next])
      continue;
    runBlock(next);
  }
  runs = false;
  ++launches;
}

std::optional<ThreadPlace> Engine::place() const {
  if (!runs)
    return std::nullopt;
  return ThreadPlace{launches, block, current, interval};
}

namespace {

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

void barrier(int line) { engine().waitAtBarrier(0, 0, line); }

void barrierOf(unsigned number, unsigned threads, int line) {
  engine().waitAtBarrier(number, threads, line);
}

uint64_t shuffle(uint64_t bits, int distance, int line) {
  return engine().shuffle(bits, distance, line);
}

unsigned char *dynamicSharedMemory() { return engine().dynamicShared(); }

void copyAsync(void *to, const void *from, size_t bytes) { engine().copyAsync(to, from, bytes); }

void commitCopies() { engine().commitCopies(); }

void waitCopies(unsigned pending) { engine().waitCopies(pending); }

void send(void *to, const void *from, size_t bytes, int message) {
  engine().send(to, from, bytes, message);
}

void await(int message, size_t bytes, int line) { engine().await(message, bytes, line); }

cudaError_t launch(const cudaLaunchConfig_t &config, void (*thread)(void *), void *closure,
                   char *sharedBegin, char *sharedEnd) {
  if (launchesLeft == 0)
    return cudaErrorInvalidConfiguration;
  if (launchesLeft > 0)
    --launchesLeft;
  const dim3 &grid = config.gridDim, &block = config.blockDim;
  const bool legal =
      grid.x >= 1 && grid.x <= 0x7fffffffu && grid.y >= 1 && grid.y <= 65535 && grid.z >= 1 &&
      grid.z <= 65535 && block.x >= 1 && block.y >= 1 && block.z >= 1 && block.z <= 64 &&
      uint64_t(block.x) * block.y * block.z <= 1024 && config.dynamicSmemBytes <= 232448;
  if (!legal)
    return cudaErrorInvalidConfiguration;
  engine().runGrid(config, thread, closure, sharedBegin, sharedEnd);
  return cudaSuccess;
}

} // namespace stencilc::harness
