// PipelineShape: what a RowPipeline makes of a schedule: which warp holds which steps, what a
// tile's row has room for, what of it is right in the end.
#pragma once

#include "codegen/variants/MarchReach.h"
#include "ir/kernel/Kernel.h"
#include "ir/kernel/Schedule.h"

#include "llvm/Support/MathExtras.h"

namespace stencilc {

struct PipelineShape {
  PipelineShape(const Stencil &stencil, const Schedule &schedule);

  int warps, steps;    ///< of the block; of each warp
  int points, rows;    ///< of a lane; that are handed on at once, a chunk
  int ahead, slots;    ///< chunks that are copied ahead; that shared memory holds
  int lowest, highest; ///< planes that are read along the march
  int x;               ///< and beside it
  int width, margin;   ///< points of a tile's row; at each end, that are not right at the last step
  int sector;          ///< points of a sector of memory, of the smallest elements
  int chunk;           ///< rows of a tile that one block makes, or as many as share it
  int blocks, tiles;   ///< so many blocks share the chunks of so many tiles; or 1, 1
  int atEnds;          ///< of them so many that of the first tile, and of the last; 0: all alike

  int fused() const { return warps * steps; }
  int right() const { return width - 2 * margin; }
  int threads() const { return warps * int(kLanesPerWarp); }
  /// As many rows for each of the blocks are a chunk, or a little more.
  int rowsOfShare() const { return llvm::divideCeil(chunk, blocks); }
  /// Rows of level 0 that an owned row of the last level depends on, less one.
  int rowsAround() const { return fused() * (highest - lowest); }
};

/// Of the chunks that warps hand on.
int64_t sharedBytes(const Stencil &stencil, const PipelineShape &shape);

/// Why warps do not hold steps so; success if they can.
llvm::Error checkPipeline(const Stencil &stencil, const Schedule &schedule);

} // namespace stencilc
