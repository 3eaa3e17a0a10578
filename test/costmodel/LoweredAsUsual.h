// Programs with the usual number of blocks promised to an SM, as the driver makes them.
#pragma once

#include "codegen/lower/Lower.h"
#include "costmodel/compiled/Residency.h"

namespace stencilc {

/// A promise in the schedule is kept.
inline VerifiedProgram loweredAsUsual(const Stencil &stencil, Schedule schedule) {
  if (schedule.residency == 0)
    schedule.residency = usualResidency(stencil, schedule, usualCodeTable());
  return llvm::cantFail(lower(stencil, schedule));
}
inline VerifiedProgram loweredAsUsual(const Stencil &stencil, llvm::StringRef schedule) {
  return loweredAsUsual(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank())));
}

} // namespace stencilc
