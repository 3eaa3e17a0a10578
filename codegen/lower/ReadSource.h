// ReadSource: what supplies the values that the reads of a formula see.
#pragma once

#include "ir/kernel/KernelBuilder.h"

#include <functional>

namespace stencilc {

/// The value of a read, from wherever a lowering has it: memory, a register, a tile, another lane;
/// statements that it needs go to the end of the body. It may name things on the way and use the
/// names again: a body inside another one takes a copy, whose names end with it.
using ReadSource = std::function<Value(Body &, const Read &)>;

} // namespace stencilc
