// The verifier's proof that the warps of each group meet its barriers in one order, so that none
// waits for ever.
#pragma once

#include "ir/verify/VerifierState.h"

namespace stencilc {

/// The warps of a block, cut wherever a role or a group begins or ends.
std::vector<WarpRange> warpKinds(const Kernel &kernel);

/// Pairs off the barriers of all kinds of warps (rule barrier). Loops and conditions that hold
/// barriers must be the same for all warps that meet in them. Each kind must have passed the
/// BodyVerifier.
void verifyMeetings(const Kernel &kernel, llvm::ArrayRef<WarpRange> kinds, VerifierFault &fault);

} // namespace stencilc
