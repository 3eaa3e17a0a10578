// MeasuredTimes: what candidates took on a GPU, measured; nothing here is predicted.
#pragma once

#include "costmodel/model/Rank.h"

namespace stencilc {

struct MeasuredTime {
  Schedule schedule;
  double seconds = 0; ///< of a time step, the median of what was timed
  double spread = 0;  ///< between the least and the greatest, as a share of the median
};

struct MeasuredTimes {
  std::string gpu;                 ///< "NVIDIA H200"
  std::vector<MeasuredTime> times; ///< best first
  std::vector<Rejection> failed;   ///< does not compile, computes wrong values, has no room
  size_t asked = 0;                ///< how many were to be measured

  /// Nothing where it was not measured.
  const MeasuredTime *find(const Schedule &schedule) const {
    for (const MeasuredTime &time : times)
      if (time.schedule == schedule)
        return &time;
    return nullptr;
  }
};

} // namespace stencilc
