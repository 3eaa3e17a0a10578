// InteriorCounter: what else is told of an interior block: how its accesses lie, and which lines it
// loads again.
#pragma once

#include "costmodel/count/EventCounter.h"

namespace stencilc {

class InteriorCounter final : public EventCounter {
public:
  /// `start`: points along the contiguous axis between the first block of a row and this one.
  /// `loop`: the steady one, if there is any.
  InteriorCounter(const Kernel &kernel, const KernelWalk &walk, int64_t start,
                  std::optional<unsigned> loop);

  void global(const WarpRequest &request) override;
  void turn(unsigned statement, const WarpLanes &lanes) override;

  /// Completes what is told of an argument's loads or stores. `moved`: elements by which a
  /// turn of the loop loads further on than the one before it.
  void describe(ArrayCounts &array, int64_t moved) const;

private:
  struct LoggedRun {
    unsigned array, width;
    LaneRun run;
    unsigned warps; ///< that ask alike, each `shift` elements on
    int64_t shift;
  };
  using Turn = std::vector<LoggedRun>;

  uint64_t linesLoadedAgain(unsigned array) const;
  void describeTurn(ArrayCounts &array, int64_t moved) const;

  const int64_t start;
  const std::optional<unsigned> loop;
  Turn current, previous; ///< loads of this turn and the one before
  bool hasTurned = false;
};

} // namespace stencilc
