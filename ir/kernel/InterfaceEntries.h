// What the C interface of a stencil defines: each with the stencil's name before it (`heat_run`).
#pragma once

#include "llvm/ADT/StringRef.h"

namespace stencilc {

inline constexpr llvm::StringLiteral kInterfaceEntries[] = {
    "args", "args_default", "layout", "workspace_bytes", "run", "strerror", "status"};

} // namespace stencilc
