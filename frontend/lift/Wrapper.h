// Wrapper: a C++ file that defines the lifted function anew, over the C interface of what stencilc
// makes of the stencil. A program that links it in place of the original gains the GPU.
#pragma once

#include "frontend/lift/Understood.h"

#include "llvm/Support/Error.h"

namespace stencilc::lift {

/// It includes `header`, the one that stencilc writes. Compiled by nvcc it runs on the GPU, by
/// another compiler on the host. With `keeps`, arrays stay there from call to call, until
/// NAME_fetch or NAME_forget is called.
llvm::Expected<std::string> wrapperText(const Understood &found, llvm::StringRef header,
                                        bool keeps);

/// Definitions of take, give, release and failed, on the host.
llvm::StringRef hostMemoryText();

} // namespace stencilc::lift
