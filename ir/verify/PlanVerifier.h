// The verifier's rules on buffers and on what a run does with them.
#pragma once

#include "ir/kernel/Program.h"
#include "ir/verify/VerifierState.h"

namespace stencilc {

/// Checks the rule `buffer`.
void verifyBuffers(const Program &program, VerifierFault &fault);
/// Checks the rule `plan`, and the rules on each launch; buffers and kernels must have been
/// checked.
void verifyPlan(const Program &program, VerifierFault &fault);

} // namespace stencilc
