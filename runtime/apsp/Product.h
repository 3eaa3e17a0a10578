// The product of the pivots' columns and rows, taken into the distances (step 2 of Panels.h).
//
// A block of threads makes one tile. Both factors stream through a ring in shared memory by
// asynchronous copies; each thread accumulates the best sums of its patch in registers.
#pragma once

#include "Search.h"

namespace stencilc::apsp::device {

/// A ring of slices, `depth` pivots each, of a tile's part of both factors. Both factors' pitch is
/// `panels.padded` elements. A pivot's line in a slot has room for a few constant words after it.
template <class L, class Shape> class Ring {
public:
  using Word = typename L::Word;
  static constexpr int depth = 16, slots = 4;
  static constexpr int leftWidth = Shape::rows + L::constantWords;
  static constexpr int rightWidth = Shape::columns + L::constantWords;
  static constexpr int leftSlot = depth * leftWidth, rightSlot = depth * rightWidth;
  static constexpr int bytes = slots * (leftSlot + rightSlot) * int(sizeof(Word));

  STENCILC_APSP_DEVICE Ring(const Panels<L> &panels, int tileRow, int tileColumn, int pivots)
      : slices(pivots / depth), leftPitch(panels.padded), rightPitch(panels.padded / L::perWord),
        nextLeft(begin<Shape::rows>(panels.left + tileRow * Shape::rows, leftPitch)),
        nextRight(begin<Shape::columns>(panels.right + tileColumn * Shape::columns, rightPitch)) {
#pragma unroll
    for (int slice = 0; slice < slots - 1; ++slice)
      issue(slice);
  }

  /// Waits for a slice, and starts the one that takes the slot of the slice before it.
  STENCILC_APSP_DEVICE void wait(int slice) {
    waitForCopies<slots - 2>();
    __syncthreads();
    issue(slice + slots - 1);
  }
  STENCILC_APSP_DEVICE static Word *left(int slice) {
    return reinterpret_cast<Word *>(stencilcApspShared) + slice % slots * leftSlot;
  }
  STENCILC_APSP_DEVICE static Word *right(int slice) {
    return left(0) + slots * leftSlot + slice % slots * rightSlot;
  }

  const int slices;

private:
  static constexpr int wordsPerCopy = 16 / sizeof(Word);
  template <int width> static constexpr int copiesPerLine = width / wordsPerCopy;
  template <int width> static constexpr int linesPerPass = Shape::threads / copiesPerLine<width>;

  template <int width> STENCILC_APSP_DEVICE static const Word *begin(const Word *tile, int pitch) {
    return tile + threadIdx.x / copiesPerLine<width> * pitch +
           threadIdx.x % copiesPerLine<width> * wordsPerCopy;
  }
  template <int width>
  STENCILC_APSP_DEVICE static void copySlice(Word *slot, const Word *&next, int pitch) {
    static_assert(Shape::threads % copiesPerLine<width> == 0 && depth % linesPerPass<width> == 0);
    constexpr int line = width + L::constantWords;
    slot += threadIdx.x / copiesPerLine<width> * line +
            threadIdx.x % copiesPerLine<width> * wordsPerCopy;
#pragma unroll
    for (int pass = 0; pass < depth / linesPerPass<width>; ++pass) {
      copyAsync16(slot + pass * linesPerPass<width> * line, next);
      next += linesPerPass<width> * pitch;
    }
  }
  STENCILC_APSP_DEVICE void issue(int slice) {
    if (slice < slices) {
      copySlice<Shape::rows>(left(slice), nextLeft, leftPitch);
      copySlice<Shape::columns>(right(slice), nextRight, rightPitch);
    }
    commitCopies();
  }

  const int leftPitch, rightPitch;
  const Word *nextLeft, *nextRight; ///< of this thread's first copy of the next slice
};

/// Reads four neighbouring words of shared memory.
template <class Word> STENCILC_APSP_DEVICE void readQuad(Word *to, const Word *from) {
  const Pack<Word, 4> quad = *reinterpret_cast<const Pack<Word, 4> *>(from);
#pragma unroll
  for (int e = 0; e < 4; ++e)
    to[e] = quad.at[e];
}

/// The best sums of a thread's patch, on the ordinary pipes.
template <class L, class Shape> struct BestSums {
  using Word = typename L::Word;
  using Layout = PatchLayout<Shape>;
  Word words[Layout::quads][4];

  STENCILC_APSP_DEVICE void fill(Word word) {
#pragma unroll
    for (int quad = 0; quad < Layout::quads; ++quad)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        words[quad][e] = word;
  }

  STENCILC_APSP_DEVICE void accumulate(Ring<L, Shape> &ring, uint32_t one) {
    constexpr int micro = Shape::micro, groups = Layout::groups;
#pragma unroll 1
    for (int slice = 0; slice < ring.slices; ++slice) {
      ring.wait(slice);
      const Word *left = ring.left(slice) + Layout::firstRow();
      const Word *right = ring.right(slice) + Layout::firstWord();
#pragma unroll
      for (int k = 0; k < ring.depth; k += 2) {
        Word a[2][micro], b[2][micro];
#pragma unroll
        for (int u = 0; u < 2; ++u)
#pragma unroll
          for (int g = 0; g < groups; ++g) {
            readQuad(a[u] + 4 * g, left + (k + u) * ring.leftWidth + g * 16);
            readQuad(b[u] + 4 * g, right + (k + u) * ring.rightWidth + g * 32);
          }
#pragma unroll
        for (int r = 0; r < micro; ++r)
#pragma unroll
          for (int c = 0; c < micro; ++c) {
            Word &word = words[r * groups + c / 4][c % 4];
            word = L::extendTwice(r * micro + c, word, a[0][r], b[0][c], a[1][r], b[1][c], one);
          }
      }
    }
    waitForCopies<0>();
  }
};

/// Finds the block's tile; false if the launch has nothing to do for it.
template <class L, class Shape>
STENCILC_APSP_DEVICE bool findTile(const Region &region, int &tileRow, int &tileColumn) {
  constexpr int columns = Shape::columns * L::perWord;
  region.find(blockIdx.x, tileRow, tileColumn);
  return !region.isClosed(tileColumn * columns, columns);
}

template <class L, class Shape, class Layout = PatchLayout<Shape>>
STENCILC_APSP_DEVICE TilePatch<L, Layout> patchOf(const Panels<L> &panels, int tileRow,
                                                  int tileColumn) {
  return {panels, Shape(), tileRow * Shape::rows, tileColumn * Shape::columns * L::perWord};
}

/// Without paths: starts from the distances and writes them all back.
template <class L, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::residentBlocks)
    extendTiles(Panels<L> panels, Region region, int pivots) {
  int tileRow, tileColumn;
  if (!findTile<L, Shape>(region, tileRow, tileColumn))
    return;
  Ring<L, Shape> ring(panels, tileRow, tileColumn, pivots);
  const auto patch = patchOf<L, Shape>(panels, tileRow, tileColumn);
  using Words = Pack<typename L::Word, 4>;
  BestSums<L, Shape> best;
  patch.load([&](int quad, const auto &distances) {
    const Words words = bitCast<Words>(distances);
#pragma unroll
    for (int e = 0; e < 4; ++e)
      best.words[quad][e] = words.at[e];
  });
  best.accumulate(ring, panels.one);
  patch.store([&](int quad, auto &distances) {
    Words words;
#pragma unroll
    for (int e = 0; e < 4; ++e)
      words.at[e] = L::settle(best.words[quad][e]);
    distances = bitCast<std::decay_t<decltype(distances)>>(words);
  });
}

