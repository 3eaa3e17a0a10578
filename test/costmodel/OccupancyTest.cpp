// Blocks resident on an SM, against arithmetic done on paper.
#include "costmodel/device/Occupancy.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

constexpr int kWarp = 32;

/// Compute capability 9.0.
SmLimits hopper() {
  SmLimits sm;
  sm.threads = {2048, ""};
  sm.blocks = {32, ""};
  sm.registers = {65536, ""};
  sm.registersPerThread = {255, ""};
  sm.registerUnit = {256, ""};
  sm.registerFiles = {4, ""};
  sm.sharedBytes = {233472, ""};
  sm.sharedBytesPerBlock = {232448, ""};
  sm.sharedUnit = {128, ""};
  sm.sharedReserved = {1024, ""};
  return sm;
}

/// Compute capability 3.5 with the arithmetic of [su2015].
SmLimits kepler() {
  SmLimits sm = hopper();
  sm.blocks.value = 16;
  sm.registerUnit.value = 1;
  sm.sharedBytes.value = sm.sharedBytesPerBlock.value = 49152;
  sm.sharedUnit.value = 256;
  sm.sharedReserved.value = 0;
  return sm;
}

Occupancy occupancy(const BlockResources &block, const SmLimits &sm = hopper()) {
  return occupancyOf(block, sm, kWarp);
}

} // namespace

TEST(Occupancy, NineteenPointsOnKeplerAsThePaperHasIt) {
  // [su2015] 4.2: 36 registers; 65536 / (36 * 128) = 14.2 blocks, 65536 / (36 * 512) = 3.6.
  const Occupancy small = occupancy({.threads = 128, .registers = 36}, kepler());
  EXPECT_EQ(small.blocks, 14);
  EXPECT_EQ(small.fraction, 0.875);
  EXPECT_EQ(small.limit, OccupancyLimit::Registers);
  const Occupancy large = occupancy({.threads = 512, .registers = 36}, kepler());
  EXPECT_EQ(large.blocks, 3);
  EXPECT_EQ(large.fraction, 0.75);
}

TEST(Occupancy, RegistersAreDealtToWarpsInUnits) {
  // 36 * 32 = 1152 registers a warp become 1280; four warps 5120; 65536 / 5120 = 12.8.
  EXPECT_EQ(occupancy({.threads = 128, .registers = 36}).blocks, 12);
  // 40 * 32 = 1280 is a multiple already.
  EXPECT_EQ(occupancy({.threads = 128, .registers = 40}).blocks, 12);
  // 41 * 32 = 1312 become 1536; 65536 / 6144 = 10.7.
  EXPECT_EQ(occupancy({.threads = 128, .registers = 41}).blocks, 10);
}

TEST(Occupancy, WarpsTakeTurnsAtTheRegisterFiles) {
  // 184 * 32 = 5888 registers; a file of 16384 has them for two warps.
  EXPECT_EQ(occupancy({.threads = 32, .registers = 184}).blocks, 8);
  EXPECT_EQ(occupancy({.threads = 96, .registers = 184}).blocks, 2);
  // What nvcc 13.0 lets a kernel of one warp have (-arch=sm_90, __launch_bounds__(32, blocks)).
  const std::pair<int, int> caps[] = {{8, 255}, {9, 168}, {11, 168}, {17, 96}, {19, 96}, {23, 80}};
  for (auto [blocks, cap] : caps)
    EXPECT_EQ(occupancy({.threads = 32, .registers = 255, .residency = blocks}).registers, cap)
        << blocks;
}

TEST(Occupancy, BlocksTakeWholeWarps) {
  // 33 threads are two warps: 2048 / 64 = 32 blocks, as many as an SM takes at most.
  const Occupancy odd = occupancy({.threads = 33, .registers = 16});
  EXPECT_EQ(odd.blocks, 32);
  EXPECT_EQ(odd.fraction, 32 * 33 / 2048.0);
  // Two warps of 2048 registers: 65536 / 4096 = 16.
  EXPECT_EQ(occupancy({.threads = 33, .registers = 64}).blocks, 16);
}

