// How often a warp waits for what it loads, on kernels of examples whose text can be read.
#include "costmodel/model/LoadPhases.h"

#include "ir/kernel/ValueTypes.h"
#include "test/Examples.h"
#include "test/costmodel/LoweredAsUsual.h"
#include "test/ir/StencilSource.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

struct Found {
  LoadPhases once, turn;
  int turnsAhead;
};

/// Of the first launch of a step.
Found phasesOf(const Stencil &stencil, const char *schedule) {
  const VerifiedProgram program = loweredAsUsual(stencil, schedule);
  const ProgramCounts counts = llvm::cantFail(countProgram(
      program, std::vector<int64_t>(stencil.rank(), stencil.rank() == 3 ? 256 : 4096)));
  const LaunchCounts &launch = counts.launches.front();
  const PhaseCounter counter(launch, usualCodeTable());
  Found found{counter.once(), {}, counter.turnsAhead()};
  for (const StatementCounts &statement : launch.statements)
    if (const LoadPhases turn = counter.turn(*statement.statement); turn.first + turn.known > 0)
      found.turn = turn;
  return found;
}

Found phasesOf(const char *name, const char *schedule) { return phasesOf(example(name), schedule); }

void expectPhases(const LoadPhases &phases, double first, double known) {
  EXPECT_DOUBLE_EQ(phases.first, first);
  EXPECT_DOUBLE_EQ(phases.known, known);
}

} // namespace

TEST(LoadPhases, APointWaitsOnce) {
  const Found found = phasesOf("heat.stn", "baseline/32x4x2");
  expectPhases(found.once, 1, 0);
  expectPhases(found.turn, 0, 0);
}

TEST(LoadPhases, AMarchWaitsOnceATurn) {
  expectPhases(phasesOf("heat.stn", "zblock/32x8x1/c32").turn, 1, 0);
}

// Two turns of star3 become one, whose loads all come first; four of heat, of five loads each. None
// do of a march around loops over what lies beside a point.
TEST(LoadPhases, TurnsThatBecomeOneIssueTheirLoadsTogether) {
  EXPECT_EQ(phasesOf("star3.stn", "zblock/32x8x1/c32").turn.turnsAtOnce, 2);
  EXPECT_EQ(phasesOf("heat.stn", "zblock/32x8x1/c32").turn.turnsAtOnce,
            usualCodeTable()[CodeNumber::LoadsAtOnce] / 5);
  EXPECT_EQ(phasesOf("star3.stn", "zblock/32x8x1/c32/p1").turn.turnsAtOnce, 1);
}

// Both conditions divide by the density, and load stresses for that only: those of the first are
// new, and of the second the density is not, nor are the stresses that the next row came with. What
// comes after a division is half a phase.
TEST(LoadPhases, WhatIsNeededAfterADivisionIsLoadedAfterIt) {
  expectPhases(phasesOf("elastic.stn", "baseline/32x8").once, 1 + 0.5 + 1 + 0.5, 0);
  expectPhases(phasesOf("elastic.stn", "zblock/128x1/c32").turn, 1.5, 1.5);
  expectPhases(phasesOf("elastic.stn", "zblock/128x1/c32/p1").turn, 0, 0);
  // All that is loaded has been used before, or is used several times.
  expectPhases(phasesOf("shallow_water.stn", "zblock/128x1/c32").turn, 1, 0);
}

TEST(LoadPhases, FewRegistersHoldABatchOfTheLoadsOfATurn) {
  LoadPhases turn{.inOrder = {true, false, false, false, true, false}};
  turn.words = 12;
  const auto expectLater = [&](double words, double first, double known) {
    const LaterBatches later = laterBatches(turn, words);
    EXPECT_DOUBLE_EQ(later.first, first) << words;
    EXPECT_DOUBLE_EQ(later.known, known) << words;
  };
  expectLater(12, 0, 0);
  expectLater(8, 0.5, 0); // half a batch is left
  expectLater(4, 1, 1);
  expectLater(2, 1, 4);
}

// A whole phase in a march that fills tiles, none where they are filled without one. Beside f and c
// a block waits for what it fills its tile with.
TEST(LoadPhases, TilesTakeDivisionsForAWholePhaseOrNone) {
  const Stencil stencil = stencilOf("stencil scaled(y, x) { field f64 u; const f64 c, f; boundary: "
                                    "fixed; u' = f*((u[x-1] + u[x+1])/c); }");
  expectPhases(phasesOf(stencil, "baseline/32x8").once, 1.5, 0);
  expectPhases(phasesOf(stencil, "zblock/128x1/c32").turn, 1.5, 0);
  expectPhases(phasesOf(stencil, "shm/32x8").once, 1 + 1, 1);
  expectPhases(phasesOf(stencil, "shm/128x1/c32").turn, 1 + 2, 1);
}

