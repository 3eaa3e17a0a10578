#include "ir/kernel/InThreads.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

using namespace stencilc;

void stencilc::doInThreads(size_t count, unsigned threads, llvm::function_ref<void(size_t)> work) {
  constexpr unsigned enough = 4;
  if (threads == 0)
    threads = std::clamp(std::thread::hardware_concurrency(), 1u, enough);
  std::atomic<size_t> next = 0;
  const auto takeNext = [&] {
    for (size_t number; (number = next++) < count;)
      work(number);
  };
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    while (others.size() + 1 < std::min<size_t>(threads, count))
      others.emplace_back(takeNext);
  } catch (const std::system_error &) {
    // Those that could be started do it all.
  }
  takeNext();
  for (std::thread &thread : others)
    thread.join();
}
