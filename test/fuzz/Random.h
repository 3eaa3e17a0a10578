// A small generator of random numbers (splitmix64): the same sequence on every machine, which the
// distributions of the standard library do not promise.
//
// Two draws must never stand in one argument list: C++ leaves their order open.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <initializer_list>

namespace stencilc::fuzz {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t value = state += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
  }
  /// 0 ... count - 1.
  unsigned below(unsigned count) { return (next() >> 32) * count >> 32; }
  int between(int low, int high) { return low + static_cast<int>(below(high - low + 1)); }
  bool chance(unsigned percent) { return below(100) < percent; }
  /// 0 <= value < 1, with a full mantissa.
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  template <class T> T pick(std::initializer_list<T> items) {
    return items.begin()[below(items.size())];
  }
  template <class T> const T &pick(llvm::ArrayRef<T> items) { return items[below(items.size())]; }

private:
  uint64_t state;
};

} // namespace stencilc::fuzz
