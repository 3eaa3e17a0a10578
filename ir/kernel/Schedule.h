// Schedule: how a stencil is to be computed, as plain data.
//
// Its text form can be replayed by hand:
//   variant/BXxBYxBZ[/cN][/tN][/vXxY][/pN][/bN][/rN][/flag...]
// block shape with x first (as many numbers as the stencil has axes), c chunk of the slowest axis,
// t fused time steps, v points per thread, p prefetch distance, b blocks along y in a launch, r
// resident blocks per SM, then flags such as `plain`. Defaults are left out when printing. Of any
// variant, `recompute` computes temps again where they are read, `precompute` what several points
// ask for once. For the host target the text is `host` alone (no block shape), plus flags.
#pragma once

#include "ir/stencil/Stencil.h"

#include "llvm/Support/Error.h"

namespace stencilc {

struct Schedule {
  std::string variant = "baseline";
  unsigned rank = kMaxRank; ///< axes along which threads stand; 0: there are no threads
  /// Threads of a block along x, y, z (x is the contiguous axis): 1 on axes the stencil lacks.
  std::array<int, kMaxRank> block = {1, 1, 1};
  int chunk = 1;                               ///< planes a thread marches along the slowest axis
  int fuse = 1;                                ///< time steps per launch
  std::array<int, 2> pointsPerThread = {1, 1}; ///< along x, along y
  int prefetch = 0;                            ///< planes loaded ahead
  /// Of three axes: blocks along y in a launch at most, so that a layer of blocks is narrow enough
  /// for the L2 to keep what the next one reads again; 0: all.
  int band = 0;
  int residency = 0;              ///< blocks promised to share one SM; 0: none are
  std::vector<std::string> flags; ///< sorted, without duplicates

  bool hasFlag(llvm::StringRef flag) const;
  int threads() const { return block[0] * block[1] * block[2]; }
  bool operator==(const Schedule &) const = default;
};

std::string toString(const Schedule &schedule);
/// Reads the text form for a stencil of `rank` axes; the error says which part was not understood
/// and what could stand there.
llvm::Expected<Schedule> parseSchedule(llvm::StringRef text, unsigned rank);

} // namespace stencilc
