// MeasuredChoice: --measure, the schedule that is fastest on the GPU that is there.
#pragma once

#include "costmodel/report/MeasuredTimes.h"
#include "frontend/driver/Choose.h"
#include "frontend/driver/CommandLine.h"

namespace stencilc {

/// Measures the best-predicted candidates of a choice, as many as the line asks for, or the one
/// that is forced, and lets the choice be the fastest of them. Tells of progress on a terminal, and
/// warns of each that fails. Ctrl-C ends the measurement and keeps what it has.
llvm::Expected<MeasuredTimes> measureChoice(Choice &choice, const Stencil &stencil,
                                            const CommandLine &line, const Situation &situation);

} // namespace stencilc