/// With paths: the sums are compared with the distances at the end, and where they are better the
/// pivots that they came through are looked for. All factors stay in the ring for that.
template <class L, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::residentBlocks)
    extendTilesAndSearch(Panels<L> panels, Region region, int pivot) {
  using RingOf = Ring<L, Shape>;
  int tileRow, tileColumn;
  if (!findTile<L, Shape>(region, tileRow, tileColumn))
    return;
  RingOf ring(panels, tileRow, tileColumn, searchedPivots);
  static_assert(searchedPivots == RingOf::slots * RingOf::depth);
  const auto patch = patchOf<L, Shape>(panels, tileRow, tileColumn);
  patch.prefetch();
  PivotSearch<L, Shape> search(panels, patch, ring.left(0), ring.right(0), pivot);
  BestSums<L, Shape> best;
  best.fill(L::inEveryPlace(L::A::zero()));
  best.accumulate(ring, panels.one);
  search.run(best.words);
}

/// With paths, the pivots packed into the sums' lowest bits.
template <class L, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::residentBlocks)
    extendTilesPacked(Panels<L> panels, Region region, int pivot, int pivots) {
  int tileRow, tileColumn;
  if (!findTile<L, Shape>(region, tileRow, tileColumn))
    return;
  Ring<L, Shape> ring(panels, tileRow, tileColumn, pivots);
  const auto patch = patchOf<L, Shape>(panels, tileRow, tileColumn);
  patch.prefetch();
  BestSums<L, Shape> best;
  best.fill(~0u);
  best.accumulate(ring, panels.one);

  constexpr int quads = PatchLayout<Shape>::quads;
  uint32_t improved[quads]; // one bit per element
  using Elements = typename TilePatch<L, PatchLayout<Shape>>::Elements;
  patch.exchange([&](int quad, Elements &distances) {
    improved[quad] = 0;
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int32_t sum = L::sumOf(best.words[quad][e]);
      const bool better = sum < distances.at[e];
      distances.at[e] = better ? sum : distances.at[e];
      improved[quad] |= uint32_t(better) << e;
    }
    return improved[quad] != 0;
  });
  // All reads before all writes: the compiler cannot tell them apart.
#pragma unroll
  for (int quad = 0; quad < quads; ++quad)
#pragma unroll
    for (int e = 0; e < 4; ++e)
      if (improved[quad] >> e & 1)
        best.words[quad][e] =
            *panels.pathAt(patch.row(quad), pivot + L::pivotOf(best.words[quad][e]));
#pragma unroll
  for (int quad = 0; quad < quads; ++quad)
#pragma unroll
    for (int e = 0; e < 4; ++e)
      if (improved[quad] >> e & 1)
        *panels.pathAt(patch.row(quad), patch.column(quad) + e) = best.words[quad][e];
}

} // namespace stencilc::apsp::device
