// Report: what --explain says, one struct as text, JSON and HTML.
#pragma once

#include "costmodel/model/Rank.h"
#include "costmodel/model/RunPrediction.h"
#include "costmodel/report/InstructionKinds.h"
#include "costmodel/report/MeasuredTimes.h"
#include "costmodel/report/StencilSummary.h"
#include "ir/kernel/Schedule.h"

#include "llvm/Support/raw_ostream.h"

#include <functional>

namespace stencilc {

/// counted, predicted and what was asked for, side by side.
struct Report {
  StencilSummary stencil;
  DeviceProfile device;
  std::vector<int64_t> extents;
  int64_t steps = 1;
  bool isForced = false;            ///< the schedule was asked for, not chosen
  bool mayFuse = true;              ///< several steps of the stencil, by some variant
  bool isReassociated = false;      ///< sums were reordered, as asked
  std::string compiledBy;           ///< whose registers and spills these are; empty: the estimate's
  int registersAsked = 0;           ///< --registers; 0: the estimate
  ProgramCounts counted;            ///< of the chosen schedule; its kernels must be alive
  Prediction predicted;             ///< of the chosen schedule
  std::optional<RunPrediction> run; ///< of `steps` steps by it, if they are several
  std::vector<Candidate> candidates; ///< best first; the chosen one included
  std::vector<Rejection> rejected;
  std::optional<MeasuredTimes> measured; ///< on a GPU, where that was asked for
  std::optional<MovedValue> moved; ///< of the stencil as it was lowered, the one made most often
  /// Seconds that the model predicts for a step of the same grid by another schedule; of one
  /// without a variant, by the best that takes it; nothing where none does.
  std::function<std::optional<double>(const Schedule &)> tryOut;
};

void printReportText(llvm::raw_ostream &out, const Report &report);
void printReportJson(llvm::raw_ostream &out, const Report &report);
void printReportHtml(llvm::raw_ostream &out, const Report &report);

} // namespace stencilc
