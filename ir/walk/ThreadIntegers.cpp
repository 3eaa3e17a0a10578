#include "ir/walk/ThreadIntegers.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

BlockThreads::BlockThreads(std::array<int, 3> shape) : shape(shape) {
  const unsigned count = shape[0] * shape[1] * shape[2];
  warps = (count + kLanesPerWarp - 1) / kLanesPerWarp;
  for (unsigned thread = 0; thread < count;) {
    const int x = thread % shape[0], y = thread / shape[0] % shape[1],
              z = thread / (shape[0] * shape[1]);
    const unsigned lane = thread % kLanesPerWarp;
    const unsigned length = std::min<unsigned>(kLanesPerWarp - lane, shape[0] - x);
    if (lane == 0)
      firstRow.push_back(rows.size());
    rows.push_back({thread / kLanesPerWarp, lane, length, {x, y, z}});
    thread += length;
  }
  firstRow.push_back(rows.size());

  followsOn.push_back(false);
  for (unsigned warp = 1; warp < warps; ++warp) {
    const llvm::ArrayRef<ThreadRow> before = rowsOf(warp - 1), now = rowsOf(warp);
    bool follows = before.size() == now.size();
    for (size_t row = 0; follows && row < now.size(); ++row) {
      follows = before[row].lane == now[row].lane && before[row].count == now[row].count;
      for (unsigned dimension = 0; dimension < 3; ++dimension)
        follows &= now[row].thread[dimension] - now[0].thread[dimension] ==
                   before[row].thread[dimension] - before[0].thread[dimension];
    }
    followsOn.push_back(follows);
  }
}

static void addMultiple(Drift &own, const Drift &other, int64_t factor) {
  for (unsigned loop = 0; loop < kFollowedLoops; ++loop)
    own[loop] += other[loop] * factor;
}

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

/// The sum of two lists of pieces, cut where either is.
static std::vector<RowPiece> sum(llvm::ArrayRef<RowPiece> left, llvm::ArrayRef<RowPiece> right,
                                 int64_t factor) {
  std::vector<RowPiece> result;
  result.reserve(std::max(left.size(), right.size()));
  unsigned ofLeft = 0, ofRight = 0; // threads taken of the first piece of either
  while (!left.empty()) {
    const RowPiece &a = left.front(), &b = right.front();
    const unsigned count = std::min(a.count - ofLeft, b.count - ofRight);
    RowPiece &piece = result.emplace_back(a);
    piece.from += ofLeft;
    piece.count = count;
    piece.first += a.step * ofLeft + (b.first + b.step * ofRight) * factor;
    piece.step += b.step * factor;
    addMultiple(piece.drift, b.drift, factor);
    if ((ofLeft += count) == a.count) {
      left = left.drop_front();
      ofLeft = 0;
    }
    if ((ofRight += count) == b.count) {
      right = right.drop_front();
      ofRight = 0;
    }
  }
  return result;
}

void ThreadIntegers::addMultiple(const ThreadIntegers &other, int64_t factor,
                                 const BlockThreads &threads) {
  if (isLinear() && other.isLinear()) {
    base += other.base * factor;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      step[dimension] += other.step[dimension] * factor;
    ::addMultiple(drift, other.drift, factor);
    return;
  }
  if (isLinear()) {
    // The pieces of the other, each with what is linear.
    const ThreadIntegers own = std::exchange(*this, other);
    for (RowPiece &piece : pieces) {
      piece.first *= factor;
      piece.step *= factor;
      for (int64_t &growth : piece.drift)
        growth *= factor;
    }
    return addMultiple(own, 1, threads);
  }
  if (!other.isLinear()) {
    pieces = sum(pieces, other.pieces, factor);
    return;
  }
  for (RowPiece &piece : pieces) {
    piece.first += (other.at(threads.rows[piece.row].thread) + other.step[0] * piece.from) * factor;
    piece.step += other.step[0] * factor;
    ::addMultiple(piece.drift, other.drift, factor);
  }
}

IntegerRange ThreadIntegers::range(const BlockThreads &threads) const {
  if (isLinear()) {
    IntegerRange all{base, base};
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      const int64_t reach = step[dimension] * (threads.shape[dimension] - 1);
      (reach < 0 ? all.first : all.last) += reach;
    }
    return all;
  }
  IntegerRange all = pieces.front().range();
  for (const RowPiece &piece : pieces) {
    const auto [first, last] = piece.range();
    all = {std::min(all.first, first), std::max(all.last, last)};
  }
  return all;
}
