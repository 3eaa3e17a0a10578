#include "costmodel/model/RunPrediction.h"

using namespace stencilc;

llvm::Expected<RunPrediction>
stencilc::predictRun(const RunCounts &run, const ProgramCounts &counts, const Prediction &step,
                     const DeviceProfile &device, const PredictOptions &options) {
  RunPrediction predicted{run.steps, double(run.passes) * counts.steps * step.total, {}};
  for (const LaunchesBeside &beside : run.beside) {
    ProgramCounts alone = counts;
    alone.steps = 1;
    alone.launches = {beside.counted};
    llvm::Expected<Prediction> one = predict(alone, device, options);
    if (!one)
      return one.takeError();
    const double seconds = beside.times * one->total;
    predicted.beside.push_back(
        {beside.counted.kernel->name, beside.comment, beside.times, seconds});
    predicted.total += seconds;
  }
  return predicted;
}
