#include "test/trace/Races.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <tuple>

namespace stencilc::trace {

/// Accesses that are equal here touch the same memory while nothing orders blocks.
static auto elementOf(const LoggedAccess &access) {
  const unsigned owner = access.range == kSharedMemory ? access.place.block : 0;
  return std::tuple(access.place.launch, access.range, access.offset, owner);
}

static bool doRace(const LoggedAccess &left, const LoggedAccess &right) {
  const harness::ThreadPlace &a = left.place, &b = right.place;
  if (!left.isStore && !right.isStore)
    return false;
  return a.block != b.block || (a.interval == b.interval && a.thread != b.thread);
}

std::vector<Race> findRaces(const std::vector<LoggedAccess> &accesses) {
  std::vector<const LoggedAccess *> sorted;
  for (const LoggedAccess &access : accesses)
    sorted.push_back(&access);
  llvm::stable_sort(sorted, [](const LoggedAccess *left, const LoggedAccess *right) {
    return elementOf(*left) < elementOf(*right);
  });

  std::vector<Race> races;
  std::set<std::pair<uintptr_t, uintptr_t>> known;
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    auto end = std::find_if(begin, sorted.end(), [&](const LoggedAccess *access) {
      return elementOf(*access) != elementOf(**begin);
    });
    const bool isStored =
        std::any_of(begin, end, [](const LoggedAccess *access) { return access->isStore; });
    for (auto left = begin; isStored && left != end; ++left)
      for (auto right = left + 1; right != end; ++right)
        if (doRace(**left, **right) &&
            known.insert(std::minmax((*left)->instruction, (*right)->instruction)).second)
          races.emplace_back(**left, **right);
    begin = end;
  }
  return races;
}

} // namespace stencilc::trace
