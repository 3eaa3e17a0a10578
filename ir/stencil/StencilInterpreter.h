// The naive reference: the meaning of the language, point by point, with nothing clever.
//
// It shares only scalar arithmetic (ir/stencil/Scalar.h) with the KernelInterpreter.
#pragma once

#include "ir/run/Grid.h"

#include "llvm/Support/Error.h"

namespace stencilc {

/// A state with grids of the right shapes: arrays with an `init` hold it (ghost points too, where
/// the boundary is `halo`), others hold 0, `u[t-1]` starts as `u` unless it has its own. `params`
/// overrides defaults by name; a param without either is an error.
llvm::Expected<State> initialState(const Stencil &stencil, std::vector<int64_t> extents,
                                   llvm::ArrayRef<std::pair<std::string, double>> params);

/// Advances `state` by `steps` steps. Errors: an extent below the stencil's minimum (named), a
/// negative extent or step count.
llvm::Error interpret(const Stencil &stencil, State &state, int64_t steps);

} // namespace stencilc
