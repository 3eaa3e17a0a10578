// The kernels behind device::solve: what Device.h declares, defined.
//
// They take nvcc up to a minute for a semiring and a type of weights, so they belong into a .cu
// file that nobody edits:
//   #include "runtime/apsp/Instantiate.h"
//   STENCILC_APSP_INSTANTIATE(MinPlus, float)
// or, to compile them side by side, into one for each line of that macro:
//   STENCILC_APSP_INSTANTIATE_ONE(MinPlus, float, NonNegative, true)    // range, with paths
// A combination that has no kernels of its own costs nothing. Where compile time is no matter, a
// file may include this header in place of Device.h and say nothing: what it calls is instantiated.
#pragma once

#include "Blocked.h"
#include "Device.h"
#include "PaperKernels.h"
#include "Stages.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace stencilc::apsp::device::detail {

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

template <class Semiring, class T, WeightRange range, bool withPaths, bool exist>
Status Kernels<Semiring, T, range, withPaths, exist>::workspaceBytes(int64_t n, PathKind kind,
                                                                     const Plan &plan,
                                                                     size_t &bytes) {
  Problem<T> problem;
  problem.n = n;
  problem.kind = kind;
  Parts parts(nullptr);
  if (plan.algorithm == Algorithm::Blocked) {
    const Status status = visitBlocked<Semiring, T, range, withPaths>(plan, [&](auto type) {
      typename decltype(type)::type(problem, parts, plan.blockSize);
      return Status::Ok;
    });
    if (status != Status::Ok)
      return status;
  } else if (plan.algorithm == Algorithm::MinPlus) {
    makeSecondMatrices(problem, parts);
  } else {
    parts.take<uint32_t>(1);
  }
  bytes = n == 0 ? 0 : parts.bytes();
  return Status::Ok;
}

template <class Semiring, class T, WeightRange range, bool withPaths, bool exist>
Status Kernels<Semiring, T, range, withPaths, exist>::solve(const Problem<T> &problem,
                                                            const Plan &plan, void *workspace,
                                                            cudaStream_t stream,
                                                            const LookAhead *ahead) {
  using A = Algebra<Semiring, T>;
  Launcher launch{stream};
  launch(beginReport<Report>, 1, 1, 0, problem.report, static_cast<uint32_t *>(workspace));
  if (problem.n == 0)
    return launch.status;
  Problem<T> first = problem;
  if (plan.algorithm == Algorithm::MinPlus && beginsInSecond(problem.n)) {
    Parts parts(workspace);
    const auto second = makeSecondMatrices(problem, parts);
    first.distances = second.distances;
    first.distancesPitch = second.pitch;
    first.paths = second.paths.paths;
    first.pathsPitch = second.paths.pitch;
  }
  const unsigned blocks = blocksFor(problem.n, stageThreads);
  const auto rows = [&](int64_t most) { return static_cast<unsigned>(std::min(problem.n, most)); };
  launch(admitWeights<Semiring, T>, dim3(blocks, rows(admittedRows)), stageThreads, 0, first,
         plan.range);
  // Predecessors are first hops in the reversed graph.
  const bool reversed =
      problem.kind == PathKind::Predecessor && plan.algorithm != Algorithm::PivotByPivot;
  if (reversed)
    transposeAll(launch, first);
  if (launch.status != Status::Ok)
    return launch.status;

  if (plan.algorithm == Algorithm::Blocked)
    launch.status = visitBlocked<Semiring, T, range, withPaths>(plan, [&](auto type) {
      Parts parts(workspace);
      using Blocked = typename decltype(type)::type;
      return Blocked(problem, parts, plan.blockSize).run(stream, ahead);
    });
  else if constexpr (range == WeightRange::Any)
    launch.status = runPaper<A>(problem, plan, workspace, stream);

  if (reversed)
    transposeAll(launch, problem);
  const unsigned scanned = saturates<Semiring, T> ? rows(inspectedRows) : 1;
  launch(inspectDistances<Semiring, T>, dim3(blocks, scanned), stageThreads, 0, problem);
  return launch.status;
}

} // namespace stencilc::apsp::device::detail

#define STENCILC_APSP_INSTANTIATE_ONE(semiring, type, range, withPaths)                            \
  template struct stencilc::apsp::device::detail::Kernels<                                         \
      stencilc::apsp::semiring, type, stencilc::apsp::WeightRange::range, withPaths>;
#define STENCILC_APSP_INSTANTIATE(semiring, type)                                                  \
  STENCILC_APSP_INSTANTIATE_ONE(semiring, type, Any, false)                                        \
  STENCILC_APSP_INSTANTIATE_ONE(semiring, type, Any, true)                                         \
  STENCILC_APSP_INSTANTIATE_ONE(semiring, type, NonNegative, false)                                \
  STENCILC_APSP_INSTANTIATE_ONE(semiring, type, NonNegative, true)                                 \
  STENCILC_APSP_INSTANTIATE_ONE(semiring, type, Below22Bits, false)                                \
  STENCILC_APSP_INSTANTIATE_ONE(semiring, type, Below22Bits, true)
