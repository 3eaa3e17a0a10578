// Facts on stencils built by hand, so that they hold whatever the front end does.
#include "ir/kernel/Program.h"
#include "ir/stencil/StencilAreas.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

/// f64 arrays over (y, x), all with the same boundary on every side.
Stencil withArrays(std::initializer_list<const char *> fields, BoundaryKind boundary) {
  Stencil stencil;
  stencil.name = "test";
  stencil.axes = {"y", "x"};
  for (const char *name : fields) {
    Array array;
    array.name = name;
    array.axes = {0, 1};
    for (auto &sides : array.boundary)
      sides[Low].kind = sides[High].kind = boundary;
    stencil.arrays.push_back(array);
  }
  return stencil;
}

/// field' = the sum of the reads.
Update sumOf(unsigned field, std::initializer_list<Read> reads) {
  Update update;
  update.array = field;
  std::optional<ExprId> sum;
  for (const Read &read : reads) {
    const ExprId id = update.formula.add(ScalarType::F64, read);
    sum = sum ? update.formula.add(ScalarType::F64, BinaryExpr{BinaryOp::Add, *sum, id}) : id;
  }
  update.formula.result = *sum;
  return update;
}

constexpr TimeLevel kNow = TimeLevel::Current;

TEST(StencilFacts, ReachIsPerArrayAxisAndSide) {
  Stencil stencil = withArrays({"u", "v"}, BoundaryKind::Halo);
  stencil.stages = {{{sumOf(0, {{0, kNow, {0, -2}}, {0, kNow, {1, 0}}, {1, kNow, {0, 3}}})}}};
  EXPECT_EQ(reach(stencil, 0), (Widths{{{0, 1}, {2, 0}}}));
  EXPECT_EQ(reach(stencil, 1), (Widths{{{0, 0}, {0, 3}}}));
  stencil.arrays[0].boundary[1][Low].kind = BoundaryKind::Clamp;
  EXPECT_EQ(ghostWidths(stencil, 0), (Widths{{{0, 1}, {0, 0}}}));
}

TEST(StencilFacts, FramesFollowFixedSidesOfWhatIsRead) {
  Stencil stencil = withArrays({"u", "v"}, BoundaryKind::Fixed);
  stencil.arrays[1].boundary[1][High].kind = BoundaryKind::Clamp;
  const Update update = sumOf(0, {{0, kNow, {-1, 0}}, {1, kNow, {2, 4}}});
  EXPECT_EQ(frame(stencil, update), (Widths{{{1, 2}, {0, 0}}}));
}

TEST(StencilFacts, PeriodicAxesNeedTheLargestSingleOffset) {
  Stencil stencil = withArrays({"u"}, BoundaryKind::Periodic);
  stencil.stages = {{{sumOf(0, {{0, kNow, {-3, 1}}, {0, kNow, {2, 0}}})}}};
  EXPECT_EQ(minimumExtent(stencil, 0), 3);
  EXPECT_EQ(minimumExtent(stencil, 1), 1);
}

TEST(StencilFacts, SecondBufferIsNeededWhereOldValuesAreReadTooLate) {
  Stencil stencil = withArrays({"u", "v"}, BoundaryKind::Clamp);
  // Read at the point alone, in the stage that makes the new value: in place.
  stencil.stages = {{{sumOf(0, {{0, kNow, {}}})}}};
  EXPECT_FALSE(needsNextBuffer(stencil, 0));
  // Read at a neighbour in that stage.
  stencil.stages = {{{sumOf(0, {{0, kNow, {0, 1}}})}}};
  EXPECT_TRUE(needsNextBuffer(stencil, 0));
  // Read at a neighbour, but in an earlier stage.
  stencil.stages = {{{sumOf(1, {{0, kNow, {0, 1}}})}}, {{sumOf(0, {{0, kNow, {}}})}}};
  EXPECT_FALSE(needsNextBuffer(stencil, 0));
  // Read at the point, but in a later stage.
  stencil.stages = {{{sumOf(0, {{0, kNow, {}}})}}, {{sumOf(1, {{0, kNow, {}}})}}};
  EXPECT_TRUE(needsNextBuffer(stencil, 0));
  // A later stage may read the new value anywhere.
  stencil.stages = {{{sumOf(0, {{0, kNow, {}}})}}, {{sumOf(1, {{0, TimeLevel::Next, {0, 1}}})}}};
  EXPECT_FALSE(needsNextBuffer(stencil, 0));
  // Leapfrog: the oldest level is u[t-1], so u may be read at neighbours.
  stencil.stages = {{{sumOf(0, {{0, kNow, {0, 1}}, {0, TimeLevel::Previous, {}}})}}};
  EXPECT_TRUE(readsPrevious(stencil, 0));
  EXPECT_FALSE(needsNextBuffer(stencil, 0));
}

