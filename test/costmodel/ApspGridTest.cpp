#include "costmodel/apsp/ApspGrid.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace stencilc;

namespace apsp_grid {
namespace {

DeviceProfile device(StringRef name) { return cantFail(loadDeviceProfile(name)); }

/// List scheduling, block by block.
int64_t dealOneByOne(ArrayRef<BlockGroup> groups, int64_t sms) {
  std::vector<int64_t> loads(sms);
  for (const BlockGroup &group : groups)
    for (int64_t block = 0; block < group.blocks; ++block)
      *min_element(loads) += group.warps;
  return *max_element(loads);
}

} // namespace

TEST(ApspGrid, BlocksOfTheLastColumnAndRowHoldFewerWarps) {
  // n = 81 in blocks of 8: 10 x 10 full ones, and 1 row or column of each of the others is inside.
  // A row of a block starts a warp and the C2075 rounds up to 2: 8 rows are 8 warps, 1 row is 2.
  const ApspGrid grid = apspGrid(device("c2075"), 81, 8);
  EXPECT_EQ(grid.width, 11);
  EXPECT_EQ(grid.groups[size_t(BlockKind::Full)].blocks, 100);
  EXPECT_EQ(grid.groups[size_t(BlockKind::Full)].warps, 8);
  EXPECT_EQ(grid.groups[size_t(BlockKind::Right)].blocks, 10);
  EXPECT_EQ(grid.groups[size_t(BlockKind::Right)].warps, 8);
  EXPECT_EQ(grid.groups[size_t(BlockKind::Bottom)].blocks, 10);
  EXPECT_EQ(grid.groups[size_t(BlockKind::Bottom)].warps, 2);
  EXPECT_EQ(grid.groups[size_t(BlockKind::Last)].blocks, 1);
  EXPECT_EQ(grid.groups[size_t(BlockKind::Last)].warps, 2);
  EXPECT_EQ(grid.warps(), 100 * 8 + 10 * 8 + 10 * 2 + 2);
}

TEST(ApspGrid, BlocksAddUpToTheGrid) {
  for (int block : kProfiledBlockWidths)
    for (int64_t n = 0; n < 200; ++n) {
      const ApspGrid grid = apspGrid(device("h200"), n, block);
      int64_t blocks = 0;
      for (const BlockGroup &group : grid.groups)
        blocks += group.blocks;
      EXPECT_EQ(blocks, grid.blocks());
      EXPECT_GE(grid.width * block, n);
      EXPECT_LT((grid.width - 1) * block, std::max<int64_t>(n, 1));
    }
}

TEST(ApspGrid, SortedDealsAsIfBlockByBlock) {
  for (int64_t sms : {1, 3, 4, 14})
    for (int64_t full : {0, 1, 5, 14, 61})
      for (int64_t half : {0, 2, 9})
        for (int64_t last : {0, 1, 40}) {
          const std::array<BlockGroup, 3> groups = {{{full, 8}, {half, 3}, {last, 2}}};
          EXPECT_EQ(warpsPerSm(Mapping::Sorted, groups, sms, 1), dealOneByOne(groups, sms))
              << sms << ": " << full << ", " << half << ", " << last;
        }
}

TEST(ApspGrid, NoGraphNeedsALaunchBelowThreeNodes) {
  for (int64_t n : {0, 1, 2})
    EXPECT_EQ(minPlusLaunches(n), 0);
  EXPECT_EQ(minPlusLaunches(3), 1);
  EXPECT_EQ(minPlusLaunches(4), 2);
  EXPECT_EQ(minPlusLaunches(4097), 12);
  EXPECT_EQ(minPlusLaunches(4098), 13);
}

} // namespace apsp_grid
