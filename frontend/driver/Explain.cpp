#include "frontend/driver/Explain.h"

#include "costmodel/Quantity.h"
#include "costmodel/report/Confidence.h"
#include "costmodel/report/ReportFacts.h"
#include "ir/stencil/StencilFacts.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace stencilc {

static Expected<RunPrediction> predictSteps(int64_t steps, const Choice &choice,
                                            const Situation &situation) {
  Expected<RunCounts> run = countRun(choice.program, situation.extents, steps);
  if (!run)
    return run.takeError();
  return predictRun(*run, choice.forecast->counted, choice.forecast->predicted, *situation.device,
                    situation.options);
}

/// Whether steps can be fused, and are of use: by what was tried, if anything was.
static bool mayFuse(const Stencil &stencil, const Choice &choice) {
  if (!evolves(stencil))
    return false;
  const auto isTile = [](const Schedule &schedule) { return schedule.fuse > 1; };
  if (!choice.isForced)
    return any_of(choice.ranking.candidates,
                  [&](const Candidate &one) { return isTile(one.schedule); }) ||
           any_of(choice.ranking.rejected, [&](const Rejection &rejection) {
             return isTile(rejection.schedule) && !rejection.isWholeVariant &&
                    rejection.needed == 0;
           });
  const StencilForm form = cantFail(formFor(stencil, {}));
  return any_of(variants(), [&](const Variant &variant) {
    return variant.fuses && variant.candidates &&
           !errorToBool(checkLegal(form, variant.defaultSchedule(form.stencil)));
  });
}

Expected<Report> reportOf(const Stencil &stencil, const CommandLine &line,
                          const Situation &situation, const Choice &choice) {
  Report report;
  report.stencil = summarize(stencil);
  report.device = *situation.device;
  report.extents = situation.extents;
  report.steps = line.steps;
  report.isForced = choice.isForced;
  report.mayFuse = mayFuse(stencil, choice);
  report.isReassociated = line.reassociates;
  report.registersAsked = situation.options.registers.value_or(0);
  report.counted = choice.forecast->counted;
  report.predicted = choice.forecast->predicted;
  if (line.explain && line.steps > 1) {
    Expected<RunPrediction> run = predictSteps(line.steps, choice, situation);
    if (!run)
      return run.takeError();
    report.run = std::move(*run);
  }
  if (line.explain) {
    Schedule asStored = choice.program->schedule; // what is a temp already can be one no more
    erase(asStored.flags, kTempsAgain);
    Expected<StencilForm> form = formFor(stencil, asStored);
    if (!form)
      return form.takeError();
    report.moved = mostMoved(form->stencil, situation.device->codeTable());
  }
  report.candidates = choice.ranking.candidates;
  if (report.candidates.empty())
    report.candidates = {{choice.program->schedule, report.predicted}};
  report.rejected = choice.ranking.rejected;
  report.tryOut = [&stencil, situation](const Schedule &schedule) {
    return tryOut(stencil, schedule, situation);
  };
  return report;
}

std::string predictionNote(const Report &report) {
  const Prediction &predicted = report.predicted;
  std::string grid;
  for (auto [axis, extent] : zip_equal(report.stencil.axes, report.extents))
    grid += fmt::format(" {}={}", axis, extent);
  return fmt::format(
      "predicted by the model {} for {} and{}: {} a step, {} GStencil/s, bound by {}",
      predicted.model, report.device.name, grid, timeText(predicted.total, kTimeDigits),
      significant(gstencilsPerSecond(report.counted.points, predicted), kTimeDigits),
      inWords(predicted.bottleneck).str());
}

void printReport(raw_ostream &out, const Report &report, ReportForm form) {
  switch (form) {
  case ReportForm::Text:
    return printReportText(out, report);
  case ReportForm::Json:
    return printReportJson(out, report);
  case ReportForm::Html:
    return printReportHtml(out, report);
  }
  llvm_unreachable("all forms are printed");
}

} // namespace stencilc
