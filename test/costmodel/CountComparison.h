// Holds countProgram against the interpreter, on arrays that lie as the emitted layout function
// recommends: all that whole launches ask of global and shared memory, the operations that threads
// make, and how often blocks wait.
//
// The interpreter and the comparison share no code with the walker or the counter: an access is an
// element of a Grid here, and an address follows from its index.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// Fails the current test for every number that differs, and where a grid without points to update
/// is not refused.
void expectCountsOfInterpreter(const VerifiedProgram &program, const std::vector<int64_t> &extents);

} // namespace stencilc
