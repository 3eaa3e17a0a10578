// Bound: what can bound a time step, with its names.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <iterator>

namespace stencilc {

enum class Bound { Dram, L2, Smx, Shared, Issue, Flops, Latency, Barrier, Dispatch, Launch };

struct BoundName {
  Bound bound;
  llvm::StringLiteral key;   ///< in tables and JSON
  llvm::StringLiteral words; ///< in the user's words
};

/// In the order of the enum, which is that of JSON and CSV.
inline constexpr BoundName kBoundNames[] = {
    {Bound::Dram, "dram", "device memory"},           {Bound::L2, "l2", "L2"},
    {Bound::Smx, "smx", "storage on the SM"},         {Bound::Shared, "shared", "shared memory"},
    {Bound::Issue, "issue", "instructions"},          {Bound::Flops, "flops", "arithmetic"},
    {Bound::Latency, "latency", "memory latency"},    {Bound::Barrier, "barrier", "barriers"},
    {Bound::Dispatch, "dispatch", "starting blocks"}, {Bound::Launch, "launch", "launches"},
};
inline constexpr unsigned kBounds = std::size(kBoundNames);
static_assert([] {
  for (unsigned i = 0; i < kBounds; ++i)
    if (kBoundNames[i].bound != Bound(i))
      return false;
  return kBoundNames[kBounds - 1].bound == Bound::Launch;
}());

inline llvm::StringRef spelling(Bound bound) { return kBoundNames[unsigned(bound)].key; }
inline llvm::StringRef inWords(Bound bound) { return kBoundNames[unsigned(bound)].words; }

} // namespace stencilc
