// DifferenceConstraints: what follows from guards, definitions and promises, and what does not.
#include "ir/verify/DifferenceConstraints.h"

#include "test/ir/KernelPrograms.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

const Index zero = constant(0), nx = extent(0);

/// One axis, eight threads, three locals, an integer argument that is at least 1.
class Constraints : public ::testing::Test {
protected:
  Constraints() {
    kernel.axes = {"x"};
    kernel.block = {8, 1, 1};
    kernel.locals = {"a", "b", "c"};
    kernel.integers = {{"first", constant(1), add(nx, -1)}};
    kernel.minimumExtent = {3};
  }
  bool proves(const Index &left, const Index &right, int64_t gap = 0) {
    if (!known)
      known.emplace(kernel);
    return known->provesAtMost(left, right, gap);
  }
  DifferenceConstraints &facts() {
    if (!known)
      known.emplace(kernel);
    return *known;
  }

  Kernel kernel;
  std::optional<DifferenceConstraints> known;
  Index a = local(0), b = local(1), c = local(2);
};

TEST_F(Constraints, DeclarationsBoundCoordinates) {
  EXPECT_TRUE(proves(constant(3), nx));
  EXPECT_FALSE(proves(constant(4), nx));
  EXPECT_TRUE(proves(thread(0), constant(7)));
  EXPECT_FALSE(proves(thread(0), constant(6)));
  EXPECT_TRUE(proves(zero, block(0)));
  EXPECT_FALSE(proves(block(0), nx));
  EXPECT_TRUE(proves(constant(1), argument(0)));
  EXPECT_TRUE(proves(argument(0), nx, 1));
  EXPECT_FALSE(proves(argument(0), nx, 2));
}

TEST_F(Constraints, WarpsAndLanesCountTheThreads) {
  const Index warp = coordinate(CoordinateKind::Warp, 0),
              lane = coordinate(CoordinateKind::Lane, 0);
  kernel.block = {96, 1, 1};
  EXPECT_TRUE(proves(zero, lane));
  EXPECT_TRUE(proves(lane, constant(31)));
  EXPECT_TRUE(proves(zero, warp));
  EXPECT_TRUE(proves(warp, constant(2)));
  EXPECT_FALSE(proves(warp, constant(1)));
  EXPECT_TRUE(proves(thread(0), add(scale(warp, 32), 31)));
  facts().assumeAtMost(constant(1), warp);
  EXPECT_TRUE(proves(constant(32), thread(0)));
  EXPECT_FALSE(proves(constant(33), thread(0)));
}

TEST_F(Constraints, WarpsAreRowsOfThirtyTwo) {
  const Index warp = coordinate(CoordinateKind::Warp, 0),
              lane = coordinate(CoordinateKind::Lane, 0);
  kernel.block = {32, 4, 1};
  EXPECT_TRUE(proves(lane, thread(0)) && proves(thread(0), lane));
  EXPECT_TRUE(proves(warp, thread(1)) && proves(thread(1), warp));
  EXPECT_FALSE(proves(warp, thread(0)));
}

TEST_F(Constraints, FewThreadsAreAPartOfAWarp) {
  EXPECT_TRUE(proves(coordinate(CoordinateKind::Lane, 0), constant(7)));
  EXPECT_TRUE(proves(coordinate(CoordinateKind::Warp, 0), zero));
}

TEST_F(Constraints, GuardsThatAreNoDifferencesAreKeptWhole) {
  // Pairs of points: twice the thread, from where the block begins.
  const Index pair = add(scale(block(0), 16), scale(thread(0), 2));
  EXPECT_FALSE(proves(pair, nx, 2));
  const DifferenceConstraints::Mark mark = facts().mark();
  facts().assumeAtMost(pair, nx, 2);
  EXPECT_TRUE(proves(pair, nx, 2));
  EXPECT_TRUE(proves(add(pair, -3), nx, 2));
  EXPECT_TRUE(proves(add(scale(block(0), 16), thread(0)), nx, 2));
  EXPECT_FALSE(proves(pair, nx, 3));
  facts().restore(mark);
  EXPECT_FALSE(proves(pair, nx, 2));
}

TEST_F(Constraints, DefinitionsAreSumsOfWhatIsKnown) {
  facts().define(0, add(add(argument(0), scale(block(0), 8)), thread(0)));
  EXPECT_TRUE(proves(constant(1), a));
  EXPECT_TRUE(proves(argument(0), a));
  EXPECT_FALSE(proves(constant(2), a));
  EXPECT_FALSE(proves(a, nx));
  EXPECT_TRUE(proves(a, add(add(argument(0), scale(block(0), 8)), 7)));
}

TEST_F(Constraints, LocalsAreFixedUntilRestored) {
  const DifferenceConstraints::Mark mark = facts().mark();
  for (const int64_t value : {2, 5}) {
    facts().fix(0, value);
    facts().define(1, add(a, thread(0)));
    EXPECT_TRUE(proves(a, constant(value)));
    EXPECT_FALSE(proves(constant(value), a, 1));
    EXPECT_TRUE(proves(constant(value), b));
    EXPECT_TRUE(proves(b, constant(value + 7)));
    EXPECT_FALSE(proves(constant(value + 1), b));
    EXPECT_TRUE(proves(minimum(a, nx), constant(value)));
    facts().restore(mark);
    EXPECT_FALSE(proves(a, constant(value)));
  }
}

