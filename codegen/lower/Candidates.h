// Candidates: the schedules of a variant that are worth a forecast.
//
// Blocks have 64 to 1024 threads and at least 16 along the contiguous axis, each side a power of
// two: with fewer threads an SM stays empty, with fewer along x a warp's request is torn into short
// rows. Usual schedules come first, since of equal ones the first is chosen. How many blocks share
// an SM is left open: it changes nothing that is counted, so that one lowering serves all.
#pragma once

#include "codegen/lower/Variant.h"

namespace stencilc {

/// Chunks of a march: a shorter one loads the ends of its columns too often.
inline constexpr std::array<int, 6> kMarchChunks = {8, 16, 32, 64, 128, 256};

/// `first`, then every block shape with threads along `dimensions` (1: x, 2: x and y, 3) with every
/// chunk: shorter chunks first, then blocks in which no warp spans two rows, then blocks of about
/// 256 threads, then shorter rows. After all of these the same with each flag.
std::vector<Schedule> candidatesIn(const Schedule &first, unsigned dimensions,
                                   llvm::ArrayRef<int> chunks,
                                   llvm::ArrayRef<llvm::StringRef> flags);

/// A block of threads, and how many rows of points a thread of it may have.
struct PatchBlock {
  std::array<int, 3> block;
  std::vector<int> rows;
};

/// `first` in patches: so many points in a row as a vector of 16 bytes holds of the widest
/// elements. Of blocks, rows and chunks only those are worth a forecast that measured kernels were
/// fastest with (costmodel/README.md). Shorter chunks come first, then blocks and rows in their
/// order.
std::vector<Schedule> candidatesInPatches(const Stencil &stencil, const Schedule &first,
                                          llvm::ArrayRef<PatchBlock> blocks,
                                          llvm::ArrayRef<int> chunks);
/// The same with a flag for patches that stick out nowhere: of fewer points in a row where the
/// frame is no whole number of vectors, as rows of most grids are.
std::vector<Schedule> candidatesOfWhole(const Stencil &stencil, const Schedule &first,
                                        llvm::ArrayRef<PatchBlock> blocks,
                                        llvm::ArrayRef<int> chunks, llvm::StringRef flag);

} // namespace stencilc
