// What the saturation of integer distances has done, in host memory: for reports that tell of any.
//
// Where no weight is better than none, every distance is exact but those that saturated, and a pair
// of these is joined by finite ones: Reach finds them. With negative weights (max-plus: positive
// ones) a sum may have saturated on the way to a finite distance too: areExact finds out.
#pragma once

#include "Algebra.h"

#include <cstdint>
#include <vector>

namespace stencilc::apsp {

/// The pairs of vertices that paths join, whatever these weigh: a bit each, closed in n^3 / 64
/// steps.
class Reach {
public:
  template <class T> Reach(int64_t n, const T *distances, int64_t pitch, T noPath) : n(n) {
    words = (n + 63) / 64;
    bits.resize(n * words);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        bits[i * words + j / 64] |= uint64_t(distances[i * pitch + j] != noPath) << j % 64;
    for (int64_t via = 0; via < n; ++via) {
#if defined(_OPENMP)
#pragma omp parallel for
#endif
      for (int64_t i = 0; i < n; ++i)
        if (i != via && joins(i, via))
          for (int64_t word = 0; word < words; ++word)
            bits[i * words + word] |= bits[via * words + word];
    }
  }

  bool joins(int64_t from, int64_t to) const { return bits[from * words + to / 64] >> to % 64 & 1; }

private:
  int64_t n, words;
  std::vector<uint64_t> bits;
};

/// How many pairs are joined by a path and have no distance.
template <class T>
int64_t countSaturated(const Reach &reach, int64_t n, const T *distances, int64_t pitch, T noPath) {
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      count += distances[i * pitch + j] == noPath && reach.joins(i, j);
  return count;
}

/// Whether distances of min-plus, of a graph without negative cycles, are those of exact sums. None
/// is ever below its exact value, so it takes n^3 sums to see that none exceeds one over a third
/// vertex.
template <class T> bool areExact(int64_t n, const T *distances, int64_t pitch) {
  static_assert(std::is_integral_v<T>);
  constexpr T noPath = Algebra<MinPlus, T>::zero();
  int exceeding = 0;
#if defined(_OPENMP)
#pragma omp parallel for reduction(| : exceeding) schedule(dynamic, 8)
#endif
  for (int64_t i = 0; i < n; ++i) {
    const T *row = distances + i * pitch;
    for (int64_t via = 0; via < n && !exceeding; ++via) {
      if (row[via] == noPath)
        continue;
      const T *rest = distances + via * pitch;
      for (int64_t j = 0; j < n; ++j)
        exceeding |= int(rest[j] != noPath) & int(int32_t(row[via]) + rest[j] < row[j]);
    }
  }
  return !exceeding;
}

} // namespace stencilc::apsp
