// ApspJumps: where one more node makes a run much longer, and why.
//
// Two things make a step between n and n + 1: the min-plus kernel is launched once more, or the
// grid gains a row and a column of blocks, which may be dealt in one more round. How high the step
// is differs from mapping to mapping; what none of them raises by kJumpHeight is no jump.
#pragma once

#include "costmodel/apsp/ApspIntervals.h"

namespace stencilc {

inline constexpr double kJumpHeight = 0.05;

struct ApspJump {
  int64_t from = 0;                ///< the step lies between `from` and `from + 1` nodes
  bool launch = false;             ///< one more launch
  bool blocks = false;             ///< one more row and column of blocks
  std::array<double, 4> heights{}; ///< by Mapping: 0.2 is a fifth longer
  double highest() const;
};

/// The step from `from` nodes to one more; of one of the paper's kernels.
ApspJump jumpAt(const DeviceProfile &device, ApspAlgorithm algorithm, int blockWidth, int64_t from);

/// The first jump at `nodes` or later, if there is one before the matrix has grown fourfold.
std::optional<ApspJump> nextJump(const DeviceProfile &device, ApspAlgorithm algorithm,
                                 int blockWidth, int64_t nodes);

} // namespace stencilc
