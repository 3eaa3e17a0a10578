// Schedules to try a variant with.
#pragma once

#include "codegen/lower/Lower.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

/// The default schedule of a variant with temps computed again, where that is legal.
inline std::vector<Schedule> schedulesWithoutTemps(const Variant &variant, const Stencil &stencil) {
  Schedule flag;
  flag.flags = {kTempsAgain.str()};
  llvm::Expected<StencilForm> form = formFor(stencil, flag);
  if (!form) {
    llvm::consumeError(form.takeError());
    return {};
  }
  Schedule schedule = variant.defaultSchedule(form->stencil);
  if (llvm::errorToBool(variant.checkLegal(form->stencil, schedule)))
    return {};
  schedule.flags.push_back(kTempsAgain.str());
  return {schedule};
}

/// Legal schedules of a variant: its own default, and those with these blocks and chunks; then the
/// default with temps computed again.
inline std::vector<Schedule> legalSchedules(const Variant &variant, const Stencil &written,
                                            llvm::ArrayRef<std::array<int, 3>> blocks,
                                            llvm::ArrayRef<int> chunks) {
  const Stencil stencil = llvm::cantFail(formFor(written, {})).stencil;
  std::vector<Schedule> schedules = {variant.defaultSchedule(stencil)};
  for (const std::array<int, 3> &block : blocks)
    for (int chunk : chunks) {
      Schedule schedule = schedules.front();
      schedule.block = block;
      std::fill(schedule.block.begin() + stencil.rank(), schedule.block.end(), 1);
      schedule.chunk = chunk;
      if (!llvm::errorToBool(variant.checkLegal(stencil, schedule)))
        schedules.push_back(schedule);
    }
  llvm::append_range(schedules, schedulesWithoutTemps(variant, written));
  return schedules;
}

/// Those of these whose threads have patches of points or load planes ahead.
inline std::vector<Schedule> patchedSchedules(const Variant &variant, const Stencil &written,
                                              std::array<int, 3> block,
                                              llvm::ArrayRef<int> chunks) {
  const Stencil stencil = llvm::cantFail(formFor(written, {})).stencil;
  using Patch = std::pair<std::array<int, 2>, int>; // points per thread, prefetch
  std::vector<Schedule> schedules;
  std::fill(block.begin() + stencil.rank(), block.end(), 1);
  for (const auto &[points, prefetch] : {Patch{{4, 1}, 1}, {{2, 2}, 0}, {{2, 1}, 0}})
    for (int chunk : chunks) {
      Schedule schedule = variant.defaultSchedule(stencil);
      schedule.block = block;
      schedule.chunk = chunk;
      schedule.pointsPerThread = points;
      schedule.prefetch = prefetch;
      if (!llvm::errorToBool(variant.checkLegal(stencil, schedule)))
        schedules.push_back(schedule);
    }
  return schedules;
}

} // namespace stencilc
