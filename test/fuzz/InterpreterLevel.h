// The first level: the meaning of a random program against its lowered form, both interpreted.
#pragma once

#include "test/fuzz/Case.h"

namespace stencilc::fuzz {

/// Runs the case on the StencilInterpreter and, for every variant, lowered and verified, on the
/// KernelInterpreter; both must leave the same bits. Some cases are audited too, and walked: the
/// walker must see the accesses that the KernelInterpreter makes. What a run leaves must not depend
/// on whether it is cut in two.
std::optional<Failure> testInterpreters(const Case &tested, const Stencil &stencil);

} // namespace stencilc::fuzz
