// StoresSooner: what a kernel makes of many results, ordered so that each is stored before the
// next.
//
// A lowering computes all results of a point before it stores any. Of a dozen, nvcc keeps all that
// they share and all that was loaded for them alive, and spills some where threads have few
// registers.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// The body with the same statements; values are made where the first result asks for them.
Body storesSooner(Body body);

} // namespace stencilc
