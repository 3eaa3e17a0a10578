// Shorthands: additions that the language writes as `sum` or `laplace`.
//
// A sum over a box adds one term per point of it, from left to right, as its indices nest. Only
// additions in exactly that order are found, so that the shorthand has the same bits.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// `sum(i=low:high, ..., factor * u[x+i, ...])`
struct BoxSum {
  Offset low = {}, high = {};
  llvm::SmallVector<unsigned, kMaxRank> nest; ///< axes of the indices, outermost first
  ExprId term = 0;                            ///< the first one: a Read, or one times a leaf
  ExprId read = 0;                            ///< the Read in it
};
/// `laplace(u, order=...)`
struct Laplace {
  ExprId read = 0; ///< at the centre
  unsigned order = 2;
};

/// The operands of `((a + b) + c) + ...`, which has the number `id`; one if it is none.
llvm::SmallVector<ExprId> addedIn(const Formula &formula, ExprId id);

/// The sum that the terms are, all together.
std::optional<BoxSum> boxSum(const Formula &formula, llvm::ArrayRef<ExprId> terms, unsigned rank);
std::optional<Laplace> laplace(const Formula &formula, llvm::ArrayRef<ExprId> terms,
                               const Stencil &stencil);

/// The formula with `(0 + a) + b ...` as `0 + (a + b ...)` where that is a sum over a box: the same
/// bits, whatever the terms are.
Formula withSumsApart(const Formula &formula, unsigned rank);

} // namespace stencilc
