// FibreEngine: how Engine.cpp runs the threads of blocks as fibres, and Clusters.cpp those of two
// blocks that are partners.
#pragma once

#include "test/harness/Engine.h"

#include "test/harness/cuda_runtime.h"

#include <boost/context/fiber.hpp>

#include <deque>
#include <map>
#include <vector>

namespace stencilc::harness {

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
  /// A barrier; `threads` of them open it, 0: all of the block.
  void waitAtBarrier(unsigned number, unsigned threads, int line);
  uint64_t shuffle(uint64_t bits, int distance, int line);
  void copyAsync(void *to, const void *from, size_t bytes);
  void commitCopies();
  void waitCopies(unsigned pending);
  void send(void *to, const void *from, size_t bytes, int message);
  void await(int message, size_t bytes, int line);
  unsigned char *dynamicShared() { return requested; }
  std::optional<ThreadPlace> place() const;
  unsigned launchCount() const { return launches; }
  std::span<const char> shared() const { return tiles; }

private:
  /// Barriers have the numbers that the text gives them, shuffles one per warp above those.
  static constexpr unsigned kBarriers = 16, kLanes = 32;
  /// Where a warp awaits a message: above all those, one per warp.
  static constexpr unsigned kMail = kBarriers + 1024 / kLanes;
  struct Waiter {
    unsigned thread;
    unsigned gate, threads; ///< that open it
    int line;               ///< of the text
    fiber runner;
  };
  struct Exchange {
    uint64_t bits;
    int distance;
  };
  struct Copy {
    void *to;
    std::vector<char> bytes;
  };
  /// Copies of one thread.
  struct Copies {
    std::vector<Copy> open;
    std::deque<std::vector<Copy>> batches;
  };

  struct Sent {
    void *to;
    std::vector<char> bytes;
  };
  struct Message {
    std::vector<Sent> parts;
    size_t bytes = 0;
  };
  /// What a warp awaits of the other block's message.
  struct Awaited {
    int message;
    size_t bytes;
  };
  /// A block of a cluster, while the other one runs.
  struct Partner {
    unsigned block = 0, interval = 0;
    uint3 index = {};
    size_t started = 0, ended = 0;
    std::vector<unsigned> starts;
    std::vector<Exchange> exchanged;
    std::vector<Copies> copies;
    std::vector<Waiter> waiters;
    std::vector<char> tiles, requested; ///< what shared memory holds
    std::map<int, Message> mail;
    std::vector<Awaited> awaited;
  };

  fiber makeRunner();
  void enter(unsigned thread);
  void resume(fiber runner);
  void wait(unsigned gate, unsigned threads, int line);
  void begin(unsigned number);
  void start();
  bool goOn();
  void runBlock(unsigned number);
  void runPartners();
  void changeOver();
  char *aside(void *place);
  bool isOpen(unsigned gate) const;
  void takeMail(unsigned warp);
  std::vector<Waiter> openGate();
  void exchange(unsigned warp);
  [[noreturn]] void fail(const char *what, unsigned thread) const;
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
  std::span<char> tiles;
  size_t requestedBytes = 0;
  std::map<int, Message> mail;  ///< from the other block of a cluster, by number
  std::vector<Awaited> awaited; ///< by warp
  Partner partner;
  std::vector<char> wasRun;        ///< by block
  std::optional<Waiter> arrived;   ///< the current thread, at a gate
  std::vector<Exchange> exchanged; ///< by thread: what it hands on, then what it is handed
  std::vector<Copies> copies;      ///< by thread
  alignas(128) unsigned char requested[232448];
  fiber home; ///< the engine itself, while a runner runs
  std::vector<fiber> idle;
  std::vector<Waiter> waiters;
};

/// NaNs of either type.
void poison(char *begin, const char *end);

} // namespace stencilc::harness
