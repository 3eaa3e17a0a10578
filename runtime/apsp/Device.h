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
template <class T> Plan completePlan(Plan plan, int64_t n, PathKind kind) {
  if (plan.algorithm != Algorithm::Blocked) {
    if (plan.blockSize == 0)
      plan.blockSize = 16;
    return plan;
  }
  const bool below22Bits = plan.range == WeightRange::Below22Bits;
  const bool withPaths = kind != PathKind::None, searches = withPaths && !below22Bits;
  if (plan.tileSize == 0)
    plan.tileSize = sizeof(T) == 8 || searches                ? 64
                    : n > 3072 || (below22Bits && !withPaths) ? 128
                                                              : 64;
  if (plan.blockSize == 0)
    plan.blockSize = searches || n <= 3072 ? 64 : withPaths || n <= 8192 ? 128 : 256;
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

template <class T> struct Type {
  using type = T;
};

/// Whether four neighbouring elements of any row may be moved at once.
template <class T> bool movesInFours(const T *matrix, int64_t pitch) {
  return reinterpret_cast<uintptr_t>(matrix) % 16 == 0 && pitch * sizeof(T) % 16 == 0;
}

/// The kernels of Algorithm::Blocked for one combination of choices: B pivots are closed at once,
/// and the product takes one block of them, or several, at a time.
template <class L, int B, class Shape, bool withPaths> struct Blocked {
  using T = typename L::Value;
  using Word = typename L::Word;
  static constexpr int tileElements = Shape::columns * L::perWord;

  int depth; ///< pivots of a product
  Panels<L> panels[2];

  Blocked(const Problem<T> &problem, Parts &parts, int depth) : depth(depth), panels() {
    const int64_t padded = roundUp(problem.n, std::max({depth, int(Shape::rows), tileElements}));
    uint32_t *ticket = parts.take<uint32_t>(1);
    T *pivotRows = parts.take<T>(B * B);
    for (Panels<L> &p : panels) {
      p.n = static_cast<int>(problem.n);
      p.padded = static_cast<int>(padded);
      p.distances = problem.distances;
      p.pitch = problem.distancesPitch;
      p.paths = problem.paths;
      p.pathsPitch = problem.pathsPitch;
      p.aligned = movesInFours(problem.distances, problem.distancesPitch);
      p.pathsAligned = movesInFours(problem.paths, problem.pathsPitch);
      p.report = problem.report;
      p.one = 1;
      p.ticket = ticket;
      p.pivotRows = pivotRows;
      p.left = parts.take<Word>(depth * padded);
      p.right = parts.take<Word>(depth * padded / L::perWord);
    }
  }

  /// The factors of the product that begins with `pivot`: those of the next one are made meanwhile.
  const Panels<L> &panelsOf(int pivot) const { return panels[pivot / depth % 2]; }
  int pivotsFrom(int pivot) const {
    return static_cast<int>(std::min<int64_t>(depth, roundUp(panels[0].n - pivot, B)));
  }

  /// Steps 1 of Panels.h for all pivots of a product. Those of a second block need their rows and
  /// columns extended by the first one.
  void close(Launcher &launch, int pivot) const {
    Panels<L> block = panelsOf(pivot);
    const int pivots = pivotsFrom(pivot);
    for (int done = 0; done < pivots; done += B) {
      if (done > 0)
        extend(launch, Part::Cross, pivot, done, pivot + done, B);
      closePivotColumns(launch, block, pivot + done);
      block.left += int64_t(B) * block.padded;
      block.right += int64_t(B) * block.padded / L::perWord;
    }
  }

  static void closePivotColumns(Launcher &launch, const Panels<L> &panels, int pivot) {
    const dim3 tiles(panels.padded / panelTile);
    if constexpr (B == panelTile) {
      launch(closeAndSweep<L, B, withPaths>, tiles, pivotThreads,
             sizeof(FusedBuffers<L, B, withPaths>), panels, pivot);
    } else {
      launch(closePivots<L, B, withPaths>, 1, pivotThreads, sizeof(ClosingBuffers<T, B>), panels,
             pivot);
      launch(sweepPanels<L, B, withPaths>, tiles, pivotThreads,
             sizeof(SweepBuffers<L, B, withPaths>), panels, pivot);
    }
  }

  /// Extends the tiles of `part` by `pivots` pivots. The cross is that of `crossed` pivots from
  /// `cross` on.
  void extend(Launcher &launch, Part part, int pivot, int pivots, int cross, int crossed) const {
    const Panels<L> &p = panelsOf(pivot);
    Region region = {};
    region.part = part;
    region.tileRows = p.padded / Shape::rows;
    region.tileColumns = p.padded / tileElements;
    region.closedBegin = pivot + pivots - B;
    region.closedEnd = pivot + pivots;
    if (part != Part::All) {
      region.crossRow = cross / Shape::rows;
      region.crossRows = int(roundUp(cross + crossed, Shape::rows)) / Shape::rows - region.crossRow;
      region.crossColumn = cross / tileElements;
      region.crossColumns =
          int(roundUp(cross + crossed, tileElements)) / tileElements - region.crossColumn;
    }
    if (region.tiles() == 0)
      return;
    const dim3 tiles(region.tiles());
    constexpr int bytes = Ring<L, Shape>::bytes;
    if constexpr (L::onTensorCores)
      launch(extendTilesOnTensorCores<L, Shape>, tiles, Shape::threads, bytes, p, region, pivots);
    else if constexpr (!withPaths)
      launch(extendTiles<L, Shape>, tiles, Shape::threads, bytes, p, region, pivots);
    else if constexpr (L::packsPivots)
      launch(extendTilesPacked<L, Shape>, tiles, Shape::threads, bytes, p, region, pivot, pivots);
    else
      launch(extendTilesAndSearch<L, Shape>, tiles, Shape::threads,
             bytes + PivotSearch<L, Shape>::bytes, p, region, pivot);
  }

  Status run(cudaStream_t stream, const LookAhead *ahead) const {
    Launcher main{stream};
    close(main, 0);
    const int n = panels[0].n;
    for (int pivot = 0; pivot < n; pivot += depth) {
      const int next = pivot + depth, pivots = pivotsFrom(pivot);
      if (next >= n || !ahead) {
        extend(main, Part::All, pivot, pivots, 0, 0);
        if (next < n)
          close(main, next);
        continue;
      }
      extend(main, Part::Cross, pivot, pivots, next, pivotsFrom(next));
      cudaEventRecord(ahead->crossMade, stream);
      cudaStreamWaitEvent(ahead->stream, ahead->crossMade, 0);
      Launcher side{ahead->stream, main.status};
      close(side, next);
      main.status = side.status;
      cudaEventRecord(ahead->pivotsClosed, ahead->stream);
      extend(main, Part::AllButCross, pivot, pivots, next, pivotsFrom(next));
      cudaStreamWaitEvent(stream, ahead->pivotsClosed, 0);
    }
    return main.status;
  }
};

constexpr int log2Of(int power) { return power == 1 ? 0 : 1 + log2Of(power / 2); }

/// Whether Algorithm::Blocked has the plan's blocks. With paths a product's pivots must be read off
/// before the next one changes their columns, and a search goes through 64 of them.
inline bool hasBlockSize(const Plan &plan, PathKind kind) {
  const int most = kind == PathKind::None                   ? 256
                   : plan.range == WeightRange::Below22Bits ? 128
                                                            : searchedPivots;
  return plan.blockSize <= most &&
         (plan.blockSize == 64 || plan.blockSize == 128 || plan.blockSize == 256);
}

/// Calls visit(Type<Blocked<...>>()) for the plan's choices.
template <class Semiring, class T, WeightRange range, bool withPaths, int B, class Visitor>
Status visitTiles(const Plan &plan, Visitor visit) {
  constexpr bool packs = withPaths && range == WeightRange::Below22Bits;
  using L = std::conditional_t<packs, PackedLanes<log2Of(B)>, Lanes<Semiring, T, range>>;
  if constexpr (!L::onTensorCores)
    if (plan.tileSize == 64)
      return visit(Type<Blocked<L, B, TileShape<4, 4, 2, 3>, withPaths>>());
  if constexpr (sizeof(T) < 8)
    if (plan.tileSize == 128)
      return visit(Type<Blocked<L, B, TileShape<8, 2, 2, 3>, withPaths>>());
  return Status::BadPlan;
}

template <class Semiring, class T, class Visitor>
Status visitBlocked(const Plan &plan, PathKind kind, Visitor visit) {
  if (!hasRange<Semiring, T>(plan.range) || !hasBlockSize(plan, kind))
    return Status::BadPlan;
  auto withBlock = [&](auto range, auto withPaths) {
    if constexpr (!withPaths() || range() == WeightRange::Below22Bits)
      if (plan.blockSize > 64)
        return visitTiles<Semiring, T, range(), withPaths(), 128>(plan, visit);
    return visitTiles<Semiring, T, range(), withPaths(), 64>(plan, visit);
  };
  auto withRange = [&](auto range) {
    return kind == PathKind::None ? withBlock(range, std::false_type())
                                  : withBlock(range, std::true_type());
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

/// From one pair of matrices into the other and back, so that the last step ends in `now`.
template <class A, int Width, bool inPlace, class T = typename A::Value>
void squareRepeatedly(Launcher &launch, const Problem<T> &problem, MatrixView<T, PathView> now,
                      MatrixView<T, PathView> next) {
  const unsigned blocks = blocksFor(problem.n, Width);
  const int steps = minPlusSteps(problem.n);
  if (steps % 2 == 1)
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
  // An odd number of steps from one pair of matrices into another begins in the other one.
  Problem<T> first = problem;
  if (complete.algorithm == Algorithm::MinPlus && minPlusSteps(problem.n) % 2 == 1) {
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
