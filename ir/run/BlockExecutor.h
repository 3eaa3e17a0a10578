// BlockExecutor: runs a kernel block by block, warp after warp.
//
// A warp runs until it waits at a barrier or ends; then the next one does. A barrier lets its warps
// go once all of them wait at it, so a kernel whose barriers are right gives the same values as on
// a device. Every access is checked; the first fault stops the block. It is a fault, too, when all
// warps that have not ended wait. Blocks of a cluster run together.
#pragma once

#include "ir/run/WarpExecutor.h"
#include "ir/run/WarpOrder.h"

#include <deque>
#include <random>

namespace stencilc {

class BlockExecutor {
public:
  using Arguments = KernelArguments;
  /// `observer` may be null.
  BlockExecutor(const Kernel &kernel, Arguments arguments, AccessObserver *observer,
                const WarpOrder &order = {});
  BlockExecutor(const BlockExecutor &) = delete; // warps refer to the block

  /// Block numbers along x, y, z; of a cluster, those of the first one. False after a fault.
  bool run(std::array<int64_t, 3> block);
  /// The first.
  std::string fault() const;

private:
  /// Warps that meet at barriers: those of a group, or of the block.
  struct Meeting {
    std::string name;
    unsigned firstWarp, warps;
    unsigned waiting = 0;
  };
  struct Member {
    BlockState state;
    std::vector<WarpExecutor> warps = {};
    std::vector<Meeting> meetings = {}; ///< by WarpExecutor::waitsAt
  };

  void addMember(const Kernel &kernel, Arguments arguments, AccessObserver *observer);
  void forget();
  void drawOrder();
  /// Runs a warp up to its next barrier, and lets all go if it was the last to come.
  void advance(Member &member, WarpExecutor &warp);
  void reportDeadlock();

  std::deque<Member> members; ///< warps refer to them
  WarpOrder order;
  std::vector<unsigned> turns; ///< numbers of warps, of all members, in the order of this round
  std::mt19937_64 random;
};

} // namespace stencilc
