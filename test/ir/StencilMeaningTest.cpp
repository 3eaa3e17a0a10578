// What the reference interpreter makes of temps, regions, positions, time, mirrors and reductions.
#include "ir/stencil/ReductionTree.h"
#include "ir/stencil/StencilAreas.h"
#include "ir/stencil/StencilFacts.h"
#include "ir/stencil/StencilVerifier.h"
#include "test/ir/StencilBuilder.h"
#include "test/ir/StencilSource.h"

#include <cmath>

using namespace stencilc;

namespace {

using enum ArrayKind;
using Values = std::vector<double>;

/// A verified stencil's state after `steps` steps from these values of array 0, over one axis.
State after(const Stencil &stencil, const Values &start, int64_t steps,
            llvm::ArrayRef<std::pair<std::string, double>> params = {}) {
  EXPECT_EQ(llvm::toString(verify(stencil)), "");
  State state =
      llvm::cantFail(initialState(stencil, {static_cast<int64_t>(start.size())}, params, 8));
  for (int64_t x = 0; x < static_cast<int64_t>(start.size()); ++x)
    state.current[0].at({x}) = start[x];
  EXPECT_EQ(llvm::toString(interpret(stencil, state, steps)), "");
  return state;
}

/// Why a run of one step is refused.
std::string refusal(const Stencil &stencil, int64_t extent,
                    llvm::ArrayRef<std::pair<std::string, double>> params = {}) {
  State state = llvm::cantFail(initialState(stencil, {extent}, params, 8));
  return llvm::toString(interpret(stencil, state, 1));
}

// ---- temps

TEST(StencilMeaning, ATempIsMadeWhereItsUpdateIsAndReadWhereItIsMade) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u", BoundaryKind::Fixed);
  const unsigned d = addArray(stencil, Temp, "d");
  addUpdate(stencil, 0, d, [&](auto &f) { return f.minus(f.now(u, {1}), f.now(u)); });
  addUpdate(stencil, 1, u, [&](auto &f) { return f.plus(f.next(d, {-1}), f.next(d)); });
  // d is made on 0..3, u on 1..3: d[x-1] and d[x] are made there.
  EXPECT_EQ(after(stencil, {1, 2, 4, 8, 16}, 1).current[u].values, (Values{1, 3, 6, 12, 16}));
  EXPECT_TRUE(after(stencil, {1, 2, 4, 8, 16}, 1).current[d].values.empty());
}

TEST(StencilMeaning, ATempWithABoundaryIsReadThroughIt) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u", BoundaryKind::Clamp);
  const unsigned d = addArray(stencil, Temp, "d", BoundaryKind::Clamp);
  addUpdate(stencil, 0, d, [&](auto &f) { return f.minus(f.now(u, {1}), f.now(u)); });
  addUpdate(stencil, 1, u, [&](auto &f) { return f.next(d, {-1}); });
  // d is 1 2 4 0; its own values are clamped, not those of u beyond the end.
  EXPECT_EQ(after(stencil, {1, 2, 4, 8}, 1).current[u].values, (Values{1, 1, 2, 4}));
}

TEST(StencilMeaning, AHaloTempIsEvaluatedAtGhostPoints) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u", BoundaryKind::Halo);
  const unsigned sum = addArray(stencil, Temp, "s", BoundaryKind::Halo);
  const auto neighbours = [](FormulaBuilder &f, ExprId low, ExprId high) {
    return f.plus(low, high);
  };
  addUpdate(stencil, 0, sum, [&](auto &f) { return neighbours(f, f.now(u, {-1}), f.now(u, {1})); });
  addUpdate(stencil, 1, u,
            [&](auto &f) { return neighbours(f, f.next(sum, {-1}), f.next(sum, {1})); });
  EXPECT_EQ(ghostWidths(stencil, sum), (Widths{{{1, 1}}}));
  EXPECT_EQ(ghostWidths(stencil, u), (Widths{{{2, 2}}}));

  State state = llvm::cantFail(initialState(stencil, {3}, {}));
  state.current[u].values = {1, 2, 4, 8, 16, 32, 64}; // two ghost points at each end
  llvm::cantFail(interpret(stencil, state, 1));
  EXPECT_EQ(state.current[u].values, (Values{1, 2, 4 * 2 + 17, 8 * 2 + 34, 16 * 2 + 68, 32, 64}));
}

