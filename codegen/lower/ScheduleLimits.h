// ScheduleLimits: the checks of a schedule that all variants share.
#pragma once

#include "ir/kernel/Schedule.h"
#include "ir/stencil/Stencil.h"

namespace stencilc {

/// Points along y beyond which a patch leaves a thread no registers.
inline constexpr int kMostRows = 8;

/// What a variant makes use of; everything else must keep its default.
struct ScheduleLimits {
  bool chunk = false, fuse = false, pointsPerThread = false, prefetch = false;
  int mostPoints = 4; ///< of a row that a thread has
  bool block = true;  ///< false: the variant has no threads
  /// A thread's points along y are rows that warps hand on at once; along x any number will do.
  bool handsRowsOn = false;
  std::vector<llvm::StringRef> flags;
};

/// Refuses, in the user's words, what the variant does not use, points of a thread that no vectors
/// move or that the march takes, planes loaded ahead of no march, and what no GPU can launch: more
/// than 1024 threads a block, a block deeper than 64 along z, or residency beyond 2048 threads or
/// 32 blocks an SM.
llvm::Error checkLimits(const Stencil &stencil, const Schedule &schedule,
                        const ScheduleLimits &limits);

/// Of a tile of fused steps in which no point along an axis is right after all of them.
llvm::Error refuseEmptyTile(const Stencil &stencil, const Schedule &schedule, unsigned axis);

} // namespace stencilc
