// RefinedChoice: --refine, the choice made again with what a compiler says of the best candidates.
//
// The 50 of least predicted time are compiled with NVRTC for the device's architecture; it takes no
// GPU. Each is predicted again with the registers that its kernels have got, the bytes that they
// spill and how often their machine code waits for loads: to leave out all that spill chooses worse
// (costmodel/README.md). Instructions stay estimated: counted in machine code, what is seldom
// branched to among them, they made forecasts worse.
#pragma once

#include "frontend/driver/Choose.h"
#include "frontend/driver/CommandLine.h"

namespace stencilc {

/// Leaves the refined candidates in the ranking, and the best as the choice; a forced schedule is
/// predicted again alone. Says on standard error what to keep. Returns the compiler, "NVRTC 13.0";
/// fails without NVRTC, and where nothing compiles.
llvm::Expected<std::string> refineChoice(Choice &choice, const Stencil &stencil,
                                         const CommandLine &line, const Situation &situation);

} // namespace stencilc
