// InteriorCounter: what else is told of an interior block: how its accesses lie, and which lines it
// loads again.
#pragma once

#include "costmodel/count/EventCounter.h"

#include <map>

namespace stencilc {

class InteriorCounter final : public EventCounter {
public:
  /// `start`: points along the contiguous axis between the first block of a row and this one.
  /// `loop`: the steady one, if there is any.
  InteriorCounter(const Kernel &kernel, size_t statements, int64_t start,
                  std::optional<unsigned> loop);

  void global(const WarpRequest &request) override;
  void turn(unsigned statement, const WarpLanes &lanes) override;
  void beginRound() override;
  void endRound(int64_t times) override;

  struct OfArray {
    uint64_t aligned = 0, misaligned = 0;
    std::map<unsigned, uint64_t> requestsBySectors;
  };
  struct Sums {
    explicit Sums(const Kernel &kernel)
        : loads(kernel.arrays.size()), stores(kernel.arrays.size()) {}
    void add(const Sums &other, uint64_t times);
    std::vector<OfArray> loads, stores; ///< by number in Kernel::arrays
  };
  Sums sums;

  /// Lines that several requests load from an argument, in the last two turns of the steady loop
  /// or, without one, in the block: what a cache of the SM must hold to serve them.
  uint64_t linesLoadedAgain(unsigned array) const;

private:
  struct LoggedRun {
    unsigned array, width;
    LaneRun run;
  };
  using Turn = std::vector<LoggedRun>;

  const int64_t start;
  const std::optional<unsigned> loop;
  std::vector<Sums> around; ///< what was counted when each open round began
  Turn current, previous;   ///< loads of this turn and the one before
  bool hasTurned = false;
};

} // namespace stencilc
