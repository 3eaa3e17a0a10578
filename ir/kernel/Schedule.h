// Schedule: how a stencil is to be computed, as plain data.
//
// Its text form can be replayed by hand:
//   variant/BXxBYxBZ[/cN][/tN][/vXxY][/pN][/rN][/flag...]
// block shape with x first (as many numbers as the stencil has axes), c chunk of the slowest axis,
// t fused time steps, v points per thread, p prefetch distance, r resident blocks per SM, then
// flags such as `plain`. Defaults are left out when printing; r is printed once it is chosen.
// For the host target the text is `host` alone (no block shape, no r), plus flags.
#pragma once

#include "llvm/Support/Error.h"

#include <array>
#include <string>
#include <vector>

namespace stencilc {

struct Schedule {
  std::string variant = "baseline";
  /// Threads of a block along x, y, z (x is the contiguous axis): 1 on axes the stencil lacks.
  std::array<int, 3> block = {1, 1, 1};
  int chunk = 1;                               ///< planes a thread marches along the slowest axis
  int fuse = 1;                                ///< time steps per launch
  std::array<int, 2> pointsPerThread = {1, 1}; ///< along x, along y
  int prefetch = 0;                            ///< planes loaded ahead
  int residency = 0; ///< blocks resident on one SM; 0: not chosen yet, the lowering chooses
  std::vector<std::string> flags; ///< sorted, without duplicates

  bool hasFlag(llvm::StringRef flag) const;
  int threads() const { return block[0] * block[1] * block[2]; }
  bool operator==(const Schedule &) const = default;
};

/// The text form for a stencil of `rank` axes.
std::string toString(const Schedule &schedule, unsigned rank);
/// Reads the text form; the error says which part was not understood and what could stand there.
llvm::Expected<Schedule> parseSchedule(llvm::StringRef text, unsigned rank);

} // namespace stencilc
