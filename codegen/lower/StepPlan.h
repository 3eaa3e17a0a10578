// StepPlan: the frame that every lowering puts its launches in: the Program it starts from, and the
// plan of a run whose passes make one step each.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// A Program with the stencil's signature and the caller's buffers, and nothing to do yet.
Program programOf(const Stencil &stencil, Target target);

/// A pass that makes one step by `launch`, brings the points that no update writes into each new
/// target, and rotates the levels.
Plan planOfSteps(Program &program, const Stencil &stencil, Launch launch);

} // namespace stencilc
