// Su2015Launch: one launch at the three levels of [su2015].
//
// A thread moves values between its registers and the storage of its SM, (3) and (4); a block
// fetches its points and their halo from the L2, (5) to (8); a group, all blocks that the device
// holds at once, fetches its own from device memory, (9) to (15). A march through a chunk of points
// has its own halo and miss ratio, (16) and (17), and an adjusted time, (18).
//
// Counted: loads and stores of a thread, the points, boxes and number of the blocks. All else is
// predicted. Where the print leaves room, this reproduces its Table 2 and stays below what was
// measured:
// - The storage in (8) is in elements. Row 17 of Table 2 prints bytes, and a value from elements.
// - (13) and (14) end where the grid ends, and so does a block that is wider than the grid.
// - For (12) to (14) the chunk is part of the block shape.
// - "log 2" in (17) is the logarithm to base 2, and never below 0.
// - Each array has its own halo; (17) takes the widest.
// - The paper's loads all pass a cache of the SM. Those that the device serves from the L2 alone
//   bring the sectors of every warp request into the block, and nothing is kept or reloaded.
// - A group that ends within a row, which the paper leaves out, is as wide as its blocks.
#pragma once

#include "costmodel/model/Prediction.h"
#include "costmodel/model/Su2015Footprint.h"

namespace stencilc {

class Su2015Launch {
public:
  /// The device must have the constants of [su2015].
  Su2015Launch(const LaunchCounts &launch, const DeviceProfile &device, const Occupancy &occupancy);

  Su2015Quantities quantities;
  double smxBytes = 0, l2Bytes = 0, dramBytes = 0;

  /// (18) where a thread updates several points, else (2).
  double seconds() const;

private:
  /// Values of several arrays, whose elements may differ in size.
  struct Amount {
    double elements = 0, bytes = 0;
    void add(int64_t count, unsigned elementBytes);
  };

  void countThreads();
  void countBlocks();
  void countGroups();
  void time();
  unsigned slowest() const { return launch.kernel->rank() - 1; } ///< dimension

  const LaunchCounts &launch;
  const DeviceProfile &device;
  const Su2015Constants &constants;
  const Occupancy &occupancy;
  int64_t covered = 1;                      ///< points of the block that was counted
  Su2015Footprint::Sizes grid = {1, 1, 1};  ///< points updated
  Su2015Footprint::Sizes block = {1, 1, 1}; ///< points that a block of this grid advances
  Su2015Footprint::Sizes chunk = {1, 1, 1}; ///< points that a thread advances
  Su2015Footprint::Sizes blocks = {1, 1, 1};
  std::vector<Su2015Footprint> loaded;
  Amount blockStores;
};

} // namespace stencilc
