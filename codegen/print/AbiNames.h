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

/// The member of heat_args that points to a buffer: "u", "u_prev", "u_next".
inline std::string bufferName(const Signature &signature, const BufferRef &buffer) {
  const std::string &name = signature.arrays[buffer.array].name;
  switch (buffer.role) {
  case BufferRole::Source:
    return name;
  case BufferRole::Previous:
    return name + "_prev";
  case BufferRole::Target:
    return name + "_next";
  }
  llvm_unreachable("every buffer has a name");
}

/// All buffers that the caller supplies, in the order of heat_args.
inline std::vector<BufferRef> buffersOf(const Signature &signature) {
  std::vector<BufferRef> buffers;
  for (unsigned array = 0; array < signature.arrays.size(); ++array) {
    buffers.push_back({array, BufferRole::Source});
    if (signature.arrays[array].hasPrevious)
      buffers.push_back({array, BufferRole::Previous});
    if (signature.arrays[array].hasNext)
      buffers.push_back({array, BufferRole::Target});
  }
  return buffers;
}

} // namespace stencilc
