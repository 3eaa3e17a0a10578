// The seed of tests that draw a sample: the same in every run, unless STENCILC_SEED gives another.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <vector>

namespace stencilc {

inline uint64_t seedOfRun() {
  const char *seed = std::getenv("STENCILC_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 1;
}

/// STENCILC_ALL: take more time for a larger sample, or for everything.
inline bool takesAll() { return std::getenv("STENCILC_ALL") != nullptr; }

/// So many of them, others for the next seed, so that some seeds take them all; or all of them.
/// `place` parts draws of one run.
template <class From> auto drawn(const From &from, size_t count, uint64_t place = 0) {
  const size_t size = std::size(from), taken = takesAll() || count > size ? size : count;
  std::vector<std::decay_t<decltype(*std::begin(from))>> some;
  for (size_t number = 0; number < taken; ++number)
    some.push_back(std::begin(from)[((seedOfRun() + place) * taken + number) % size]);
  return some;
}

} // namespace stencilc
