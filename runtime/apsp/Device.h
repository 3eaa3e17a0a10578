// All-pairs shortest paths on a CUDA device, with the interface of Apsp.h.
//
// solve() starts kernels on the caller's stream and returns; it allocates nothing, waits for
// nothing and may be captured into a graph, which small problems gain much from. The workspace must
// stay until the stream has come past.
#pragma once

#include "PaperKernels.h"
#include "Pivot.h"
#include "Product.h"
#include "Stages.h"

#include <algorithm>
#include <utility>

namespace stencilc::apsp::device {

/// A second stream on which Algorithm::Blocked closes the next pivots while the product of the
/// former ones is under way. It may serve any number of calls, one after another.
struct LookAhead {
  cudaStream_t stream = nullptr;
  cudaEvent_t crossMade = nullptr, pivotsClosed = nullptr;
};

inline void destroyLookAhead(LookAhead &ahead) {
  if (ahead.crossMade)
    cudaEventDestroy(ahead.crossMade);
  if (ahead.pivotsClosed)
    cudaEventDestroy(ahead.pivotsClosed);
  if (ahead.stream)
    cudaStreamDestroy(ahead.stream);
  ahead = {};
}

inline Status createLookAhead(LookAhead &ahead) {
  ahead = {};
  int lowest, highest;
  if (cudaDeviceGetStreamPriorityRange(&lowest, &highest) == cudaSuccess &&
      cudaStreamCreateWithPriority(&ahead.stream, cudaStreamNonBlocking, highest) == cudaSuccess &&
      cudaEventCreateWithFlags(&ahead.crossMade, cudaEventDisableTiming) == cudaSuccess &&
      cudaEventCreateWithFlags(&ahead.pivotsClosed, cudaEventDisableTiming) == cudaSuccess)
    return Status::Ok;
  destroyLookAhead(ahead);
  return Status::LaunchFailed;
}

/// Fills in what a plan leaves open.
template <class T> Plan completePlan(Plan plan, int64_t n) {
  if (plan.algorithm != Algorithm::Blocked) {
    if (plan.blockSize == 0)
      plan.blockSize = 16;
    return plan;
  }
  if (plan.tileSize == 0)
    plan.tileSize = sizeof(T) == 8 || (plan.blockSize != 128 && n <= 2048) ? 64 : 128;
  if (plan.blockSize == 0)
    plan.blockSize = plan.tileSize == 64 || n <= 6144 ? 64 : 128;
  return plan;
}

namespace detail {

/// Starts kernels, until one fails.
struct Launcher {
  cudaStream_t stream;
  Status status = Status::Ok;

  template <class... Parameters, class... Arguments>
  void operator()(void (*kernel)(Parameters...), dim3 grid, dim3 block, int sharedBytes,
                  Arguments... arguments) {
    if (status != Status::Ok)
      return;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.stream = stream;
#if defined(__CUDACC__)
    config.dynamicSmemBytes = sharedBytes;
    cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                         cudaSharedmemCarveoutMaxShared);
    if (sharedBytes > 48 * 1024)
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes);
#else
    (void)sharedBytes;
#endif
    if (cudaLaunchKernelEx(&config, kernel, arguments...) != cudaSuccess)
      status = Status::LaunchFailed;
  }
};

constexpr int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }
inline unsigned blocksFor(int64_t n, int64_t width) {
  return static_cast<unsigned>((n + width - 1) / width);
}

/// Cuts a workspace into parts; with a null workspace it only adds up.
class Parts {
public:
  explicit Parts(void *workspace) : begin(static_cast<char *>(workspace)) {}
  template <class T> T *take(int64_t count) {
    T *part = begin ? reinterpret_cast<T *>(begin + used) : nullptr;
    used += roundUp(count * int64_t(sizeof(T)), 256);
    return part;
  }
  size_t bytes() const { return static_cast<size_t>(used); }

private:
  char *begin;
  int64_t used = 0;
};

/// Whether four neighbouring elements of any row may be moved at once.
template <class T> bool movesInFours(const T *matrix, int64_t pitch) {
  return reinterpret_cast<uintptr_t>(matrix) % 16 == 0 && pitch * sizeof(T) % 16 == 0;
}

