// Schedules to try a variant with.
#pragma once

#include "codegen/lower/Variant.h"

namespace stencilc {

/// Legal schedules of a variant: its own default, and those with these blocks and chunks.
inline std::vector<Schedule> legalSchedules(const Variant &variant, const Stencil &stencil,
                                            llvm::ArrayRef<std::array<int, 3>> blocks,
                                            llvm::ArrayRef<int> chunks) {
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
  return schedules;
}

} // namespace stencilc
