// TurnHorizon: for how many more turns of the loops around a place a walk would go the same way.
//
// While a walk evaluates integers it follows how each of them *drifts*: by how much it grows from
// one turn to the next of every loop around. Whatever the walk decides by an integer (a guard, the
// side of a bend, whether a loop goes on) holds for as long as the drifting integer stays within
// some bounds; the least of these spans is the horizon of the loop. Turns within it do the same as
// the one walked, at addresses that are shifted by one distance per access.
//
// Some things come back after a few turns: the place of an address in a line, a remainder. Then so
// many turns are walked as one, a *round*; drifts and horizons count in rounds.
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace stencilc {

/// Loops that are followed, outermost first; the first three are over the blocks of a grid, along
/// z, y and x. Turns of loops deeper inside are walked one by one.
constexpr unsigned kFollowedLoops = 6, kGridLoops = 3;
/// By how much an integer grows from round to round of each loop.
using Drift = std::array<int64_t, kFollowedLoops>;

constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max() / 4;
/// Integers first .. last.
struct IntegerRange {
  int64_t first, last;
};

class TurnHorizon {
public:
  /// Begins a round of a loop inside those that are open: `turns` turns of it are walked.
  void open(int64_t turns);
  /// Ends the round of the innermost loop and returns how many rounds are alike, this one and the
  /// next ones; `most` limits them. What is to last through all of them is then asked of the loops
  /// around.
  int64_t close(int64_t most);
  /// Turns that would make a better round of the loop just closed: as many as it had, or a
  /// multiple.
  int64_t betterRound() const { return wanted; }

  unsigned depth() const { return open_; }
  /// The turns in a round of an open loop.
  int64_t turnsOfRound(unsigned loop) const { return loops[loop].turns; }

  /// Integers that lie in `values` drift and must stay within `bounds`, in which they are.
  void keepWithin(IntegerRange values, IntegerRange bounds, const Drift &drift);
  /// Nothing is known of the next round of a loop.
  void endHere(unsigned loop) { loops[loop].alike = 1; }
  /// Rounds of a loop that are `factor` times as long would be alike for longer.
  void wantLongerRounds(unsigned loop, int64_t factor);

private:
  struct Limit {
    IntegerRange values, bounds;
    Drift drift;
  };
  struct Loop {
    int64_t turns = 1, alike = 1, wanted = 1;
    llvm::SmallVector<Limit, 8> ofOuter; ///< limits that move with loops around this one, too
  };
  std::array<Loop, kFollowedLoops> loops;
  unsigned open_ = 0;
  int64_t wanted = 1;
};

/// Runs the turns of a loop in rounds: `begin()`, then `turn(k, turns of the round)` for the turns
/// of the round until it says that there is none, then `end(rounds that are alike)`. `count`: there
/// are no more turns; the last `alone` of them are no part of longer rounds or of repeated ones.
template <class Begin, class Turn, class End>
void runInRounds(TurnHorizon &horizon, int64_t count, int64_t alone, const Begin &begin,
                 const Turn &turn, const End &end) {
  int64_t done = 0, ofRound = 1;
  for (bool goesOn = true; goesOn;) {
    const int64_t left = count - alone - done;
    if (left < ofRound)
      ofRound = 1;
    horizon.open(ofRound);
    begin();
    for (int64_t number = 0; number < ofRound && goesOn; ++number)
      goesOn = turn(done + number, ofRound);
    const int64_t rounds = horizon.close(goesOn ? std::max<int64_t>(left / ofRound, 1) : 1);
    end(rounds);
    done += rounds * ofRound;
    ofRound = horizon.betterRound();
  }
}

} // namespace stencilc
