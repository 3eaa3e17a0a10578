// Rank: candidates in the order of their predicted times.
#pragma once

#include "costmodel/model/Prediction.h"

namespace stencilc {

/// A schedule that was lowered and predicted.
struct Candidate {
  Schedule schedule;
  Prediction predicted;
  /// Seconds of a step in a run of given length, where some of its steps are made otherwise; 0:
  /// those predicted.
  double inRun = 0;
  bool isTight = false; ///< it may spill registers, by the error of their estimate
  double seconds() const { return inRun > 0 ? inRun : predicted.total; }
};
/// A schedule that is out of the question, or a whole variant, and why in the user's words.
struct Rejection {
  Schedule schedule;
  std::string reason;
  bool isWholeVariant = false; ///< whatever else the schedule says
  /// Other than by a rule: another one does as well, or to look at all would be too much work.
  enum class Grounds { Rule, Another, Work } grounds = Grounds::Rule;
  int needed = 0; ///< registers of a thread, where that they are too many is why
};
/// The schedule's text, or the name of the variant.
std::string toString(const Rejection &rejection);

/// Best first. Times within kTie of each other count as one: then those that may spill come last,
/// and else the earlier candidate of the list first, so that lists begin with what is simpler.
void rank(std::vector<Candidate> &candidates);
/// Less than what the models err by, on the kernels whose times are known.
inline constexpr double kTie = 0.015;

} // namespace stencilc
