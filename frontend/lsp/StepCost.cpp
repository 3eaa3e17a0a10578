#include "frontend/lsp/StepCost.h"

#include "costmodel/Quantity.h"
#include "costmodel/report/ReportFacts.h"
#include "frontend/driver/ChoiceOptions.h"
#include "frontend/driver/Explain.h"
#include "ir/stencil/StencilFacts.h"

#include "fmt/format.h"

using namespace llvm;

namespace stencilc::lsp {

namespace {

std::string ghostsOf(const Stencil &stencil) {
  std::vector<std::string> found;
  for (unsigned number = 0; number < stencil.arrays.size(); ++number) {
    const Widths widths = ghostWidths(stencil, number);
    for (unsigned axis = 0; axis < stencil.rank(); ++axis)
      if (widths[axis][Low] > 0 || widths[axis][High] > 0)
        found.push_back(fmt::format("`{}` {} {}+{}", stencil.arrays[number].name,
                                    stencil.axes[axis], widths[axis][Low], widths[axis][High]));
  }
  return found.empty() ? "none" : fmt::format("{}", fmt::join(found, ", "));
}

std::string factsOfPoint(const Stencil &stencil) {
  const StencilSummary summary = summarize(stencil);
  return fmt::format("A point: {}, {}, {}, {} bytes at least.  \nReach: {}.  \nGhost points: {}.",
                     counted(summary.loads, "load"), counted(summary.stores, "store"),
                     counted(summary.flops, "flop"), summary.compulsoryBytes,
                     fmt::join(summary.reach, ", "), ghostsOf(stencil));
}

/// As `stencilc --explain FILE` predicts it.
Expected<std::string> predicted(const Stencil &stencil) {
  Expected<CommandLine> line = parseCommandLine({"--explain", "-"});
  if (!line)
    return line.takeError();
  Expected<DeviceProfile> device = loadDeviceProfile(line->model.gpu);
  if (!device)
    return device.takeError();
  Expected<Constraints> constraints = constraintsOf(stencil, *line);
  if (!constraints)
    return constraints.takeError();
  Expected<Situation> situation = situationOf(stencil, *line, *device);
  if (!situation)
    return situation.takeError();
  Expected<Choice> choice = choose(stencil, *constraints, *situation);
  if (!choice)
    return choice.takeError();
  if (!choice->forecast)
    return createStringError("nothing can be predicted: " + choice->unpredicted);
  Expected<Report> report = reportOf(stencil, *line, *situation, *choice);
  if (!report)
    return report.takeError();
  std::vector<std::string> extents;
  for (size_t axis = 0; axis < situation->extents.size(); ++axis)
    extents.push_back(fmt::format("{}={}", stencil.axes[axis], situation->extents[axis]));
  return fmt::format("Predicted, not measured, for {} and `{}`: {}.", fmt::join(extents, " "),
                     toString(choice->program->schedule), factsOf(*report).headline);
}

} // namespace

std::string costText(const Analysis &analysis) {
  const Stencil *stencil = analysis.stencil();
  if (!stencil)
    return "What a step costs is known when there is no error left.";
  Expected<std::string> forecast = predicted(*stencil);
  return factsOfPoint(*stencil) + "\n\n" +
         (forecast ? *forecast : toString(forecast.takeError()) + ".");
}

} // namespace stencilc::lsp
