// BlockExecutor: runs a kernel block by block, warp after warp.
//
// A warp runs until it waits at a barrier or ends; then the next one does. A barrier lets its warps
// go once all of them wait at it, so a kernel whose barriers are right gives the same values as on
// a device. Every access is checked; the first fault stops the block. It is a fault, too, when all
// warps that have not ended wait.
#pragma once

#include "ir/run/WarpExecutor.h"
#include "ir/run/WarpOrder.h"

#include <random>

namespace stencilc {

class BlockExecutor {
public:
  using Arguments = KernelArguments;
  /// `observer` may be null.
  BlockExecutor(const Kernel &kernel, Arguments arguments, AccessObserver *observer,
                const WarpOrder &order = {});
  BlockExecutor(const BlockExecutor &) = delete; // warps refer to the block

  /// Block numbers along x, y, z. False after a fault.
  bool run(std::array<int64_t, 3> block);
  const std::string &fault() const { return block.fault; }

private:
  /// Warps that meet at barriers: those of a group, or of the block.
  struct Meeting {
    std::string name;
    unsigned firstWarp, warps;
    unsigned waiting = 0;
  };

  void forget();
  void drawOrder();
  /// Runs a warp up to its next barrier, and lets all go if it was the last to come.
  void advance(WarpExecutor &warp);
  void reportDeadlock();

  BlockState block;
  std::vector<WarpExecutor> warps;
  std::vector<Meeting> meetings; ///< by WarpExecutor::waitsAt
  WarpOrder order;
  std::vector<unsigned> turns; ///< numbers of warps, in the order of this round
  std::mt19937_64 random;
};

} // namespace stencilc
