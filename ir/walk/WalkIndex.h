// WalkIndex: an Index on concrete extents, prepared once and evaluated for all threads of a block
// at a time.
//
// The value is kept as base + step . threadIdx for as long as that is exact. Minima, maxima, maps
// and quotients keep the form where the block lies on one side of their bends; only where a bend
// falls between threads are the threads enumerated.
#pragma once

#include "ir/kernel/Kernel.h"
#include "ir/walk/WalkRequest.h"

namespace stencilc {

/// The threads of a block, cut where a row along x or a warp ends.
struct ThreadRow {
  unsigned warp, lane, count;
  std::array<int, 3> thread; ///< threadIdx of the first one
};
struct BlockThreads {
  explicit BlockThreads(std::array<int, 3> shape);

  std::array<int, 3> shape;
  unsigned warps;
  std::vector<ThreadRow> rows; ///< in the order of their threads
};

/// One integer per thread of a block.
struct ThreadIntegers {
  int64_t base = 0;
  std::array<int64_t, 3> step = {};
  std::vector<int64_t> listed; ///< by number of thread; empty: base + step . threadIdx

  bool isListed() const { return !listed.empty(); }
  int64_t atStartOf(const ThreadRow &row) const;

  void add(int64_t constant);
  void addMultiple(const ThreadIntegers &other, int64_t factor, const BlockThreads &threads);
  /// Enumerates the threads.
  void list(const BlockThreads &threads);
  /// Least and greatest integer of any thread.
  std::pair<int64_t, int64_t> range(const BlockThreads &threads) const;
};

struct WalkBend;

/// constant + sums of factor * coordinate + factor * bend.
struct WalkIndex {
  int64_t constant = 0;
  std::array<int64_t, 3> block = {}, thread = {}; ///< factors of blockIdx and threadIdx
  llvm::SmallVector<std::pair<unsigned, int64_t>, 3> locals;
  std::vector<std::pair<std::shared_ptr<const WalkBend>, int64_t>> bends;

  void add(const WalkIndex &other, int64_t factor);
};

/// A function of one integer that is linear on either side of a few places. Every quasi-affine
/// index is a linear combination of these.
struct WalkBend {
  enum Kind {
    AtLeastZero, ///< max(i, 0)
    AtMostZero,  ///< min(i, 0)
    Wrap,        ///< i, or i moved by `number` once towards 0 .. number-1
    Quotient     ///< i / number, Euclidean
  };
  Kind kind;
  int64_t number; ///< of Wrap and Quotient
  WalkIndex operand;
};

/// What the coordinates of a launch stand for that all its blocks share.
struct LaunchIntegers {
  llvm::ArrayRef<int64_t> extents, arguments;
};
WalkIndex prepare(const Index &index, const LaunchIntegers &launch);

/// What the other coordinates stand for at one place of a walk.
struct WalkPlace {
  const BlockThreads &threads;
  std::array<int64_t, 3> block;
  llvm::ArrayRef<ThreadIntegers> locals;
};
ThreadIntegers evaluate(const WalkIndex &index, const WalkPlace &place);

} // namespace stencilc
