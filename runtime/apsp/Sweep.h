// The pivots' columns in all other rows, and both factors of the product (step 1 of Panels.h).
#pragma once

#include "Pivot.h"

namespace stencilc::apsp::device {

/// Floyd-Warshall on the pivots' columns of 64 other rows. Half a warp holds four rows, so pivots'
/// entries go round by shuffles, two at a time as above.
template <class L, int B, bool withPaths, class T = typename L::Value>
STENCILC_APSP_DEVICE void sweepRows(Patch<T, 4, B / 16, withPaths> &patch, const T *pivotRows) {
  constexpr int C = B / 16;
  const int tx = threadIdx.x % 16;
#pragma unroll 1
  for (int owner = 0; owner < 16; ++owner)
#pragma unroll
    for (int first = 0; first < C; first += 2) {
      const int k = owner * C + first;
      const T firstToSecond = pivotRows[k * B + k + 1];
      T row[2][C];
#pragma unroll
      for (int u = 0; u < 2; ++u)
#pragma unroll
        for (int c = 0; c < C; ++c)
          row[u][c] = pivotRows[(k + u) * B + tx * C + c];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        T column[2];
        int32_t hop[2] = {noVertex, noVertex};
        column[0] = fromLane(patch.distance[r][first], owner, 16);
        const T old = fromLane(patch.distance[r][first + 1], owner, 16);
        const T sum = L::extendInOrder(column[0], firstToSecond);
        column[1] = L::best(old, sum);
        if constexpr (withPaths) {
          hop[0] = fromLane(patch.hop[r][first], owner, 16);
          hop[1] = fromLane(patch.hop[r][first + 1], owner, 16);
          hop[1] = L::A::better(sum, old) ? hop[0] : hop[1];
        }
#pragma unroll
        for (int u = 0; u < 2; ++u)
#pragma unroll
          for (int c = 0; c < C; ++c)
            patch.template improve<L>(r, c, L::extendInOrder(column[u], row[u][c]), hop[u]);
      }
    }
  patch.template settle<typename L::A>();
}

/// The same without paths, in one go: the product of the rows' own pivot columns and the closed
/// block. `columns` has room for B x 64 words; all threads of the block must come here.
template <class L, int B, class T = typename L::Value>
STENCILC_APSP_DEVICE void extendRows(Patch<T, 4, B / 16, false> &patch, typename L::Word *columns,
                                     const T *closed, uint32_t one) {
  using Word = typename L::Word;
  constexpr int C = B / 16, words = C / L::perWord;
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
#pragma unroll
  for (int c = 0; c < C; ++c) {
    Pack<Word, 4> column;
#pragma unroll
    for (int r = 0; r < 4; ++r)
      column.at[r] = L::inEveryPlace(patch.distance[r][c]);
    *reinterpret_cast<Pack<Word, 4> *>(columns + (tx * C + c) * panelTile + ty * 4) = column;
  }
  using Row = Pack<Word, words>;
  static_assert(sizeof(Row) == C * sizeof(T));
  Row best[4];
#pragma unroll
  for (int r = 0; r < 4; ++r)
    memcpy(&best[r], patch.distance[r], sizeof(Row));
  __syncthreads();
#pragma unroll 4
  for (int k = 0; k < B; k += 2) {
    Pack<Word, 4> a[2];
    Row b[2];
#pragma unroll
    for (int u = 0; u < 2; ++u) {
      a[u] = *reinterpret_cast<const Pack<Word, 4> *>(columns + (k + u) * panelTile + ty * 4);
      b[u] = *reinterpret_cast<const Row *>(closed + (k + u) * B + tx * C);
    }
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
      for (int w = 0; w < words; ++w)
        best[r].at[w] = L::extendTwice(r * words + w, best[r].at[w], a[0].at[r], b[0].at[w],
                                       a[1].at[r], b[1].at[w], one);
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
#pragma unroll
    for (int w = 0; w < words; ++w)
      best[r].at[w] = L::settle(best[r].at[w]);
    memcpy(patch.distance[r], &best[r], sizeof(Row));
  }
}

/// Brings a patch of the pivots' columns, `row` and `pivotColumn` its first ones, into the left
/// factor.
template <class L, class Patch>
STENCILC_APSP_DEVICE void writeLeft(const Panels<L> &panels, const Patch &patch, int row,
                                    int pivotColumn) {
  bool saturated = false;
#pragma unroll
  for (int c = 0; c < Patch::columns; ++c) {
    Pack<typename L::Word, 4> words;
#pragma unroll
    for (int r = 0; r < Patch::rows; r += 4) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        saturated |= L::saturates(patch.distance[r + e][c]);
        words.at[e] = L::leftFactor(patch.distance[r + e][c]);
      }
      *reinterpret_cast<Pack<typename L::Word, 4> *>(
          panels.left + int64_t(pivotColumn + c) * panels.padded + row + r) = words;
    }
  }
  if (saturated)
    panels.report->saturated = 1;
}

