// TriedSchedules: the candidates of all variants that are worth lowering, and why the others are
// not.
#pragma once

#include "frontend/driver/Choose.h"

namespace stencilc {

Model modelOf(const Situation &situation);
bool isInPatches(const Schedule &schedule);
/// Differ in their chunk alone.
bool isSameTile(const Schedule &one, Schedule other);

/// A stencil in the forms that schedules lower.
struct Forms {
  explicit Forms(const Stencil &stencil);

  /// The schedule, for temps that are computed again.
  static Schedule withFlag(Schedule schedule);
  const StencilForm &of(const Schedule &schedule) const {
    return schedule.hasFlag(kTempsAgain) ? *withoutTemps : written;
  }

  StencilForm written;
  std::optional<StencilForm> withoutTemps;
  std::string whyStored; ///< why there is no such form, of a stencil with temps
};

/// The candidates of all variants that are legal and may win, shorter marches first, else in their
/// order; the others are added to `rejected`. See Choose.h.
std::vector<Schedule> triedSchedules(const Forms &forms, const Constraints &constraints,
                                     const Situation &situation, std::vector<Rejection> &rejected);

} // namespace stencilc
