// BlockThreads: the threads of a block as rows along x in warps, and which warps are alike.
//
// A warp is 32 threads with consecutive numbers, x fastest; thread 32*w + l is lane l of warp w.
// Warps whose threads are those of another, all moved by the same distance, make a *run*: what
// holds of one of them holds of all in closed form, however many they are. The warps of a block
// have *places*, run by run; these are their numbers if all are in one run.
#pragma once

#include "ir/kernel/Kernel.h"

#include "llvm/ADT/SmallVector.h"

namespace stencilc {

/// Threads of one warp in one row along x.
struct ThreadRow {
  unsigned lane, count;
  std::array<int, 3> thread; ///< threadIdx of the first one
};

/// Warps `first`, `first` + `apart`, ...: `count` of them, at consecutive places.
struct WarpRun {
  unsigned place, first, apart, count;
  std::array<int, 3> shift;             ///< of threadIdx, from one warp to the next
  llvm::SmallVector<ThreadRow, 2> rows; ///< of the first warp
  bool looksLikeFirst = true;           ///< as the first run of the block does, but for a shift
};

struct BlockThreads {
  explicit BlockThreads(std::array<int, 3> shape);
  unsigned warpAt(unsigned place) const;

  std::array<int, 3> shape;
  unsigned warps;
  llvm::SmallVector<WarpRun, 2> runs;
  std::array<bool, 3> differInWarps = {}; ///< whether threads of one warp do along x, y, z
};

} // namespace stencilc
