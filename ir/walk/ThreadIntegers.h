// ThreadIntegers: one integer for each thread of a block, in closed form.
//
// An integer is base + step . threadIdx for as long as that is exact. Where it bends between
// threads (a quotient, a boundary) it is kept in pieces of rows of threads, each of which is linear
// again, along the row and from warp to warp; single lanes or warps stand alone only where it bends
// at every one.
#pragma once

#include "ir/walk/BlockThreads.h"
#include "ir/walk/TurnHorizon.h"

namespace stencilc {

/// first, first + step, ... for `count` threads of a row, `from` behind its first one, in a warp;
/// and in each of the next ones of its run `perWarp` more.
struct RowPiece {
  const WarpRun *run;
  const ThreadRow *row;
  unsigned warp, warps; ///< of the run: the first one's number in it
  unsigned from, count;
  int64_t first, step, perWarp;
  Drift drift;

  unsigned lane() const { return row->lane + from; }
  unsigned place() const { return run->place + warp; }
  /// What it is in some of its warps.
  RowPiece ofWarps(unsigned skipped, unsigned count) const;
  /// Least and greatest integer in the first warp, and in all.
  IntegerRange rangeOfFirst() const;
  IntegerRange range() const;
};

struct ThreadIntegers {
  int64_t base = 0;
  std::array<int64_t, 3> step = {};
  Drift drift = {};
  /// Of all threads in the order of their places, those of the same warps together; empty: base +
  /// step . threadIdx.
  std::vector<RowPiece> pieces;

  bool isLinear() const { return pieces.empty(); }
  bool isUniform() const { return isLinear() && step == std::array<int64_t, 3>{}; }

  void add(int64_t constant);
  void addMultiple(const ThreadIntegers &other, int64_t factor) {
    if (!isLinear() || !other.isLinear())
      return addPieces(other, factor);
    base += other.base * factor;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      step[dimension] += other.step[dimension] * factor;
    for (unsigned loop = 0; loop < kFollowedLoops; ++loop)
      drift[loop] += other.drift[loop] * factor;
  }
  /// Lets all of them grow by so much from round to round of a loop.
  void driftBy(unsigned loop, int64_t growth);
  /// Least and greatest integer of any thread.
  IntegerRange range(const BlockThreads &threads) const;

  /// Calls `visit(pieces)` with those of the same warps, for all warps.
  template <class Visit> void forEachGroup(const BlockThreads &threads, const Visit &visit) const {
    llvm::SmallVector<RowPiece, 2> rows;
    if (isLinear())
      for (const WarpRun &run : threads.runs) {
        rows.clear();
        for (const ThreadRow &row : run.rows)
          rows.push_back(linearOn(run, row));
        visit(llvm::ArrayRef<RowPiece>(rows));
      }
    for (llvm::ArrayRef<RowPiece> left = pieces; !left.empty();)
      visit(takeGroup(left));
  }

  /// Takes the pieces of the first warps off a list.
  static llvm::ArrayRef<RowPiece> takeGroup(llvm::ArrayRef<RowPiece> &pieces);
  /// Of a linear one.
  RowPiece linearOn(const WarpRun &run, const ThreadRow &row) const;

private:
  /// addMultiple where one of them is not linear.
  void addPieces(const ThreadIntegers &other, int64_t factor);
};

/// The same integer for all threads.
inline ThreadIntegers uniform(int64_t value) {
  ThreadIntegers all;
  all.base = value;
  return all;
}

} // namespace stencilc
