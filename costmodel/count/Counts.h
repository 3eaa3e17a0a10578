// Counts: what the launches of one pass of a run do, counted from their kernels on a grid of given
// size.
//
// All numbers are integers. They hold for arrays that lie as the emitted layout function recommends
// (ir/walk/WalkLaunch.h): the first updated point of a row starts a 128-byte line, and rows are
// whole lines apart. Turns of loops, blocks and warps that do the same are walked once
// (ir/walk/KernelWalk.h); test/costmodel holds the sums against a walk of every turn of every block
// and against the interpreter. What a block accesses but once (`boxes` and what follows from them)
// is found from the bounds of indices and guards, not from a walk, and may be too much where a
// guard binds several coordinates at once.
// What a run launches beside such passes is counted by RunCounts.h.
//
// An access of a thread is aligned if, seen from where its block starts along the contiguous axis,
// thread 0 of its row would access the start of a line ([su2015] section 3.1 counts these two kinds
// of loads per thread). A vector access is one access, as its first element lies.
#pragma once

#include "costmodel/count/GridBoxes.h"
#include "ir/kernel/Program.h"

#include "llvm/Support/Error.h"

#include <map>

namespace stencilc {

/// Requests of warps for one array. A wavefront is what the L1 serves of a request at once: up to
/// 128 bytes, a word of 4 of each of its banks. Copies past the L1 ask for sectors by eight lanes,
/// and read them from the L2 by two: a sector that two pairs have halves of is read twice.
struct RequestCounts {
  uint64_t accesses = 0;                                         ///< of threads
  uint64_t elements = 0;                                         ///< several in a vector access
  uint64_t requests = 0, sectors = 0, lines = 0, wavefronts = 0; ///< of warps, summed over requests
  uint64_t sectorsPastL1 = 0;                                    ///< that copies read from the L2
  void add(const RequestCounts &other, uint64_t times);
};

/// All loads from, or all stores to, one argument of a kernel. An interior block is one in the
/// middle of a large grid, whatever the size of this one.
struct ArrayCounts {
  unsigned array; ///< number in Kernel::arrays
  bool isStore;
  std::string name; ///< of the argument
  unsigned elementBytes;
  bool readOnlyPath;
  uint64_t points = 0; ///< elements at the points updated; fewer of an array with fewer axes

