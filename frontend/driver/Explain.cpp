#include "frontend/driver/Explain.h"

#include "costmodel/Quantity.h"
#include "costmodel/report/ReportFacts.h"
#include "costmodel/report/Trust.h"
#include "ir/stencil/StencilFacts.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace stencilc {

namespace {

/// "z -1 .. +1": of all reads together.
std::string reachAlong(const Stencil &stencil, unsigned axis) {
  std::array<int, 2> most = {0, 0};
  for (unsigned array = 0; array < stencil.arrays.size(); ++array)
    for (unsigned side : {0, 1})
      most[side] = std::max(most[side], reach(stencil, array)[axis][side]);
  if (most == decltype(most){})
    return stencil.axes[axis] + " 0";
  return fmt::format("{} -{} .. +{}", stencil.axes[axis], most[0], most[1]);
}

StencilSummary summaryOf(const Stencil &stencil) {
  StencilSummary summary;
  summary.name = stencil.name;
  summary.file = stencil.file;
  summary.axes = stencil.axes;
  for (const Array &array : stencil.arrays)
    summary.arrays.push_back(fmt::format("{} {} {}", array.isField ? "field" : "const",
                                         spelling(array.type).str(), array.name));
  const PointCounts point = countPoint(stencil);
  summary.loads = point.loads;
  summary.stores = point.stores;
  summary.flops = point.flops;
  summary.compulsoryBytes = point.compulsoryBytes;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    summary.reach.push_back(reachAlong(stencil, axis));
  return summary;
}

} // namespace

Report reportOf(const Stencil &stencil, const CommandLine &line, const Situation &situation,
                const Choice &choice) {
  Report report;
  report.stencil = summaryOf(stencil);
  report.device = *situation.device;
  report.extents = situation.extents;
  report.steps = line.steps;
  report.isForced = choice.isForced;
  report.registersAsked = situation.options.registers.value_or(0);
  report.counted = choice.forecast->counted;
  report.predicted = choice.forecast->predicted;
  report.candidates = choice.ranking.candidates;
  if (report.candidates.empty())
    report.candidates = {{choice.program->schedule, report.predicted}};
  report.rejected = choice.ranking.rejected;
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
