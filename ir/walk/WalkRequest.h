// WarpRequest: what one warp asks of global memory with one load or store, in closed form; and the
// sectors and lines it touches.
#pragma once

#include "ir/kernel/Kernel.h"
#include "ir/kernel/Signature.h"

namespace stencilc {

/// What memory moves at once.
constexpr unsigned kSectorBytes = 32;

/// What a lane copies to shared memory past the L1; less passes through it.
constexpr unsigned kBytesPastL1 = 16;

/// Lanes lane .. lane + count - 1 access element, element + stride, ...; of a vector access these
/// are the first elements of each lane.
struct LaneRun {
  unsigned lane, count;
  int64_t element, stride;
};

struct WarpRequest {
  unsigned array; ///< number in Kernel::arrays
  bool isStore;
  unsigned warp;                ///< number in the block
  llvm::ArrayRef<LaneRun> runs; ///< of the active lanes, ascending; not empty
  /// Warps that ask the same, this one among them, of global memory whole lines away. Their threads
  /// lie in rows of the same form.
  unsigned alike = 1;
  unsigned width = 1;    ///< consecutive elements that each lane accesses
  int64_t shift = 0;     ///< elements from each alike warp to the next, where one block is walked
  bool isPastL1 = false; ///< 16 bytes a lane, copied to shared memory from the L2
};

/// The lanes of a run from `first` on, before `end`.
std::optional<LaneRun> partOf(const LaneRun &run, unsigned first, unsigned end);

/// Wavefronts of a request of shared memory, or of global memory, which the same banks serve from
/// the L1: lanes are served in groups that together ask for one word of every bank: a warp of 4
/// bytes a lane, half a warp of 8, a quarter of 16. Each group takes as many as its most loaded
/// bank is asked for words. Rows of arrays lie whole lines apart, so that those of less than a line
/// meet in banks.
unsigned wavefrontsOf(const WarpRequest &request, unsigned elementBytes);

/// Pieces first .. last of memory, each of one size, counted from element 0.
struct PieceRange {
  int64_t first, last;
};

/// Appends the pieces of `pieceBytes` bytes that a request for elements of `elementBytes` touches;
/// a piece may be appended several times.
void appendPieces(const WarpRequest &request, unsigned elementBytes, unsigned pieceBytes,
                  llvm::SmallVectorImpl<PieceRange> &pieces);
/// Puts ranges in order, without overlap.
void mergePieces(llvm::SmallVectorImpl<PieceRange> &pieces);
/// How many pieces merged ranges hold.
uint64_t countPieces(llvm::ArrayRef<PieceRange> merged);

} // namespace stencilc
