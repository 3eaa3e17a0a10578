// Lanes: some of the 32 lanes of a warp.
#pragma once

#include "ir/kernel/Kernel.h"

#include <bit>
#include <cstdint>

namespace stencilc {

class Lanes {
public:
  Lanes() = default;
  /// Lanes 0 .. count - 1.
  static Lanes first(unsigned count) {
    return Lanes(count >= kLanesPerWarp ? ~uint32_t(0) : (uint32_t(1) << count) - 1);
  }

  /// Visits the lanes in ascending order.
  class Iterator {
  public:
    explicit Iterator(uint32_t rest) : rest(rest) {}
    unsigned operator*() const { return std::countr_zero(rest); }
    Iterator &operator++() {
      rest &= rest - 1;
      return *this;
    }
    bool operator==(const Iterator &) const = default;

  private:
    uint32_t rest;
  };
  Iterator begin() const { return Iterator(bits); }
  Iterator end() const { return Iterator(0); }

  /// Calls `visit` for each of them in ascending order; the compiler sees when these are all.
  template <class Visit> void forEach(const Visit &visit) const {
    if (bits == ~uint32_t(0))
      for (unsigned lane = 0; lane < kLanesPerWarp; ++lane)
        visit(lane);
    else
      for (unsigned lane : *this)
        visit(lane);
  }
  /// Those of them for which `holds` says so.
  template <class Holds> Lanes where(const Holds &holds) const {
    Lanes result;
    forEach([&](unsigned lane) { result.bits |= uint32_t(holds(lane)) << lane; });
    return result;
  }

  bool empty() const { return bits == 0; }
  unsigned count() const { return std::popcount(bits); }
  bool contains(unsigned lane) const { return bits >> lane & 1; }
  void add(unsigned lane) { bits |= uint32_t(1) << lane; }

  Lanes operator-(Lanes other) const { return Lanes(bits & ~other.bits); }
  Lanes operator|(Lanes other) const { return Lanes(bits | other.bits); }
  bool operator==(const Lanes &) const = default;

private:
  explicit Lanes(uint32_t bits) : bits(bits) {}
  uint32_t bits = 0;
};

} // namespace stencilc
