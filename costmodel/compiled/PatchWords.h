// PatchWords: how much of a kernel's patches lives in registers.
//
// Indices of patches are static: loops around them are unrolled, and a compiler leaves out elements
// that nothing reads. In a patch that is shifted, a value is written in one plane and moves down
// until it is read for the last time: its column is alive in each plane on that way.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

struct PatchWords {
  unsigned read = 0;  ///< 32-bit words of all patches that something reads
  unsigned held = 0;  ///< and those that are alive at once
  unsigned made = 0;  ///< of those read: that are ever more than a copy of another element
  unsigned taken = 0; ///< of those read in patches that move up: that come from shared memory alone
  unsigned alive = 0; ///< at once, if what shared memory holds is loaded when it is read
  unsigned kept = 0;  ///< at once if no patch moves up, but for copies of what is still there
  /// By patch: how many planes the values of each column move that does.
  std::vector<std::vector<int>> ways;
};
PatchWords patchWords(const Kernel &kernel);

unsigned elementsOf(const Patch &patch);

/// 32-bit registers that a value takes; of a truth value none: a predicate holds it.
unsigned registerWords(ScalarType type);

} // namespace stencilc
