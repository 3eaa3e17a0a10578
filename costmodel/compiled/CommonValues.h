// CommonValues: what a compiler finds that statements have in common.
//
// However it is written, what is the same computation of the same operands is made once (common
// subexpressions) and kept from the first use to the last: of non-local means the differences of
// all neighbours. Names do not tell of that. Found is it in the order of the text, with the turns
// of unrolled loops one after another, and where a branch is around it, in that branch; an element
// of a patch is what was last put there. What turns of a march have in common is not looked for.
#pragma once

#include "ir/kernel/Kernel.h"

#include "llvm/ADT/DenseMap.h"

namespace stencilc {

struct CommonValues {
  /// 32-bit words alive at once at most: of elements of patches, of named values, and of those that
  /// a later statement computes again. What no patch holds is loaded where the text loads it.
  unsigned wordsAlive = 0;
  /// Of a kernel without patches, the same of all values: each from where the text first makes or
  /// loads it to its last use, which for what turns of a march hand on is in the next one.
  unsigned wordsInOrder = 0;
  /// The most of these at a division outside loops. A division is a branch, and compilers load
  /// ahead of the first one: what memory has for uses behind it counts from the start. 0 without
  /// a division.
  unsigned wordsAtDivisions = 0;
  /// Of the times that a value is computed, the share of which its result is not there already; all
  /// in a kernel without patches.
  double shareOfNew(const ValueNode &value) const;

  struct Times {
    unsigned computed = 0, anew = 0;
  };
  llvm::DenseMap<const ValueNode *, Times> times;
};

CommonValues commonValues(const Kernel &kernel);

} // namespace stencilc