TEST(StencilFacts, EvolvesIfAStepReadsWhatOneMade) {
  Stencil stencil = withArrays({"u", "v"}, BoundaryKind::Clamp);
  // What no step makes is the same for all of them.
  stencil.stages = {{{sumOf(0, {{1, kNow, {0, 1}}})}}};
  EXPECT_FALSE(evolves(stencil));
  stencil.stages = {{{sumOf(0, {{1, kNow, {}}, {0, kNow, {}}})}}};
  EXPECT_TRUE(evolves(stencil));
  stencil.stages = {{{sumOf(0, {{1, kNow, {}}, {0, TimeLevel::Previous, {}}})}}};
  EXPECT_TRUE(evolves(stencil));
  // What an earlier stage of the same step makes is no earlier step's; a temp is such.
  stencil.arrays[1].kind = ArrayKind::Temp;
  stencil.arrays.push_back(stencil.arrays[0]);
  stencil.arrays[2].kind = ArrayKind::Const;
  stencil.stages = {{{sumOf(1, {{2, kNow, {0, 1}}})}}, {{sumOf(0, {{1, TimeLevel::Next, {}}})}}};
  EXPECT_FALSE(evolves(stencil));
  stencil.stages[0].updates = {sumOf(1, {{0, kNow, {0, 1}}})};
  EXPECT_TRUE(evolves(stencil));
}

TEST(StencilFacts, CountsOfOnePoint) {
  // Maxwell's reads: hz once for ex and ey, 5 + 5 loads; the new ex and ey never have to move for
  // hz.
  Stencil stencil = withArrays({"ex", "ey", "hz"}, BoundaryKind::Fixed);
  const TimeLevel next = TimeLevel::Next;
  stencil.stages = {
      {{sumOf(0, {{0, kNow, {}}, {2, kNow, {}}, {2, kNow, {-1, 0}}}),
        sumOf(1, {{1, kNow, {}}, {2, kNow, {}}, {2, kNow, {0, -1}}})}},
      {{sumOf(
          2,
          {{2, kNow, {}}, {0, next, {1, 0}}, {0, next, {}}, {1, next, {0, 1}}, {1, next, {}}})}}};
  const PointCounts counts = countPoint(stencil);
  EXPECT_EQ(counts.loads, 10u);
  EXPECT_EQ(counts.stores, 3u);
  EXPECT_EQ(counts.flops, 2u + 2u + 4u);
  EXPECT_EQ(counts.compulsoryBytes, 3u * (8 + 8));
}

TEST(StencilFacts, WhatUpdatesOfAStageHaveInCommonCountsOnce) {
  Stencil stencil = withArrays({"u", "v"}, BoundaryKind::Clamp);
  // u' and v' begin with the same sum of two.
  const Read here = {0, kNow, {}}, there = {0, kNow, {0, 1}};
  const Update one = sumOf(0, {here, there, {1, kNow, {}}}),
               other = sumOf(1, {here, there, {1, kNow, {1, 0}}});
  stencil.stages = {{{one, other}}};
  EXPECT_EQ(countPoint(stencil).loads, 4u);
  EXPECT_EQ(countPoint(stencil).flops, 3u);
  EXPECT_EQ(countValues(stencil), 7u);
  // Of two launches each makes its own.
  stencil.stages = {{{one}}, {{other}}};
  EXPECT_EQ(countPoint(stencil).loads, 6u);
  EXPECT_EQ(countPoint(stencil).flops, 4u);
  EXPECT_EQ(countValues(stencil), 10u);
}

TEST(StencilFacts, NumbersOfARunAreNoWorkOfAPoint) {
  Stencil stencil = withArrays({"u"}, BoundaryKind::Clamp);
  stencil.params = {{"a", ScalarType::F64, 1.0, {}}};
  Update update = sumOf(0, {{0, kNow, {}}});
  Formula &formula = update.formula;
  const ExprId a = formula.add(ScalarType::F64, ParamValue{0});
  const ExprId square = formula.add(ScalarType::F64, BinaryExpr{BinaryOp::Multiply, a, a});
  formula.result =
      formula.add(ScalarType::F64, BinaryExpr{BinaryOp::Multiply, square, formula.result});
  stencil.stages = {{{update}}};
  EXPECT_EQ(countPoint(stencil).flops, 1u);
}

TEST(StencilFacts, SignatureFollowsTheStencilAlone) {
  Stencil stencil = withArrays({"u", "v"}, BoundaryKind::Halo);
  stencil.arrays[1].kind = ArrayKind::Const;
  stencil.stages = {{{sumOf(0, {{0, kNow, {0, 1}}, {1, kNow, {}}})}}};
  const Signature signature = signatureOf(stencil);
  EXPECT_TRUE(signature.arrays[0].hasNext);
  EXPECT_FALSE(signature.arrays[0].hasPrevious);
  EXPECT_EQ(signature.arrays[0].ghost, (Widths{{{0, 0}, {0, 1}}}));
  EXPECT_FALSE(signature.arrays[1].hasNext);
}

TEST(Formula, EqualValuesAreOne) {
  Formula formula;
  const ExprId one = formula.add(ScalarType::F64, Literal{1.0});
  EXPECT_EQ(formula.add(ScalarType::F64, Literal{1.0}), one);
  EXPECT_NE(formula.add(ScalarType::F32, Literal{1.0}), one);
  EXPECT_NE(formula.add(ScalarType::F64, Literal{0.0}),
            formula.add(ScalarType::F64, Literal{-0.0}));
  const ExprId call = formula.add(ScalarType::F64, CallExpr{Builtin::Min, {one, one}});
  EXPECT_EQ(formula.add(ScalarType::F64, CallExpr{Builtin::Min, {one, one}}), call);
  EXPECT_NE(formula.add(ScalarType::F64, CallExpr{Builtin::Max, {one, one}}), call);
}

} // namespace
