// Makes a failing case small: what a person reads is what still fails when all else is gone.
#pragma once

#include "test/fuzz/Case.h"

namespace stencilc::fuzz {

struct ShrunkCase {
  Case smallest;
  Failure failure;
};

/// Cuts updates, arrays, lets, terms, offsets, boundaries, sizes and the schedule for as long as
/// the test fails in the same kind of way, trying at most `attempts` cases.
ShrunkCase shrink(Case failing, Failure failure, unsigned attempts,
                  llvm::function_ref<std::optional<Failure>(const Case &)> test);

} // namespace stencilc::fuzz
