// Takes the best sums of a tile into the distances, and finds the pivots that they came through.
//
// The product itself keeps no track of pivots: that would take three instructions for every two.
// Instead, where a sum improves a distance, the first pivot that gives this sum is looked for
// afterwards, in the factors, which are still in shared memory. The more pivots are done the fewer
// distances improve, so the threads of a tile list its improved elements and share out the search.
// While the list would be too long, each thread goes through all pivots for its own elements.
#pragma once

#include "Tile.h"

namespace stencilc::apsp::device {

/// Pivots that a search goes through.
constexpr int searchedPivots = greatestBlockSize(PathKind::FirstHop, WeightRange::Any);

template <class L, class Shape> class PivotSearch {
public:
  using T = typename L::Value;
  using Word = typename L::Word;
  using Layout = PatchLayout<Shape>;
  using Patch = TilePatch<L, Layout>;

  struct Entry {
    uint32_t place; ///< row in the tile, and column from bit 16 on
    T sum;
  };
  static constexpr int tileColumns = Shape::columns * L::perWord;
  static constexpr uint32_t capacity =
      Shape::rows * tileColumns / 4 < 4096 ? Shape::rows * tileColumns / 4 : 4096;
  static constexpr int bytes = capacity * sizeof(Entry) + 16;

  /// `left` and `right`: the tile's part of both factors; the list follows them in shared memory.
  STENCILC_APSP_DEVICE PivotSearch(const Panels<L> &panels, const Patch &patch, const Word *left,
                                   const Word *right, int pivot)
      : panels(panels), patch(patch), left(left), right(right), pivot(pivot) {
    if (threadIdx.x == 0)
      *count() = 0;
  }

  /// All threads of the block must come here, and a barrier before.
  STENCILC_APSP_DEVICE void run(const Word (&sums)[Layout::quads][4]) {
    uint32_t improved[Layout::quads]; // one bit per element
    uint32_t mine = 0;
    patch.exchange([&](int quad, typename Patch::Elements &distances) {
      improved[quad] = 0;
#pragma unroll
      for (int e = 0; e < Patch::perQuad; ++e) {
        const T sum = settled(sums[quad], e);
        const bool better = L::A::better(sum, distances.at[e]);
        distances.at[e] = better ? sum : distances.at[e];
        improved[quad] |= uint32_t(better) << e;
      }
      mine += countBits(improved[quad]);
      return improved[quad] != 0;
    });
    enter(sums, improved, mine > 0 ? takePlaces(count(), mine) : 0);
    __syncthreads();
    if (*count() <= capacity)
      searchListed();
    else
      compareAll(sums, improved);
  }

private:
  STENCILC_APSP_DEVICE static Entry *entries() {
    return reinterpret_cast<Entry *>(stencilcApspShared + factorBytes);
  }
  STENCILC_APSP_DEVICE static uint32_t *count() {
    return reinterpret_cast<uint32_t *>(entries() + capacity);
  }
  STENCILC_APSP_DEVICE static T settled(const Word (&words)[4], int e) {
    return L::A::settle(L::element(words[e / L::perWord], e % L::perWord));
  }

  /// The weight of the path through a pivot, k in its block; row and column in the tile.
  STENCILC_APSP_DEVICE T sumThrough(int k, int row, int column) const {
    const T a = L::element(left[k * Shape::rows + row], 0);
    const T b = reinterpret_cast<const T *>(right)[k * tileColumns + column];
    return L::A::extend(a, b);
  }

  STENCILC_APSP_DEVICE void enter(const Word (&sums)[Layout::quads][4],
                                  const uint32_t (&improved)[Layout::quads], uint32_t next) const {
#pragma unroll
    for (int quad = 0; quad < Layout::quads; ++quad)
#pragma unroll
      for (int e = 0; e < Patch::perQuad; ++e)
        if (improved[quad] >> e & 1) {
          if (next < capacity)
            entries()[next] = {uint32_t(rowInTile(quad) | (columnInTile(quad) + e) << 16),
                               settled(sums[quad], e)};
          ++next;
        }
  }

  STENCILC_APSP_DEVICE void searchListed() const {
    constexpr int stride = 8; // pivots tried at once
    const int tileRow = patch.row(0) - rowInTile(0), tileColumn = patch.column(0) - columnInTile(0);
    for (uint32_t next = threadIdx.x; next < *count(); next += Shape::threads) {
      const Entry entry = entries()[next];
      const int row = entry.place & 0xffff, column = entry.place >> 16;
      int first = -1;
#pragma unroll 1
      for (int k = 0; k < searchedPivots && first < 0; k += stride)
#pragma unroll
        for (int u = stride - 1; u >= 0; --u)
          if (sumThrough(k + u, row, column) == entry.sum)
            first = k + u;
      *panels.pathAt(tileRow + row, tileColumn + column) =
          *panels.pathAt(tileRow + row, pivot + first);
    }
  }

  STENCILC_APSP_DEVICE void compareAll(const Word (&sums)[Layout::quads][4],
                                       const uint32_t (&improved)[Layout::quads]) const {
    uint32_t first[Layout::quads][L::perWord]; // four pivots in a word
#pragma unroll
    for (int quad = 0; quad < Layout::quads; ++quad)
#pragma unroll
      for (int part = 0; part < L::perWord; ++part)
        first[quad][part] = 0;
#pragma unroll 1
    for (int k = searchedPivots - 1; k >= 0; --k)
#pragma unroll
      for (int quad = 0; quad < Layout::quads; ++quad)
#pragma unroll
        for (int e = 0; e < Patch::perQuad; ++e)
          if (sumThrough(k, rowInTile(quad), columnInTile(quad) + e) == settled(sums[quad], e))
            first[quad][e / 4] =
                selectBits(0xffu << (e % 4 * 8), k * 0x01010101u, first[quad][e / 4]);
#pragma unroll
    for (int quad = 0; quad < Layout::quads; ++quad)
#pragma unroll
      for (int e = 0; e < Patch::perQuad; ++e)
        if (improved[quad] >> e & 1) {
          const int k = first[quad][e / 4] >> (e % 4 * 8) & 0xff;
          *panels.pathAt(patch.row(quad), patch.column(quad) + e) =
              *panels.pathAt(patch.row(quad), pivot + k);
        }
  }

  STENCILC_APSP_DEVICE static int rowInTile(int quad) {
    return Layout::firstRow() + Layout::row(quad);
  }
  STENCILC_APSP_DEVICE static int columnInTile(int quad) {
    return (Layout::firstWord() + Layout::word(quad)) * L::perWord;
  }

  static constexpr int factorBytes =
      searchedPivots * (Shape::rows + Shape::columns) * int(sizeof(Word));

  const Panels<L> &panels;
  const Patch &patch;
  const Word *left, *right;
  const int pivot;
};

} // namespace stencilc::apsp::device
