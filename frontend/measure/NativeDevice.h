// NativeDevice: the profile of the GPU that is there.
#pragma once

#include "llvm/Support/Error.h"

#include <string>

namespace stencilc {

/// The name of the shipped profile of GPU 0: `h200`. The card's name has the profile's among its
/// words, and compute capability and number of SMs are the profile's. Fails without a driver, and
/// where no profile fits.
llvm::Expected<std::string> nativeProfile();

/// Whether a card's name has a profile's name among its words: "NVIDIA A100-SXM4-80GB", "A100".
bool isNamedAfter(llvm::StringRef card, llvm::StringRef profile);

} // namespace stencilc
