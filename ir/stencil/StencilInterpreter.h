// The naive reference: the meaning of the language, point by point, with nothing clever.
//
// It shares only scalar arithmetic (ir/stencil/Scalar.h) with the KernelInterpreter. It takes
// stencils that StencilVerifier.h finds nothing wrong with.
#pragma once

#include "ir/run/Grid.h"

#include "llvm/Support/Error.h"

namespace stencilc {

/// A state with grids of the right shapes before the first step: arrays with an `init` hold it
/// (ghost points too, where the boundary is `halo`), others hold 0, `u[t-1]` starts as `u` unless
/// it has its own, arrays over time have `timeSteps` values. `params` overrides defaults by name; a
/// param without either is an error, as is a `param int` that is no whole number.
llvm::Expected<State> initialState(const Stencil &stencil, std::vector<int64_t> extents,
                                   llvm::ArrayRef<std::pair<std::string, double>> params,
                                   int64_t timeSteps = 0);

/// Advances `state` by `steps` steps. Errors: an extent below the stencil's minimum (named), a
/// negative extent or step count, a `param int` with which a region leaves the grid or meets
/// another, a step beyond what an array over time holds.
llvm::Error interpret(const Stencil &stencil, State &state, int64_t steps);

/// The numbers of the stencil's reductions, taken of the state as it is.
llvm::Expected<std::vector<double>> reduce(const Stencil &stencil, const State &state);

} // namespace stencilc
