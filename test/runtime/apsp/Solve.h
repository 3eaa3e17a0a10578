// Runs the library on a test graph, by the host or by the kernels on the CPU.
#pragma once

#include "Graphs.h"
#include "runtime/apsp/Apsp.h"
#include "runtime/apsp/Paths.h"

namespace stencilc::apsp::test {

enum class Where { Host, Device, DeviceAhead }; ///< the last one: with look-ahead

/// Matrices as they are before a run or after it. Rows lie `pitch` apart; what is between them
/// holds a pattern that no run may change.
template <class T> struct Matrices {
  int64_t n = 0, pitch = 0;
  std::vector<T> weights, distances;
  std::vector<int32_t> paths;
  PathKind kind = PathKind::None;
  Report report = {};
  Status status = Status::Ok;

  T &weight(int64_t i, int64_t j) { return weights[i * pitch + j]; }
  T distance(int64_t i, int64_t j) const { return distances[i * pitch + j]; }
  PathMatrix pathMatrix() const { return {n, kind, paths.data(), pitch}; }
};

template <class Semiring, class T>
Matrices<T> makeMatrices(const Graph &graph, PathKind kind, int64_t padding);

/// Solves in place if `inPlace`. Fails the test if anything between the rows changes.
template <class Semiring, class T>
void solve(Matrices<T> &matrices, const Plan &plan, Where where, bool inPlace = false);

} // namespace stencilc::apsp::test
