#include "test/trace/Races.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <tuple>

namespace stencilc::trace {

namespace {

/// Accesses of equal ones touch the same memory while nothing orders blocks. Of a vector each
/// element is its own.
struct Word {
  unsigned launch, range;
  size_t offset;
  unsigned owner; ///< the block, of shared memory
  auto operator<=>(const Word &) const = default;
};
constexpr size_t kWordBytes = 4; // no element has less

using AccessedWord = std::pair<Word, const LoggedAccess *>;

} // namespace

static bool doRace(const LoggedAccess &left, const LoggedAccess &right) {
  const harness::ThreadPlace &a = left.place, &b = right.place;
  if (!left.isStore && !right.isStore)
    return false;
  return a.block != b.block || (a.interval == b.interval && a.thread != b.thread);
}

std::vector<Race> findRaces(const std::vector<LoggedAccess> &accesses) {
  std::vector<AccessedWord> sorted;
  for (const LoggedAccess &access : accesses) {
    const unsigned owner = access.range == kSharedMemory ? access.place.block : 0;
    for (size_t offset = 0; offset < access.bytes; offset += kWordBytes)
      sorted.push_back(
          {{access.place.launch, access.range, access.offset + offset, owner}, &access});
  }
  llvm::stable_sort(sorted, llvm::less_first());

  std::vector<Race> races;
  std::set<std::pair<uintptr_t, uintptr_t>> known;
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    auto end = std::find_if(begin, sorted.end(), [&](const AccessedWord &accessed) {
      return accessed.first != begin->first;
    });
    const bool isStored = std::any_of(
        begin, end, [](const AccessedWord &accessed) { return accessed.second->isStore; });
    for (auto first = begin; isStored && first != end; ++first)
      for (auto second = first + 1; second != end; ++second) {
        const LoggedAccess &left = *first->second, &right = *second->second;
        if (doRace(left, right) &&
            known.insert(std::minmax(left.instruction, right.instruction)).second)
          races.emplace_back(left, right);
      }
    begin = end;
  }
  return races;
}

} // namespace stencilc::trace