// ex and ey are updated under a condition each, by few enough operations to be predicated.
TEST(LoadPhases, ShortBodiesUnderConditionsWaitTogether) {
  expectPhases(phasesOf("fdtd2d.stn", "baseline/32x8").once, 1, 0);
}

// vx and vz too, by more, and each divides.
TEST(LoadPhases, LongBodiesUnderConditionsWaitEach) {
  expectPhases(phasesOf("elastic.stn", "baseline/32x8").once, 2 * 1.5, 0);
}

// Of a turn: the row of the tile, which the turn before has loaded as the newest, but which comes
// after the newest one, that was asked for before it; after the block's own points the two at its
// ends; behind the barrier f.
TEST(LoadPhases, ATileWaitsBeforeItsBarrier) {
  expectPhases(phasesOf("poisson_jacobi.stn", "shm/256x1/c64").turn, 2, 1);
}

// 220 cells by 64 threads. Those of a warp that fill four make one turn of the loop that became
// four; its others leave three over, which in a march are one, and then two.
TEST(LoadPhases, AWarpMakesWhatAnyOfItsThreadsLeavesOver) {
  expectPhases(phasesOf("star3.stn", "shm/16x4x1/c64").turn, 1, 2);
}

// 756 cells by 256 threads: elsewhere what is left over comes one by one. Other planes of the
// block's points are waited for behind the barrier.
TEST(LoadPhases, WhatIsLeftOverComesOneByOneOutsideOfMarches) {
  const LoadPhases once = phasesOf("star5.stn", "shm/32x8x1").once;
  EXPECT_EQ(once.first + once.known, 3 + 1);
}

// 364 cells by 64 threads: four turns that became one, then one, then the rest; all of the block's
// points are new. What its own column reads of other planes comes after the barrier.
TEST(LoadPhases, TurnsThatBecomeOneWaitTogether) {
  const LoadPhases once = phasesOf("star5.stn", "shm/16x4x1").once;
  EXPECT_EQ(once.first + once.known, 4);
}

// Planes are copied ahead; both steps read g where they are, three rows each, behind the barrier of
// each of two phases.
TEST(LoadPhases, WhatAMarchDoesNotLoadAheadIsWaitedForAtItsUse) {
  const LoadPhases turn = phasesOf("7pt2.stn", "temporal/32x8x1/c64/t2/v2x3/p2").turn;
  expectPhases(turn, 2, 0);
  EXPECT_DOUBLE_EQ(turn.furtherRows, 2 * (2 * 3 - 1));
}

// Columns beside the patch are loaded with the newest plane.
TEST(LoadPhases, WhatAMarchLoadsAheadItDeclares) {
  expectPhases(phasesOf("heat.stn", "zblock/32x4x1/c32/v4x1/p1").turn, 0, 0);
}

TEST(LoadPhases, PatchesMoveWhatTheyLoadAheadBeforeTheTurnEnds) {
  const auto moves = [](const char *schedule) {
    const VerifiedProgram program = loweredAsUsual(example("heat.stn"), schedule);
    const ProgramCounts counts = llvm::cantFail(countProgram(program, {256, 256, 256}));
    return llvm::any_of(counts.launches.front().statements, [](const StatementCounts &counts) {
      const For *loop = loopOf(*counts.statement);
      return loop && loop->steady && movesWhatComes(*loop);
    });
  };
  EXPECT_TRUE(moves("zblock/32x8x1/c32/v2x2/p1"));
  EXPECT_FALSE(moves("zblock/32x8x1/c32/v2x2"));
  EXPECT_FALSE(moves("zblock/32x8x1/c32/p1")); // a queue, whose turns are unrolled
}

// Tiles part the turns: before the first one planes are waited for, then the newest of each turn.
TEST(LoadPhases, ATurnThatIsWrittenOutLoadsForALaterOne) {
  const Found same = phasesOf("star4.stn", "zblock/32x4x1/c8/v2x4/r2/flat/tile");
  expectPhases(same.once, 8, 0);
  EXPECT_EQ(same.once.ahead, 0);
  EXPECT_EQ(same.turnsAhead, 0);
  const Found later = phasesOf("star4.stn", "zblock/32x4x1/c8/v2x4/p1/r2/flat/tile");
  expectPhases(later.once, 8, 0);
  EXPECT_EQ(later.once.ahead, 8);
  EXPECT_EQ(later.turnsAhead, 1);
  EXPECT_EQ(phasesOf("star4.stn", "zblock/32x4x1/c8/v2x4/p2/r2/flat/tile").turnsAhead, 2);
}

// Without a tile nothing keeps a compiler from issuing all loads at once.
TEST(LoadPhases, TurnsThatAreWrittenOutWaitTogether) {
  const Found found = phasesOf("star4.stn", "zblock/32x4x1/c8/v2x2/p1/r2/flat");
  expectPhases(found.once, 1, 0);
  EXPECT_EQ(found.once.ahead, 0);
}