/// The kernels of Algorithm::Blocked for one combination of choices.
template <class L, int B, class Shape, bool withPaths> struct Blocked {
  using T = typename L::Value;
  using Word = typename L::Word;
  static constexpr int tileElements = Shape::columns * L::perWord;
  static constexpr int64_t unit = std::max({B, Shape::rows, tileElements});

  static Panels<L> makePanels(const Problem<T> &problem, Parts &parts, int parity) {
    Panels<L> panels = {};
    panels.n = static_cast<int>(problem.n);
    panels.padded = static_cast<int>(roundUp(problem.n, unit));
    panels.distances = problem.distances;
    panels.pitch = problem.distancesPitch;
    panels.paths = problem.paths;
    panels.pathsPitch = problem.pathsPitch;
    panels.aligned = movesInFours(problem.distances, problem.distancesPitch);
    panels.pathsAligned = movesInFours(problem.paths, problem.pathsPitch);
    panels.report = problem.report;
    panels.one = 1;
    panels.ticket = parts.take<uint32_t>(1);
    panels.pivotRows = parts.take<T>(B * B);
    for (int other = 0; other < 2; ++other) {
      Word *left = parts.take<Word>(int64_t(B) * panels.padded);
      Word *right = parts.take<Word>(int64_t(B) * panels.padded / L::perWord);
      if (other == parity) {
        panels.left = left;
        panels.right = right;
      }
    }
    return panels;
  }

  static void closePivotColumns(Launcher &launch, const Panels<L> &panels, int pivot) {
    const dim3 tiles(panels.padded / panelTile);
    if constexpr (B == panelTile) {
      launch(closeAndSweep<L, B, withPaths>, tiles, pivotThreads, sizeof(FusedBuffers<T, B>),
             panels, pivot);
    } else {
      launch(closePivots<L, B, withPaths>, 1, pivotThreads, sizeof(ClosingBuffers<T, B>), panels,
             pivot);
      launch(sweepPanels<L, B, withPaths>, tiles, pivotThreads, B * B * sizeof(T), panels, pivot);
    }
  }

  static Region makeRegion(Part part, int padded, int nextPivot) {
    Region region = {part, padded / Shape::rows, padded / tileElements, 0, 0, 0, 0};
    if (part != Part::All) {
      region.crossRow = nextPivot / Shape::rows;
      region.crossRows = B > Shape::rows ? B / Shape::rows : 1;
      region.crossColumn = nextPivot / tileElements;
      region.crossColumns = B > tileElements ? B / tileElements : 1;
    }
    return region;
  }

  static void extend(Launcher &launch, Part part, const Panels<L> &panels, int pivot) {
    const Region region = makeRegion(part, panels.padded, pivot + B);
    if (region.tiles() == 0)
      return;
    const dim3 tiles(region.tiles());
    constexpr int bytes = productSharedBytes<L, Shape>;
    if constexpr (L::onTensorCores)
      launch(extendTilesOnTensorCores<L, Shape, withPaths>, tiles, Shape::threads, bytes, panels,
             region, pivot, B);
    else
      launch(extendTiles<L, Shape, withPaths>, tiles, Shape::threads, bytes, panels, region, pivot,
             B);
  }

  static Status run(const Problem<T> &problem, void *workspace, cudaStream_t stream,
                    const LookAhead *ahead) {
    auto panels = [&](int pivot) {
      Parts parts(workspace);
      return makePanels(problem, parts, pivot / B % 2);
    };
    Launcher main{stream};
    closePivotColumns(main, panels(0), 0);
    const int n = static_cast<int>(problem.n);
    for (int pivot = 0; pivot < n; pivot += B) {
      const int next = pivot + B;
      if (next >= n || !ahead) {
        extend(main, Part::All, panels(pivot), pivot);
        if (next < n)
          closePivotColumns(main, panels(next), next);
        continue;
      }
      extend(main, Part::Cross, panels(pivot), pivot);
      cudaEventRecord(ahead->crossMade, stream);
      cudaStreamWaitEvent(ahead->stream, ahead->crossMade, 0);
      Launcher side{ahead->stream, main.status};
      closePivotColumns(side, panels(next), next);
      main.status = side.status;
      cudaEventRecord(ahead->pivotsClosed, ahead->stream);
      extend(main, Part::AllButCross, panels(pivot), pivot);
      cudaStreamWaitEvent(stream, ahead->pivotsClosed, 0);
    }
    return main.status;
  }
};

