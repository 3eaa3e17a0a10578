// ShippedFile: data that ships inside stencilc.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace stencilc {

/// A file of devices/, code/ or calibrate/kernels/ as it was when stencilc was built.
struct ShippedFile {
  llvm::StringRef name, text;
};

/// The text of `NAME.yaml` among those that ship, in any case, or of a file that ends in `.yaml`.
/// `what` is the word for what it describes: "there is no device `c2070`; known are ...".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openYaml(llvm::ArrayRef<ShippedFile> shipped, llvm::StringRef what, llvm::StringRef nameOrFile);

} // namespace stencilc