TEST(Occupancy, PlacesAreThoseOfThreadsAndBlocks) {
  const DeviceProfile device = llvm::cantFail(loadDeviceProfile("h200"));
  const auto places = [&](int threads) {
    return placesFor(threads, device.sm, device.threadsPerWarp);
  };
  EXPECT_EQ(places(256), 8);
  EXPECT_EQ(places(96), 21);
  EXPECT_EQ(places(33), 32); // two warps
  EXPECT_EQ(places(32), 32); // as many blocks as an SM takes
}

TEST(Occupancy, NamesWhatLimits) {
  EXPECT_EQ(occupancy({.threads = 256, .registers = 16}).limit, OccupancyLimit::Threads);
  EXPECT_EQ(occupancy({.threads = 32, .registers = 16}).limit, OccupancyLimit::Blocks);
  EXPECT_EQ(occupancy({.threads = 256, .registers = 64}).limit, OccupancyLimit::Registers);
  // (40000 + 1024) bytes become 41088; 233472 / 41088 = 5.7.
  const Occupancy tiled = occupancy({.threads = 256, .registers = 16, .sharedBytes = 40000});
  EXPECT_EQ(tiled.limit, OccupancyLimit::SharedMemory);
  EXPECT_EQ(tiled.blocks, 5);
}

TEST(Occupancy, PromisedBlocksCapRegisters) {
  // 65536 / (5 * 256) = 51.2, in eights 48.
  const Occupancy capped =
      occupancy({.threads = 256, .registers = 60, .needed = 55, .residency = 5});
  EXPECT_EQ(capped.registers, 48);
  EXPECT_EQ(capped.spilledRegisters, 7);
  EXPECT_EQ(capped.blocks, 5);
  // A wish between what is needed and what is wanted costs nothing.
  EXPECT_EQ(
      occupancy({.threads = 256, .registers = 60, .needed = 40, .residency = 5}).spilledRegisters,
      0);
}

TEST(Occupancy, FreedomGoesFromTheNeedToTheWish) {
  const auto freedom = [](int needed, int residency) {
    return occupancy({.threads = 256, .registers = 60, .needed = needed, .residency = residency})
        .freedom;
  };
  EXPECT_EQ(freedom(36, 0), 1);
  EXPECT_EQ(freedom(36, 4), 1);
  EXPECT_EQ(freedom(36, 5), 0.5); // 48 registers
  EXPECT_EQ(freedom(48, 5), 0);
  EXPECT_EQ(freedom(55, 5), 0);
  // Who needs all that it wants is free once it has them.
  EXPECT_EQ(freedom(60, 4), 1);
  EXPECT_EQ(freedom(60, 5), 0);
}

TEST(Occupancy, MoreBlocksThanPromisedMayFit) {
  // Cap 64, but 20 registers suffice: eight blocks of 256 fill the SM's threads.
  const Occupancy small = occupancy({.threads = 256, .registers = 20, .residency = 4});
  EXPECT_EQ(small.registers, 20);
  EXPECT_EQ(small.blocks, 8);
}

TEST(Occupancy, NoThreadHasMoreRegistersThanACompilerMayUse) {
  const Occupancy huge = occupancy({.threads = 64, .registers = 300, .needed = 260});
  EXPECT_EQ(huge.registers, 255);
  EXPECT_EQ(huge.spilledRegisters, 5);
  EXPECT_EQ(huge.blocks, 4); // 255 * 32 = 8160 become 8192; 65536 / 16384
}

TEST(Occupancy, WhatDoesNotFitHasNoBlocks) {
  const Occupancy shared = occupancy({.threads = 64, .registers = 32, .sharedBytes = 232449});
  EXPECT_EQ(shared.blocks, 0);
  EXPECT_EQ(shared.limit, OccupancyLimit::SharedMemory);
  // --registers=128 with 1024 threads.
  EXPECT_EQ(occupancy({.threads = 1024, .registers = 128}).blocks, 0);
}
