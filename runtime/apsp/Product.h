// The product of the pivots' columns and rows, taken into the distances (step 2 of Panels.h).
//
// A block of threads makes one tile. Both factors stream through a ring in shared memory by
// asynchronous copies; each thread accumulates the best sums of its patch in registers.
#pragma once

#include "Epilogue.h"

namespace stencilc::apsp::device {

/// Which tiles a launch makes. While the product of one pivot block is under way, the columns of
/// the next one can be closed already, given that the next pivots' rows and columns, the cross,
/// were made first.
enum class Part { All, Cross, AllButCross };

struct Region {
  Part part;
  int tileRows, tileColumns;     ///< of the matrix
  int crossRow, crossRows;       ///< tile rows of the cross
  int crossColumn, crossColumns; ///< tile columns of the cross

  STENCILC_APSP_BOTH int tiles() const {
    const int outside = (tileRows - crossRows) * (tileColumns - crossColumns);
    return part == Part::All           ? tileRows * tileColumns
           : part == Part::AllButCross ? outside
                                       : tileRows * tileColumns - outside;
  }
  /// The tile with the given number, from 0 on.
  STENCILC_APSP_BOTH void find(int number, int &row, int &column) const {
    const int width = part == Part::AllButCross ? tileColumns - crossColumns : tileColumns;
    if (part == Part::Cross && number >= width * crossRows) {
      number -= width * crossRows;
      row = number / crossColumns;
      column = crossColumn + number % crossColumns;
      row += row >= crossRow ? crossRows : 0;
      return;
    }
    row = number / width;
    column = number % width;
    if (part == Part::Cross)
      row += crossRow;
    if (part == Part::AllButCross) {
      row += row >= crossRow ? crossRows : 0;
      column += column >= crossColumn ? crossColumns : 0;
    }
  }
};

/// The shape of a tile in words: warps of 4 x 8 threads, each with Micro x Micro words.
template <int Micro, int WarpRows, int WarpColumns> struct TileShape {
  static constexpr int micro = Micro, warpRows = WarpRows, warpColumns = WarpColumns;
  static constexpr int rows = WarpRows * Micro * 4, columns = WarpColumns * Micro * 8;
  static constexpr int threads = WarpRows * WarpColumns * 32;
  static constexpr int residentBlocks = Micro == 8 && threads == 256 ? 2 : 3;
};

/// A ring of slices, `depth` pivots each, of a tile's part of both factors. Both factors' pitch is
/// `panels.padded` elements.
template <class L, class Shape> class Ring {
public:
  using Word = typename L::Word;
  static constexpr int depth = 16, slots = 4;
  static constexpr int leftSlot = depth * Shape::rows, rightSlot = depth * Shape::columns;
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
  template <int width> static constexpr int copiesPerRow = width / wordsPerCopy;
  template <int width> static constexpr int rowsPerPass = Shape::threads / copiesPerRow<width>;

  template <int width> STENCILC_APSP_DEVICE static const Word *begin(const Word *tile, int pitch) {
    return tile + threadIdx.x / copiesPerRow<width> * pitch +
           threadIdx.x % copiesPerRow<width> * wordsPerCopy;
  }
  template <int width>
  STENCILC_APSP_DEVICE static void copySlice(Word *slot, const Word *&next, int pitch) {
    static_assert(Shape::threads % copiesPerRow<width> == 0 && depth % rowsPerPass<width> == 0);
#pragma unroll
    for (int pass = 0; pass < depth / rowsPerPass<width>; ++pass) {
      copyAsync16(slot + pass * rowsPerPass<width> * width + threadIdx.x * wordsPerCopy, next);
      next += rowsPerPass<width> * pitch;
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

/// Shared memory of a product: the ring, a counter (16 bytes) and eight constant words.
template <class L, class Shape> constexpr int productSharedBytes = Ring<L, Shape>::bytes + 16 + 32;

/// The list takes the ring's memory; it holds at most a quarter of the tile's elements.
template <class L, class Shape>
STENCILC_APSP_DEVICE Improvements<typename L::Value> makeImprovements() {
  using Entry = typename Improvements<typename L::Value>::Entry;
  constexpr int bytes = Ring<L, Shape>::bytes;
  constexpr int quarter = Shape::rows * Shape::columns * L::perWord / 4;
  constexpr int room = bytes / int(sizeof(Entry));
  constexpr uint32_t capacity = quarter < room ? quarter : room;
  return {reinterpret_cast<Entry *>(stencilcApspShared),
          reinterpret_cast<uint32_t *>(stencilcApspShared + bytes), capacity};
}

/// Reads four neighbouring words of shared memory.
template <class Word> STENCILC_APSP_DEVICE void readQuad(Word *to, const Word *from) {
  const Pack<Word, 4> quad = *reinterpret_cast<const Pack<Word, 4> *>(from);
#pragma unroll
  for (int e = 0; e < 4; ++e)
    to[e] = quad.at[e];
}

/// The product on the ordinary pipes. A thread's patch falls into quads of four words of a row:
/// groups of four rows 16 apart, and groups of four words 32 apart.
template <class L, class Shape, bool withPaths>
__global__ void __launch_bounds__(Shape::threads, Shape::residentBlocks)
    extendTiles(Panels<L> panels, Region region, int pivot, int pivots) {
  using Word = typename L::Word;
  constexpr int micro = Shape::micro, groups = micro / 4;
  int tileRow, tileColumn;
  region.find(blockIdx.x, tileRow, tileColumn);
  constexpr int tileElements = Shape::columns * L::perWord;
  if (tileColumn * tileElements >= pivot && (tileColumn + 1) * tileElements <= pivot + pivots)
    return;

  Ring<L, Shape> ring(panels, tileRow, tileColumn, pivots);
  if (threadIdx.x == 0)
    *makeImprovements<L, Shape>().count = 0;

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = warp % Shape::warpRows * micro * 4 + lane / 8 * 4;
  const int column = warp / Shape::warpRows * micro * 8 + lane % 8 * 4;
  auto place = [&](int quad) {
    const int r = quad / groups, g = quad % groups;
    return QuadPlace{tileRow * Shape::rows + row + (r < 4 ? r : r + 12),
                     tileColumn * Shape::columns + column + g * 32};
  };
  Accumulator<L, micro * groups> best;
  best.template start<withPaths>(panels, place);

#pragma unroll 1
  for (int slice = 0; slice < ring.slices; ++slice) {
    ring.wait(slice);
    const Word *left = ring.left(slice) + row;
    const Word *right = ring.right(slice) + column;
#pragma unroll
    for (int k = 0; k < ring.depth; k += 2) {
      Word a[2][micro], b[2][micro];
#pragma unroll
      for (int u = 0; u < 2; ++u)
#pragma unroll
        for (int g = 0; g < groups; ++g) {
          readQuad(a[u] + 4 * g, left + (k + u) * Shape::rows + g * 16);
          readQuad(b[u] + 4 * g, right + (k + u) * Shape::columns + g * 32);
        }
#pragma unroll
      for (int r = 0; r < micro; ++r)
#pragma unroll
        for (int c = 0; c < micro; ++c) {
          Word &word = best.words[r * groups + c / 4][c % 4];
          word =
              L::extendTwice(r * micro + c, word, a[0][r], b[0][c], a[1][r], b[1][c], panels.one);
        }
    }
  }
  waitForCopies<0>();
  if constexpr (withPaths)
    best.template storeImproved<true>(panels, place, pivot, pivots, makeImprovements<L, Shape>());
  else
    best.storeAll(panels, place);
}

/// The product of integers below 2^22 with the sums made by the tensor cores. One m16n8k8 product
/// of halves makes 16 x 8 sums a(i) + b(j) at once: row i of its left matrix is (high a, low a,
/// 2048, 1) and column j of its right one (2048, 1, high b, low b), where v = 2048 high v + low v;
/// exact, as everything is below 2^24. Left to the ordinary pipes is one minimum of three for two
/// sums.
///
/// A quarter of the lanes, t = 0 of 4, holds the left data, t = 1 the right data; the others, and
/// those where they hold constants, read them from eight words of shared memory. A warp makes 32 x
/// 64 elements; row g + 8 u of product i is row 4 g + 2 i + u, column n of product q is column 32
/// (q / 4) + 4 n + q % 4.
template <class L, class Shape, bool withPaths>
__global__ void __launch_bounds__(Shape::threads, Shape::residentBlocks)
    extendTilesOnTensorCores(Panels<L> panels, Region region, int pivot, int pivots) {
  static_assert(Shape::micro == 8);
  int tileRow, tileColumn;
  region.find(blockIdx.x, tileRow, tileColumn);
  if (tileColumn * Shape::columns >= pivot && (tileColumn + 1) * Shape::columns <= pivot + pivots)
    return;

  Ring<L, Shape> ring(panels, tileRow, tileColumn, pivots);
  if (threadIdx.x == 0)
    *makeImprovements<L, Shape>().count = 0;
  uint32_t *constants = reinterpret_cast<uint32_t *>(stencilcApspShared + ring.bytes) + 4;
  if (threadIdx.x < 8)
    constants[threadIdx.x] = threadIdx.x < 4 ? packHalves(2048, 1) : 0;

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  const int row = warp % Shape::warpRows * 32, column = warp / Shape::warpRows * 64;
  constexpr float unreached = 1 << 26;
  float best[2][8][4];
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int q = 0; q < 8; ++q)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        best[i][q][e] = unreached;

  // Constants lie at distance 0 from pivot to pivot.
  const int leftStep = t == 0 ? Shape::rows : 0, rightStep = t == 1 ? Shape::columns : 0;
  const int half = t == 1 ? 32 : 0;
  const uint32_t *leftConstant = t == 1 ? constants : constants + 4;
  const uint32_t *rightConstant = t == 0 ? constants : constants + 4;
#pragma unroll 1
  for (int slice = 0; slice < ring.slices; ++slice) {
    ring.wait(slice);
    const uint32_t *left = t == 0 ? ring.left(slice) + row + g * 4 : leftConstant;
    const uint32_t *right = t == 1 ? ring.right(slice) + column + g * 4 : rightConstant;
#pragma unroll
    for (int k = 0; k < ring.depth; k += 2) {
      uint32_t a[2][4], b[2][8];
#pragma unroll
      for (int u = 0; u < 2; ++u) {
        readQuad(a[u], left + (k + u) * leftStep);
        readQuad(b[u], right + (k + u) * rightStep);
        readQuad(b[u] + 4, right + half + (k + u) * rightStep);
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

  auto place = [&](int quad) {
    return QuadPlace{tileRow * Shape::rows + row + g * 4 + quad / 4,
                     tileColumn * Shape::columns + column + quad % 4 / 2 * 32 + t * 8 +
                         quad % 2 * 4};
  };
  Accumulator<L, 16> distances;
#pragma unroll
  for (int quad = 0; quad < 16; ++quad)
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int x = quad / 4;
      const float sum = best[x / 2][quad % 4 / 2 * 4 + e][2 * (x % 2) + quad % 2];
      distances.words[quad][e] = sum < 8388608.f ? uint32_t(sum) : L::inEveryPlace(L::A::zero());
    }
  distances.template storeImproved<withPaths>(panels, place, pivot, pivots,
                                              makeImprovements<L, Shape>());
}

} // namespace stencilc::apsp::device
