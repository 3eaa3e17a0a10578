// TriedSchedules: the candidates of all variants that are worth lowering, and why the others are
// not.
#pragma once

#include "frontend/driver/Choose.h"

namespace stencilc {

Model modelOf(const Situation &situation);
bool isInPatches(const Schedule &schedule);
/// Differ in their chunk alone.
bool isSameTile(const Schedule &one, Schedule other);

/// How many blocks share a chunk; nothing if each has chunks of its own.
std::optional<int> sharersOf(const Schedule &schedule);

/// A stencil in the forms that schedules lower.
struct Forms {
  explicit Forms(const Stencil &stencil);

  /// One of them, and the flag of schedules that have it so; none for the stencil as written.
  struct Flagged {
    llvm::StringRef flag;
    StencilForm form;

    Schedule schedule(Schedule plain) const;
    bool isOf(const Schedule &schedule) const;
  };
  const Flagged &flaggedOf(const Schedule &schedule) const;
  const StencilForm &of(const Schedule &schedule) const { return flaggedOf(schedule).form; }

  std::vector<Flagged> all; ///< as written first
  std::string whyStored;    ///< why temps are not computed again, of a stencil with temps
};

/// The candidates of all variants that are legal and may win, shorter marches first, else in their
/// order; the others are added to `rejected`. See Choose.h.
std::vector<Schedule> triedSchedules(const Forms &forms, const Constraints &constraints,
                                     const Situation &situation, std::vector<Rejection> &rejected);
/// What variants that are else chosen by name only do by default, as far as it is legal with what
/// is forced; nothing where a variant is.
std::vector<Schedule> usualOfOthers(const Forms &forms, const Constraints &constraints);

} // namespace stencilc
