// ApspForms: seconds of a shortest-path kernel on a present device, a form for each algorithm.
//
// What an SM holds at once overlaps: one block takes `alone`, r blocks in a row take
//
//   rounds(r) = sqrt(alone^2 + (r^2 - 1) each^2),
//
// which is `alone` for one and r * each for many. Blocks are dealt as model Full does (breadth
// first, no SM idle while blocks wait), so that r = ceil(blocks / SMs). With the device's start of
// a launch, which depends on how it is launched, and `entry`, the trips to memory of one thread:
//
//   min-plus        launch = start + max(blocks / rate, entry + width * rounds(r))
//                   alone = tileLatency, each = tileThroughput + what its rows' places cost
//   Floyd-Warshall  launch = start + max(blocks / rate, rounds(r))
//                   alone = entry, each = blockThroughput, another one beyond the L2
//   blocked         run = start + opening + stage(all tiles)
//                         + sum over all blocks of pivots b but the last of
//                           stage(cross) + stage(others)
//                   stage(tiles) = max(latency, tiles / SMs * tile(b))
//                   tile(b) = min(latency, tileThroughput + improvement / b)
//
// No launch on a stream is shorter than the host's interval. A launch of Floyd-Warshall goes over
// both matrices once; the L2, which replaces what was used least recently, keeps all of them from
// one launch to the next or, as soon as they are larger, nothing that is of use.
//
// Of the blocked algorithm, once the first pivots' columns are closed, the tiles of the next
// pivots' rows and columns, the cross, come first, then all others, beside which the next pivots'
// columns are closed; for the last pivots all tiles come at once. With paths, an entry that
// improves costs extra, and a path through the b-th block of pivots is the best so far with the
// probability of a record, 1 / b.
#pragma once

#include "costmodel/apsp/ApspRuns.h"

#include "llvm/Support/MathExtras.h"

namespace stencilc {

/// What the forms take from a device's profile.
struct ApspDevice {
  int64_t sms, l2Bytes;
  LaunchTiming launching;
  /// Seconds of an SM that arithmetic does not hide, for each wavefront of a warp's request beyond
  /// the first and each sector from the L2.
  double exposedWavefront, exposedSector;
  int64_t wordsPerSector;
  int64_t rowUnit = 1; ///< as the runs have it that a form is fitted to

  /// Nothing, or why the profile does not suffice.
  static llvm::Expected<ApspDevice> of(const DeviceProfile &device);

  int64_t pitch(int64_t nodes) const { return llvm::alignTo(nodes, rowUnit); }
  double start(LaunchMode mode) const;
  double shortestLaunch(LaunchMode mode) const;
  /// Whether the distance and path matrices, four bytes an entry each, are larger than the L2.
  bool exceedsL2(int64_t nodes) const { return 8 * nodes * nodes > l2Bytes; }
};

/// A grid of one thread for each entry, as the paper's kernels have it.
struct SquareGrid {
  int64_t width;  ///< blocks along one side
  int64_t rounds; ///< blocks of the busiest SM

  SquareGrid(const ApspDevice &device, int64_t nodes, int blockWidth);
  double blocks() const { return double(width) * width; }
};

/// Wavefronts of a warp's request for entries of a tile, 1 if no two of its words share a bank.
/// Rows of a matrix lie `pitch` entries of four bytes apart.
int64_t wavefrontsPerRequest(int64_t pitch, int blockWidth);
/// Sectors that a row of a tile touches, on average.
double sectorsPerRow(int64_t pitch, int blockWidth, int64_t wordsPerSector);

// Constants are in seconds. Each fit takes runs of this kernel, by rising number of nodes.

struct MinPlusForm {
  double tileLatency;    ///< of one tile product, one block on its SM
  double tileThroughput; ///< of one tile product among many blocks, rows well placed

  static llvm::Expected<MinPlusForm> fit(const ApspDevice &device, const ApspKernel &kernel,
                                         int64_t residentBlocks, llvm::ArrayRef<ApspRun> sorted);
  double seconds(const ApspDevice &device, const ApspKernel &kernel, int64_t nodes,
                 LaunchMode mode) const;
};

struct FloydWarshallForm {
  double blockThroughput;         ///< of one block among many while the matrices lie in the L2
  double blockThroughputBeyondL2; ///< ... and when they do not

  static llvm::Expected<FloydWarshallForm> fit(const ApspDevice &device, const ApspKernel &kernel,
                                               int64_t residentBlocks,
                                               llvm::ArrayRef<ApspRun> sorted);
  double seconds(const ApspDevice &device, const ApspKernel &kernel, int64_t nodes,
                 LaunchMode mode) const;
};

/// Launches on a stream are not told from those in a graph.
struct BlockedForm {
  double loneBlock;      ///< of a graph that is one block of pivots
  double opening;        ///< before the first stage
  double latency;        ///< of a stage that keeps no SM busy
  double tileThroughput; ///< of one tile among many, none of its entries improving
  double improvement;    ///< added to it where all entries improve; 0 without paths

  static llvm::Expected<BlockedForm> fit(const ApspDevice &device, const ApspKernel &kernel,
                                         llvm::ArrayRef<ApspRun> sorted);
  double seconds(const ApspDevice &device, const ApspKernel &kernel, int64_t nodes,
                 LaunchMode mode) const;
};

/// "min-plus/32 f32 with paths: no run lies ...".
llvm::Error unfit(const ApspKernel &kernel, llvm::StringRef why);

/// The mean that leaves equal relative errors on both sides.
double geometricMean(llvm::ArrayRef<double> values);

} // namespace stencilc
