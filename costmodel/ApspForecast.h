// ApspForecast: seconds of a shortest-path kernel on a present device.
//
// On an H200 the four mappings of the interval model are tens of times apart for small graphs and
// up to four times off for large ones: below one wave of blocks only the latency of a tile counts,
// launches cost what the host needs to issue them, blocks start at a limited rate, and beyond the
// L2 a warp stays longer. The forms below say that much and no more; a launch takes
//
//   max(interval, start + max(blocks / rate, work))
//
//   min-plus        work = width * max(ceil(blocks / (SMs * resident)) * tileLatency,
//                                      ceil(blocks / SMs) * tileThroughput)
//   Floyd-Warshall  work = warps / residentWarps * residence
//   blocked         one pivot = ceil(cross / SMs) * tileThroughput
//                               + max(pivotChain, ceil(others / SMs) * tileThroughput)
//
// Blocks are dealt as model Full does (breadth first, no SM idle while blocks wait). For the
// blocked kernel the tiles of the next pivot's row and column, the cross, come first, and the next
// pivot's own chain of dependent steps runs beside all others. `interval` is the host's, or the
// graph's where all launches stand in one CUDA graph.
//
// The constants of one kernel follow from measured runs in closed form, two of them at best: one
// well below a wave of blocks and one beyond it.
#pragma once

#include "costmodel/ApspRuns.h"

#include <variant>

namespace stencilc {

/// All in seconds.
struct MinPlusConstants {
  double tileLatency;    ///< of one tile product, one block on its SM
  double tileThroughput; ///< of one tile product among many blocks
};
struct FloydWarshallConstants {
  double start;     ///< of a launch that has no work to speak of
  double residence; ///< of a warp while both matrices lie in the L2; 0: hidden by block dispatch
  double residenceBeyondL2; ///< added for the part of the matrices that does not
};
struct BlockedConstants {
  double pivotChain;     ///< closing a pivot tile and multiplying it into its row and column
  double tileThroughput; ///< of one tile product among many
};

class ApspForecast {
public:
  /// Fits the constants of `kernel` to those of `runs` that ran it.
  static llvm::Expected<ApspForecast> fit(const DeviceProfile &device, const ApspKernel &kernel,
                                          llvm::ArrayRef<ApspRun> runs);

  double seconds(int64_t nodes, LaunchMode mode = LaunchMode::Graph) const;

  /// Rounds of blocks that follow one another in a launch (blocked: in the update of a pivot).
  int64_t waves(int64_t nodes) const;

  ApspKernel kernel;
  std::variant<MinPlusConstants, FloydWarshallConstants, BlockedConstants> constants;

private:
  ApspForecast(const DeviceProfile &device, const ApspKernel &kernel)
      : kernel(kernel), sms(device.sms), l2Bytes(device.caches.l2Bytes),
        launching(*device.launching) {
    if (kernel.algorithm != ApspAlgorithm::Blocked)
      resident = sms * residentBlocks(device, kernel.blockWidth);
  }

  int64_t width(int64_t nodes) const;
  int64_t blocks(int64_t nodes) const;
  double launchSeconds(double start, double work, LaunchMode mode) const;
  double dispatchSeconds(int64_t nodes) const;
  double residentRounds(int64_t nodes) const;
  double beyondL2(int64_t nodes) const;
  double workSeconds(const FloydWarshallConstants &c, int64_t nodes) const;

  // Each takes runs of this kernel, by rising number of nodes.
  llvm::Expected<MinPlusConstants> fitMinPlus(llvm::ArrayRef<ApspRun> sorted) const;
  llvm::Expected<FloydWarshallConstants> fitFloydWarshall(llvm::ArrayRef<ApspRun> sorted) const;
  void fitResidence(FloydWarshallConstants &c, llvm::ArrayRef<ApspRun> sorted) const;
  llvm::Expected<BlockedConstants> fitBlocked(llvm::ArrayRef<ApspRun> sorted) const;

  int64_t sms, l2Bytes;
  int64_t resident = 0; ///< blocks that the device holds at once; not for the blocked kernel
  LaunchTiming launching;
};

/// One forecast for every kernel in `runs` that can be fitted, in order of first appearance; the
/// others are told in `refusals`.
struct ApspForecasts {
  std::vector<ApspForecast> fitted;
  std::vector<std::string> refusals;
};
ApspForecasts fitAll(const DeviceProfile &device, llvm::ArrayRef<ApspRun> runs);

/// Whether a kernel solves a graph of these weights, with paths or without. Weights are named by
/// their type and what is promised of them ("s32<2^22"), which the paper's kernels make no use of.
bool serves(const ApspKernel &kernel, llvm::StringRef weight, bool paths);

/// The forecast of least time for `nodes`; the first one among equals, null if none serves `weight`
/// and `paths`.
const ApspForecast *fastest(llvm::ArrayRef<ApspForecast> forecasts, llvm::StringRef weight,
                            bool paths, int64_t nodes, LaunchMode mode = LaunchMode::Graph);

} // namespace stencilc
