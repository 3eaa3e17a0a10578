// The verifier's rules on launches: arguments fit the kernel, promises are kept.
#pragma once

#include "ir/kernel/Program.h"
#include "ir/verify/CoverVerifier.h"
#include "ir/verify/VerifierState.h"

namespace stencilc {

/// Checks the rules `launch` and `cover`; the kernels must have been checked. `uses` are those of
/// the launch's kernel, `aligned` is what holds where the launch stands.
void verifyLaunch(const Program &program, const Launch &launch, const BlockUses &uses,
                  llvm::ArrayRef<Aligned> aligned, VerifierFault &fault);

/// True if `index` holds extents of existing axes and constants only.
bool isOverExtents(const Index &index, unsigned rank);

} // namespace stencilc