TEST(StencilMeaning, UpdatesOnTwoSidesOfOnePlaceMakeOneTemp) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u", BoundaryKind::Clamp);
  const unsigned d = addArray(stencil, Temp, "d", BoundaryKind::Clamp);
  addUpdate(stencil, 0, d, [&](auto &f) { return f.number(7); }, {{{fromStart(0), fromStart(1)}}});
  addUpdate(stencil, 0, d, [&](auto &f) { return f.now(u); }, {{{fromStart(1), fromEnd(0)}}});
  addUpdate(stencil, 1, u, [&](auto &f) { return f.next(d, {-1}); });
  EXPECT_EQ(after(stencil, {1, 2, 3}, 1).current[u].values, (Values{7, 7, 2}));
}

// ---- regions

TEST(StencilMeaning, PointsInNoRegionKeepTheirValue) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u", BoundaryKind::Clamp);
  addUpdate(stencil, 0, u, [&](auto &f) { return f.plus(f.now(u, {-1}), f.now(u)); },
            {{{fromStart(2), fromEnd(-1)}}});
  addUpdate(stencil, 0, u, [&](auto &f) { return f.number(-1); }, {{{fromStart(0), fromStart(1)}}});
  EXPECT_EQ(after(stencil, {1, 2, 3, 4, 5}, 1).current[u].values, (Values{-1, 2, 5, 7, 5}));
}

TEST(StencilMeaning, FramesTakeAwayFromRegions) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u", BoundaryKind::Fixed);
  addUpdate(stencil, 0, u, [&](auto &f) { return f.now(u, {1}); }, {{{fromStart(1), fromEnd(0)}}});
  EXPECT_EQ(after(stencil, {1, 2, 3, 4}, 1).current[u].values, (Values{1, 3, 4, 4}));
}

TEST(StencilMeaning, RegionsReachOnlyToTheEndsOfTheGrid) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u");
  addUpdate(stencil, 0, u, [&](auto &f) { return f.number(0); },
            {{{fromStart(2), fromStart(100)}}});
  EXPECT_EQ(after(stencil, {1, 2, 3, 4}, 1).current[u].values, (Values{1, 2, 0, 0}));
  EXPECT_EQ(after(stencil, {1}, 1).current[u].values, (Values{1}));
}

TEST(StencilMeaning, ALaterStageReadsWhatWasMadeAndElseTheOldValue) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u", BoundaryKind::Clamp);
  addUpdate(stencil, 0, u, [&](auto &f) { return f.plus(f.now(u), f.number(10)); },
            {{{fromStart(1), fromEnd(-1)}}});
  addUpdate(stencil, 1, u, [&](auto &f) { return f.next(u, {1}); },
            {{{fromStart(0), fromStart(1)}}});
  EXPECT_EQ(after(stencil, {1, 2, 3}, 1).current[u].values, (Values{12, 12, 3}));
  EXPECT_EQ(minimumExtent(stencil, 0), 2); // of one point, x+1 would be clamped to x itself
}

TEST(StencilMeaning, ParamsBoundRegions) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u");
  const unsigned k = addParamInt(stencil, "k", 1);
  const unsigned m = addParamInt(stencil, "m", 3);
  addUpdate(stencil, 0, u, [&](auto &f) { return f.number(0); },
            {{{fromParam(k, 0), fromParam(k, 1)}}});
  addUpdate(stencil, 0, u, [&](auto &f) { return f.number(9); }, {{{fromParam(m, 0), fromEnd(0)}}});
  EXPECT_EQ(after(stencil, {1, 2, 3, 4}, 1).current[u].values, (Values{1, 0, 3, 9}));
  EXPECT_EQ(after(stencil, {1, 2, 3, 4}, 1, {{"m", 4}}).current[u].values, (Values{1, 0, 3, 4}));
  EXPECT_EQ(refusal(stencil, 4, {{"k", 4}}),
            "param `k` is 4: a region along axis `x`, of extent 4, leaves the grid");
  EXPECT_EQ(refusal(stencil, 4, {{"k", -1}}),
            "param `k` is -1: a region along axis `x`, of extent 4, leaves the grid");
  EXPECT_EQ(refusal(stencil, 4, {{"k", 3}}), "two updates of `u` make the same points");
  EXPECT_NE(llvm::toString(initialState(stencil, {4}, {{"k", 0.5}}).takeError()).find("whole"),
            std::string::npos);
}

