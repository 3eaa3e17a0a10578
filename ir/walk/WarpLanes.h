// WarpLanes: some threads of a block, in groups of warps of which the same lanes are meant.
#pragma once

#include "ir/walk/BlockThreads.h"

namespace stencilc {

/// `count` lanes from lane `first` on, as bits.
inline uint32_t laneMask(unsigned first, unsigned count) {
  return uint32_t(((uint64_t(1) << count) - 1) << first);
}

class WarpLanes {
public:
  /// Warps at consecutive places, and lanes as bits.
  struct Group {
    unsigned place, warps;
    uint32_t lanes; ///< not 0
    unsigned end() const { return place + warps; }
    bool operator==(const Group &) const = default;
  };

  /// No threads.
  explicit WarpLanes(const BlockThreads &threads) : threads_(&threads) {}
  static WarpLanes all(const BlockThreads &threads);
  static WarpLanes ofWarps(unsigned first, unsigned count, const BlockThreads &threads);

  /// In the order of their places, without overlap.
  llvm::ArrayRef<Group> groups() const { return groups_; }
  bool isEmpty() const { return groups_.empty(); }
  bool operator==(const WarpLanes &other) const { return groups_ == other.groups_; }
  /// Warps with any lane, and all lanes.
  unsigned warps() const;
  unsigned threads() const;
  /// Lanes of each warp of the block, by its number.
  llvm::SmallVector<uint32_t, kLanesPerWarp> byWarp() const;

  /// Adds warps behind all that there are.
  void append(const Group &group);
  void add(const WarpLanes &others);
  void remove(const WarpLanes &others);
  void intersect(const WarpLanes &others);

  /// Calls `visit(group)` with the parts of the groups at these places.
  template <class Visit> void within(unsigned place, unsigned warps, const Visit &visit) const {
    for (const Group &group : groups_) {
      const unsigned first = std::max(group.place, place),
                     end = std::min(group.end(), place + warps);
      if (first < end)
        visit(Group{first, end - first, group.lanes});
    }
  }

private:
  template <class Combine> void combine(const WarpLanes &others, const Combine &combine);

  const BlockThreads *threads_;
  llvm::SmallVector<Group, 4> groups_; ///< neighbours differ in their lanes
};

} // namespace stencilc
