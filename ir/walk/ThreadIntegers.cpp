#include "ir/walk/ThreadIntegers.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static int64_t product(const std::array<int64_t, 3> &step, const std::array<int, 3> &threads) {
  return step[0] * threads[0] + step[1] * threads[1] + step[2] * threads[2];
}

static void addMultiple(Drift &own, const Drift &other, int64_t factor) {
  for (unsigned loop = 0; loop < kFollowedLoops; ++loop)
    own[loop] += other[loop] * factor;
}

/// Lets a range reach over some numbers that each lie `step` behind the last.
static void stretch(IntegerRange &range, int64_t step, unsigned count) {
  (step < 0 ? range.first : range.last) += step * (count - 1);
}

// ---- pieces -----------------------------------------------------------------------------------

RowPiece RowPiece::ofWarps(unsigned skipped, unsigned count) const {
  RowPiece part = *this;
  part.warp += skipped;
  part.warps = count;
  part.first += perWarp * skipped;
  return part;
}

IntegerRange RowPiece::rangeOfFirst() const {
  IntegerRange all{first, first};
  stretch(all, step, count);
  return all;
}

IntegerRange RowPiece::range() const {
  IntegerRange all = rangeOfFirst();
  stretch(all, perWarp, warps);
  return all;
}

RowPiece ThreadIntegers::linearOn(const WarpRun &run, const ThreadRow &row) const {
  return {&run,
          &row,
          0,
          run.count,
          0,
          row.count,
          base + product(step, row.thread),
          step[0],
          product(step, run.shift),
          drift};
}

llvm::ArrayRef<RowPiece> ThreadIntegers::takeGroup(llvm::ArrayRef<RowPiece> &pieces) {
  const unsigned place = pieces.front().place();
  const llvm::ArrayRef<RowPiece> group =
      pieces.take_while([&](const RowPiece &piece) { return piece.place() == place; });
  pieces = pieces.drop_front(group.size());
  return group;
}

/// Adds to `sum` what two groups make in their first `warps` warps, cut where either is.
static void appendSum(llvm::ArrayRef<RowPiece> left, llvm::ArrayRef<RowPiece> right, int64_t factor,
                      unsigned warps, std::vector<RowPiece> &sum) {
  unsigned ofLeft = 0, ofRight = 0; // threads taken of the first piece of either
  while (!left.empty()) {
    const RowPiece &a = left.front(), &b = right.front();
    RowPiece &piece = sum.emplace_back(a);
    piece.warps = warps;
    piece.from += ofLeft;
    piece.count = std::min(a.count - ofLeft, b.count - ofRight);
    piece.first += a.step * ofLeft + (b.first + b.step * ofRight) * factor;
    piece.step += b.step * factor;
    piece.perWarp += b.perWarp * factor;
    addMultiple(piece.drift, b.drift, factor);
    if ((ofLeft += piece.count) == a.count) {
      left = left.drop_front();
      ofLeft = 0;
    }
    if ((ofRight += piece.count) == b.count) {
      right = right.drop_front();
      ofRight = 0;
    }
  }
}

static std::vector<RowPiece> sum(llvm::ArrayRef<RowPiece> left, llvm::ArrayRef<RowPiece> right,
                                 int64_t factor) {
  std::vector<RowPiece> result;
  result.reserve(left.size() + right.size());
  llvm::SmallVector<RowPiece, 8> own, other; // what is left of the first group of either
  const auto refill = [](auto &group, llvm::ArrayRef<RowPiece> &pieces) {
    if (group.empty())
      llvm::append_range(group, ThreadIntegers::takeGroup(pieces));
  };
  const auto drop = [](auto &group, unsigned warps) {
    if (group.front().warps == warps)
      return group.clear();
    for (RowPiece &piece : group)
      piece = piece.ofWarps(warps, piece.warps - warps);
  };
  while (!own.empty() || !left.empty()) {
    refill(own, left);
    refill(other, right);
    const unsigned warps = std::min(own.front().warps, other.front().warps);
    appendSum(own, other, factor, warps, result);
    drop(own, warps);
    drop(other, warps);
  }
  return result;
}

// ---- integers ---------------------------------------------------------------------------------

void ThreadIntegers::add(int64_t constant) {
  base += constant;
  for (RowPiece &piece : pieces)
    piece.first += constant;
}

void ThreadIntegers::driftBy(unsigned loop, int64_t growth) {
  drift[loop] += growth;
  for (RowPiece &piece : pieces)
    piece.drift[loop] += growth;
}

void ThreadIntegers::addPieces(const ThreadIntegers &other, int64_t factor) {
  if (isLinear()) {
    // The pieces of the other, each with what is linear.
    const ThreadIntegers own = std::exchange(*this, other);
    for (RowPiece &piece : pieces) {
      piece.first *= factor;
      piece.step *= factor;
      piece.perWarp *= factor;
      for (int64_t &growth : piece.drift)
        growth *= factor;
    }
    return addMultiple(own, 1);
  }
  if (!other.isLinear()) {
    pieces = sum(pieces, other.pieces, factor);
    return;
  }
  for (RowPiece &piece : pieces) {
    const RowPiece linear = other.linearOn(*piece.run, *piece.row);
    piece.first += (linear.first + linear.perWarp * piece.warp + linear.step * piece.from) * factor;
    piece.step += linear.step * factor;
    piece.perWarp += linear.perWarp * factor;
    ::addMultiple(piece.drift, other.drift, factor);
  }
}

IntegerRange ThreadIntegers::range(const BlockThreads &threads) const {
  if (isLinear()) {
    IntegerRange all{base, base};
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      stretch(all, step[dimension], threads.shape[dimension]);
    return all;
  }
  IntegerRange all = pieces.front().range();
  for (const RowPiece &piece : pieces) {
    const auto [first, last] = piece.range();
    all = {std::min(all.first, first), std::max(all.last, last)};
  }
  return all;
}
