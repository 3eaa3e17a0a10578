// The definitions of Solve.h; instantiated once per algebra, in a file each, as kernels take long
// to compile.
#pragma once

#include "Solve.h"

#include "runtime/apsp/Device.h"
#include "runtime/apsp/Host.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>

namespace stencilc::apsp::test {

template <class Semiring, class T>
Matrices<T> makeMatrices(const Graph &graph, PathKind kind, int64_t padding) {
  Matrices<T> matrices;
  matrices.n = graph.n;
  matrices.pitch = graph.n + padding;
  matrices.kind = kind;
  const size_t size = size_t(graph.n) * matrices.pitch;
  matrices.weights.assign(size, Algebra<Semiring, T>::zero());
  matrices.distances.assign(size, T(77));
  matrices.paths.assign(size, 77);
  for (const Edge &edge : graph.edges)
    matrices.weight(edge.from, edge.to) = static_cast<T>(edge.weight);
  for (int64_t i = 0; i < graph.n; ++i)
    for (int64_t j = graph.n; j < matrices.pitch; ++j)
      matrices.weight(i, j) = T(77);
  return matrices;
}

template <class Semiring, class T>
void solve(Matrices<T> &matrices, const Plan &plan, Where where, bool inPlace) {
  if (inPlace)
    matrices.distances = matrices.weights;
  Problem<T> problem;
  problem.n = matrices.n;
  problem.weights = inPlace ? matrices.distances.data() : matrices.weights.data();
  problem.distances = matrices.distances.data();
  problem.paths = matrices.kind == PathKind::None ? nullptr : matrices.paths.data();
  problem.weightsPitch = problem.distancesPitch = problem.pathsPitch = matrices.pitch;
  problem.kind = matrices.kind;
  problem.report = &matrices.report;

  size_t bytes = 0;
  matrices.status = where == Where::Host
                        ? host::workspaceBytes<Semiring, T>(problem.n, problem.kind, plan, bytes)
                        : device::workspaceBytes<Semiring, T>(problem.n, problem.kind, plan, bytes);
  if (matrices.status != Status::Ok)
    return;
  const size_t rounded = (bytes + 255) / 256 * 256;
  std::unique_ptr<void, void (*)(void *)> workspace(
      rounded ? std::aligned_alloc(256, rounded) : nullptr, std::free);
  if (rounded)
    std::memset(workspace.get(), 0xa5, rounded);
  if (where == Where::Host) {
    matrices.status = host::solve<Semiring, T>(problem, plan, workspace.get(), bytes);
  } else {
    device::LookAhead ahead;
    ASSERT_EQ(device::createLookAhead(ahead), Status::Ok);
    matrices.status = device::solve<Semiring, T>(problem, plan, workspace.get(), bytes, nullptr,
                                                 where == Where::DeviceAhead ? &ahead : nullptr);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    device::destroyLookAhead(ahead);
  }
  for (int64_t i = 0; i < matrices.n; ++i)
    for (int64_t j = matrices.n; j < matrices.pitch; ++j) {
      EXPECT_EQ(matrices.distance(i, j), T(77));
      EXPECT_EQ(matrices.paths[i * matrices.pitch + j], 77);
    }
}

} // namespace stencilc::apsp::test