TEST(StencilMeaning, RegionsOfBothEndsNeedTwoPoints) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u");
  addUpdate(stencil, 0, u, [&](auto &f) { return f.number(0); }, {{{fromStart(0), fromStart(1)}}});
  addUpdate(stencil, 0, u, [&](auto &f) { return f.number(9); }, {{{fromEnd(-1), fromEnd(0)}}});
  EXPECT_EQ(after(stencil, {1, 2}, 1).current[u].values, (Values{0, 9}));
  EXPECT_EQ(refusal(stencil, 1), "extent of axis `x` is 1: the stencil needs at least 2");
}

// ---- positions and time

TEST(StencilMeaning, PositionsAndTheStepAreExactUntilTheyMeetAType) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u");
  const unsigned k = addParamInt(stencil, "k", 0x1p53);
  // 2^53 + x is exact among whole numbers; rounded first, x = 1 would be lost.
  addUpdate(stencil, 0, u, [&](auto &f) {
    const ExprId sum = f.plus(f.param(k, ScalarType::Int), f.position(0));
    const ExprId rest = f.minus(sum, f.param(k, ScalarType::Int));
    return f.cast(ScalarType::F64, f.plus(f.times(rest, f.whole(10)), f.step()));
  });
  State state = after(stencil, {0, 0, 0}, 3);
  EXPECT_EQ(state.current[u].values, (Values{2, 12, 22})); // the third step is step 2
  EXPECT_EQ(state.step, 3);
  llvm::cantFail(interpret(stencil, state, 1)); // a run goes on where the last one ended
  EXPECT_EQ(state.current[u].values, (Values{3, 13, 23}));
}

TEST(StencilMeaning, WholeNumbersWrapAround) {
  const ScalarValue most = {.whole = INT64_MAX}, one = {.whole = 1};
  EXPECT_EQ(apply(ScalarType::Int, BinaryOp::Add, most, one).whole, INT64_MIN);
  EXPECT_EQ(apply(ScalarType::Int, UnaryOp::Negate, ScalarValue{.whole = INT64_MIN}).whole,
            INT64_MIN);
  // 2^53 + 1 is no double: compared as doubles the two would be equal.
  EXPECT_TRUE(apply(ScalarType::Int, CompareOp::Less, ScalarValue{.whole = int64_t(1) << 53},
                    ScalarValue{.whole = (int64_t(1) << 53) + 1}));
  EXPECT_EQ(convert(ScalarType::Int, ScalarType::F32, ScalarValue{.whole = (1 << 24) + 1}).number,
            0x1p24);
}

TEST(StencilMeaning, PositionsAtGhostPointsLieBeyondTheGrid) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u");
  const unsigned d = addArray(stencil, Temp, "d", BoundaryKind::Halo);
  addUpdate(stencil, 0, d, [&](auto &f) { return f.cast(ScalarType::F64, f.position(0)); });
  addUpdate(stencil, 1, u, [&](auto &f) {
    return f.minus(f.next(d, {1}), f.times(f.next(d, {-1}), f.number(2)));
  });
  EXPECT_EQ(after(stencil, {0, 0}, 1).current[u].values, (Values{1 + 2, 2 - 0}));
}

