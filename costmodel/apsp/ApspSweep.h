// ApspSweep: one kernel over a range of graph sizes, as CSV and as a drawing.
#pragma once

#include "costmodel/apsp/ApspStudy.h"

#include "llvm/Support/raw_ostream.h"

namespace stencilc {

/// Sizes `first`, `first + step`, ... up to `last`.
struct SweepRange {
  int64_t first = 0, last = 0, step = 1;
};

/// One line for each size; columns that a kernel has no value for stay empty.
void printSweepCsv(llvm::raw_ostream &out, const ApspStudy &study, const SweepRange &range);

/// The predictions as lines, measured runs as dots, time over n.
void printSweepSvg(llvm::raw_ostream &out, const ApspStudy &study, const SweepRange &range);

} // namespace stencilc
