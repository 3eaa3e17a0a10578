// Here: where and when a value is computed.
#pragma once

#include "ir/kernel/KernelBuilder.h"

namespace stencilc {

struct Here {
  Point point;
  Index step = constant(0); ///< of the pass: so many after its first
};

} // namespace stencilc
