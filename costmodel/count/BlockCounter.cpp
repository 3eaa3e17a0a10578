#include "costmodel/count/BlockCounter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <bit>

using namespace stencilc;

/// Bytes that one wavefront moves, and banks of four bytes that it reaches.
static constexpr unsigned kWavefrontBytes = 128, kBanks = 32, kBankBytes = 4;

/// Calls `change(uint64_t &own, uint64_t others)` for every number.
template <class Change>
static void combine(RequestCounts &own, const RequestCounts &others, const Change &change) {
  change(own.accesses, others.accesses);
  change(own.requests, others.requests);
  change(own.sectors, others.sectors);
  change(own.lines, others.lines);
  change(own.wavefronts, others.wavefronts);
}

template <class Change>
static void combine(BlockCounts &own, const BlockCounts &others, const Change &change) {
  for (auto member : {&BlockCounts::loads, &BlockCounts::stores})
    for (auto [array, other] : llvm::zip_equal(own.*member, others.*member)) {
      combine(array.requests, other.requests, change);
      change(array.aligned, other.aligned);
      change(array.misaligned, other.misaligned);
    }
  for (auto [statement, other] : llvm::zip_equal(own.statements, others.statements)) {
    change(statement.warps, other.warps);
    change(statement.lanes, other.lanes);
    change(statement.turns, other.turns);
    change(statement.divergent, other.divergent);
  }
  change(own.storingWarps, others.storingWarps);
  change(own.shared.requests, others.shared.requests);
  change(own.shared.wavefronts, others.shared.wavefronts);
}

void RequestCounts::add(const RequestCounts &other, uint64_t times) {
  combine(*this, other, [&](uint64_t &own, uint64_t more) { own += more * times; });
}

BlockCounts::BlockCounts(const Kernel &kernel, size_t statements)
    : loads(kernel.arrays.size()), stores(kernel.arrays.size()), statements(statements) {}

void BlockCounts::add(const BlockCounts &other, uint64_t times) {
  combine(*this, other, [&](uint64_t &own, uint64_t more) { own += more * times; });
}

BlockCounter::BlockCounter(const Kernel &kernel, size_t statements, int64_t start,
                           std::optional<int64_t> lastTurns)
    : counts(kernel, statements), kernel(kernel), start(start), lastTurns(lastTurns),
      hasStored(BlockThreads(kernel.block).warps), atTurn(counts),
      shifts(2 * kernel.arrays.size()) {}

/// How many pieces of 2^shift bytes a request touches, if its runs are rows in ascending order.
static std::optional<uint64_t> piecesOfRows(const WarpRequest &request, unsigned elementBytes,
                                            unsigned shift) {
  uint64_t pieces = 0;
  std::optional<int64_t> seen; ///< the last piece
  for (const LaneRun &run : request.runs) {
    if (run.stride != 1 && run.count > 1)
      return std::nullopt;
    const int64_t first = run.element * elementBytes >> shift,
                  last = (run.element + run.count - 1) * elementBytes >> shift;
    if (seen && first < *seen)
      return std::nullopt;
    pieces += last - first + (first != seen);
    seen = last;
  }
  return pieces;
}

uint64_t BlockCounter::piecesOf(const WarpRequest &request, unsigned elementBytes,
                                unsigned pieceBytes) {
  if (auto counted = piecesOfRows(request, elementBytes, llvm::Log2_32(pieceBytes)))
    return *counted;
  pieces.clear();
  appendPieces(request, elementBytes, pieceBytes, pieces);
  mergePieces(pieces);
  return countPieces(pieces);
}

bool stencilc::isAligned(const WarpRequest &request, const LaneRun &run, const Kernel &kernel,
                         int64_t start) {
  const unsigned elementBytes = sizeInBytes(kernel.arrays[request.array].type);
  const int64_t x = (request.warp * kWarpLanes + run.lane) % kernel.block[0];
  const int64_t row = run.element - run.stride * x - start;
  return (row * elementBytes & int64_t(kLineBytes - 1)) == 0;
}

void BlockCounter::global(const WarpRequest &request) {
  const unsigned elementBytes = sizeInBytes(kernel.arrays[request.array].type);
  BlockCounts::OfArray &sum = (request.isStore ? counts.stores : counts.loads)[request.array];
  unsigned lanes = 0;
  for (const LaneRun &run : request.runs) {
    (isAligned(request, run, kernel, start) ? sum.aligned : sum.misaligned) += run.count;
    lanes += run.count;
    if (lastTurns)
      current.push_back({request.array, request.isStore, request.warp, run});
  }
  sum.requests.accesses += lanes;
  ++sum.requests.requests;
  if (request.isStore && !std::exchange(hasStored[request.warp], true))
    ++counts.storingWarps;
  sum.requests.sectors += piecesOf(request, elementBytes, kSectorBytes);
  sum.requests.lines += piecesOf(request, elementBytes, kLineBytes);
  sum.requests.wavefronts += llvm::divideCeil(lanes * elementBytes, kWavefrontBytes);
}

