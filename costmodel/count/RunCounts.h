// RunCounts: what a run launches beside the passes that Counts.h speaks of: before the first pass
// and after the last one, where fields that ended in the workspace return to the caller's memory;
// in the first passes alone; and in the shorter passes for steps left over.
#pragma once

#include "costmodel/count/Counts.h"

namespace stencilc {

struct LaunchesBeside {
  std::string comment; ///< what a launch of them does, for its reader
  LaunchCounts counted;
  int64_t times = 0; ///< below 0: so many fewer than as many passes would make
};

struct RunCounts {
  int64_t steps = 0;
  int64_t passes = 0; ///< of the kind that ProgramCounts counts
  std::vector<LaunchesBeside> beside;
};

/// Of a run that takes no results, on arrays that lie as the emitted layout function recommends.
/// The program must outlive the result.
llvm::Expected<RunCounts> countRun(const VerifiedProgram &program, llvm::ArrayRef<int64_t> extents,
                                   int64_t steps);

} // namespace stencilc
