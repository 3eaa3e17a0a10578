// Explain: what a choice and its forecast look like to the user.
#pragma once

#include "costmodel/report/Report.h"
#include "frontend/driver/Choose.h"
#include "frontend/driver/CommandLine.h"

namespace stencilc {

/// Of a choice that has a forecast; points into its program, to the stencil and to the device.
/// Fails where the choice can be predicted, but a launch that a run of several steps makes besides
/// cannot.
llvm::Expected<Report> reportOf(const Stencil &stencil, const CommandLine &line,
                                const Situation &situation, const Choice &choice);

void printReport(llvm::raw_ostream &out, const Report &report, ReportForm form);

/// "predicted for H200 and z=512 y=512 x=512 by the model geometric: ...", for the banner of an
/// emitted file. It says nothing of how the schedule was found: the command in the banner, which
/// forces it, makes the same file again.
std::string predictionNote(const Report &report);

} // namespace stencilc
