#include "ir/walk/WarpLanes.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>

using namespace stencilc;

void WarpLanes::count() const {
  warpCount = threadCount = 0;
  for (uint32_t lanes : masks) {
    warpCount += lanes != 0;
    threadCount += std::popcount(lanes);
  }
  isCounted = true;
}

unsigned WarpLanes::warps() const {
  if (!isCounted)
    count();
  return warpCount;
}

unsigned WarpLanes::threads() const {
  if (!isCounted)
    count();
  return threadCount;
}

void WarpLanes::set(unsigned warp, uint32_t lanes) {
  isCounted &= masks[warp] == lanes;
  masks[warp] = lanes;
}

void WarpLanes::clear() {
  masks.assign(masks.size(), 0);
  isCounted = false;
}

void WarpLanes::add(const WarpLanes &others) {
  for (auto [warp, other] : llvm::enumerate(others.masks))
    set(warp, masks[warp] | other);
}

void WarpLanes::remove(const WarpLanes &others) {
  for (auto [warp, other] : llvm::enumerate(others.masks))
    set(warp, masks[warp] & ~other);
}
