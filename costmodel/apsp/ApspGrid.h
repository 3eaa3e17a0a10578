// ApspGrid: what one launch of a shortest-path kernel puts on a device; counted, never fitted.
//
// The grid covers the n x n matrix with square blocks. Where n is no multiple of the block width,
// the blocks of the last column and the last row hold fewer active warps: the paper's four kinds of
// block, [duemmler2015] 4.3. Four mappings of blocks to multiprocessors then say how many warps the
// busiest one executes, 4.4. Two readings that the print leaves open are fixed here:
// - The paper's #WarpsPerBlock(x) takes a number of warps, not of threads: every row of a block
//   starts a warp, and the device rounds their number up to its granularity.
// - (16) rounds down. As printed, rounding up, model Buckets turns negative for small grids.
#pragma once

#include "costmodel/device/DeviceProfile.h"

namespace stencilc {

enum class BlockKind { Full, Right, Bottom, Last };

/// Blocks that are alike.
struct BlockGroup {
  int64_t blocks = 0;
  int64_t warps = 0; ///< active in each, rounded up to the device's granularity
};

struct ApspGrid {
  int64_t nodes = 0;
  int blockWidth = 0;
  int64_t width = 0;                ///< blocks along one side, the paper's GridWidth
  std::array<BlockGroup, 4> groups; ///< by BlockKind; together width x width blocks

  int64_t blocks() const { return width * width; }
  int64_t warps() const; ///< (6)
};

/// [duemmler2015] (7) to (13).
ApspGrid apspGrid(const DeviceProfile &device, int64_t nodes, int blockWidth);

/// How blocks reach multiprocessors, from the most hopeful assumption to the least.
enum class Mapping {
  Min,    ///< warps spread evenly, blocks split at will
  Sorted, ///< list scheduling, blocks with most warps first
  Full,   ///< every block counts as full, dealt in turn
  Buckets ///< every block counts as full, as many at a time as an SM can hold
};
inline constexpr std::array<Mapping, 4> kMappings = {Mapping::Min, Mapping::Sorted, Mapping::Full,
                                                     Mapping::Buckets};

/// "Min", "Sorted", "Full", "Buckets".
llvm::StringRef spelling(Mapping mapping);

/// Warps of the busiest multiprocessor, [duemmler2015] (14) to (18). `groups` are ordered by
/// falling number of warps; the first one is of full blocks.
int64_t warpsPerSm(Mapping mapping, llvm::ArrayRef<BlockGroup> groups, int64_t sms,
                   int64_t residentBlocks);

/// The device's #BlocksPerSM_Occ for blocks of this width, one of kProfiledBlockWidths.
int64_t residentBlocks(const DeviceProfile &device, int blockWidth);

/// Launches of the min-plus kernel that settle a graph: ceil(log2(n - 1)), none below 3 nodes.
int64_t minPlusLaunches(int64_t nodes);

} // namespace stencilc
