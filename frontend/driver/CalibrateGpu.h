// `stencilc calibrate`: measures the GPU of this machine and writes its profile.
#pragma once

#include "frontend/driver/CommandLine.h"
#include "frontend/driver/FileOutput.h"

namespace stencilc {

/// The profile, and with --raw= all times. How far it is and what was found goes to `messages`;
/// where no GPU or compiler for it is, the error says what to do.
llvm::Expected<std::vector<OutputFile>> calibrateGpu(const CommandLine &line,
                                                     llvm::raw_ostream &messages);

} // namespace stencilc
