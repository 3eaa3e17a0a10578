// The kernels of Duemmler and Egerland, "Interval-based performance modeling for the
// all-pairs-shortest-path-problem on GPUs" (2015): one thread per entry, square thread blocks.
#pragma once

#include "Lanes.h"

namespace stencilc::apsp::device {

/// A path matrix, or none.
struct PathView {
  int32_t *paths = nullptr;
  int64_t pitch = 0;

  STENCILC_APSP_DEVICE bool exists() const { return paths != nullptr; }
  STENCILC_APSP_DEVICE int32_t get(int row, int column) const {
    return paths[row * pitch + column];
  }
  STENCILC_APSP_DEVICE void set(int row, int column, int32_t vertex) const {
    paths[row * pitch + column] = vertex;
  }
};

template <class T, class Paths> struct MatrixView {
  T *distances;
  int64_t pitch;
  Paths paths;
};

/// Algorithm 2: distances of up to twice as many edges. Right if `from` and `to` are different
/// matrices. In place, as printed, another block may replace a distance that this one has read
/// before this one reads the path that belongs to it, or store a distance, be read, and store the
/// path only then: distances come out right, the path matrix may not.
template <class A, int Width, bool inPlace, class Paths, class T = typename A::Value>
__global__ void __launch_bounds__(Width *Width)
    minPlusStep(int n, MatrixView<T, Paths> from, MatrixView<T, Paths> to) {
  auto &leftTile = *reinterpret_cast<T(*)[Width][Width]>(stencilcApspShared);
  auto &rightTile = *(&leftTile + 1);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * Width + ty, column = blockIdx.x * Width + tx;
  const bool inside = row < n && column < n;
  T best = inside ? from.distances[row * from.pitch + column] : A::zero();
  int through = noVertex;
  for (int begin = 0; begin < n; begin += Width) {
    leftTile[ty][tx] =
        row < n && begin + tx < n ? from.distances[row * from.pitch + begin + tx] : A::zero();
    rightTile[ty][tx] = begin + ty < n && column < n
                            ? from.distances[(begin + ty) * from.pitch + column]
                            : A::zero();
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Width; ++k) {
      const T sum = A::extend(leftTile[ty][k], rightTile[k][tx]);
      if (A::better(sum, best)) {
        best = sum;
        through = begin + k;
      }
    }
    __syncthreads();
  }
  const bool improved = through != noVertex;
  if (!inside || (inPlace && !improved))
    return;
  to.distances[row * to.pitch + column] = best;
  if (from.paths.exists())
    to.paths.set(row, column, from.paths.get(row, improved ? through : column));
}

/// Algorithm 4: one pivot, in place. Entries of the pivot's row and column do not change, unless
/// there is a negative cycle. The printed form pairs the predecessor's update with the first hop's
/// start; here each kind has its own.
template <class A, PathKind kind, class T = typename A::Value>
__global__ void pivotStep(int n, int pivot, MatrixView<T, PathView> matrix) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n)
    return;
  T &distance = matrix.distances[row * matrix.pitch + column];
  const T sum = A::extend(matrix.distances[row * matrix.pitch + pivot],
                          matrix.distances[pivot * matrix.pitch + column]);
  if (!A::better(sum, distance))
    return;
  distance = sum;
  if constexpr (kind == PathKind::FirstHop)
    matrix.paths.set(row, column, matrix.paths.get(row, pivot));
  if constexpr (kind == PathKind::Predecessor)
    matrix.paths.set(row, column, matrix.paths.get(pivot, column));
}

} // namespace stencilc::apsp::device
