// TileDeclarations: where the tiles of a kernel lie in the shared memory of its blocks.
#pragma once

#include "codegen/print/Helpers.h"
#include "ir/kernel/Kernel.h"

namespace stencilc {

/// Bytes of shared memory that a launch of the kernel asks for: 0 where its tiles fit what a kernel
/// may declare by itself.
int64_t dynamicSharedBytes(const Kernel &kernel);

/// The dimensions of an array: "[4][32]".
std::string bracketed(llvm::ArrayRef<int> shape, int padding = 0);
/// What declares the tiles in the kernel's body; on the host they are arrays of a turn.
std::vector<std::string> tileDeclarations(const Kernel &kernel, HelperSet &helpers);

} // namespace stencilc
