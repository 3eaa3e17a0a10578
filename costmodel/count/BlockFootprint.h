// BlockFootprint: the boxes of points that a block accesses, from the indices of its kernel alone.
//
// Every index is bounded over the threads of the block and the turns of its loops, so each access
// gives one box; boxes that meet are joined. Over a whole grid the bounds are followed from block
// to block (ir/walk/TurnHorizon.h): blocks whose boxes are those of another, moved by whole
// sectors, are left out.
#pragma once

#include "costmodel/count/GridBoxes.h"
#include "ir/walk/WalkLaunch.h"

namespace stencilc {

/// The boxes of one argument, loads or stores, in points of the grid.
struct AccessBoxes {
  unsigned array;
  bool isStore;
  std::vector<GridBox> boxes;
};

/// What the block with this number (along x, y, z) accesses, loads first. Where an index goes
/// around the end of a periodic axis, the box reaches beyond the grid instead. Axes that an array
/// lacks have the interval 0 .. 0.
std::vector<AccessBoxes> boxesOfBlock(const PlacedLaunch &launch, std::array<int64_t, 3> block);

/// Distinct pieces of memory that the boxes touch.
uint64_t piecesOf(const PlacedLaunch &launch, const AccessBoxes &access, int64_t pieceBytes);

/// Distinct in each block, summed over all blocks of a launch; by number in Kernel::arrays.
struct GridFootprint {
  struct OfArray {
    uint64_t sectors = 0, points = 0;
  };
  std::vector<OfArray> loads, stores;
};
GridFootprint footprintOfGrid(const PlacedLaunch &launch);

} // namespace stencilc
