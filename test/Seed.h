// The seed of tests that draw a sample: another one every day; STENCILC_SEED repeats one.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace stencilc {

inline uint64_t seedOfRun() {
  if (const char *seed = std::getenv("STENCILC_SEED"))
    return std::strtoull(seed, nullptr, 10);
  const std::time_t now = std::time(nullptr);
  std::array<char, 16> day;
  std::strftime(day.data(), day.size(), "%Y%m%d", std::gmtime(&now));
  return std::strtoull(day.data(), nullptr, 10);
}

/// STENCILC_ALL: take more time for a larger sample, or for everything.
inline bool takesAll() { return std::getenv("STENCILC_ALL") != nullptr; }

} // namespace stencilc
