// VariantList: what --list-variants prints.
#pragma once

namespace llvm {
class raw_ostream;
}

namespace stencilc {

/// The variants with their flags, then the kernels of papers with the schedules that they are.
void printVariants(llvm::raw_ostream &out);

} // namespace stencilc
