// The seed of tests that draw a sample: the same in every run, unless STENCILC_SEED gives another.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace stencilc {

inline uint64_t seedOfRun() {
  const char *seed = std::getenv("STENCILC_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 1;
}

/// STENCILC_ALL: take more time for a larger sample, or for everything.
inline bool takesAll() { return std::getenv("STENCILC_ALL") != nullptr; }

} // namespace stencilc