TEST_F(Constraints, GuardsHoldUntilRestored) {
  DifferenceConstraints::Mark mark = facts().mark();
  facts().assume({{a, constant(1), add(nx, -1)}});
  EXPECT_TRUE(proves(zero, add(a, -1)));
  EXPECT_TRUE(proves(add(a, 1), nx, 1));
  EXPECT_FALSE(proves(add(a, 2), nx, 1));
  facts().restore(mark);
  EXPECT_FALSE(proves(zero, add(a, -1)));
}

TEST_F(Constraints, MinimumAndMaximumAreEitherOperand) {
  facts().assume({{a, zero, nx}, {b, a, nullptr}});
  EXPECT_TRUE(proves(minimum(b, add(nx, -1)), nx, 1));
  EXPECT_TRUE(proves(zero, minimum(a, b)));
  EXPECT_TRUE(proves(a, minimum(add(a, 3), add(b, 1))));
  EXPECT_TRUE(proves(maximum(add(a, -1), zero), nx, 1));
  EXPECT_FALSE(proves(maximum(b, zero), nx));
  EXPECT_FALSE(proves(constant(1), minimum(a, nx)));
}

TEST_F(Constraints, GuardsByMinimaAndMaximaBoundWhatTheyGuard) {
  // nx is at least 3, so nx - 5 may be negative but min(3, nx) is 3.
  facts().assume({{a, maximum(add(nx, -5), minimum(constant(3), nx)), nullptr}});
  facts().assume({{b, nullptr, maximum(remainder(c, 4), minimum(constant(6), nx))}});
  EXPECT_TRUE(proves(constant(3), a));
  EXPECT_FALSE(proves(constant(4), a));
  EXPECT_TRUE(proves(b, constant(5)));
  EXPECT_FALSE(proves(b, constant(4)));
}

TEST_F(Constraints, NamesOfMinimaAreOpened) {
  facts().assume({{a, zero, nx}});
  facts().define(1, minimum(add(a, 4), nx));
  EXPECT_TRUE(proves(b, nx));
  EXPECT_TRUE(proves(a, b, 1));
  EXPECT_TRUE(proves(b, add(a, 4)));
  EXPECT_FALSE(proves(a, b, 2));
}

TEST_F(Constraints, MapsStayOnTheAxis) {
  Index mapped = map(BoundaryKind::Periodic, 0, add(a, -1));
  EXPECT_TRUE(proves(zero, mapped));
  EXPECT_TRUE(proves(mapped, nx, 1));
  EXPECT_FALSE(proves(constant(1), mapped));
}

TEST_F(Constraints, QuotientsAndRemaindersHaveRanges) {
  EXPECT_TRUE(proves(remainder(thread(0), 3), constant(2)));
  EXPECT_TRUE(proves(zero, remainder(a, 3)));
  EXPECT_FALSE(proves(remainder(thread(0), 3), constant(1)));
  EXPECT_TRUE(proves(quotient(thread(0), 3), constant(2)));
  EXPECT_FALSE(proves(quotient(thread(0), 3), constant(1)));
  EXPECT_TRUE(proves(constant(-1), quotient(add(thread(0), -3), 3)));
  EXPECT_FALSE(proves(zero, quotient(add(thread(0), -3), 3)));
}

TEST_F(Constraints, GuardsBoundQuotientsThatAreKnown) {
  EXPECT_TRUE(proves(quotient(thread(0), 3), constant(2)));
  facts().assume({{thread(0), constant(3), constant(6)}});
  EXPECT_TRUE(proves(quotient(thread(0), 3), constant(1)));
  EXPECT_FALSE(proves(quotient(thread(0), 3), zero));
  EXPECT_TRUE(proves(constant(1), quotient(thread(0), 3)));
  EXPECT_FALSE(proves(constant(2), quotient(thread(0), 3)));
}

TEST_F(Constraints, MultiplesPairUnitByUnit) {
  facts().assume({{a, zero, nx}});
  EXPECT_TRUE(proves(add(a, 3), scale(nx, 2), 1));
  EXPECT_FALSE(proves(add(a, 4), scale(nx, 2), 1));
  EXPECT_TRUE(proves(scale(a, 2), scale(nx, 2), 2));
  EXPECT_FALSE(proves(scale(a, 2), scale(nx, 2), 3));
}

TEST_F(Constraints, MultiplesAreBoundedByTheirGuards) {
  facts().assume({{scale(a, 3), constant(-4), constant(8)}});
  EXPECT_TRUE(proves(constant(-1), a));
  EXPECT_FALSE(proves(zero, a));
  EXPECT_TRUE(proves(a, constant(2)));
  EXPECT_FALSE(proves(a, constant(1)));
}

TEST_F(Constraints, NothingIsReachedWhereGuardsContradict) {
  facts().assume({{a, nx, zero}});
  EXPECT_TRUE(proves(constant(100), zero));
}

} // namespace
