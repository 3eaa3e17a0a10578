// ApspReport: what --explain says of a graph with n nodes, one struct as text and as JSON.
#pragma once

#include "costmodel/apsp/ApspStudy.h"

#include "llvm/Support/raw_ostream.h"

namespace stencilc {

struct ApspReport {
  DeviceProfile device;
  int64_t nodes = 0;
  std::vector<ApspStudy> studies; ///< kernels to look at one by one
  std::string weight;             ///< the choice is among kernels of this weight ...
  bool paths = false;             ///< ... with paths or without
  ApspForecasts forecasts;        ///< all that could be chosen
  LaunchMode mode = LaunchMode::Graph;
};

void printText(llvm::raw_ostream &out, const ApspReport &report);
void printJson(llvm::raw_ostream &out, const ApspReport &report);

} // namespace stencilc
