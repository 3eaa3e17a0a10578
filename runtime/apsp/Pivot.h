// The pivots' columns (step 1 of Panels.h). All kernels here have 256 threads, as 16 x 16.
#pragma once

#include "Panels.h"

namespace stencilc::apsp::device {

constexpr int pivotThreads = 256;

/// A patch of rows x columns elements that a thread holds, with their first hops.
template <class T, int rowCount, int columnCount, bool withPaths> struct Patch {
  static constexpr int rows = rowCount, columns = columnCount;
  T distance[rows][columns];
  int32_t hop[withPaths ? rows : 1][withPaths ? columns : 1];

  template <class L>
  STENCILC_APSP_DEVICE void loadFrom(const Panels<L> &panels, int row, int column) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int c = 0; c < columns; c += 4) {
        const int end = row + r < panels.n ? panels.n : 0;
        const Pack<T, 4> d = load<4>(panels.distanceAt(row + r, column + c), column + c, end,
                                     panels.aligned, L::A::zero());
        Pack<int32_t, 4> p;
        if constexpr (withPaths)
          p = load<4>(panels.pathAt(row + r, column + c), column + c, end, panels.pathsAligned,
                      noVertex);
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          distance[r][c + e] = d.at[e];
          if constexpr (withPaths)
            hop[r][c + e] = p.at[e];
        }
      }
  }

  template <class L>
  STENCILC_APSP_DEVICE void storeTo(const Panels<L> &panels, int row, int column) const {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (row + r >= panels.n)
        break;
#pragma unroll
      for (int c = 0; c < columns; c += 4) {
        Pack<T, 4> d;
        Pack<int32_t, 4> p;
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          d.at[e] = distance[r][c + e];
          if constexpr (withPaths)
            p.at[e] = hop[r][c + e];
        }
        store(panels.distanceAt(row + r, column + c), column + c, panels.n, panels.aligned, d);
        if constexpr (withPaths)
          store(panels.pathAt(row + r, column + c), column + c, panels.n, panels.pathsAligned, p);
      }
    }
  }

  /// The distances alone, into shared memory.
  STENCILC_APSP_DEVICE void writeTo(T *shared, int pitch) const {
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int c = 0; c < columns; ++c)
        shared[r * pitch + c] = distance[r][c];
  }

  /// Takes `sum` with `newHop` at one place, if better.
  template <class L> STENCILC_APSP_DEVICE void improve(int r, int c, T sum, int32_t newHop) {
    if constexpr (withPaths) {
      const bool better = L::A::better(sum, distance[r][c]);
      distance[r][c] = better ? sum : distance[r][c];
      hop[r][c] = better ? newHop : hop[r][c];
    } else {
      distance[r][c] = L::best(distance[r][c], sum);
    }
  }

  template <class A> STENCILC_APSP_DEVICE void settle() {
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int c = 0; c < columns; ++c)
        if (distance[r][c] = A::settle(distance[r][c]); withPaths && distance[r][c] == A::zero())
          hop[r][c] = noVertex;
  }
};

/// The shared memory that closing a block needs: two pivots' rows and columns, double buffered.
template <class T, int B> struct ClosingBuffers {
  T rows[2][2][B], columns[2][2][B];
  int32_t hops[2][2][B];
};

/// Floyd-Warshall within the block of the pivots, of which each thread holds a patch. Two pivots
/// meet at each barrier: with the second one's row and column brought up to date by every thread
/// for itself, both are used at once. With paths, leaves each pivot's row as of its turn in
/// pivotRows.
template <class L, int B, bool withPaths, class T = typename L::Value>
STENCILC_APSP_DEVICE void closeBlock(Patch<T, B / 16, B / 16, withPaths> &patch,
                                     ClosingBuffers<T, B> &buffers, T *pivotRows) {
  constexpr int R = B / 16;
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  auto publish = [&](int buffer, int owner, int first) {
#pragma unroll
    for (int u = 0; u < 2; ++u)
#pragma unroll
      for (int q = 0; q < R; ++q) {
        if (ty == owner)
          buffers.rows[buffer][u][tx * R + q] = patch.distance[first + u][q];
        if (tx == owner) {
          buffers.columns[buffer][u][ty * R + q] = patch.distance[q][first + u];
          if constexpr (withPaths)
            buffers.hops[buffer][u][ty * R + q] = patch.hop[q][first + u];
        }
      }
  };

  publish(0, 0, 0);
#pragma unroll 1
  for (int owner = 0; owner < 16; ++owner)
#pragma unroll
    for (int first = 0; first < R; first += 2) {
      const int buffer = first / 2 % 2, k = owner * R + first;
      __syncthreads();
      const auto &rows = buffers.rows[buffer], &columns = buffers.columns[buffer];
      const T secondToFirst = columns[0][k + 1], firstToSecond = rows[0][k + 1];
      T row[2][R], column[2][R];
      int32_t hop[2][R];
#pragma unroll
      for (int q = 0; q < R; ++q) {
        row[0][q] = rows[0][tx * R + q];
        row[1][q] = L::best(rows[1][tx * R + q], L::extendInOrder(secondToFirst, row[0][q]));
        column[0][q] = columns[0][ty * R + q];
        const T old = columns[1][ty * R + q];
        const T sum = L::extendInOrder(column[0][q], firstToSecond);
        column[1][q] = L::best(old, sum);
        if constexpr (withPaths) {
          hop[0][q] = buffers.hops[buffer][0][ty * R + q];
          hop[1][q] = L::A::better(sum, old) ? hop[0][q] : buffers.hops[buffer][1][ty * R + q];
        }
        if (withPaths && ty == 0) {
          pivotRows[k * B + tx * R + q] = row[0][q];
          pivotRows[(k + 1) * B + tx * R + q] = row[1][q];
        }
      }
#pragma unroll
      for (int u = 0; u < 2; ++u)
#pragma unroll
        for (int r = 0; r < R; ++r)
#pragma unroll
          for (int c = 0; c < R; ++c)
            patch.template improve<L>(r, c, L::extendInOrder(column[u][r], row[u][c]),
                                      withPaths ? hop[u][r] : noVertex);
      const int next = (first + 2) % R;
      publish(1 - buffer, next == 0 ? owner + 1 : owner, next);
    }
  patch.template settle<typename L::A>();
}

} // namespace stencilc::apsp::device