/// Calls visit(Blocked<...>()) for the plan's choices.
template <class Semiring, class T, WeightRange range, bool withPaths, class Visitor>
Status visitBlocked(const Plan &plan, Visitor visit) {
  using L = Lanes<Semiring, T, range>;
  constexpr bool wide = sizeof(T) == 8;
  using Large = TileShape<8, 4, 2>;
  using Small = std::conditional_t<L::onTensorCores, TileShape<8, 2, 2>, TileShape<4, 4, 2>>;
  if (plan.blockSize == 64 && plan.tileSize == 64)
    return visit(Blocked<L, 64, Small, withPaths>());
  if constexpr (wide) {
    if (plan.blockSize == 128 && plan.tileSize == 64)
      return visit(Blocked<L, 128, Small, withPaths>());
  } else {
    if (plan.blockSize == 64 && plan.tileSize == 128)
      return visit(Blocked<L, 64, Large, withPaths>());
    if (plan.blockSize == 128 && plan.tileSize == 128)
      return visit(Blocked<L, 128, Large, withPaths>());
  }
  return Status::BadPlan;
}

template <class Semiring, class T, class Visitor>
Status visitBlocked(const Plan &plan, PathKind kind, Visitor visit) {
  if (!hasRange<Semiring, T>(plan.range))
    return Status::BadPlan;
  auto withRange = [&](auto range) {
    return kind == PathKind::None ? visitBlocked<Semiring, T, range(), false>(plan, visit)
                                  : visitBlocked<Semiring, T, range(), true>(plan, visit);
  };
  using Any = std::integral_constant<WeightRange, WeightRange::Any>;
  using NonNegative = std::integral_constant<WeightRange, WeightRange::NonNegative>;
  using Below22Bits = std::integral_constant<WeightRange, WeightRange::Below22Bits>;
  if constexpr (hasRange<Semiring, T>(WeightRange::Below22Bits))
    if (plan.range == WeightRange::Below22Bits)
      return withRange(Below22Bits());
  if constexpr (hasRange<Semiring, T>(WeightRange::NonNegative) && std::is_signed_v<T>)
    if (plan.range == WeightRange::NonNegative)
      return withRange(NonNegative());
  return withRange(Any());
}

/// The second pair of matrices of Algorithm::MinPlus.
template <class T>
MatrixView<T, PathView> makeSecondMatrices(const Problem<T> &problem, Parts &parts) {
  parts.take<uint32_t>(1); // the ticket's place
  MatrixView<T, PathView> second = {parts.take<T>(problem.n * problem.n), problem.n, {}};
  if (problem.kind != PathKind::None)
    second.paths = {parts.take<int32_t>(problem.n * problem.n), problem.n};
  return second;
}

template <class A, int Width, bool inPlace, class T = typename A::Value>
void squareRepeatedly(Launcher &launch, const Problem<T> &problem, MatrixView<T, PathView> now,
                      MatrixView<T, PathView> next) {
  const unsigned blocks = blocksFor(problem.n, Width);
  const int steps = minPlusSteps(problem.n);
  // From two matrices, an even number of steps ends where it began.
  const int launches = inPlace ? steps : steps + steps % 2;
  for (int step = 0; step < launches; ++step) {
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
  const Plan complete = completePlan<T>(plan, n);
  if (complete.algorithm == Algorithm::Blocked) {
    const Status status = detail::visitBlocked<Semiring, T>(complete, kind, [&](auto blocked) {
      blocked.makePanels(problem, parts, 0);
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

  const Plan complete = completePlan<T>(plan, problem.n);
  launch(beginReport<Report>, 1, 1, 0, problem.report, static_cast<uint32_t *>(workspace));
  const unsigned blocks = detail::blocksFor(problem.n, stageThreads);
  const unsigned rows = static_cast<unsigned>(problem.n < 1024 ? problem.n : 1024);
  launch(admitWeights<A>, dim3(blocks, rows), stageThreads, 0, problem, plan.range);
  // Predecessors are first hops in the reversed graph.
  const bool reversed =
      problem.kind == PathKind::Predecessor && complete.algorithm != Algorithm::PivotByPivot;
  if (reversed)
    detail::transposeAll(launch, problem);
  if (launch.status != Status::Ok)
    return launch.status;

  launch.status =
      complete.algorithm != Algorithm::Blocked
          ? detail::runPaper<A>(problem, complete, workspace, stream)
          : detail::visitBlocked<Semiring, T>(complete, problem.kind, [&](auto blocked) {
              return blocked.run(problem, workspace, stream, ahead);
            });

  if (reversed)
    detail::transposeAll(launch, problem);
  launch(findNegativeCycle<A>, blocks, stageThreads, 0, problem);
  return launch.status;
}

} // namespace stencilc::apsp::device
