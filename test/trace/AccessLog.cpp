#include "test/trace/AccessLog.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace stencilc::trace {

static AccessLog *currentLog = nullptr;

AccessLog::AccessLog() : launchesBefore(harness::launchCount()) {
  assert(!currentLog && "there is one log at a time");
  currentLog = this;
}

AccessLog::~AccessLog() { currentLog = nullptr; }

unsigned AccessLog::watch(std::span<const char> memory) {
  ranges.push_back(memory);
  lowest = std::min(lowest, reinterpret_cast<uintptr_t>(memory.data()));
  end = std::max(end, reinterpret_cast<uintptr_t>(memory.data() + memory.size()));
  return ranges.size() - 1;
}

void AccessLog::note(const void *address, size_t bytes, bool isStore, uintptr_t instruction) {
  auto noteIn = [&](std::span<const char> memory, unsigned range) {
    const size_t offset =
        reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(memory.data());
    if (offset >= memory.size())
      return;
    std::optional<harness::ThreadPlace> place = harness::threadPlace();
    if (place)
      place->launch -= launchesBefore;
    else if (watchesHost)
      place.emplace();
    if (place)
      accesses.push_back({*place, range, offset, bytes, isStore, instruction});
  };
  // Most accesses are of locals, which lie elsewhere.
  const uintptr_t place = reinterpret_cast<uintptr_t>(address);
  for (unsigned range = 0; lowest <= place && place < end && range < ranges.size(); ++range)
    noteIn(ranges[range], range);
  noteIn(harness::sharedMemory(), kSharedMemory);
}

} // namespace stencilc::trace

// What clang calls before each access: names and parameters are its own. The call belongs to the
// source line of the access, and the return address follows the call.
#define STENCILC_NOTE(name, type, isStore)                                                         \
  extern "C" void name(const type *address) {                                                      \
    if (stencilc::trace::currentLog)                                                               \
      stencilc::trace::currentLog->note(address, sizeof(type), isStore,                            \
                                        reinterpret_cast<uintptr_t>(__builtin_return_address(0)) - \
                                            1);                                                    \
  }
STENCILC_NOTE(__sanitizer_cov_load1, uint8_t, false)
STENCILC_NOTE(__sanitizer_cov_load2, uint16_t, false)
STENCILC_NOTE(__sanitizer_cov_load4, uint32_t, false)
STENCILC_NOTE(__sanitizer_cov_load8, uint64_t, false)
STENCILC_NOTE(__sanitizer_cov_load16, __int128, false)
STENCILC_NOTE(__sanitizer_cov_store1, uint8_t, true)
STENCILC_NOTE(__sanitizer_cov_store2, uint16_t, true)
STENCILC_NOTE(__sanitizer_cov_store4, uint32_t, true)
STENCILC_NOTE(__sanitizer_cov_store8, uint64_t, true)
STENCILC_NOTE(__sanitizer_cov_store16, __int128, true)

// What clang calls instead of copies and fills, for address sanitizers to know of them. A vector is
// moved by a copy.
extern "C" void *__asan_memcpy(void *to, const void *from, size_t bytes) {
  if (stencilc::trace::AccessLog *log = stencilc::trace::currentLog) {
    const uintptr_t instruction = reinterpret_cast<uintptr_t>(__builtin_return_address(0)) - 1;
    log->note(from, bytes, /*isStore=*/false, instruction);
    log->note(to, bytes, /*isStore=*/true, instruction);
  }
  return std::memcpy(to, from, bytes);
}
extern "C" void *__asan_memset(void *to, int value, size_t bytes) {
  if (stencilc::trace::AccessLog *log = stencilc::trace::currentLog)
    log->note(to, bytes, /*isStore=*/true,
              reinterpret_cast<uintptr_t>(__builtin_return_address(0)) - 1);
  return std::memset(to, value, bytes);
}
