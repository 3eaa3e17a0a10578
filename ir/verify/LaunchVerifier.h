// The verifier's rules on launches: arguments fit the kernel, promises are kept.
#pragma once

#include "ir/kernel/Program.h"
#include "ir/verify/VerifierState.h"

namespace stencilc {

/// Checks the rule `launch`; the kernels' declarations must have been checked.
void verifyLaunch(const Program &program, const Launch &launch, VerifierFault &fault);

/// True if `index` holds extents of existing axes and constants only.
bool isOverExtents(const Index &index, unsigned rank);

} // namespace stencilc
