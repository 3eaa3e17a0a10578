// AbiNames: what the C interface of a stencil calls things.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// "heat_args".
inline std::string abiName(const Signature &signature, llvm::StringRef what) {
  return signature.name + "_" + what.str();
}
/// "HEAT_OK".
inline std::string statusName(const Signature &signature, llvm::StringRef status) {
  return llvm::StringRef(signature.name).upper() + "_" + status.str();
}

} // namespace stencilc
