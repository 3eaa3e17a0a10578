#include "test/trace/AccessLog.h"

#include <cassert>

namespace stencilc::trace {

static AccessLog *currentLog = nullptr;

AccessLog::AccessLog() : launchesBefore(harness::launchCount()) {
  assert(!currentLog && "there is one log at a time");
  currentLog = this;
}

AccessLog::~AccessLog() { currentLog = nullptr; }

unsigned AccessLog::watch(std::span<const char> memory) {
  ranges.push_back(memory);
  return ranges.size() - 1;
}

void AccessLog::note(const void *address, bool isStore, uintptr_t instruction) {
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
      accesses.push_back({*place, range, offset, isStore, instruction});
  };
  for (unsigned range = 0; range < ranges.size(); ++range)
    noteIn(ranges[range], range);
  noteIn(harness::sharedMemory(), kSharedMemory);
}

} // namespace stencilc::trace

// What clang calls before each access: names and parameters are its own. The call belongs to the
// source line of the access, and the return address follows the call.
#define STENCILC_NOTE(name, type, isStore)                                                         \
  extern "C" void name(const type *address) {                                                      \
    if (stencilc::trace::currentLog)                                                               \
      stencilc::trace::currentLog->note(                                                           \
          address, isStore, reinterpret_cast<uintptr_t>(__builtin_return_address(0)) - 1);         \
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
