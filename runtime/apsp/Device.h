// All-pairs shortest paths on a CUDA device, with the interface of Apsp.h.
//
// solve() starts kernels on the caller's stream and returns; it allocates nothing, waits for
// nothing and may be captured into a graph, which small problems gain much from. The workspace must
// stay until the stream has come past.
#pragma once

#include "Blocked.h"
#include "PaperKernels.h"
#include "Stages.h"

#include <algorithm>
#include <utility>

namespace stencilc::apsp::device {

/// Fills in what a plan leaves open.
template <class T> Plan completePlan(Plan plan, int64_t n, PathKind kind) {
  if (plan.algorithm != Algorithm::Blocked) {
    if (plan.blockSize == 0)
      plan.blockSize = 16;
    return plan;
  }
  const int greatest = greatestBlockSize(kind, plan.range);
  const bool onTensorCores = kind == PathKind::None && plan.range == WeightRange::Below22Bits;
  if (plan.tileSize == 0)
    plan.tileSize = sizeof(T) == 8 || greatest == searchedPivots ? 64
                    : n > 3072 || onTensorCores                  ? 128
                                                                 : 64;
  if (plan.blockSize == 0)
    plan.blockSize = std::min(greatest, n <= 3072 ? 64 : n <= 8192 ? 128 : 256);
  return plan;
}

namespace detail {

/// The second pair of matrices of Algorithm::MinPlus.
template <class T>
MatrixView<T, PathView> makeSecondMatrices(const Problem<T> &problem, Parts &parts) {
  parts.take<uint32_t>(1); // the ticket's place
  MatrixView<T, PathView> second = {parts.take<T>(problem.n * problem.n), problem.n, {}};
  if (problem.kind != PathKind::None)
    second.paths = {parts.take<int32_t>(problem.n * problem.n), problem.n};
  return second;
}

/// An odd number of steps from one pair of matrices into another begins in the second one.
inline bool beginsInSecond(int64_t n) { return minPlusSteps(n) % 2 == 1; }

/// From one pair of matrices into the other and back, so that the last step ends in `now`.
template <class A, int Width, bool inPlace, class T = typename A::Value>
void squareRepeatedly(Launcher &launch, const Problem<T> &problem, MatrixView<T, PathView> now,
                      MatrixView<T, PathView> next) {
  const unsigned blocks = blocksFor(problem.n, Width);
  const int steps = minPlusSteps(problem.n);
  if (beginsInSecond(problem.n))
    std::swap(now, next);
  for (int step = 0; step < steps; ++step) {
    launch(minPlusStep<A, Width, inPlace, PathView>, dim3(blocks, blocks), dim3(Width, Width),
           2 * Width * Width * sizeof(T), static_cast<int>(problem.n), now, next);
    std::swap(now, next);
  }
}

template <class A, class T = typename A::Value>
void goPivotByPivot(Launcher &launch, const Problem<T> &problem, MatrixView<T, PathView> matrix,
                    int width) {
  const unsigned blocks = blocksFor(problem.n, width);
  const auto kernel = problem.kind == PathKind::None       ? pivotStep<A, PathKind::None>
                      : problem.kind == PathKind::FirstHop ? pivotStep<A, PathKind::FirstHop>
                                                           : pivotStep<A, PathKind::Predecessor>;
  for (int pivot = 0; pivot < problem.n; ++pivot)
    launch(kernel, dim3(blocks, blocks), dim3(width, width), 0, static_cast<int>(problem.n), pivot,
           matrix);
}

/// The paper's algorithms, after Init.
template <class A, class T = typename A::Value>
Status runPaper(const Problem<T> &problem, const Plan &plan, void *workspace, cudaStream_t stream) {
  Launcher launch{stream};
  MatrixView<T, PathView> matrix = {problem.distances, problem.distancesPitch, {}};
  if (problem.kind != PathKind::None)
    matrix.paths = {problem.paths, problem.pathsPitch};
  if (plan.algorithm == Algorithm::PivotByPivot) {
    goPivotByPivot<A>(launch, problem, matrix, plan.blockSize);
    return launch.status;
  }
  auto square = [&](auto width) {
    if (plan.algorithm == Algorithm::RacyInPlaceMinPlus) {
      squareRepeatedly<A, width(), true>(launch, problem, matrix, matrix);
    } else {
      Parts parts(workspace);
      squareRepeatedly<A, width(), false>(launch, problem, matrix,
                                          makeSecondMatrices(problem, parts));
    }
  };
  if (plan.blockSize == 8)
    square(std::integral_constant<int, 8>());
  else if (plan.blockSize == 16)
    square(std::integral_constant<int, 16>());
  else
    square(std::integral_constant<int, 32>());
  return launch.status;
}

template <class T> Status checkPaperPlan(const Plan &plan, PathKind kind) {
  const bool isWidth = plan.blockSize == 8 || plan.blockSize == 16 || plan.blockSize == 32;
  const bool isKind =
      plan.algorithm != Algorithm::RacyInPlaceMinPlus || kind != PathKind::Predecessor;
  return isWidth && isKind ? Status::Ok : Status::BadPlan;
}

template <class T> void transposeAll(Launcher &launch, const Problem<T> &problem) {
  const unsigned blocks = blocksFor(problem.n, transposeTile);
  constexpr int elements = 2 * transposeTile * (transposeTile + 1);
  const int n = static_cast<int>(problem.n);
  const dim3 grid(blocks, blocks), block(transposeTile, transposeRows);
  launch(transposeMatrix<T>, grid, block, elements * sizeof(T), problem.distances, n,
         problem.distancesPitch);
  launch(transposeMatrix<int32_t>, grid, block, elements * sizeof(int32_t), problem.paths, n,
         problem.pathsPitch);
}

} // namespace detail

/// Bytes of device memory that solve needs.
template <class Semiring, class T>
Status workspaceBytes(int64_t n, PathKind kind, const Plan &plan, size_t &bytes) {
  bytes = 0;
  if (n < 0)
    return Status::BadExtent;
  if (n > maximumExtent)
    return Status::TooLarge;
  Problem<T> problem;
  problem.n = n;
  problem.kind = kind;
  detail::Parts parts(nullptr);
  const Plan complete = completePlan<T>(plan, n, kind);
  if (complete.algorithm == Algorithm::Blocked) {
    const Status status = detail::visitBlocked<Semiring, T>(complete, kind, [&](auto type) {
      typename decltype(type)::type(problem, parts, complete.blockSize);
      return Status::Ok;
    });
    if (status != Status::Ok)
      return status;
  } else {
    if (detail::checkPaperPlan<T>(complete, kind) != Status::Ok ||
        !hasRange<Semiring, T>(plan.range))
      return Status::BadPlan;
    if (complete.algorithm == Algorithm::MinPlus)
      detail::makeSecondMatrices(problem, parts);
    else
      parts.take<uint32_t>(1);
  }
  bytes = n == 0 ? 0 : parts.bytes();
  return Status::Ok;
}

/// All pointers name device memory. Without `ahead` everything runs on `stream`.
template <class Semiring, class T>
Status solve(const Problem<T> &problem, const Plan &plan, void *workspace, size_t bytes,
             cudaStream_t stream, const LookAhead *ahead = nullptr) {
  using A = Algebra<Semiring, T>;
  if (Status status = checkProblem(problem); status != Status::Ok)
    return status;
  size_t needed;
  if (Status status = workspaceBytes<Semiring, T>(problem.n, problem.kind, plan, needed);
      status != Status::Ok)
    return status;
  detail::Launcher launch{stream};
  if (problem.n == 0) {
    launch(beginReport<Report>, 1, 1, 0, problem.report, static_cast<uint32_t *>(nullptr));
    return launch.status;
  }
  if (!workspace || bytes < needed || reinterpret_cast<uintptr_t>(workspace) % 256 != 0)
    return Status::WorkspaceTooSmall;

  const Plan complete = completePlan<T>(plan, problem.n, problem.kind);
  launch(beginReport<Report>, 1, 1, 0, problem.report, static_cast<uint32_t *>(workspace));
  Problem<T> first = problem;
  if (complete.algorithm == Algorithm::MinPlus && detail::beginsInSecond(problem.n)) {
    detail::Parts parts(workspace);
    const auto second = detail::makeSecondMatrices(problem, parts);
    first.distances = second.distances;
    first.distancesPitch = second.pitch;
    first.paths = second.paths.paths;
    first.pathsPitch = second.paths.pitch;
  }
  const unsigned blocks = detail::blocksFor(problem.n, stageThreads);
  const unsigned rows = static_cast<unsigned>(problem.n < 1024 ? problem.n : 1024);
  launch(admitWeights<A>, dim3(blocks, rows), stageThreads, 0, first, plan.range);
  // Predecessors are first hops in the reversed graph.
  const bool reversed =
      problem.kind == PathKind::Predecessor && complete.algorithm != Algorithm::PivotByPivot;
  if (reversed)
    detail::transposeAll(launch, first);
  if (launch.status != Status::Ok)
    return launch.status;

  launch.status = complete.algorithm != Algorithm::Blocked
                      ? detail::runPaper<A>(problem, complete, workspace, stream)
                      : detail::visitBlocked<Semiring, T>(complete, problem.kind, [&](auto type) {
                          detail::Parts parts(workspace);
                          using Blocked = typename decltype(type)::type;
                          return Blocked(problem, parts, complete.blockSize).run(stream, ahead);
                        });

  if (reversed)
    detail::transposeAll(launch, problem);
  launch(findNegativeCycle<A>, blocks, stageThreads, 0, problem);
  return launch.status;
}

} // namespace stencilc::apsp::device
