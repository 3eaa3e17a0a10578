#include "ir/verify/CopiesUnderway.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace stencilc;

/// Of more places of a tile, none is known: a loop that does not wait has ever more of them.
static constexpr size_t kMostPlaces = 32;

CopiesUnderway::CopiesUnderway(const Kernel &kernel) : copies(kernel.tiles.size()) {
  for (const SharedTile &tile : kernel.tiles)
    lengths.push_back(tile.shape.empty() ? 1 : std::max(tile.shape.front(), 1));
}

static bool areOne(const Index &left, const Index &right, int64_t length) {
  if (!left || !right)
    return !left && !right;
  const std::optional<int64_t> difference = constantDifference(left, right);
  return difference && *difference % length == 0;
}

void CopiesUnderway::add(const Copy &copy) {
  std::vector<Copy> &known = copies[copy.tile];
  const auto same = llvm::find_if(known, [&](const Copy &other) {
    return areOne(other.place, copy.place, lengths[copy.tile]);
  });
  if (same != known.end()) {
    same->batches = std::min(same->batches, copy.batches);
    return;
  }
  known.push_back(copy);
  if (known.size() <= kMostPlaces)
    return;
  for (const Copy &other : known)
    known.front().batches = std::min(known.front().batches, other.batches);
  known.resize(1);
  known.front().place = nullptr;
}

void CopiesUnderway::commit() {
  for (std::vector<Copy> &known : copies)
    for (Copy &copy : known)
      ++copy.batches;
}

void CopiesUnderway::wait(unsigned pending) {
  for (std::vector<Copy> &known : copies)
    llvm::erase_if(known, [&](const Copy &copy) { return copy.batches > pending; });
}

void CopiesUnderway::meet(const CopiesUnderway &other) {
  for (const std::vector<Copy> &known : other.copies)
    for (const Copy &copy : known)
      add(copy);
}

void CopiesUnderway::move(llvm::function_ref<Index(const Index &place)> moved) {
  for (std::vector<Copy> &known : copies)
    for (const Copy &copy : std::exchange(known, {}))
      add({copy.tile, copy.place ? moved(copy.place) : nullptr, copy.batches});
}

bool CopiesUnderway::operator==(const CopiesUnderway &other) const {
  return llvm::all_of(llvm::seq<size_t>(0, copies.size()), [&](size_t tile) {
    return copies[tile].size() == other.copies[tile].size() &&
           llvm::all_of(copies[tile], [&](const Copy &copy) {
             return llvm::any_of(other.copies[tile], [&](const Copy &same) {
               return areOne(copy.place, same.place, lengths[tile]) && copy.batches == same.batches;
             });
           });
  });
}
