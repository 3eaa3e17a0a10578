// PatchDeclarations: which patches of a kernel are declared with zeros.
//
// Where a kernel begins by giving every element of a patch the value 0, before anything but
// integers is computed, its declaration says so, and the loops around that need no text.
#pragma once

#include "ir/kernel/Kernel.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"

namespace stencilc {

class PatchDeclarations {
public:
  explicit PatchDeclarations(const Kernel &kernel);

  bool isZero(unsigned patch) const { return zeros.contains(patch); }
  /// True of the statement that a declaration stands for.
  bool isSaid(const Statement &statement) const { return said.contains(&statement); }

private:
  llvm::SmallSet<unsigned, 8> zeros;
  llvm::SmallPtrSet<const Statement *, 8> said;
};

} // namespace stencilc
