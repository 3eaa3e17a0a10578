// PlacedLaunch: a launch of a Program on concrete extents and memory, as ir/kernel/Cover.h says.
//
// Unless they are asked for, slabs are not cut: blocks are numbered through, and each accesses what
// it would in its slab.
#pragma once

#include "ir/kernel/ArrayLayout.h"

namespace stencilc {

/// The layouts that the emitted layout function recommends, and those of the workspace, on one
/// grid, per buffer of the program.
std::vector<ArrayLayout> recommendedLayouts(const Program &program,
                                            llvm::ArrayRef<int64_t> extents);

struct PlacedLaunch {
  const Kernel *kernel;
  std::vector<int64_t> extents;
  std::vector<ArrayLayout> layouts;          ///< one per Kernel::arrays
  std::vector<int64_t> integers;             ///< one per Kernel::integers
  std::array<int64_t, 3> blocks = {1, 1, 1}; ///< along x, y, z; all 0 if the box is empty
  PlacedCover cover;

  bool operator==(const PlacedLaunch &) const = default;
};

/// In the first step, with params as usual. `layouts` are per buffer of the program. A launch on
/// the host is one block of one thread.
PlacedLaunch place(const Program &program, const Launch &launch, llvm::ArrayRef<int64_t> extents,
                   llvm::ArrayRef<ArrayLayout> layouts);
PlacedLaunch place(const Program &program, const Launch &launch, const RunNumbers &numbers,
                   llvm::ArrayRef<ArrayLayout> layouts);

/// The part of a launch on one of the slabs of its cover.
PlacedLaunch slabOf(PlacedLaunch placed, const Program &program, const Launch &launch,
                    const RunNumbers &numbers, const PlacedCover &slab);

bool rowsAreAligned(const Program &program, const Aligned &aligned,
                    llvm::ArrayRef<ArrayLayout> layouts);
/// The launches that a pass makes once a run is under way, on such a grid and arrays that lie so.
std::vector<const Launch *> steadyLaunches(const Program &program, const Pass &pass,
                                           llvm::ArrayRef<int64_t> extents,
                                           llvm::ArrayRef<ArrayLayout> layouts);

} // namespace stencilc
