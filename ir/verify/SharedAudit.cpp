#include "ir/verify/SharedAudit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <fmt/format.h>

using namespace stencilc;

std::string SharedAudit::textOf(Fault fault, size_t element, llvm::StringRef tile) {
  const std::string what = fmt::format("element {} of tile `{}`", element, tile.str());
  switch (fault) {
  case None:
    return "";
  case Race:
    return "two threads touch " + what + " with no barrier between";
  case Undefined:
    return what + " is read before it is stored";
  case OnItsWay:
    return what + " is read before its copy has arrived";
  case Overtaken:
    return what + " is stored while a copy to it is under way";
  case Outside:
    return what + " is outside its box";
  }
  llvm_unreachable("all faults are handled");
}

void SharedAudit::beginBlock(const Kernel &kernel) {
  ++block;
  const size_t ofBlock = kernel.tiles.size();
  tiles.resize(kernel.cluster * ofBlock);
  held.resize(tiles.size());
  for (auto [number, elements, contents] : llvm::enumerate(tiles, held)) {
    size_t count = 1;
    for (int size : kernel.tiles[number % ofBlock].shape)
      count *= size;
    elements.resize(count);
    contents.assign(count, Nothing);
  }
  const size_t warps = kernel.cluster * kernel.warps();
  known.assign(warps, std::vector<unsigned>(warps, 0));
}

void SharedAudit::resume(Contents contents) {
  ++block;
  held = std::move(contents);
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

SharedAudit::History *SharedAudit::historyOf(unsigned tile, size_t element) {
  if (element >= tiles[tile].size())
    return nullptr;
  History &history = tiles[tile][element];
  if (history.block != block) {
    history.block = block;
    history.store = {};
    history.loads.clear();
  }
  return &history;
}

SharedAudit::Access SharedAudit::now(unsigned thread) const {
  const unsigned warp = thread / kLanesPerWarp;
  return {thread, known[warp][warp]};
}

bool SharedAudit::isBefore(const Access &earlier, unsigned thread) const {
  return earlier.thread == kNobody || earlier.thread == thread ||
         known[thread / kLanesPerWarp][earlier.thread / kLanesPerWarp] > earlier.clock;
}

SharedAudit::Fault SharedAudit::load(unsigned tile, size_t element, unsigned thread) {
  History *history = historyOf(tile, element);
  if (!history)
    return Outside;
  if (const Content content = held[tile][element]; content != Stored)
    return content == Underway ? OnItsWay : Undefined;
  // What comes after this load comes after all that this load comes after.
  llvm::erase_if(history->loads, [&](const Access &access) { return isBefore(access, thread); });
  history->loads.push_back(now(thread));
  return isBefore(history->store, thread) ? None : Race;
}

SharedAudit::Fault SharedAudit::write(History &history, unsigned thread) {
  const bool inOrder =
      isBefore(history.store, thread) &&
      llvm::all_of(history.loads, [&](const Access &access) { return isBefore(access, thread); });
  history.loads.clear();
  history.store = now(thread);
  return inOrder ? None : Race;
}

SharedAudit::Fault SharedAudit::put(unsigned tile, size_t element, unsigned thread,
                                    Content content) {
  History *history = historyOf(tile, element);
  if (!history)
    return Outside;
  const bool isUnderway = held[tile][element] == Underway;
  held[tile][element] = content;
  const Fault seen = write(*history, thread);
  return isUnderway ? Overtaken : seen;
}

SharedAudit::Fault SharedAudit::store(unsigned tile, size_t element, unsigned thread) {
  return put(tile, element, thread, Stored);
}

SharedAudit::Fault SharedAudit::startCopy(unsigned tile, size_t element, unsigned thread) {
  return put(tile, element, thread, Underway);
}

SharedAudit::Fault SharedAudit::endCopy(unsigned tile, size_t element, unsigned thread) {
  History *history = historyOf(tile, element);
  if (!history)
    return Outside;
  held[tile][element] = Stored;
  return write(*history, thread);
}