TEST(StencilMeaning, ArraysOverTimeGiveAValueAStep) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u", BoundaryKind::Value);
  const unsigned w = addOverTime(stencil, "w");
  stencil.arrays[w].init =
      formulaOf([](auto &f) { return f.cast(ScalarType::F64, f.times(f.step(), f.step())); });
  for (Boundary &side : stencil.arrays[u].boundary[0])
    side.value = formulaOf([&](auto &f) { return f.overTime(w); });
  addUpdate(stencil, 0, u, [&](auto &f) { return f.plus(f.now(u, {-1}), f.overTime(w, 1)); });
  // Steps 0, 1, 2 add 1, 4, 9; from the left come 0, 1, 4.
  EXPECT_EQ(after(stencil, {100}, 3).current[u].values, (Values{4 + 9}));
  EXPECT_EQ(after(stencil, {100, 200}, 1).current[u].values, (Values{0 + 1, 100 + 1}));
  State state = after(stencil, {0}, 7);
  EXPECT_EQ(llvm::toString(interpret(stencil, state, 1)), "`w` has 8 values and is read at step 8");
}

// ---- mirrors

TEST(StencilMeaning, MirrorsTurnAroundAtThePointOrBehindIt) {
  const auto shifted = [](BoundaryKind kind, int offset, double factor) {
    Stencil stencil = emptyStencil({"x"});
    const unsigned u = addArray(stencil, Field, "u", kind);
    for (Boundary &side : stencil.arrays[u].boundary[0])
      side.factor = factor;
    addUpdate(stencil, 0, u, [&](auto &f) { return f.now(u, {offset}); });
    return after(stencil, {1, 2, 3}, 1).current[u].values;
  };
  EXPECT_EQ(shifted(BoundaryKind::Reflect, -2, 1), (Values{3, 2, 1}));
  EXPECT_EQ(shifted(BoundaryKind::Reflect, 1, -2), (Values{2, 3, -4}));
  EXPECT_EQ(shifted(BoundaryKind::Symmetric, -3, 1), (Values{3, 2, 1}));
  EXPECT_EQ(shifted(BoundaryKind::Symmetric, 1, -1), (Values{2, 3, -3}));
}

TEST(StencilMeaning, FactorsOfTwoAxesMultiplyAndAValueHasNone) {
  Stencil stencil = emptyStencil({"y", "x"});
  const unsigned u = addArray(stencil, Field, "u", BoundaryKind::Symmetric);
  stencil.arrays[u].boundary[0][Low].factor = 2;
  stencil.arrays[u].boundary[1][Low].factor = 3;
  stencil.arrays[u].boundary[1][High].kind = BoundaryKind::Value;
  stencil.arrays[u].boundary[1][High].value = formulaOf([](auto &f) { return f.number(5); });
  addUpdate(stencil, 0, u, [&](auto &f) { return f.plus(f.now(u, {-1, -1}), f.now(u, {-1, 1})); });
  EXPECT_EQ(llvm::toString(verify(stencil)), "");
  State state = llvm::cantFail(initialState(stencil, {1, 1}, {}));
  state.current[u].values = {10};
  llvm::cantFail(interpret(stencil, state, 1));
  EXPECT_EQ(state.current[u].values, (Values{10 * 2 * 3 + 5}));
}

TEST(StencilMeaning, MirrorsNeedRoom) {
  const auto least = [](BoundaryKind kind) {
    Stencil stencil = emptyStencil({"x"});
    const unsigned u = addArray(stencil, Field, "u", kind);
    addUpdate(stencil, 0, u, [&](auto &f) { return f.now(u, {-3}); });
    return minimumExtent(stencil, 0);
  };
  EXPECT_EQ(least(BoundaryKind::Reflect), 4);
  EXPECT_EQ(least(BoundaryKind::Symmetric), 3);
  EXPECT_EQ(least(BoundaryKind::Periodic), 3);
  EXPECT_EQ(least(BoundaryKind::Clamp), 0);
}

// ---- reductions

/// A field that no step changes, and the reduction of it that `build` says.
template <class Build>
Stencil reducing(Reduction::Op op, BoundaryKind boundary, const Build &build, Region region = {}) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, Field, "u", boundary);
  addUpdate(stencil, 0, u, [&](auto &f) { return f.now(u); });
  addReduction(stencil, op, "r", build, region);
  return stencil;
}

double reducedOf(const Stencil &stencil, const Values &values, int64_t steps = 0) {
  return llvm::cantFail(reduce(stencil, after(stencil, values, steps))).front();
}

