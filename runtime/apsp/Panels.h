// What the kernels of one pivot block share: the matrices, and the two factors of its product.
//
// Blocked Floyd-Warshall goes through the vertices in pivot blocks of B. For each of them
//   1. Floyd-Warshall runs on the pivots' columns: first on the B x B block of the pivots
//   themselves,
//      keeping each pivot's row as it is when its turn comes (Pivot.h), then on all other rows,
//      which need only those kept rows (Sweep.h);
//   2. all other columns become the best of what they hold and the product of the columns of 1 with
//      the pivots' rows as they were before (Product.h, TensorProduct.h).
// In 2 the pivots' rows are extended like any other. Taking for all of them the rows from before,
// and the first of several best pivots, makes the outcome that of Floyd-Warshall pivot by pivot:
// were a path matrix to lead from a vertex back to itself, then all distances on that cycle to the
// end of the path would be equal, have been reached in the same step through the same pivot, and
// the cycle would already be there on the way to that pivot. So edges that weigh nothing do no
// harm.
//
// Without paths any order of the same paths will do. Then 1 takes the other rows through one
// product with the closed block, and several blocks of pivots may share 2, given that each one's
// rows and columns were extended by those before it.
#pragma once

#include "Lanes.h"

namespace stencilc::apsp::device {

constexpr int panelTile = 64; ///< rows, or columns, that a block of threads brings into a factor

template <class L> struct Panels {
  using T = typename L::Value;
  using Word = typename L::Word;

  int n;
  int padded; ///< n rounded up to whole tiles: the extent of the factors
  T *distances;
  int64_t pitch;
  int32_t *paths;
  int64_t pathsPitch;
  bool aligned; ///< four neighbouring distances may be moved at once
  bool pathsAligned;
  Word *left;       ///< B x padded words: the pivots' columns, transposed
  Word *right;      ///< B x padded elements: the pivots' rows from before
  T *pivotRows;     ///< B x B: each pivot's row when its turn comes, within its block
  uint32_t *ticket; ///< zero between kernels
  Report *report;
  uint32_t one; ///< 1, unknown to the compiler

  STENCILC_APSP_DEVICE T *distanceAt(int row, int column) const {
    return distances + row * pitch + column;
  }
  STENCILC_APSP_DEVICE int32_t *pathAt(int row, int column) const {
    return paths + row * pathsPitch + column;
  }
};

/// Neighbouring elements that move together.
template <class T, int count> struct alignas(count * sizeof(T) > 16 ? 16 : count * sizeof(T)) Pack {
  T at[count];
};

/// Reads those of `count` elements that lie before `end`; the others are `missing`.
template <int count, class T>
STENCILC_APSP_DEVICE Pack<T, count> load(const T *from, int begin, int end, bool aligned,
                                         T missing) {
  if (aligned && begin + count <= end)
    return *reinterpret_cast<const Pack<T, count> *>(from);
  Pack<T, count> pack;
#pragma unroll
  for (int e = 0; e < count; ++e)
    pack.at[e] = begin + e < end ? from[e] : missing;
  return pack;
}

template <int count, class T>
STENCILC_APSP_DEVICE void store(T *to, int begin, int end, bool aligned,
                                const Pack<T, count> &pack) {
  if (aligned && begin + count <= end) {
    *reinterpret_cast<Pack<T, count> *>(to) = pack;
    return;
  }
#pragma unroll
  for (int e = 0; e < count; ++e)
    if (begin + e < end)
      to[e] = pack.at[e];
}

} // namespace stencilc::apsp::device
