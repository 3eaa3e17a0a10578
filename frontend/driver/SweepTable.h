// SweepTable: predictions over a range.
//
// Each part that --sweep names is forced to each of its values in turn, the first part slowest;
// what is not forced, by the sweep or by other options, is chosen anew at every point.
//
//   variant  all for the device
//   block    all block shapes among the candidates
//   chunk    powers of two from 1 to 256
//   size     one extent along every axis that --size does not name: 32, 48, 64, 96, 128, ... while
//            the arrays fit into the device's memory, or size:from:to:step
//   gpu      all profiles that ship
//
// A row holds the schedule and its prediction, or why there is none.
#pragma once

#include "frontend/driver/Choose.h"
#include "frontend/driver/CommandLine.h"

#include "llvm/Support/raw_ostream.h"

namespace stencilc {

/// Writes CSV, or JSON with --explain=json.
llvm::Error printSweep(llvm::raw_ostream &out, const Stencil &stencil, const CommandLine &line,
                       const Constraints &constraints, const Situation &situation);

} // namespace stencilc
