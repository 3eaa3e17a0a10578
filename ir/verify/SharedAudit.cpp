#include "ir/verify/SharedAudit.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

void SharedAudit::beginBlock(const Kernel &kernel) {
  ++block;
  tiles.resize(kernel.tiles.size());
  for (auto [tile, elements] : llvm::zip_equal(kernel.tiles, tiles)) {
    size_t count = 1;
    for (int size : tile.shape)
      count *= size;
    elements.resize(std::max(elements.size(), count));
  }
  const size_t warps = kernel.warps();
  known.assign(warps, std::vector<unsigned>(warps, 0));
}

void SharedAudit::barrier(unsigned first, unsigned count) {
  const auto met = llvm::MutableArrayRef(known).slice(first, count);
  std::vector<unsigned> together = met.front();
  for (const std::vector<unsigned> &warp : met)
    for (auto [latest, clock] : llvm::zip_equal(together, warp))
      latest = std::max(latest, clock);
  for (unsigned warp = first; warp < first + count; ++warp)
    ++together[warp];
  for (std::vector<unsigned> &warp : met)
    warp = together;
}

SharedAudit::History &SharedAudit::historyOf(unsigned tile, size_t element) {
  History &history = tiles[tile][element];
  if (history.block != block) {
    history.block = block;
    history.store = {};
    history.loads.clear();
  }
  return history;
}

SharedAudit::Access SharedAudit::now(unsigned thread) const {
  const unsigned warp = thread / kLanesPerWarp;
  return {thread, known[warp][warp]};
}

bool SharedAudit::isBefore(const Access &earlier, unsigned thread) const {
  return earlier.thread == kNobody || earlier.thread == thread ||
         known[thread / kLanesPerWarp][earlier.thread / kLanesPerWarp] > earlier.clock;
}

bool SharedAudit::load(unsigned tile, size_t element, unsigned thread) {
  History &history = historyOf(tile, element);
  // What comes after this load comes after all that this load comes after.
  llvm::erase_if(history.loads, [&](const Access &access) { return isBefore(access, thread); });
  history.loads.push_back(now(thread));
  return isBefore(history.store, thread);
}

bool SharedAudit::store(unsigned tile, size_t element, unsigned thread) {
  History &history = historyOf(tile, element);
  const bool inOrder =
      isBefore(history.store, thread) &&
      llvm::all_of(history.loads, [&](const Access &access) { return isBefore(access, thread); });
  history.loads.clear();
  history.store = now(thread);
  return inOrder;
}
