// Occupancy: how many blocks of a kernel share one SM, and what limits them.
#pragma once

#include "costmodel/device/DeviceProfile.h"

namespace stencilc {

/// What one block asks of an SM.
struct BlockResources {
  int threads = 0;
  int registers = 0;       ///< per thread that it would like
  int needed = 0;          ///< per thread without which it spills
  int residency = 0;       ///< blocks per SM promised to the compiler (__launch_bounds__); 0: none
  int64_t sharedBytes = 0; ///< per block
};

enum class OccupancyLimit { Threads, Blocks, Registers, SharedMemory };
llvm::StringRef spelling(OccupancyLimit limit);

/// Blocks that an SM has places for, whatever a block needs besides threads.
int placesFor(int threads, const SmLimits &sm, int threadsPerWarp);

struct Occupancy {
  int blocks = 0;    ///< resident on one SM; 0: a block does not fit
  int registers = 0; ///< per thread that the compiler may use: the wish, or the promise's cap
  int spilledRegisters = 0; ///< per thread that it needs beyond those
  OccupancyLimit limit = OccupancyLimit::Threads;
  double fraction = 0; ///< resident threads / most threads of an SM
  /// Of the registers from the need to the wish, the share that it has: with all of them the
  /// compiler issues loads as early as it would like, with none each just before its use.
  double freedom = 1;
  int spareRegisters = 0; ///< per thread that it might use beyond what it needs
};

Occupancy occupancyOf(const BlockResources &block, const SmLimits &sm, int threadsPerWarp);

} // namespace stencilc