TEST(StencilMeaning, ReductionsTakeTheNewestState) {
  Stencil stencil = reducing(Reduction::Op::Sum, BoundaryKind::None,
                             [](auto &f) { return f.times(f.now(0), f.now(0)); });
  stencil.stages.clear();
  addUpdate(stencil, 0, 0, [](auto &f) { return f.plus(f.now(0), f.number(1)); });
  EXPECT_EQ(reducedOf(stencil, {1, 2, 3}), 14);
  EXPECT_EQ(reducedOf(stencil, {1, 2, 3}, 1), 4 + 9 + 16);
}

TEST(StencilMeaning, ReductionsKeepToTheirRegionAndOffFixedEnds) {
  const auto neighbour = [](auto &f) { return f.now(0, {1}); };
  EXPECT_EQ(reducedOf(reducing(Reduction::Op::Max, BoundaryKind::Fixed, neighbour), {9, 1, 2}), 2);
  EXPECT_EQ(reducedOf(reducing(Reduction::Op::Max, BoundaryKind::Clamp, neighbour,
                               {{{fromStart(1), fromEnd(0)}}}),
                      {9, 8, 2, 3}),
            3);
  EXPECT_EQ(reducedOf(reducing(Reduction::Op::Sum, BoundaryKind::Clamp, neighbour,
                               {{{fromStart(3), fromStart(2)}}}),
                      {9, 8, 2, 3}),
            0);
}

TEST(StencilMeaning, ReductionsOfNothingAndOfNoNumber) {
  const auto value = [](auto &f) { return f.now(0); };
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using Op = Reduction::Op;
  for (auto [op, neutral] : {std::pair(Op::Min, infinity), {Op::Max, -infinity}, {Op::Sum, 0.0}}) {
    const Stencil stencil = reducing(op, BoundaryKind::None, value);
    EXPECT_EQ(reducedOf(stencil, {}), neutral);
    const double some = reducedOf(stencil, {nan, 4, 4});
    EXPECT_TRUE(op == Op::Sum ? std::isnan(some) : some == 4) << some;
  }
}

constexpr ReductionTree kTree;

TEST(ReductionTree, TheOrderIsThatOfTheDescription) {
  // In a run, lane 0 takes 2^53 and, later, the 1 that is lost in it; the 1 of lane 1 is lost too
  // when lanes are halved, but not those that lane 1 has gathered before.
  Values run(kTree.run(), 0.0);
  run[0] = 0x1p53;
  run[kTree.lanes] = 1;
  EXPECT_EQ(reduced(kTree, Reduction::Op::Sum, run, kTree.run()), 0x1p53);
  run[kTree.lanes] = 0;
  run[1] = run[1 + kTree.lanes] = 1;
  EXPECT_EQ(reduced(kTree, Reduction::Op::Sum, run, kTree.run()), 0x1p53 + 2);
  // Lane 128 joins lane 0 before lane 1 does.
  run[1 + kTree.lanes] = 0;
  run[128] = 1;
  EXPECT_EQ(reduced(kTree, Reduction::Op::Sum, run, kTree.run()), 0x1p53);
  run[129] = 1; // joins lane 1 first
  run[128] = 0;
  EXPECT_EQ(reduced(kTree, Reduction::Op::Sum, run, kTree.run()), 0x1p53 + 2);
}

TEST(ReductionTree, RowsAreCutIntoRunsEachForItself) {
  // Two rows of a run and two numbers each. The partial numbers are 2^53, 1+1, 1, 1: in one run of
  // four lanes, 2^53 + 1 loses its 1, and 2 + 1 does not.
  const int64_t length = kTree.run() + 2;
  Values rows(2 * length, 0.0);
  rows[0] = 0x1p53;
  rows[length - 1] = rows[length - 2] = 1;
  rows[length] = 1;
  rows[2 * length - 1] = 1;
  EXPECT_EQ(reduced(kTree, Reduction::Op::Sum, rows, length), (0x1p53 + 1) + (2.0 + 1));
  EXPECT_EQ(reduced(kTree, Reduction::Op::Max, rows, length), 0x1p53);
  EXPECT_EQ(reduced(kTree, Reduction::Op::Min, rows, length), 0);
}

} // namespace
