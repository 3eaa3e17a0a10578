// Functions of literals that have an exact value, as `+ - * /` of literals have: a condition of
// them is decided, and what they guard is not there.
#pragma once

#include "frontend/language/SemaTerm.h"

namespace stencilc {

/// The value of a function of literals alone; none if the function may have to round, or has no
/// value there.
std::optional<ExactTerm> exactly(Builtin function, llvm::ArrayRef<TermPtr> operands);

} // namespace stencilc
