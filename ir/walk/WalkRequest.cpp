#include "ir/walk/WalkRequest.h"

#include "ir/kernel/Index.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace stencilc;

/// Banks of four bytes, each of which a wavefront asks for one word.
static constexpr unsigned kBanks = 32, kBankBytes = 4;

/// Of one run of lanes in one group, `words` a lane: every so many lanes come back to the same
/// bank.
static unsigned wavefrontsOfRun(const LaneRun &run, int64_t wordStride, unsigned words) {
  const int64_t places = kBanks / words; // each as wide as a lane's words
  const int64_t apart = places / std::gcd(places, std::abs(wordStride) / words);
  return run.stride == 0 ? 1 : llvm::divideCeil(run.count, uint64_t(apart));
}

std::optional<LaneRun> stencilc::partOf(const LaneRun &run, unsigned first, unsigned end) {
  const unsigned begin = std::max(run.lane, first), last = std::min(run.lane + run.count, end);
  if (begin >= last)
    return std::nullopt;
  return LaneRun{begin, last - begin, run.element + run.stride * int64_t(begin - run.lane),
                 run.stride};
}

unsigned stencilc::wavefrontsOf(const WarpRequest &request, unsigned elementBytes) {
  const unsigned ofElement = elementBytes / kBankBytes, words = ofElement * request.width,
                 lanesOfGroup = kLanesPerWarp / words;
  if (const LaneRun &row = request.runs.front();
      request.runs.size() == 1 && row.stride == request.width) // no bank is asked twice by a group
    return (row.lane + row.count - 1) / lanesOfGroup - row.lane / lanesOfGroup + 1;
  std::array<llvm::SmallVector<int64_t, 2>, kBanks> asked; ///< words, by bank
  llvm::SmallVector<LaneRun, 8> ofGroup;
  unsigned wavefronts = 0;
  const auto serve = [&] {
    if (ofGroup.empty())
      return;
    const LaneRun &only = ofGroup.front();
    if (ofGroup.size() == 1 && only.stride % request.width == 0) {
      wavefronts += wavefrontsOfRun(only, only.stride * ofElement, words);
      return;
    }
    size_t most = 0;
    for (auto &bank : asked)
      bank.clear();
    for (const LaneRun &run : ofGroup)
      for (unsigned lane = 0; lane < run.count; ++lane)
        for (unsigned word = 0; word < words; ++word) {
          const int64_t address = (run.element + run.stride * lane) * ofElement + word;
          auto &bank = asked[address & (kBanks - 1)];
          if (!llvm::is_contained(bank, address))
            bank.push_back(address);
          most = std::max(most, bank.size());
        }
    wavefronts += most;
  };
  for (unsigned first = 0; first < kLanesPerWarp; first += lanesOfGroup) {
    ofGroup.clear();
    for (const LaneRun &run : request.runs)
      if (auto part = partOf(run, first, first + lanesOfGroup))
        ofGroup.push_back(*part);
    serve();
  }
  return wavefronts;
}

void stencilc::appendPieces(const WarpRequest &request, unsigned elementBytes, unsigned pieceBytes,
                            llvm::SmallVectorImpl<PieceRange> &pieces) {
  // Elements are aligned to their size, so none lies in two pieces.
  auto pieceOf = [&](int64_t element) {
    return euclideanQuotient(element * elementBytes, pieceBytes);
  };
  for (const LaneRun &run : request.runs) {
    int64_t first = run.element, last = run.element + run.stride * (run.count - 1);
    if (first > last)
      std::swap(first, last);
    const int64_t step = std::abs(run.stride), beyond = request.width - 1;
    if ((step - beyond) * elementBytes <= pieceBytes)
      pieces.push_back({pieceOf(first), pieceOf(last + beyond)});
    else
      for (int64_t element = first; element <= last; element += step)
        pieces.push_back({pieceOf(element), pieceOf(element + beyond)});
  }
}

void stencilc::mergePieces(llvm::SmallVectorImpl<PieceRange> &pieces) {
  if (pieces.size() < 2)
    return;
  llvm::sort(pieces, [](const PieceRange &left, const PieceRange &right) {
    return left.first < right.first;
  });
  PieceRange *kept = pieces.begin();
  for (const PieceRange &next : llvm::drop_begin(pieces))
    if (next.first <= kept->last + 1)
      kept->last = std::max(kept->last, next.last);
    else
      *++kept = next;
  pieces.truncate(kept + 1 - pieces.begin());
}

uint64_t stencilc::countPieces(llvm::ArrayRef<PieceRange> merged) {
  uint64_t count = 0;
  for (const PieceRange &range : merged)
    count += range.last - range.first + 1;
  return count;
}
