#include "costmodel/device/Occupancy.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>

using namespace stencilc;

llvm::StringRef stencilc::spelling(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::Threads:
    return "threads";
  case OccupancyLimit::Blocks:
    return "blocks";
  case OccupancyLimit::Registers:
    return "registers";
  case OccupancyLimit::SharedMemory:
    return "shared memory";
  }
  llvm_unreachable("every limit has a name");
}

int stencilc::placesFor(int threads, const SmLimits &sm, int threadsPerWarp) {
  return std::min<int64_t>(sm.threads / llvm::alignTo(threads, threadsPerWarp), sm.blocks);
}

static int64_t warpsOf(const BlockResources &block, int threadsPerWarp) {
  return llvm::divideCeil(block.threads, threadsPerWarp);
}

/// A unit of one asks for plain division, as [su2015] does: no rounding, not even to whole warps.
static bool dividesPlainly(const SmLimits &sm) { return sm.registerUnit == 1; }

/// Registers per thread that a compiler may use once `residency` blocks are promised to an SM: an
/// even share of those of the file that serves most warps, in multiples of eight.
static int64_t registerCap(const BlockResources &block, const SmLimits &sm, int threadsPerWarp) {
  const int64_t most = sm.registersPerThread;
  if (block.residency == 0)
    return most;
  int64_t share = sm.registers / (int64_t(block.residency) * block.threads);
  if (!dividesPlainly(sm)) {
    const int64_t warps = block.residency * warpsOf(block, threadsPerWarp);
    const int64_t ofAFile = llvm::divideCeil(warps, sm.registerFiles.value);
    share = sm.registers / sm.registerFiles / (ofAFile * threadsPerWarp);
  }
  return std::min(most, share / 8 * 8);
}

/// Blocks that find registers on an SM.
static int64_t blocksWithRegisters(const BlockResources &block, int64_t registers,
                                   const SmLimits &sm, int threadsPerWarp) {
  if (registers == 0)
    return sm.blocks;
  if (dividesPlainly(sm))
    return sm.registers / (registers * block.threads);
  const int64_t ofAWarp = llvm::alignTo(registers * threadsPerWarp, sm.registerUnit);
  const int64_t warps = sm.registers / sm.registerFiles / ofAWarp * sm.registerFiles;
  return warps / warpsOf(block, threadsPerWarp);
}

/// See Occupancy::freedom.
static double freedom(const BlockResources &block, int registers) {
  if (registers >= block.registers)
    return 1;
  if (registers <= block.needed)
    return 0;
  return double(registers - block.needed) / (block.registers - block.needed);
}

Occupancy stencilc::occupancyOf(const BlockResources &block, const SmLimits &sm,
                                int threadsPerWarp) {
  assert(block.threads > 0 && threadsPerWarp > 0);
  const int64_t cap = registerCap(block, sm, threadsPerWarp);
  Occupancy result;
  result.registers = std::min<int64_t>(block.registers, cap);
  result.spilledRegisters = std::max(0, block.needed - result.registers);
  result.spareRegisters = std::max<int64_t>(0, cap - block.needed);
  result.freedom = freedom(block, result.registers);

  // A block takes whole warps. The first of equal limits is named.
  const int64_t threads = llvm::alignTo(block.threads, threadsPerWarp);
  const int64_t shared = llvm::alignTo(block.sharedBytes + sm.sharedReserved, sm.sharedUnit);
  struct {
    int64_t blocks;
    OccupancyLimit limit;
  } const limits[] = {
      {sm.threads / threads, OccupancyLimit::Threads},
      {sm.blocks, OccupancyLimit::Blocks},
      {blocksWithRegisters(block, result.registers, sm, threadsPerWarp), OccupancyLimit::Registers},
      {block.sharedBytes > sm.sharedBytesPerBlock ? 0
       : shared                                   ? sm.sharedBytes / shared
                                                  : sm.blocks.value,
       OccupancyLimit::SharedMemory}};
  const auto &least = *std::min_element(
      std::begin(limits), std::end(limits),
      [](const auto &left, const auto &right) { return left.blocks < right.blocks; });
  result.blocks = least.blocks;
  result.limit = least.limit;
  result.fraction = double(result.blocks) * block.threads / sm.threads;
  return result;
}
