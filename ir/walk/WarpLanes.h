// WarpLanes: threads of a block, warp by warp.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace stencilc {

/// `count` lanes from lane `first` on, as bits.
inline uint32_t laneMask(unsigned first, unsigned count) {
  return uint32_t(((uint64_t(1) << count) - 1) << first);
}

/// The threads of a block that are at one place of its text.
class WarpLanes {
public:
  WarpLanes() = default;
  explicit WarpLanes(unsigned warps) : masks(warps) {}

  /// Per warp, lanes as bits.
  llvm::ArrayRef<uint32_t> byWarp() const { return masks; }
  uint32_t operator[](unsigned warp) const { return masks[warp]; }
  /// Warps with any lane, and all lanes.
  unsigned warps() const;
  unsigned threads() const;
  bool isEmpty() const { return warps() == 0; }

  void set(unsigned warp, uint32_t lanes);
  void clear();
  void add(const WarpLanes &others);
  void remove(const WarpLanes &others);

private:
  void count() const;
  llvm::SmallVector<uint32_t, 32> masks;
  mutable unsigned warpCount = 0, threadCount = 0;
  mutable bool isCounted = false;
};

} // namespace stencilc
