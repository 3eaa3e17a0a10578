// Rank: candidates in the order of their predicted times.
#pragma once

#include "costmodel/model/Prediction.h"

namespace stencilc {

/// A schedule that was lowered and predicted.
struct Candidate {
  std::string schedule; ///< as text, residency included
  Prediction predicted;
};
/// A schedule, or a whole family of them, that is out of the question, and why in the user's words.
struct Rejection {
  std::string schedule;
  std::string reason;
};

/// Best first. Times within kTie of each other count as one: then the earlier candidate of the list
/// comes first, so that lists begin with what is simpler.
void rank(std::vector<Candidate> &candidates);
/// Less than what the models err by, on the kernels whose times are known.
inline constexpr double kTie = 0.02;

} // namespace stencilc
