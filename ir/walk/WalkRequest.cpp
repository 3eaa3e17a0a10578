#include "ir/walk/WalkRequest.h"

#include "ir/kernel/Index.h"

using namespace stencilc;

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
