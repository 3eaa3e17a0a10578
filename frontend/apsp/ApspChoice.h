// Which kernel solves a graph: the one that was named, or the one forecast to be the fastest.
#pragma once

#include "frontend/apsp/ApspCommandLine.h"

#include "costmodel/apsp/ApspForecast.h"

namespace stencilc {

/// The device of --gpu and the runs of --runs, or else those shipped for it.
struct ApspData {
  DeviceProfile device;
  std::vector<ApspRun> runs;
};
llvm::Expected<ApspData> loadApspData(const ApspCommandLine &line);

/// The kernel that --explain and --sweep look at: blocks are 32 wide unless --block says otherwise,
/// of the blocked algorithm 128, and 64 with paths. The paper's kernels always keep paths.
ApspKernel kernelOf(const ApspCommandLine &line, ApspAlgorithm algorithm);

/// What --type is called among `forecasts`, given what is promised of the weights: "f32+" without
/// negative ones, "s32<2^22" where distances stay below that, or by its bare name if only that was
/// measured.
std::string weightName(WeightType type, apsp::WeightRange range,
                       llvm::ArrayRef<ApspForecast> forecasts);

/// The kernel to solve with. Sizes of 0 are left to the library, as they are where nothing has been
/// measured.
ApspKernel chooseKernel(const ApspCommandLine &line, const ApspData &data, int64_t nodes,
                        apsp::WeightRange range);

/// What the library is told: of the promised `range` as much as the kernel can use. An error says
/// that such weights have no such kernel.
llvm::Expected<apsp::Plan> planOf(const ApspKernel &kernel, apsp::WeightRange range);

} // namespace stencilc
