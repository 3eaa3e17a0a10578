// AccessReach: within which bounds the indices of a kernel's accesses lie, over the threads of a
// block and the turns of its loops, from its text alone.
//
// Bounds are followed from block to block: each knows by how much it grows, and the TurnHorizon
// learns for how many blocks more the same holds. They also know along which dimensions of the grid
// they depend on the block at all.
#pragma once

#include "costmodel/count/GridBoxes.h"
#include "ir/walk/TurnHorizon.h"
#include "ir/walk/WalkLaunch.h"
#include "ir/walk/WalkRequest.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc {

/// Dimensions x, y, z of a grid of blocks, as bits.
using GridDimensions = uint8_t;
constexpr GridDimensions kAllDimensions = 7;

/// An integer that grows evenly from block to block.
struct Bound {
  int64_t value = 0;
  std::array<int64_t, kGridLoops> drift = {}; ///< from round to round of blocks along z, y, x
  GridDimensions dependsOn = 0;

  Bound plus(const Bound &other, int64_t factor = 1) const;
  Bound plus(int64_t constant) const { return {value + constant, drift, dependsOn}; }
};

/// Integers first .. last; none if last < first.
struct Reach {
  Bound first, last;
  GridDimensions dependsOn() const { return first.dependsOn | last.dependsOn; }
};

struct AccessReach {
  unsigned array;
  bool isStore;
  std::array<Reach, kMaxRank> along = {}; ///< per axis of the grid; 0 .. 0 for one the array lacks
  /// False if a guard is seen to leave it out, or an index has no value.
  bool isMade = true;
  /// Why guards leave it out: each only because of where the block lies along one of these.
  GridDimensions leftOut = 0;
  /// False if guards leave it out because of where the block lies along several dimensions at once,
  /// or wherever it lies.
  bool isSeparate = true;
};

/// Tells of all accesses of a block, in the order of the text. `block`: its numbers along x, y, z
/// and how they grow in the rounds that are open in `horizon`. With an axis, it tells of the reach
/// along that one alone.
void visitAccesses(const PlacedLaunch &launch, const std::array<Bound, 3> &block,
                   TurnHorizon &horizon, llvm::function_ref<void(const AccessReach &)> visitor,
                   std::optional<unsigned> axis = std::nullopt);

} // namespace stencilc
