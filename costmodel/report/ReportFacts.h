// ReportFacts: a report in words and digits, as its text and its page both show it.
//
// Predicted numbers have as many digits as the model holds (costmodel/report/Confidence.h), counted
// integers all of theirs.
#pragma once

#include "costmodel/report/Report.h"

namespace stencilc {

/// A label and what there is to say under it, a sentence or a list a line.
struct Fact {
  std::string label;
  std::vector<std::string> lines;
};

/// Words in the first column, numbers in the others.
struct FactTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::optional<size_t> marked; ///< the row that binds, or that is chosen
};

struct ReportFacts {
  std::string headline;
  std::vector<Fact> facts; ///< stencil, device, model, schedule, occupancy
  FactTable resources;     ///< levels of memory, then the other resources of the model
  FactTable launches;      ///< of a step that has several, one by one, and the step
  Fact bottleneck;
  std::vector<Fact> paper; ///< the quantities of [su2015] Table 2, where its model was asked
  FactTable measured;   ///< schedules timed on a GPU beside their forecasts, if that was asked for
  FactTable candidates; ///< the next best, and the best of each further variant
  FactTable rejected;   ///< those with equal reasons together
  Fact advice, cautions;
};
ReportFacts factsOf(const Report &report);

/// The forecast of one of the candidates; nothing of other schedules.
std::optional<double> predictedSeconds(const Report &report, const Schedule &schedule);

/// The one that takes longest, if there are any.
const LaunchShare *longestLaunch(const Prediction &predicted);
/// Bounds that are busy with work; others are waited for.
inline constexpr Bound kWork[] = {Bound::Dram,   Bound::L2,    Bound::Smx,
                                  Bound::Shared, Bound::Issue, Bound::Flops};
/// Bounds that the model has a term for, levels of memory first.
std::vector<Bound> resourcesOf(const Prediction &predicted);
/// Its level of memory, if it is one.
const LevelPrediction *levelOf(const Prediction &predicted, Bound bound);

} // namespace stencilc
