// Holds the walker against the interpreter: two readings of one kernel.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// Accesses and requests of runs of one pass, one of each kind.
struct WalkedStep {
  uint64_t accesses = 0, requests = 0;
  std::string difference; ///< empty: walker and interpreter agree
};

/// Walks all blocks of all launches of each kind of pass, the only one of a run, on dense arrays
/// whose point 0 lies `phase` elements after a line, and compares every access (array, element,
/// thread, load or store) and every request, in order, with those that the interpreter makes.
WalkedStep compareWalk(const Program &program, const std::vector<int64_t> &extents, int phase);

} // namespace stencilc
