// PlacedLaunch: a launch of a Program on concrete extents and memory, as ir/kernel/Program.h says.
//
// Slabs are not cut: blocks are numbered through, and each accesses what it would in its slab.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// Where the elements of an array lie: the one at `index` is number origin + sum of index * stride,
/// counted from the start of a 128-byte line.
struct ArrayLayout {
  std::array<int64_t, kMaxRank> stride = {}; ///< per axis of the array
  int64_t origin = 0;                        ///< of point 0
};

/// What the arrays with all axes share in the layout that the emitted layout function recommends:
/// rows of one length in whole lines, and a point in each that starts a line.
struct RecommendedRows {
  Widths ghost = {};    ///< points around the extents
  int line = 1;         ///< elements of a line, of the narrowest type
  int firstUpdated = 0; ///< the point that starts a line: the first that a step updates
};
RecommendedRows recommendedRows(const Program &program);
/// The recommended layouts on one grid, per array of the signature. Arrays with fewer axes are
/// dense.
std::vector<ArrayLayout> recommendedLayouts(const Program &program,
                                            llvm::ArrayRef<int64_t> extents);

struct PlacedLaunch {
  const Kernel *kernel;
  std::vector<int64_t> extents;
  std::vector<ArrayLayout> layouts;          ///< one per Kernel::arrays
  std::vector<int64_t> integers;             ///< one per Kernel::integers
  std::array<int64_t, 3> blocks = {1, 1, 1}; ///< along x, y, z; all 0 if the box is empty
  /// The launch's box per axis, and the first point of block 0, which alignment moves down.
  std::array<int64_t, kMaxRank> begin = {}, end = {}, first = {};
};

/// `layouts` are per array of the signature. A launch on the host is one block of one thread.
PlacedLaunch place(const Program &program, const Launch &launch, llvm::ArrayRef<int64_t> extents,
                   llvm::ArrayRef<ArrayLayout> layouts);

} // namespace stencilc
