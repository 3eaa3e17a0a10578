// What comes before and after every algorithm: weights in, transposition, the report.
#pragma once

#include "Lanes.h"

namespace stencilc::apsp::device {

constexpr int stageThreads = 256;
constexpr int transposeTile = 32, transposeRows = 8;

template <class Report> __global__ void beginReport(Report *report, uint32_t *ticket) {
  *report = {noVertex, 0, 0, 0};
  if (ticket)
    *ticket = 0;
}

/// Algorithm 1's and 3's Init: distances of at most one edge, and their paths.
template <class A, class T = typename A::Value>
__global__ void __launch_bounds__(stageThreads)
    admitWeights(Problem<T> problem, WeightRange range) {
  uint32_t refusedWeights = 0, brokenRange = 0;
  const int64_t column = blockIdx.x * int64_t(stageThreads) + threadIdx.x;
  if (column >= problem.n)
    return;
  for (int64_t row = blockIdx.y; row < problem.n; row += gridDim.y) {
    bool refused = false;
    T value = A::admit(problem.weights[row * problem.weightsPitch + column], refused);
    refusedWeights += refused;
    brokenRange += !isInRange<A>(value, range);
    if (row == column && A::better(A::one(), value))
      value = A::one();
    problem.distances[row * problem.distancesPitch + column] = value;
    if (problem.kind != PathKind::None)
      problem.paths[row * problem.pathsPitch + column] =
          firstPath(problem.kind, row, column, row != column && value != A::zero());
  }
  if (refusedWeights)
    addTo(&problem.report->refusedWeights, refusedWeights);
  if (brokenRange)
    addTo(&problem.report->brokenRange, brokenRange);
}

/// In place: each block of threads exchanges a tile with its mirror image.
template <class T>
__global__ void __launch_bounds__(transposeTile *transposeRows)
    transposeMatrix(T *matrix, int n, int64_t pitch) {
  if (blockIdx.x > blockIdx.y)
    return;
  using Tile = T[transposeTile][transposeTile + 1];
  Tile &lower = *reinterpret_cast<Tile *>(stencilcApspShared), &upper = *(&lower + 1);
  const int row = blockIdx.y * transposeTile, column = blockIdx.x * transposeTile;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < transposeTile; y += transposeRows) {
    if (row + y < n && column + x < n)
      lower[y][x] = matrix[(row + y) * pitch + column + x];
    if (column + y < n && row + x < n)
      upper[y][x] = matrix[(column + y) * pitch + row + x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < transposeTile; y += transposeRows) {
    if (row + y < n && column + x < n)
      matrix[(row + y) * pitch + column + x] = upper[x][y];
    if (column + y < n && row + x < n)
      matrix[(column + y) * pitch + row + x] = lower[x][y];
  }
}

/// noVertex is the greatest unsigned number, so the least vertex is a minimum.
template <class A, class T = typename A::Value>
__global__ void __launch_bounds__(stageThreads) findNegativeCycle(Problem<T> problem) {
  const int64_t vertex = blockIdx.x * int64_t(stageThreads) + threadIdx.x;
  if (vertex < problem.n &&
      A::better(problem.distances[vertex * problem.distancesPitch + vertex], A::one()))
    lowerTo(reinterpret_cast<uint32_t *>(&problem.report->onNegativeCycle),
            static_cast<uint32_t>(vertex));
}

} // namespace stencilc::apsp::device
