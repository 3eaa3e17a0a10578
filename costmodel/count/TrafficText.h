// TrafficText: the `--emit=traffic` text, what an interior block of each launch asks of global
// memory.
#pragma once

#include "costmodel/count/Counts.h"

namespace stencilc {

void printTraffic(llvm::raw_ostream &out, const ProgramCounts &counts);

} // namespace stencilc
