// Traffic: what an interior block asks of global memory, counted from its kernel.
//
// All numbers are integers and hold for one block in the middle of a grid whose arrays lie as the
// emitted layout function recommends: the first updated point of a row starts a 128-byte line, and
// rows are whole lines apart. Launches that a run performs in its first step only are left out.
//
// An access of a thread is aligned if, seen from where its block starts along the contiguous axis,
// thread 0 of its row would access the start of a line ([su2015] section 3.1 counts these two kinds
// of loads per thread).
#pragma once

#include "ir/kernel/Program.h"

#include "llvm/Support/Error.h"

#include <map>

namespace stencilc {

/// All loads from, or all stores to, one argument of a kernel.
struct AccessTraffic {
  unsigned array; ///< number in Kernel::arrays
  bool isStore;
  std::string name; ///< of the argument

  uint64_t aligned = 0, misaligned = 0; ///< accesses, summed over the threads of the block
  /// Warp requests, by the number of 32-byte sectors that each touches.
  std::map<unsigned, uint64_t> requestsBySectors;
  uint64_t distinctSectors = 0, distinctLines = 0; ///< of 32 and 128 bytes, over the block

  uint64_t requests() const;
  uint64_t sectors() const; ///< summed over requests
};

struct LaunchTraffic {
  std::string kernel;
  std::array<int, 3> shape;            ///< threads along x, y, z
  std::array<int64_t, 3> block;        ///< the number of the block that was counted
  unsigned threads, warps;             ///< of the block
  uint64_t points;                     ///< that the block updates
  std::vector<AccessTraffic> accesses; ///< loads, then stores, each in the order of the arguments
};

struct Traffic {
  std::string schedule;
  std::vector<std::string> axes;
  std::vector<int64_t> extents; ///< of the grid, slowest axis first
  std::vector<LaunchTraffic> launches;
};

/// Counts a program for the device; one for the host has no warps and is refused. `extents` may be
/// empty: then the grid is large enough for its middle block to be an interior one.
llvm::Expected<Traffic> countTraffic(const VerifiedProgram &program,
                                     llvm::ArrayRef<int64_t> extents = {});

/// The `--emit=traffic` text.
void print(llvm::raw_ostream &out, const Traffic &traffic);

} // namespace stencilc
