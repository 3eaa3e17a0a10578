// What comes before and after every algorithm: weights in, transposition, the report.
#pragma once

#include "Lanes.h"

namespace stencilc::apsp::device {

constexpr int stageThreads = 256;
/// Rows whose distances blocks of threads take at a time: all of them, and those of a last look.
constexpr int admittedRows = 1024, inspectedRows = 64;
constexpr int transposeTile = 32, transposeRows = 8;

template <class Report> __global__ void beginReport(Report *report, uint32_t *ticket) {
  *report = emptyReport();
  if (ticket)
    *ticket = 0;
}

/// Algorithm 1's and 3's Init: distances of at most one edge, and their paths.
template <class Semiring, class T>
__global__ void __launch_bounds__(stageThreads)
    admitWeights(Problem<T> problem, WeightRange range) {
  using A = Algebra<Semiring, T>;
  uint32_t refusedWeights = 0, brokenRange = 0, greatestWeight = 0;
  bool improves = false;
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
    if constexpr (saturates<Semiring, T>) {
      greatestWeight = max(greatestWeight, magnitude<A>(value));
      improves |= A::better(value, A::one());
    }
    problem.distances[row * problem.distancesPitch + column] = value;
    if (problem.kind != PathKind::None)
      problem.paths[row * problem.pathsPitch + column] =
          firstPath(problem.kind, row, column, row != column && value != A::zero());
  }
  if (refusedWeights)
    addTo(&problem.report->refusedWeights, refusedWeights);
  if (brokenRange)
    addTo(&problem.report->brokenRange, brokenRange);
  raiseTo(&problem.report->greatestWeight, greatestWeight);
  if (improves)
    problem.report->improvingWeights = 1;
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

/// What the distances say of negative cycles and, unless the weights rule it out, of saturation.
template <class Semiring, class T>
__global__ void __launch_bounds__(stageThreads) inspectDistances(Problem<T> problem) {
  using A = Algebra<Semiring, T>;
  const int64_t column = blockIdx.x * int64_t(stageThreads) + threadIdx.x;
  if (column >= problem.n)
    return;
  // noVertex is the greatest unsigned number, so the least vertex is a minimum.
  if (blockIdx.y == 0 &&
      A::better(problem.distances[column * problem.distancesPitch + column], A::one()))
    lowerTo(reinterpret_cast<uint32_t *>(&problem.report->onNegativeCycle),
            static_cast<uint32_t>(column));
  if constexpr (saturates<Semiring, T>) {
    if (!longPathsSaturate<T>(problem.n, *problem.report))
      return;
    uint32_t greatest = 0;
    for (int64_t row = blockIdx.y; row < problem.n; row += gridDim.y)
      greatest =
          max(greatest, magnitude<A>(problem.distances[row * problem.distancesPitch + column]));
    if (mayHaveSaturated<T>(greatest, *problem.report))
      problem.report->saturated = 1;
  }
}

} // namespace stencilc::apsp::device
