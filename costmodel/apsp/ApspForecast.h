// ApspForecast: seconds of a shortest-path kernel on a present device, and the choice of a kernel.
//
// On an H200 the four mappings of the interval model are tens of times apart for small graphs and
// up to four times off for large ones. The forms of ApspForms.h say what a launch costs there, and
// take their constants for one kernel from measured runs when they are needed: two runs of each of
// the paper's kernels, for min-plus one below a wave of blocks and one beyond it, for
// Floyd-Warshall one within the L2 and one beyond it; of the blocked kernel a dozen, from one
// block of pivots on. What a form leaves out is measured: its error at each run that it was fitted
// to is taken off, in between as a straight line of its logarithm over log n. Two runs that
// determine a form leave none.
#pragma once

#include "costmodel/apsp/ApspForms.h"

#include <variant>

namespace stencilc {

class ApspForecast {
public:
  /// Fits the form of `kernel` to those of `runs` that ran it.
  static llvm::Expected<ApspForecast> fit(const DeviceProfile &device, const ApspKernel &kernel,
                                          llvm::ArrayRef<ApspRun> runs);

  double seconds(int64_t nodes, LaunchMode mode = LaunchMode::Graph) const;

  ApspKernel kernel;
  std::variant<MinPlusForm, FloydWarshallForm, BlockedForm> form;
  /// log(nodes) and log(measured / form), by rising number of nodes.
  std::vector<std::pair<double, double>> corrections;

private:
  ApspForecast(const ApspKernel &kernel, const ApspDevice &device)
      : kernel(kernel), device(device) {}

  double uncorrected(int64_t nodes, LaunchMode mode) const;
  double correction(int64_t nodes) const;

  ApspDevice device;
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
