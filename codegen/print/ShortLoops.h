// ShortLoops: which loops compilers take apart unasked.
//
// The indices of registers in an array must be numbers once a loop is taken apart. Compilers do
// that by themselves where all turns together are some hundred instructions; what is longer, or
// calls functions, is to say so.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// True of a loop between constants whose turns together move and compute little.
bool isShort(const For &loop);

} // namespace stencilc
