#include "ir/walk/BlockThreads.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

using Rows = llvm::SmallVector<ThreadRow, 2>;

static void appendRows(Rows &rows, unsigned warp, const std::array<int, 3> &shape) {
  const unsigned first = warp * kLanesPerWarp,
                 end = std::min<unsigned>(first + kLanesPerWarp, shape[0] * shape[1] * shape[2]);
  for (unsigned thread = first; thread < end; thread += rows.back().count) {
    const int row = thread / shape[0], x = thread - row * shape[0];
    rows.push_back({thread - first,
                    std::min<unsigned>(end - thread, shape[0] - x),
                    {x, row % shape[1], row / shape[1]}});
  }
}

/// How far some rows lie from others that look the same.
static std::optional<std::array<int, 3>> shiftBetween(const Rows &rows, const Rows &others) {
  if (rows.size() != others.size())
    return std::nullopt;
  std::array<int, 3> shift;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    shift[dimension] = others[0].thread[dimension] - rows[0].thread[dimension];
  for (auto [row, other] : llvm::zip_equal(rows, others)) {
    bool isSame = row.lane == other.lane && row.count == other.count;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      isSame &= row.thread[dimension] + shift[dimension] == other.thread[dimension];
    if (!isSame)
      return std::nullopt;
  }
  return shift;
}

/// Runs of warps that stand `apart`, each as long as it can be.
static llvm::SmallVector<WarpRun, 2> runsOf(llvm::ArrayRef<Rows> rows, unsigned apart) {
  llvm::SmallVector<WarpRun, 2> runs;
  llvm::SmallVector<char, kLanesPerWarp> isTaken(rows.size());
  unsigned place = 0;
  for (unsigned first = 0; first < rows.size(); ++first) {
    if (isTaken[first])
      continue;
    WarpRun &run = runs.emplace_back(WarpRun{place, first, apart, 1, {}, rows[first]});
    for (unsigned next = first + apart; next < rows.size(); next += apart) {
      const auto shift = shiftBetween(rows[next - apart], rows[next]);
      if (!shift || (run.count > 1 && *shift != run.shift))
        break;
      run.shift = *shift;
      ++run.count;
      isTaken[next] = true;
    }
    place += run.count;
  }
  return runs;
}

BlockThreads::BlockThreads(std::array<int, 3> shape)
    : shape(shape),
      warps(llvm::divideCeil(uint64_t(shape[0]) * shape[1] * shape[2], kLanesPerWarp)) {
  std::vector<Rows> rows(warps);
  for (unsigned warp = 0; warp < warps; ++warp)
    appendRows(rows[warp], warp, shape);
  // Neighbours along x, along y or along z: whichever makes the longest runs.
  runs = runsOf(rows, 1);
  for (unsigned threads : {shape[0], shape[0] * shape[1]})
    if (const unsigned apart = threads / kLanesPerWarp; apart > 1 && runs.size() > 1)
      if (auto others = runsOf(rows, apart); others.size() < runs.size())
        runs = std::move(others);
  for (WarpRun &run : runs) {
    run.looksLikeFirst = shiftBetween(runs.front().rows, run.rows).has_value();
    for (const ThreadRow &row : run.rows) {
      differInWarps[0] |= row.count > 1;
      for (unsigned dimension = 0; dimension < 3; ++dimension)
        differInWarps[dimension] |= row.thread[dimension] != run.rows[0].thread[dimension];
    }
  }
}

unsigned BlockThreads::warpAt(unsigned place) const {
  const WarpRun &run =
      *llvm::find_if(runs, [&](const WarpRun &run) { return place < run.place + run.count; });
  return run.first + (place - run.place) * run.apart;
}
