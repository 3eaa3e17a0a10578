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
    return true;
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

/// The patch of a lane g * 4 + t of a warp whose sums come from the tensor cores.
template <class Shape> struct TensorLayout {
  static constexpr int quads = 16;
  STENCILC_APSP_DEVICE static int firstRow() {
    return threadIdx.x / 32 % Shape::warpRows * 32 + threadIdx.x % 32 / 4 * 4;
  }
  STENCILC_APSP_DEVICE static int firstWord() {
    return threadIdx.x / 32 / Shape::warpRows * 64 + threadIdx.x % 4 * 8;
  }
  STENCILC_APSP_BOTH static constexpr int row(int quad) { return quad / 4; }
  STENCILC_APSP_BOTH static constexpr int word(int quad) {
    return quad / 2 % 2 * 32 + quad % 2 * 4;
  }
};

/// The product of integers below 2^22 with the sums made by the tensor cores. One m16n8k8 product
/// of halves makes 16 x 8 sums a(i) + b(j) at once: row i of its left matrix is (high a, low a,
/// 2048, 1) and column j of its right one (2048, 1, high b, low b), where v = 2048 high v + low v;
/// exact, as everything is below 2^24. Left to the ordinary pipes is one minimum of three for two
/// sums.
///
/// A quarter of the lanes, t = 0 of 4, holds the left data, t = 1 the right data. Where lanes hold
/// constants they read them from the end of each line of the ring, so that all walk alike. A warp
/// makes 32 x 64 elements; row g + 8 u of product i is row 4 g + 2 i + u, column n of product q is
/// column 32 (q / 4) + 4 n + q % 4.
template <class L, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::residentBlocks)
    extendTilesOnTensorCores(Panels<L> panels, Region region, int pivots) {
  static_assert(Shape::micro == 8 && L::constantWords == 8);
  using Layout = TensorLayout<Shape>;
  int tileRow, tileColumn;
  if (!findTile<L, Shape>(region, tileRow, tileColumn))
    return;
  Ring<L, Shape> ring(panels, tileRow, tileColumn, pivots);
  for (int at = threadIdx.x; at < ring.slots * ring.depth * 8; at += Shape::threads) {
    const uint32_t constant = at % 8 < 4 ? packHalves(2048, 1) : 0;
    ring.left(0)[at / 8 * ring.leftWidth + Shape::rows + at % 8] = constant;
    ring.right(0)[at / 8 * ring.rightWidth + Shape::columns + at % 8] = constant;
  }
  const auto patch = patchOf<L, Shape, Layout>(panels, tileRow, tileColumn);

  constexpr float unreached = 1 << 26, tooFar = 1 << 23;
  float best[2][8][4];
  auto element = [&](int quad, int e) -> float & {
    const int row = Layout::row(quad);
    return best[row / 2][quad / 2 % 2 * 4 + e][2 * (row % 2) + quad % 2];
  };
  // In [2^23, 2^24) the last bit of a float counts ones.
  patch.load([&](int quad, const auto &distances) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int32_t distance = distances.at[e];
      element(quad, e) = distance < int32_t(tooFar)
                             ? bitCast<float>(distance | bitCast<int32_t>(tooFar)) - tooFar
                             : unreached;
    }
  });

  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  const int row = t == 0 ? Layout::firstRow() : Shape::rows + (t == 1 ? 0 : 4);
  const int column =
      t == 1 ? threadIdx.x / 32 / Shape::warpRows * 64 + g * 4 : Shape::columns + (t == 0 ? 0 : 4);
  const int half = t == 1 ? 32 : 0;
#pragma unroll 1
  for (int slice = 0; slice < ring.slices; ++slice) {
    ring.wait(slice);
    const uint32_t *left = ring.left(slice) + row, *right = ring.right(slice) + column;
    const uint32_t *farRight = right + half;
#pragma unroll
    for (int k = 0; k < ring.depth; k += 2) {
      uint32_t a[2][4], b[2][8];
#pragma unroll
      for (int u = 0; u < 2; ++u) {
        readQuad(a[u], left + (k + u) * ring.leftWidth);
        readQuad(b[u], right + (k + u) * ring.rightWidth);
        readQuad(b[u] + 4, farRight + (k + u) * ring.rightWidth);
      }
#pragma unroll
      for (int q = 0; q < 8; ++q)
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          float sums[2][4];
          multiplyHalves(sums[0], a[0][2 * i], a[0][2 * i + 1], b[0][q]);
          multiplyHalves(sums[1], a[1][2 * i], a[1][2 * i + 1], b[1][q]);
#pragma unroll
          for (int e = 0; e < 4; ++e)
            best[i][q][e] =
                bitCast<float>(minOf3(bitCast<uint32_t>(sums[0][e]), bitCast<uint32_t>(sums[1][e]),
                                      bitCast<uint32_t>(best[i][q][e])));
        }
    }
  }
  waitForCopies<0>();

  patch.store([&](int quad, auto &distances) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const float sum = element(quad, e);
      distances.at[e] =
          sum < tooFar ? bitCast<int32_t>(sum + tooFar) - bitCast<int32_t>(tooFar) : L::A::zero();
    }
    return true;
  });
}

} // namespace stencilc::apsp::device
