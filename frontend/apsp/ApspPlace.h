// Where a graph is solved: on the device if there is one, else on the CPU with the same interface.
#pragma once

#include "frontend/apsp/ApspCommandLine.h"

#include "runtime/graph/DeviceSolve.h"

namespace stencilc {

class ApspPlace {
public:
  /// Says on standard error when a GPU was hoped for and none is there.
  static llvm::Expected<ApspPlace> find(const ApspCommandLine &line);

  /// Refuses what does not fit, by the matrices alone: `bytes` for each pair of nodes. Asked before
  /// memory is taken for them; an empty text admits.
  std::string admit(int64_t nodes, size_t bytes) const;

  /// All pointers of `problem` are to host memory; returns the seconds it took. T is float, double,
  /// int32_t, int16_t or uint16_t.
  template <class T>
  llvm::Expected<double> solve(const apsp::Problem<T> &problem, const apsp::Plan &plan) const;

  bool onDevice = false;
  graph::DeviceInfo device{"the CPU", 0};
};

} // namespace stencilc