/// Brings 64 columns of the pivots' rows into the right factor; the pivots' own columns, which the
/// product must leave alone, as zero().
template <class L, int B>
STENCILC_APSP_DEVICE void writeRight(const Panels<L> &panels, int pivot, int column) {
  using T = typename L::Value;
  using Word = typename L::Word;
  constexpr int words = 4 / L::perWord;
  const int mine = column + threadIdx.x % 16 * 4;
  const bool isPivot = column >= pivot && column < pivot + B;
  bool saturated = false;
#pragma unroll
  for (int pass = 0; pass < B / 16; ++pass) {
    const int k = pass * 16 + threadIdx.x / 16;
    const int end = pivot + k < panels.n && !isPivot ? panels.n : 0;
    const Pack<T, 4> row =
        load<4>(panels.distanceAt(pivot + k, mine), mine, end, panels.aligned, L::A::zero());
    Pack<Word, words> factors;
    if constexpr (L::perWord == 2) {
      factors = bitCast<Pack<Word, words>>(row);
    } else {
#pragma unroll
      for (int e = 0; e < words; ++e) {
        saturated |= L::saturates(row.at[e]);
        factors.at[e] = L::rightFactor(row.at[e], k);
      }
    }
    *reinterpret_cast<Pack<Word, words> *>(panels.right + (int64_t(k) * panels.padded + mine) /
                                                              L::perWord) = factors;
  }
  if (saturated)
    panels.report->saturated = 1;
}

/// One block of threads: closes the block of the pivots.
template <class L, int B, bool withPaths>
__global__ void __launch_bounds__(pivotThreads) closePivots(Panels<L> panels, int pivot) {
  using T = typename L::Value;
  auto &buffers = *reinterpret_cast<ClosingBuffers<T, B> *>(stencilcApspShared);
  constexpr int R = B / 16;
  const int row = pivot + threadIdx.x / 16 * R, column = pivot + threadIdx.x % 16 * R;
  Patch<T, R, R, withPaths> patch;
  patch.loadFrom(panels, row, column);
  closeBlock<L, B, withPaths>(patch, buffers, panels.pivotRows);
  patch.storeTo(panels, row, column);
}

/// What a block of threads needs to bring 64 rows past B pivots.
template <class L, int B, bool withPaths> struct SweepBuffers {
  using T = typename L::Value;
  T pivots[B * B]; ///< with paths, each one's row as of its turn; otherwise closed
  typename L::Word columns[withPaths ? 4 : B * panelTile];

  template <class Patch>
  STENCILC_APSP_DEVICE void sweep(Patch &patch, [[maybe_unused]] uint32_t one) {
    if constexpr (withPaths)
      sweepRows<L, B, withPaths>(patch, pivots);
    else
      extendRows<L, B>(patch, columns, pivots, one);
  }
};

/// One block of threads per 64 vertices, after closePivots: their part of both factors.
template <class L, int B, bool withPaths>
__global__ void __launch_bounds__(pivotThreads) sweepPanels(Panels<L> panels, int pivot) {
  using T = typename L::Value;
  auto &buffers = *reinterpret_cast<SweepBuffers<L, B, withPaths> *>(stencilcApspShared);
  const int begin = blockIdx.x * panelTile;
  const bool isPivot = begin >= pivot && begin < pivot + B;
  const int row = begin + threadIdx.x / 16 * 4, column = threadIdx.x % 16 * (B / 16);
  Patch<T, 4, B / 16, withPaths> patch;
  patch.loadFrom(panels, row, pivot + column);
  writeRight<L, B>(panels, pivot, begin);
  if (!isPivot) { // closed already
    for (int e = threadIdx.x * 4; e < B * B; e += pivotThreads * 4) {
      const int r = pivot + e / B, c = pivot + e % B;
      *reinterpret_cast<Pack<T, 4> *>(buffers.pivots + e) =
          withPaths ? *reinterpret_cast<const Pack<T, 4> *>(panels.pivotRows + e)
                    : load<4>(panels.distanceAt(r, c), c, r < panels.n ? panels.n : 0,
                              panels.aligned, L::A::zero());
    }
    __syncthreads();
    buffers.sweep(patch, panels.one);
    patch.storeTo(panels, row, pivot + column);
  }
  writeLeft(panels, patch, row, column);
}

template <class L, int B, bool withPaths> struct FusedBuffers {
  ClosingBuffers<typename L::Value, B> closing;
  SweepBuffers<L, B, withPaths> sweeping;
  uint32_t isLast;
};

/// closePivots and sweepPanels in one launch, for B = 64, where a launch costs more than closing
/// the pivots in every block of threads. As all of them read the block of the pivots, the last one
/// to have done so stores it.
template <class L, int B, bool withPaths>
__global__ void __launch_bounds__(pivotThreads) closeAndSweep(Panels<L> panels, int pivot) {
  static_assert(B == panelTile);
  using T = typename L::Value;
  auto &buffers = *reinterpret_cast<FusedBuffers<L, B, withPaths> *>(stencilcApspShared);
  const int begin = blockIdx.x * panelTile;
  const int ty = threadIdx.x / 16 * 4, tx = threadIdx.x % 16 * 4;
  Patch<T, 4, 4, withPaths> pivots, rows;
  pivots.loadFrom(panels, pivot + ty, pivot + tx);
  rows.loadFrom(panels, begin + ty, pivot + tx);
  writeRight<L, B>(panels, pivot, begin);
  closeBlock<L, B, withPaths>(pivots, buffers.closing, buffers.sweeping.pivots);
  if constexpr (!withPaths)
    pivots.writeTo(buffers.sweeping.pivots + ty * B + tx, B);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    buffers.isLast = takePlaces(panels.ticket, 1) == gridDim.x - 1;
    __threadfence();
  }
  if (begin == pivot) {
    writeLeft(panels, pivots, begin + ty, tx);
  } else {
    buffers.sweeping.sweep(rows, panels.one);
    rows.storeTo(panels, begin + ty, pivot + tx);
    writeLeft(panels, rows, begin + ty, tx);
  }
  __syncthreads();
  if (!buffers.isLast)
    return;
  pivots.storeTo(panels, pivot + ty, pivot + tx);
  if (threadIdx.x == 0)
    *panels.ticket = 0;
}

} // namespace stencilc::apsp::device
