// ThreadIntegers: one integer for each thread of a block, in closed form.
//
// An integer is base + step . threadIdx for as long as that is exact. Where it bends between
// threads (a quotient, a boundary) it is kept in pieces of the rows of threads, each of which is
// linear again; single lanes stand alone only where it bends at every one.
#pragma once

#include "ir/walk/TurnHorizon.h"
#include "ir/walk/WalkRequest.h"

#include <array>
#include <vector>

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
  std::vector<ThreadRow> rows;    ///< in the order of their threads
  std::vector<unsigned> firstRow; ///< of each warp; one more: the number of rows
  /// Per warp: its rows are those of the warp before, moved.
  std::vector<char> followsOn;

  llvm::ArrayRef<ThreadRow> rowsOf(unsigned warp) const {
    return llvm::ArrayRef(rows).slice(firstRow[warp], firstRow[warp + 1] - firstRow[warp]);
  }
};

/// first, first + step, ... for `count` threads of a row, `from` behind its first one.
struct RowPiece {
  unsigned row, from, count;
  int64_t first, step;
  Drift drift;

  IntegerRange range() const {
    const int64_t last = first + step * (count - 1);
    return {std::min(first, last), std::max(first, last)};
  }
};

struct ThreadIntegers {
  int64_t base = 0;
  std::array<int64_t, 3> step = {};
  Drift drift = {};
  std::vector<RowPiece> pieces; ///< of all threads in order; empty: base + step . threadIdx

  bool isLinear() const { return pieces.empty(); }
  bool isUniform() const { return isLinear() && step == std::array<int64_t, 3>{}; }
  /// Of a linear one.
  int64_t at(const std::array<int, 3> &thread) const {
    return base + step[0] * thread[0] + step[1] * thread[1] + step[2] * thread[2];
  }

  void add(int64_t constant);
  void addMultiple(const ThreadIntegers &other, int64_t factor, const BlockThreads &threads);
  /// Lets all of them grow by so much from round to round of a loop.
  void driftBy(unsigned loop, int64_t growth);
  /// Least and greatest integer of any thread.
  IntegerRange range(const BlockThreads &threads) const;
};

/// The same integer for all threads.
inline ThreadIntegers uniform(int64_t value) {
  ThreadIntegers all;
  all.base = value;
  return all;
}

} // namespace stencilc
