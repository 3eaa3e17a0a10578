#include "frontend/driver/MeasuredChoice.h"

#include "frontend/driver/ProgressLine.h"
#include "frontend/measure/Measure.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Signals.h"

#include <atomic>

using namespace llvm;

namespace stencilc {

static std::atomic<bool> wasInterrupted = false;

static void warn(const std::string &text) {
  showProgress("");
  errs() << "stencilc: warning: " << text << "\n";
}

Expected<MeasuredTimes> measureChoice(Choice &choice, const Stencil &stencil,
                                      const CommandLine &line, const Situation &situation) {
  if (is_contained(situation.extents, 0))
    return createStringError("--measure: there is no point to update in this grid");
  MeasureRequest request{
      &stencil, {}, situation.extents, line.strict ? FloatMode::Strict : FloatMode::Contract};
  for (const Candidate &candidate :
       ArrayRef(choice.ranking.candidates).take_front(size_t(*line.measure)))
    request.schedules.push_back(candidate.schedule);
  if (request.schedules.empty())
    request.schedules.push_back(choice.program->schedule);

  wasInterrupted = false;
  // The second Ctrl-C ends the process.
  sys::SetInterruptFunction([] { wasInterrupted = true; });
  Expected<MeasuredTimes> measured =
      measure(request, {showProgress, warn, [] { return wasInterrupted.load(); }});
  sys::SetInterruptFunction(nullptr);
  showProgress("");
  if (!measured)
    return createStringError("--measure: " + toString(measured.takeError()));
  for (const Rejection &rejection : measured->failed)
    warn(fmt::format("{} is not chosen: {}", toString(rejection), rejection.reason));
  if (wasInterrupted)
    warn(
        fmt::format("interrupted: {} of {} are measured", measured->times.size(), measured->asked));

  Constraints best;
  best.whole = measured->times.front().schedule;
  Expected<Choice> made = choose(stencil, best, situation);
  if (!made)
    return made.takeError();
  choice.program = std::move(made->program);
  choice.forecast = std::move(made->forecast);
  // What was predicted with compiled registers stays so.
  for (const Candidate &candidate : choice.ranking.candidates)
    if (candidate.schedule == *best.whole)
      choice.forecast->predicted = candidate.predicted;
  return measured;
}

} // namespace stencilc
