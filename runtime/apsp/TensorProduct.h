// The product of integers below 2^22, their sums made by the tensor cores.
#pragma once

#include "Product.h"

namespace stencilc::apsp::device {

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
  });
}

} // namespace stencilc::apsp::device
