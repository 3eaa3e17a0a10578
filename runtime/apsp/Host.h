// All-pairs shortest paths on the CPU, with the interface of Apsp.h.
//
// It knows Algorithm::Blocked only. It takes every range of weights, and gains nothing from one.
// Built with OpenMP it uses all threads; without, one.
#pragma once

#include "Algebra.h"
#include "Apsp.h"

#include <algorithm>
#include <utility>

namespace stencilc::apsp::host {

namespace detail {

constexpr int64_t blockSize = 64;
constexpr int64_t columnsAtOnce = 1024; ///< of a row, so that they stay in the first cache

template <class Body> void forEachRow(int64_t begin, int64_t end, Body body) {
#if defined(_OPENMP)
#pragma omp parallel for schedule(dynamic, 8)
#endif
  for (int64_t row = begin; row < end; ++row)
    body(row);
}

template <class T> void transpose(T *matrix, int64_t n, int64_t pitch) {
  forEachRow(0, n, [=](int64_t i) {
    for (int64_t j = 0; j < i; ++j)
      std::swap(matrix[i * pitch + j], matrix[j * pitch + i]);
  });
}

template <class Semiring, class T> void admitWeights(const Problem<T> &problem, WeightRange range) {
  using A = Algebra<Semiring, T>;
  uint32_t refusedWeights = 0, brokenRange = 0, greatestWeight = 0, improvingWeights = 0;
#if defined(_OPENMP)
#pragma omp parallel for reduction(+ : refusedWeights, brokenRange)                                \
    reduction(max : greatestWeight, improvingWeights)
#endif
  for (int64_t i = 0; i < problem.n; ++i)
    for (int64_t j = 0; j < problem.n; ++j) {
      bool refused = false;
      T value = A::admit(problem.weights[i * problem.weightsPitch + j], refused);
      refusedWeights += refused;
      brokenRange += !isInRange<A>(value, range);
      if (i == j && A::better(A::one(), value))
        value = A::one();
      if constexpr (saturates<Semiring, T>) {
        greatestWeight = std::max(greatestWeight, magnitude<A>(value));
        improvingWeights = std::max<uint32_t>(improvingWeights, A::better(value, A::one()));
      }
      problem.distances[i * problem.distancesPitch + j] = value;
      if (problem.kind != PathKind::None)
        problem.paths[i * problem.pathsPitch + j] =
            firstPath(problem.kind, i, j, i != j && value != A::zero());
    }
  *problem.report = {noVertex, refusedWeights, brokenRange, 0, greatestWeight, improvingWeights};
}

/// The report's word on distances out of range.
template <class A, class T> bool mayHaveSaturated(const Problem<T> &problem) {
  if (!longPathsSaturate<T>(problem.n, *problem.report))
    return false;
  uint32_t greatest = 0;
#if defined(_OPENMP)
#pragma omp parallel for reduction(max : greatest)
#endif
  for (int64_t i = 0; i < problem.n; ++i)
    for (int64_t j = 0; j < problem.n; ++j)
      greatest =
          std::max(greatest, magnitude<A>(problem.distances[i * problem.distancesPitch + j]));
  return apsp::mayHaveSaturated<T>(greatest, *problem.report);
}

/// One row of distances and first hops; `hops` is null without a path matrix.
template <class T> struct Row {
  T *distances;
  int32_t *hops;
};

/// distances[j] = select(distances[j], extend(first, second[j])), with the first hop `hop`.
template <class A, class T>
void improveRow(Row<T> row, int64_t begin, int64_t end, T first, int32_t hop, const T *second) {
  if (first == A::zero())
    return;
  if (!row.hops) {
    for (int64_t j = begin; j < end; ++j) {
      const T sum = A::extend(first, second[j]);
      row.distances[j] = A::better(sum, row.distances[j]) ? sum : row.distances[j];
    }
    return;
  }
  for (int64_t j = begin; j < end; ++j) {
    const T sum = A::extend(first, second[j]);
    const bool improves = A::better(sum, row.distances[j]);
    row.distances[j] = improves ? sum : row.distances[j];
    row.hops[j] = improves ? hop : row.hops[j];
  }
}

template <class A, class T> class Solver {
public:
  Solver(const Problem<T> &problem, T *pivotRows, T *oldRows)
      : problem(problem), pivotRows(pivotRows), oldRows(oldRows) {}

  void run() {
    for (int64_t begin = 0; begin < problem.n; begin += blockSize) {
      const int64_t end = std::min(begin + blockSize, problem.n);
      closePivotColumns(begin, end);
      forEachRow(begin, end, [&](int64_t k) {
        const T *row = rowAt(k).distances;
        std::copy(row, row + problem.n, oldRows + (k - begin) * problem.n);
      });
      forEachRow(0, problem.n, [&](int64_t i) {
        for (int64_t j = 0; j < begin; j += columnsAtOnce)
          extendRow(i, begin, end, j, std::min(j + columnsAtOnce, begin));
        for (int64_t j = end; j < problem.n; j += columnsAtOnce)
          extendRow(i, begin, end, j, std::min(j + columnsAtOnce, problem.n));
      });
    }
  }

private:
  Row<T> rowAt(int64_t i) const {
    return {problem.distances + i * problem.distancesPitch,
            problem.kind == PathKind::None ? nullptr : problem.paths + i * problem.pathsPitch};
  }

  /// Floyd-Warshall on the columns of the pivots: first the rows of the pivots, keeping each as it
  /// is when its turn comes, then all other rows by themselves.
  void closePivotColumns(int64_t begin, int64_t end) {
    auto pivotRow = [&](int64_t k) { return pivotRows + (k - begin) * blockSize - begin; };
    auto useAsPivot = [&](int64_t i, int64_t k) {
      const Row<T> row = rowAt(i);
      improveRow<A>(row, begin, end, row.distances[k], row.hops ? row.hops[k] : noVertex,
                    pivotRow(k));
    };
    for (int64_t k = begin; k < end; ++k) {
      const T *row = rowAt(k).distances;
      std::copy(row + begin, row + end, pivotRow(k) + begin);
      for (int64_t i = begin; i < end; ++i)
        useAsPivot(i, k);
    }
    forEachRow(0, problem.n, [&](int64_t i) {
      if (i >= begin && i < end)
        return;
      for (int64_t k = begin; k < end; ++k)
        useAsPivot(i, k);
    });
  }

  void extendRow(int64_t i, int64_t begin, int64_t end, int64_t from, int64_t to) {
    const Row<T> row = rowAt(i);
    for (int64_t k = begin; k < end; ++k)
      improveRow<A>(row, from, to, row.distances[k], row.hops ? row.hops[k] : noVertex,
                    oldRows + (k - begin) * problem.n);
  }

  Problem<T> problem;
  T *pivotRows; ///< blockSize x blockSize
  T *oldRows;   ///< blockSize x n: the rows of the pivots before they are extended themselves
};

} // namespace detail

template <class Semiring, class T>
Status workspaceBytes(int64_t n, PathKind, const Plan &plan, size_t &bytes) {
  bytes = 0;
  if (n < 0)
    return Status::BadExtent;
  if (n > maximumExtent)
    return Status::TooLarge;
  if (plan.algorithm != Algorithm::Blocked)
    return Status::BadPlan;
  if (n > 0)
    bytes = size_t(detail::blockSize) * size_t(detail::blockSize + n) * sizeof(T);
  return Status::Ok;
}

template <class Semiring, class T>
Status solve(const Problem<T> &problem, const Plan &plan, void *workspace, size_t bytes) {
  using A = Algebra<Semiring, T>;
  if (Status status = checkProblem(problem); status != Status::Ok)
    return status;
  size_t needed;
  if (Status status = workspaceBytes<Semiring, T>(problem.n, problem.kind, plan, needed);
      status != Status::Ok)
    return status;
  if (!hasRange<Semiring, T>(plan.range))
    return Status::BadPlan;
  *problem.report = emptyReport();
  if (problem.n == 0)
    return Status::Ok;
  if (!workspace || bytes < needed || reinterpret_cast<uintptr_t>(workspace) % 256 != 0)
    return Status::WorkspaceTooSmall;

  detail::admitWeights<Semiring>(problem, plan.range);
  const bool reversed = problem.kind == PathKind::Predecessor;
  auto transposeAll = [&] {
    detail::transpose(problem.distances, problem.n, problem.distancesPitch);
    detail::transpose(problem.paths, problem.n, problem.pathsPitch);
  };
  if (reversed) // predecessors are first hops in the reversed graph
    transposeAll();
  T *pivotRows = static_cast<T *>(workspace);
  detail::Solver<A, T>(problem, pivotRows, pivotRows + detail::blockSize * detail::blockSize).run();

  if (reversed)
    transposeAll();
  for (int64_t i = problem.n - 1; i >= 0; --i)
    if (A::better(problem.distances[i * problem.distancesPitch + i], A::one()))
      problem.report->onNegativeCycle = static_cast<int32_t>(i);
  if constexpr (saturates<Semiring, T>)
    problem.report->saturated = detail::mayHaveSaturated<A>(problem);
  return Status::Ok;
}

} // namespace stencilc::apsp::host