void BlockCounter::shared(const WarpRequest &request) {
  // Lanes are served in groups that together ask for one word of every bank.
  const unsigned words = sizeInBytes(kernel.tiles[request.array].type) / kBankBytes;
  const unsigned lanesOfGroup = kWarpLanes / words;
  std::array<llvm::SmallVector<int64_t, 2>, kBanks> asked; ///< words, by bank
  unsigned group = 0;
  const auto finish = [&] {
    size_t most = 0;
    for (auto &bank : asked) {
      most = std::max(most, bank.size());
      bank.clear();
    }
    counts.shared.wavefronts += most;
  };
  for (const LaneRun &run : request.runs)
    for (unsigned lane = 0; lane < run.count; ++lane) {
      if (const unsigned next = (run.lane + lane) / lanesOfGroup; next != group) {
        finish();
        group = next;
      }
      const int64_t element = run.element + run.stride * lane;
      for (unsigned word = 0; word < words; ++word) {
        const int64_t address = element * words + word;
        auto &bank = asked[address % kBanks];
        if (!llvm::is_contained(bank, address))
          bank.push_back(address);
      }
    }
  finish();
  ++counts.shared.requests;
}

void BlockCounter::execute(unsigned statement, const WarpLanes &lanes) {
  BlockCounts::OfStatement &sum = counts.statements[statement];
  for (uint32_t warp : lanes) {
    sum.warps += warp != 0;
    sum.lanes += std::popcount(warp);
  }
}

void BlockCounter::turn(unsigned statement, const WarpLanes &lanes) {
  for (uint32_t warp : lanes)
    counts.statements[statement].turns += warp != 0;
}

void BlockCounter::diverge(unsigned statement, unsigned warps) {
  counts.statements[statement].divergent += warps;
}

/// True if `to` accesses what `from` does, moved by one distance per argument of whole lines.
bool BlockCounter::isShifted(const Turn &from, const Turn &to,
                             llvm::SmallVectorImpl<int64_t> &distances) const {
  if (from.size() != to.size())
    return false;
  llvm::SmallVector<char, 8> known(distances.size(), false);
  for (auto [before, after] : llvm::zip_equal(from, to)) {
    if (before.array != after.array || before.isStore != after.isStore ||
        before.warp != after.warp || before.run.lane != after.run.lane ||
        before.run.count != after.run.count || before.run.stride != after.run.stride)
      return false;
    const size_t number = after.array + (after.isStore ? kernel.arrays.size() : 0);
    const int64_t distance = after.run.element - before.run.element;
    if (known[number] && distances[number] != distance)
      return false;
    if (distance * sizeInBytes(kernel.arrays[after.array].type) % kLineBytes != 0)
      return false;
    distances[number] = distance;
    known[number] = true;
  }
  return true;
}

int64_t BlockCounter::skipTurns(int64_t left) {
  if (!lastTurns)
    return 0;
  llvm::SmallVector<int64_t, 8> distances(shifts);
  const bool fits = isShifted(previous, current, distances);
  if (skipped > 0) {
    // The turns left out must have led here.
    for (auto [now, before] : llvm::zip_equal(distances, shifts))
      isExact &= now == before * (skipped + 1);
    isExact &= fits;
    skipped = 0;
    alike = 0;
  } else {
    alike = fits && (alike == 0 || distances == shifts) ? alike + 1 : 0;
    shifts = distances;
  }
  int64_t toSkip = 0;
  if (alike >= 2 && left > *lastTurns) {
    toSkip = skipped = left - *lastTurns;
    BlockCounts ofTurn = counts;
    combine(ofTurn, atTurn, [](uint64_t &own, uint64_t before) { own -= before; });
    counts.add(ofTurn, toSkip);
  }
  std::swap(previous, current);
  current.clear();
  atTurn = counts;
  return toSkip;
}

uint64_t BlockCounter::linesLoadedAgain(unsigned array) const {
  assert(lastTurns && "turns are kept only where some may be left out");
  const unsigned elementBytes = sizeInBytes(kernel.arrays[array].type);
  llvm::SmallVector<PieceRange, 0> lines;
  for (const Turn *turn : {&previous, &current})
    for (const LoggedRun &logged : *turn)
      if (logged.array == array && !logged.isStore)
        appendPieces({array, false, logged.warp, logged.run}, elementBytes, kLineBytes, lines);
  llvm::sort(lines, [](const PieceRange &left, const PieceRange &right) {
    return left.first < right.first;
  });
  uint64_t again = 0;
  int64_t once = lines.empty() ? 0 : lines.front().first, twice = once; // what is seen lies below
  for (const PieceRange &range : lines) {
    const int64_t end = range.last + 1, seen = std::min(end, once);
    again += std::max<int64_t>(seen - std::max(range.first, twice), 0);
    twice = std::max(twice, seen);
    once = std::max(once, end);
  }
  return again;
}