  uint64_t aligned = 0, misaligned = 0;           ///< accesses of the threads of an interior block
  RequestCounts interior;                         ///< of an interior block
  std::map<unsigned, uint64_t> requestsBySectors; ///< of an interior block
  RequestCounts launch;                           ///< of all blocks
  /// What an interior block accesses, counted from its first point, in boxes without one that
  /// another contains. Boxes may overlap.
  std::vector<GridBox> boxes;
  uint64_t blockSectors = 0, blockLines = 0; ///< distinct, of an interior block
  /// Lines that several warp requests of an interior block load, in two turns of its steady loop
  /// or, if it has none, in the whole block.
  uint64_t linesLoadedAgain = 0;
  /// Of a turn of the steady loop of an interior block: lines that no turn before it has loaded;
  /// sectors that were last loaded some turns before it, by that number of turns.
  uint64_t newLinesOfTurn = 0;
  std::map<uint64_t, uint64_t> sectorsOfTurnsBefore;
  /// Distinct in each block, summed over blocks.
  uint64_t launchSectors = 0, launchPoints = 0;
};

/// How often the warps of a launch execute a statement.
struct StatementCounts {
  const Statement *statement;
  uint64_t warps = 0;     ///< executions, over all blocks
  uint64_t lanes = 0;     ///< the same of threads
  uint64_t turns = 0;     ///< of a For: turns, over all warps
  uint64_t divergent = 0; ///< executions of an If in which both bodies are run by one warp
};

/// Shared memory.
struct SharedCounts {
  uint64_t requests = 0;
  uint64_t wavefronts = 0; ///< requests, each as often as its most loaded bank is asked
};

/// What the warps of a block do together.
struct WarpCounts {
  SharedCounts shared;
  uint64_t shuffles = 0; ///< executions by warps
  /// Barriers: how often the warps of a block, or of one of its groups, have met; and how many
  /// warps arrived. A barrier of a group holds up a block for the share of its warps that arrive.
  uint64_t meetings = 0, arrivals = 0;
  void add(const WarpCounts &other, uint64_t times);
};

struct LaunchCounts {
  const Kernel *kernel;
  unsigned threads, warps;              ///< of a block
  std::array<int64_t, kMaxRank> cover;  ///< points a block advances, per axis
  std::array<int64_t, kMaxRank> extent; ///< points updated, per axis
  std::array<int64_t, kMaxRank> blocks; ///< per axis
  int64_t band = 0;                     ///< most of them along y in a launch (Cover::band)
  uint64_t blockCount = 0, points = 0;  ///< in all
  std::vector<ArrayCounts> arrays;      ///< loads, then stores, each in the order of the arguments
  std::vector<StatementCounts> statements; ///< in the order of the text
  WarpCounts together;                     ///< over all blocks
  WarpCounts interior;                     ///< the same of an interior block
  uint64_t storingWarps = 0;               ///< over all blocks: the others end at once or only help
  uint64_t flops = 0;                      ///< of threads: + - * / and functions, over all blocks
  /// Elements of arrays, over all blocks: values computed, at points of halos and of steps on the
  /// way, too; and distinct ones that each block loads, and stores.
  uint64_t computed = 0, loaded = 0, stored = 0;
  int64_t sharedBytes = 0;   ///< of a block
  int64_t argumentBytes = 0; ///< of the kernel, at most

  /// Barriers, in those that whole blocks pass.
  double barriers() const { return double(together.arrivals) / warps; }
  /// Points that a thread of an interior block updates, no more than the slowest axis has.
  uint64_t pointsPerThread() const;
  /// Blocks along the second of three axes in a launch, and the launches that this is cut into.
  int64_t inBand() const { return band > 0 ? std::min(band, blocks[1]) : blocks[1]; }
  int64_t bands() const { return (blocks[1] + inBand() - 1) / inBand(); }
};

struct ProgramCounts {
  Schedule schedule; ///< no count depends on its residency, nor on its band
  std::vector<std::string> axes;
  std::vector<int64_t> extents;
  std::vector<LaunchCounts> launches;
  int steps = 1;       ///< time steps that the pass makes
  uint64_t points = 0; ///< updated in one time step, each field's points as one if they coincide
  /// Bytes of the updated points in every buffer that is read and in every one that is written.
  uint64_t compulsoryReadBytes = 0, compulsoryWriteBytes = 0;
  uint64_t heldBytes = 0; ///< the same, each buffer once
};

/// Bytes of what the kernel takes, at most: pointers, then what it knows of the grid, then its own
/// numbers, each aligned to its size. Extents and strides that its text does not name count, too.
int64_t argumentBytes(const Program &program, const Kernel &kernel);

/// Counts a program for the device; one for the host has no warps and is refused, and so is a grid
/// on which no point is updated. The program must outlive the result.
llvm::Expected<ProgramCounts> countProgram(const VerifiedProgram &program,
                                           llvm::ArrayRef<int64_t> extents);
/// Whether a point of such a grid is updated.
bool updatesPoints(const VerifiedProgram &program, llvm::ArrayRef<int64_t> extents);
/// One launch of it; nothing where the launch covers no point.
std::optional<LaunchCounts> countLaunch(const VerifiedProgram &program, const Launch &launch,
                                        llvm::ArrayRef<int64_t> extents);
/// The same on a grid whose middle block is far from every end, as kernels for whole tiles are
/// launched on.
llvm::Expected<ProgramCounts> countInteriorBlocks(const VerifiedProgram &program);

} // namespace stencilc
