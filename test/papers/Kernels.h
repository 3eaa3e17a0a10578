// Kernels of a paper as both models predict them, beside a table that keeps the predictions.
//
// A table has the columns `kernel`, `schedule`, and at the end su2015, su2015_bound, geometric and
// geometric_bound: Gflop/s, and what bounds the kernel. A change of a model shows as rows that end
// otherwise.
#pragma once

#include "test/papers/Model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

namespace stencilc {

/// What a row of such a table stands for.
struct PaperCase {
  Stencil stencil;
  std::vector<int64_t> extents;
  DeviceProfile device;
  int registers;
};

struct PredictedKernel {
  std::map<std::string, std::string> row;
  std::optional<Prediction> su2015; ///< none of tiles: no equation is about shared memory
  Prediction geometric;
  double flops = 0; ///< counted, of a time step that is made alone

  double rate(Model model) const { return flops / (*this)[model].total / 1e9; } ///< Gflop/s
  const Prediction &operator[](Model model) const {
    return model == Model::Su2015 ? su2015.value() : geometric;
  }
};

/// Fused steps make some points again: their work counts once.
inline double flopsOfStep(const PaperCase &given, const ProgramCounts &counts) {
  if (counts.steps == 1)
    return counts.launches.at(0).flops;
  return Counted(given.stencil, "baseline/32x4x1", given.extents).counts.launches.at(0).flops;
}

/// All rows of test/papers/FILE, which must hold what is predicted.
template <class CaseOf>
std::vector<PredictedKernel> predictedKernels(const std::string &file, const CaseOf &caseOf) {
  std::vector<PredictedKernel> kernels;
  for (const auto &row : paperTable(file)) {
    const PaperCase given = caseOf(row);
    const Counted counted(given.stencil, row.at("schedule"), given.extents);
    PredictOptions options;
    options.registers = given.registers;
    PredictedKernel &kernel = kernels.emplace_back();
    kernel.row = row;
    kernel.flops = flopsOfStep(given, counted.counts);
    if (auto predicted = predictSu2015(counted.counts, given.device, options))
      kernel.su2015 = std::move(*predicted);
    else
      llvm::consumeError(predicted.takeError());
    kernel.geometric = llvm::cantFail(predictGeometric(counted.counts, given.device, options));
    const auto keptOf = [&](const std::string &column) {
      const auto value = row.find(column);
      return "," + (value == row.end() ? "-" : value->second);
    };
    const auto predictedOf = [&](Model model) -> std::string {
      if (model == Model::Su2015 && !kernel.su2015)
        return ",-,-";
      return fmt::format(",{:.0f},{}", kernel.rate(model),
                         spelling(kernel[model].bottleneck).str());
    };
    std::string kept, now;
    for (const Model model : {Model::Su2015, Model::Geometric}) {
      const std::string name = spelling(model).str();
      kept += keptOf(name) + keptOf(name + "_bound");
      now += predictedOf(model);
    }
    EXPECT_EQ(kept, now) << file << ": " << row.at("kernel") << " " << row.at("schedule");
  }
  return kernels;
}

} // namespace stencilc
