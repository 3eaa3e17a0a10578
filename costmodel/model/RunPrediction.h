// RunPrediction: the time of a whole run: its passes, and what it launches beside them.
#pragma once

#include "costmodel/count/RunCounts.h"
#include "costmodel/model/Prediction.h"

namespace stencilc {

struct RunPrediction {
  struct Beside {
    std::string kernel, comment;
    int64_t times = 0;  ///< below 0: so many fewer than as many passes would make
    double seconds = 0; ///< of all of them
  };
  int64_t steps = 0;
  double total = 0; ///< seconds
  std::vector<Beside> beside;
};

/// `counts` and `step` are of the steady pass. Fails as `predict` does.
llvm::Expected<RunPrediction> predictRun(const RunCounts &run, const ProgramCounts &counts,
                                         const Prediction &step, const DeviceProfile &device,
                                         const PredictOptions &options);

} // namespace stencilc
