// WalkIndex: an Index on concrete extents, prepared once and evaluated for all threads of a block
// at a time.
//
// Minima, maxima, maps and quotients keep the closed form of ThreadIntegers where the threads lie
// on one side of their bends, and cut it where they do not.
#pragma once

#include "ir/kernel/Kernel.h"
#include "ir/walk/ThreadIntegers.h"

namespace stencilc {

struct WalkBend;

/// What the coordinates of a launch stand for that all its blocks share.
struct LaunchIntegers {
  llvm::ArrayRef<int64_t> extents, arguments;
};

/// constant + sums of factor * coordinate + factor * bend.
struct WalkIndex {
  WalkIndex() = default;
  WalkIndex(const WalkIndex &) = default;
  // Vectors of nodes that grow move what cannot throw, and copy the rest.
  WalkIndex(WalkIndex &&) noexcept = default;
  WalkIndex &operator=(const WalkIndex &) = default;
  WalkIndex &operator=(WalkIndex &&) noexcept = default;

  int64_t constant = 0;
  std::array<int64_t, 3> block = {}, thread = {}; ///< factors of blockIdx and threadIdx
  int64_t warp = 0, lane = 0; ///< factors of the thread's warp and of its lane in it
  llvm::SmallVector<std::pair<unsigned, int64_t>, 3> locals;
  std::vector<std::pair<std::shared_ptr<const WalkBend>, int64_t>> bends;

  void add(const WalkIndex &other, int64_t factor);
  void add(const Index &index, const LaunchIntegers &launch, int64_t factor);
  void addLocal(unsigned local, int64_t factor);
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

WalkIndex prepare(const Index &index, const LaunchIntegers &launch);
/// Less than 0 where the index is, and 0 elsewhere. A minimum bends where one of its operands meets
/// 0, not where they meet each other.
WalkIndex prepareSign(const Index &index, const LaunchIntegers &launch);

/// What the other coordinates stand for at one place of a walk.
struct WalkPlace {
  const BlockThreads &threads;
  const std::array<ThreadIntegers, 3> &block; ///< along x, y, z
  llvm::ArrayRef<ThreadIntegers> locals;
  TurnHorizon &horizon; ///< is told what keeps the integers linear
};
ThreadIntegers evaluate(const WalkIndex &index, const WalkPlace &place);

} // namespace stencilc
