// Takes the best sums of a tile into the distances, and finds the pivots that they came through.
//
// The product itself keeps no track of pivots: that would take three instructions for every two.
// Instead, where a sum improves a distance, the first pivot that gives this sum is looked for
// afterwards. On the way through all pivot blocks a distance improves only a few times, so the
// threads of a tile list its improved elements and share out the search. Where a quarter of the
// elements or more has improved, each thread goes through all pivots for its own ones.
#pragma once

#include "Panels.h"

namespace stencilc::apsp::device {

/// Where a quad of four words stands: its row, and its first word in the row.
struct QuadPlace {
  int row, word;
};

/// The improved elements of a tile, in shared memory: the entries in place of the ring of factors,
/// the counter after it.
template <class T> struct Improvements {
  struct Entry {
    int row, column;
    T sum;
  };
  Entry *entries;
  uint32_t *count; ///< zero until the ring is free
  uint32_t capacity;
};

/// A thread's best sums, as quads of four words; `place` maps a quad to its QuadPlace.
template <class L, int quads> struct Accumulator {
  using T = typename L::Value;
  using Word = typename L::Word;
  static constexpr int perWord = L::perWord, perQuad = 4 * L::perWord;
  using Elements = Pack<T, perQuad>;

  Word words[quads][4];

  /// Starts from the distances themselves or, where improvements must be told, from zero().
  template <bool withPaths, class Place>
  STENCILC_APSP_DEVICE void start(const Panels<L> &panels, Place place) {
#pragma unroll
    for (int quad = 0; quad < quads; ++quad)
      if constexpr (withPaths) {
        const QuadPlace at = place(quad);
        if (threadIdx.x % 8 == 0 && at.row < panels.n && at.word * perWord < panels.n)
          prefetchToL2(panels.distanceAt(at.row, at.word * perWord));
#pragma unroll
        for (int e = 0; e < 4; ++e)
          words[quad][e] = L::inEveryPlace(L::A::zero());
      } else {
        const Elements elements = loadQuad(panels, place(quad));
#pragma unroll
        for (int e = 0; e < 4; ++e)
          if constexpr (perWord == 2)
            words[quad][e] = bitCast<Pack<Word, 4>>(elements).at[e];
          else
            words[quad][e] = bitCast<Word>(elements.at[e]);
      }
  }

  /// For sums that started from the distances.
  template <class Place>
  STENCILC_APSP_DEVICE void storeAll(const Panels<L> &panels, Place place) const {
#pragma unroll
    for (int quad = 0; quad < quads; ++quad)
      storeQuad(panels, place(quad), settled(quad));
  }

  /// For sums that started from zero(). With paths, all threads of the block must come here.
  template <bool withPaths, class Place>
  STENCILC_APSP_DEVICE void storeImproved(const Panels<L> &panels, Place place, int pivot,
                                          int pivots, Improvements<T> list) const {
    uint32_t improved[quads]; // one bit per element
    uint32_t count = 0;
#pragma unroll
    for (int quad = 0; quad < quads; ++quad) {
      const QuadPlace at = place(quad);
      Elements old = loadQuad(panels, at);
      const Elements sums = settled(quad);
      improved[quad] = 0;
#pragma unroll
      for (int e = 0; e < perQuad; ++e) {
        const bool better = L::A::better(sums.at[e], old.at[e]);
        old.at[e] = better ? sums.at[e] : old.at[e];
        improved[quad] |= uint32_t(better) << e;
      }
      if (improved[quad])
        storeQuad(panels, at, old);
      if constexpr (withPaths)
        count += countBits(improved[quad]);
    }
    if constexpr (withPaths) {
      __syncthreads(); // the ring is free
      enter(place, improved, list, count > 0 ? takePlaces(list.count, count) : 0);
      __syncthreads();
      if (*list.count <= list.capacity)
        searchListed(panels, list, pivot, pivots);
      else
        compareAll(panels, place, improved, pivot, pivots);
    }
  }

private:
  STENCILC_APSP_DEVICE static Elements loadQuad(const Panels<L> &panels, QuadPlace at) {
    const int column = at.word * perWord;
    return load<perQuad>(panels.distanceAt(at.row, column), column,
                         at.row < panels.n ? panels.n : 0, panels.aligned, L::A::zero());
  }
  STENCILC_APSP_DEVICE static void storeQuad(const Panels<L> &panels, QuadPlace at,
                                             const Elements &elements) {
    const int column = at.word * perWord;
    if (at.row < panels.n)
      store(panels.distanceAt(at.row, column), column, panels.n, panels.aligned, elements);
  }
  STENCILC_APSP_DEVICE T settled(int quad, int e) const {
    return L::A::settle(L::element(words[quad][e / perWord], e % perWord));
  }
  STENCILC_APSP_DEVICE Elements settled(int quad) const {
    Elements elements;
#pragma unroll
    for (int e = 0; e < perQuad; ++e)
      elements.at[e] = settled(quad, e);
    return elements;
  }

  /// The weight of the path through a pivot, k in its block.
  STENCILC_APSP_DEVICE static T sumThrough(const Panels<L> &panels, int k, int row, int column) {
    const int64_t line = int64_t(k) * panels.padded;
    const T a = L::fromFactor(panels.left[line + row]);
    if constexpr (perWord == 2)
      return L::A::extend(a, reinterpret_cast<const T *>(panels.right)[line + column]);
    else
      return L::A::extend(a, L::fromFactor(panels.right[line + column]));
  }

  template <class Place>
  STENCILC_APSP_DEVICE void enter(Place place, const uint32_t (&improved)[quads],
                                  const Improvements<T> &list, uint32_t next) const {
#pragma unroll
    for (int quad = 0; quad < quads; ++quad)
#pragma unroll
      for (int e = 0; e < perQuad; ++e)
        if (improved[quad] >> e & 1) {
          const QuadPlace at = place(quad);
          if (next < list.capacity)
            list.entries[next] = {at.row, at.word * perWord + e, settled(quad, e)};
          ++next;
        }
  }

  STENCILC_APSP_DEVICE static void
  searchListed(const Panels<L> &panels, const Improvements<T> &list, int pivot, int pivots) {
    constexpr int stride = 8; // pivots tried at once
    for (uint32_t next = threadIdx.x; next < *list.count; next += blockDim.x) {
      const typename Improvements<T>::Entry entry = list.entries[next];
      int first = -1;
#pragma unroll 1
      for (int k = 0; k < pivots && first < 0; k += stride)
#pragma unroll
        for (int u = stride - 1; u >= 0; --u)
          if (sumThrough(panels, k + u, entry.row, entry.column) == entry.sum)
            first = k + u;
      *panels.pathAt(entry.row, entry.column) = *panels.pathAt(entry.row, pivot + first);
    }
  }

  template <class Place>
  STENCILC_APSP_DEVICE void compareAll(const Panels<L> &panels, Place place,
                                       const uint32_t (&improved)[quads], int pivot,
                                       int pivots) const {
    uint32_t first[quads][perWord]; // four pivots in a word
#pragma unroll
    for (int quad = 0; quad < quads; ++quad)
#pragma unroll
      for (int part = 0; part < perWord; ++part)
        first[quad][part] = 0;
#pragma unroll 1
    for (int k = pivots - 1; k >= 0; --k)
#pragma unroll
      for (int quad = 0; quad < quads; ++quad) {
        const QuadPlace at = place(quad);
#pragma unroll
        for (int e = 0; e < perQuad; ++e)
          if (sumThrough(panels, k, at.row, at.word * perWord + e) == settled(quad, e))
            first[quad][e / 4] =
                selectBits(0xffu << (e % 4 * 8), k * 0x01010101u, first[quad][e / 4]);
      }
#pragma unroll
    for (int quad = 0; quad < quads; ++quad)
#pragma unroll
      for (int e = 0; e < perQuad; ++e)
        if (improved[quad] >> e & 1) {
          const QuadPlace at = place(quad);
          const int k = first[quad][e / 4] >> (e % 4 * 8) & 0xff;
          *panels.pathAt(at.row, at.word * perWord + e) = *panels.pathAt(at.row, pivot + k);
        }
  }
};

} // namespace stencilc::apsp::device
