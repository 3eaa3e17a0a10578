#include "ir/walk/WarpLanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace stencilc;

WarpLanes WarpLanes::all(const BlockThreads &threads) {
  WarpLanes lanes(threads);
  for (const WarpRun &run : threads.runs)
    lanes.append({run.place, run.count, laneMask(0, run.rows.back().lane + run.rows.back().count)});
  return lanes;
}

WarpLanes WarpLanes::ofWarps(unsigned first, unsigned count, const BlockThreads &threads) {
  WarpLanes lanes(threads);
  for (unsigned place = 0; place < threads.warps; ++place)
    if (const unsigned warp = threads.warpAt(place); first <= warp && warp < first + count)
      lanes.append({place, 1, ~uint32_t(0)});
  return lanes;
}

unsigned WarpLanes::warps() const {
  unsigned sum = 0;
  for (const Group &group : groups_)
    sum += group.warps;
  return sum;
}

unsigned WarpLanes::threads() const {
  unsigned sum = 0;
  for (const Group &group : groups_)
    sum += group.warps * llvm::popcount(group.lanes);
  return sum;
}

llvm::SmallVector<uint32_t, kLanesPerWarp> WarpLanes::byWarp() const {
  llvm::SmallVector<uint32_t, kLanesPerWarp> lanes(threads_->warps);
  for (const Group &group : groups_)
    for (unsigned place = group.place; place < group.end(); ++place)
      lanes[threads_->warpAt(place)] = group.lanes;
  return lanes;
}

void WarpLanes::append(const Group &group) {
  if (group.lanes == 0)
    return;
  if (!groups_.empty() && groups_.back().end() == group.place &&
      groups_.back().lanes == group.lanes)
    groups_.back().warps += group.warps;
  else
    groups_.push_back(group);
}

/// Goes through both from one place to the next at which a group of either begins or ends.
template <class Combine> void WarpLanes::combine(const WarpLanes &others, const Combine &combine) {
  const llvm::SmallVector<Group, 4> own = std::move(groups_);
  groups_.clear();
  const Group *left = own.begin(), *right = others.groups_.begin();
  unsigned place = 0, next;
  const auto take = [&](const Group *&group, const Group *end) -> uint32_t {
    if (group != end && group->end() == place)
      ++group;
    if (group == end)
      return 0;
    next = std::min(next, place < group->place ? group->place : group->end());
    return place < group->place ? 0 : group->lanes;
  };
  for (; place < threads_->warps; place = next) {
    next = threads_->warps;
    const uint32_t ofLeft = take(left, own.end()), ofRight = take(right, others.groups_.end());
    append({place, next - place, combine(ofLeft, ofRight)});
  }
}

void WarpLanes::add(const WarpLanes &others) {
  combine(others, [](uint32_t own, uint32_t other) { return own | other; });
}

void WarpLanes::remove(const WarpLanes &others) {
  if (!others.isEmpty())
    combine(others, [](uint32_t own, uint32_t other) { return own & ~other; });
}

void WarpLanes::intersect(const WarpLanes &others) {
  combine(others, [](uint32_t own, uint32_t other) { return own & other; });
}
