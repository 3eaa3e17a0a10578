// ShortLoops: which loops compilers take apart unasked.
//
// The indices of registers in an array must be numbers once a loop is taken apart. Compilers do
// that by themselves with a few turns of a few instructions; what is longer, or branches where a
// formula does, is to say so.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// True of a loop of few turns between constants, in each of which little is moved or computed.
/// Loops whose locals are `firstRolled` and after count as the statements that they stand for.
bool isShort(const For &loop, unsigned firstRolled);

} // namespace stencilc
