// ScheduleTrials: what the model makes of candidates, and with how many blocks on an SM. See
// Choose.h.
#pragma once

#include "frontend/driver/TriedSchedules.h"

namespace stencilc {

/// What the model makes of one schedule.
struct Trial {
  Schedule schedule; ///< with its residency
  bool isLowered = false, hasPoints = false;
  std::optional<Candidate> own, full; ///< as lowered, and with an SM full of blocks
  std::vector<Schedule> longer;       ///< the same march in chunks of other lengths
  std::vector<Candidate> scaled;      ///< of these, with counts in proportion (MarchOfLength.h)
  std::vector<Rejection> rejected;
};

/// Promises what is usual where nothing is asked for.
void settleResidency(Schedule &schedule, const Stencil &stencil);

/// Lowers and predicts all; of tiles of fused steps that differ in their chunk alone, the first,
/// and the others of the best tiles alone, or of marches on three axes all by counts in proportion,
/// and the best of these themselves; at last what variants have beside the best of all.
std::vector<Trial> tryAll(std::vector<Schedule> schedules, const Forms &forms,
                          const Situation &situation);

} // namespace stencilc
