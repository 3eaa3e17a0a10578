// ApspRuns: measured runs of shortest-path kernels, as CSV.
//
// A first line names the columns `algorithm,block,n,seconds` and, where they differ from their
// defaults, `mode` (stream, or graph: all launches in one CUDA graph), `weight` (f32), `paths` (yes
// or no; by default yes for the paper's two kernels and no for the blocked one), `tile` (of the
// blocked kernel; its block) and `row_unit` (1). Columns may stand in any order and further ones
// are ignored; lines that begin with # are comments, and say where the numbers come from.
#pragma once

#include "costmodel/apsp/ApspIntervals.h"

#include <vector>

namespace stencilc {

/// A kernel as far as its time depends on it.
struct ApspKernel {
  ApspAlgorithm algorithm = ApspAlgorithm::Blocked;
  int blockWidth = 128; ///< blocked: pivots in a block
  int tile = 128;       ///< blocked: words across a tile of 64 rows; otherwise the block's width
  std::string weight = "f32";
  bool paths = false;

  bool operator==(const ApspKernel &) const = default;
};

/// "min-plus/32 f32 with paths", "blocked/64x128 f32 without paths" (pivots x tile).
std::string spelling(const ApspKernel &kernel);

/// How launches reach the device.
enum class LaunchMode { Stream, Graph };

struct ApspRun {
  ApspKernel kernel;
  int64_t nodes = 0;
  double seconds = 0;
  LaunchMode mode = LaunchMode::Graph;
  int rowUnit = 1; ///< the matrices' pitch is `nodes` rounded up to a multiple of it, in entries
};

/// Reads all rows; errors name `file` and the line.
llvm::Expected<std::vector<ApspRun>> parseApspRuns(llvm::StringRef csv, llvm::StringRef file);

/// The measured runs that ship for a device; none for most.
std::vector<ApspRun> shippedApspRuns(const DeviceProfile &device);

} // namespace stencilc
