// AccessLog: every load and store that kernels of traced texts make in chosen ranges of memory,
// with the thread that makes it and the instruction.
//
// Clang calls back before each load and store of a text built as TracedText.h says, and instead of
// each copy of a whole vector. Locals are accessed through memory there too; they lie in no range
// that is watched.
#pragma once

#include "test/harness/Engine.h"

#include <cstddef>
#include <vector>

namespace stencilc::trace {

struct LoggedAccess {
  harness::ThreadPlace place; ///< of launches, the first one that is logged is 0
  unsigned range;             ///< as `watch` numbers them, or kSharedMemory
  size_t offset, bytes;       ///< from the start of the range
  bool isStore;
  uintptr_t instruction; ///< an address in it
};

/// The range that holds the shared tiles of a block.
constexpr unsigned kSharedMemory = ~0u;

/// Logs for as long as it lives; there is one at a time.
class AccessLog {
public:
  AccessLog();
  ~AccessLog();
  AccessLog(const AccessLog &) = delete;
  AccessLog &operator=(const AccessLog &) = delete;

  /// Logs accesses to this memory; ranges are numbered from 0. Returns the number.
  unsigned watch(std::span<const char> memory);
  /// Logs accesses outside kernels too, as made by the one thread of launch 0.
  void watchHost() { watchesHost = true; }

  void note(const void *address, size_t bytes, bool isStore, uintptr_t instruction);

  /// In the order in which they are made.
  std::vector<LoggedAccess> accesses;

private:
  std::vector<std::span<const char>> ranges;
  uintptr_t lowest = UINTPTR_MAX, end = 0; ///< of all ranges
  bool watchesHost = false;
  unsigned launchesBefore;
};

} // namespace stencilc::trace
