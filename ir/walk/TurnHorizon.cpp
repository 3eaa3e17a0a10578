#include "ir/walk/TurnHorizon.h"

#include <cassert>
#include <numeric>

using namespace stencilc;

/// Rounds are not made longer than this.
static constexpr int64_t kLongestRound = 128;

void TurnHorizon::open(int64_t turns) {
  assert(open_ < kFollowedLoops && "deeper loops are not followed");
  Loop &loop = loops[open_++];
  loop.turns = loop.wanted = turns;
  loop.alike = kUnbounded;
  loop.ofOuter.clear();
}

int64_t TurnHorizon::close(int64_t most) {
  Loop &loop = loops[--open_];
  const int64_t alike = std::min(loop.alike, most);
  for (Limit &limit : loop.ofOuter) {
    int64_t &drift = limit.drift[open_];
    (drift > 0 ? limit.values.last : limit.values.first) += drift * (alike - 1);
    drift = 0;
    keepWithin(limit.values, limit.bounds, limit.drift);
  }
  wanted = loop.wanted <= kLongestRound ? loop.wanted : loop.turns;
  return alike;
}

void TurnHorizon::keepWithin(IntegerRange values, IntegerRange bounds, const Drift &drift) {
  unsigned innermost = open_;
  while (innermost > 0 && drift[innermost - 1] == 0)
    --innermost;
  if (innermost == 0)
    return;
  Loop &loop = loops[--innermost];
  const int64_t step = drift[innermost];
  if (step > 0 && bounds.last < kUnbounded)
    loop.alike = std::min(loop.alike, (bounds.last - values.last) / step + 1);
  if (step < 0 && bounds.first > -kUnbounded)
    loop.alike = std::min(loop.alike, (values.first - bounds.first) / -step + 1);
  for (unsigned outer = 0; outer < innermost; ++outer)
    if (drift[outer] != 0) {
      loop.ofOuter.push_back({values, bounds, drift});
      return;
    }
}

void TurnHorizon::wantLongerRounds(unsigned number, int64_t factor) {
  Loop &loop = loops[number];
  const int64_t turns = loop.turns * factor;
  if (turns <= kLongestRound && loop.wanted <= kLongestRound)
    loop.wanted = std::lcm(loop.wanted, turns);
}
