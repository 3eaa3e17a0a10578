// Algorithm::Blocked: which kernels run when, for every choice that a plan has.
#pragma once

#include "Launcher.h"
#include "Sweep.h"
#include "TensorProduct.h"

#include <algorithm>

namespace stencilc::apsp::device::detail {

/// Tiles of 64 rows. Three blocks on an SM leave each of the wide one's threads 168 registers,
/// which its 8 x 8 words need.
using NarrowTile = TileShape<4, 4, 2, 3>;
using WideTile = TileShape<8, 2, 2, 3>;

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

/// Calls visit(Type<Blocked<...>>()) for the plan's choices.
template <class Semiring, class T, WeightRange range, bool withPaths, int B, class Visitor>
Status visitTiles(const Plan &plan, Visitor visit) {
  constexpr bool packs = withPaths && range == WeightRange::Below22Bits;
  using L = std::conditional_t<packs, PackedLanes<log2Of(B)>, Lanes<Semiring, T, range>>;
  if constexpr (!L::onTensorCores)
    if (plan.tileSize == 64)
      return visit(Type<Blocked<L, B, NarrowTile, withPaths>>());
  if constexpr (sizeof(T) < 8)
    if (plan.tileSize == 128)
      return visit(Type<Blocked<L, B, WideTile, withPaths>>());
  return Status::BadPlan;
}

template <class Semiring, class T, WeightRange range, bool withPaths, class Visitor>
Status visitBlocked(const Plan &plan, Visitor visit) {
  if constexpr (!withPaths || range == WeightRange::Below22Bits)
    if (plan.blockSize > 64)
      return visitTiles<Semiring, T, range, withPaths, 128>(plan, visit);
  return visitTiles<Semiring, T, range, withPaths, 64>(plan, visit);
}

} // namespace stencilc::apsp::device::detail
