// What a branch does where its condition fails: no more is asked there, and one loop takes all.
#include "codegen/print/OtherSides.h"

#include "codegen/print/SameText.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace other_sides {
namespace {

constexpr ScalarType f64 = ScalarType::F64;
constexpr unsigned kZ = 0, kColumn = 1, kAt = 2, kColumn2 = 3, kAt2 = 4;

Index local(unsigned number) { return coordinate(CoordinateKind::Local, number); }
Value zero() { return makeValue(f64, LiteralValue{0}); }
Value load(Index at) { return makeValue(f64, LoadGlobal{0, {local(kZ), std::move(at)}}); }
Range below(Index index, unsigned axis) { return {std::move(index), nullptr, extent(axis)}; }

/// A loop over columns from 0 on, each of which gets `value` in the row of the patch.
Statement columns(unsigned number, int row, int count, Value value) {
  return {For{LoopKind::Unroll,
              number,
              constant(0),
              constant(count),
              1,
              {{AssignElement{0, {constant(row), local(number)}, std::move(value)}}}}};
}

/// One that names where a column lies, no further than `end`.
Statement clamped(unsigned number, unsigned at, int row, int count, int end) {
  Statement loop = columns(number, row, count, load(local(at)));
  Body &body = std::get<For>(loop.node).body;
  body.insert(body.begin(), {LetIndex{at, minimum(local(number), constant(end))}});
  return loop;
}

Body otherSideOf(Box box, Body otherwise) {
  const Body body = shortOtherSides(
      {{If{std::move(box), {{LoadVector{{0, {constant(0), constant(0)}, 2}, 0, {}}}}, otherwise}}});
  return std::get<If>(body.front().node).otherwise;
}

void expectSame(const Body &first, const Body &second) {
  ASSERT_EQ(first.size(), second.size());
  for (size_t number = 0; number < first.size(); ++number)
    EXPECT_TRUE(SameText().same(first[number], second[number])) << number;
}

TEST(OtherSides, AskNothingThatHasJustFailed) {
  const Range above = below(add(local(kZ), 1), 0), beside = below(local(kColumn), 1);
  const Value guarded = makeValue(f64, GuardedValue{{above, beside}, load(local(kColumn)), zero()});
  expectSame(otherSideOf({above}, {columns(kColumn, 0, 2, guarded)}),
             {columns(kColumn, 0, 2, zero())});
  // One of several conditions has failed: which, nobody knows.
  const Body body = {columns(kColumn, 0, 2, guarded)};
  expectSame(otherSideOf({above, below(local(kZ), 1)}, body), body);
  // Nor does a range say at which of its ends it failed.
  expectSame(otherSideOf({{add(local(kZ), 1), constant(0), extent(0)}}, body), body);
}

TEST(OtherSides, LoseNamesOfWhatIsNotRead) {
  const Range above = below(add(local(kZ), 1), 0);
  Statement loop =
      columns(kColumn, 0, 2, makeValue(f64, GuardedValue{{above}, load(local(kAt)), zero()}));
  Body &body = std::get<For>(loop.node).body;
  body.insert(body.begin(), {LetIndex{kAt, minimum(local(kColumn), constant(7))}});
  expectSame(otherSideOf({above}, {loop}), {columns(kColumn, 0, 2, zero())});
}

TEST(OtherSides, LeaveNoNamesBeforeTheBranchThatNothingElseReads) {
  const Range above = below(add(local(kZ), 1), 0);
  const Value guarded = makeValue(f64, GuardedValue{{above}, load(local(kAt)), zero()});
  const Body body =
      shortOtherSides({{LetIndex{kAt, minimum(local(kZ), constant(7))}},
                       {If{{above},
                           {{LoadVector{{0, {constant(0), constant(0)}, 2}, 0, {}}}},
                           {{AssignElement{0, {constant(0), constant(0)}, guarded}}}}}});
  ASSERT_EQ(body.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<If>(body.front().node));
}

TEST(OtherSides, GoOverTheSameColumnsOnce) {
  Statement both = clamped(kColumn, kAt, 0, 2, 7);
  std::get<For>(both.node).body.push_back(
      {AssignElement{0, {constant(1), local(kColumn)}, load(local(kAt))}});
  expectSame(otherSideOf({below(local(kZ), 1)},
                         {clamped(kColumn, kAt, 0, 2, 7), clamped(kColumn2, kAt2, 1, 2, 7)}),
             {both});
}

/// A loop that fills a row of each of two planes by vectors.
Statement vectors(unsigned number, int row) {
  return {For{LoopKind::Unroll,
              number,
              constant(0),
              constant(2),
              1,
              {{LoadVector{{0, {local(number), constant(row)}, 2}, 0, {local(number)}}}}}};
}

TEST(OtherSides, StandBesideLoopsOfTwoVectors) {
  const Body body = shortOtherSides({{If{{below(local(kColumn), 1)},
                                         {vectors(kAt, 0), vectors(kAt2, 1), vectors(kAt, 2)},
                                         {columns(kColumn, 0, 2, zero())}}}});
  Statement joined = vectors(kAt, 0);
  std::get<For>(joined.node).body.push_back(std::get<For>(vectors(kAt, 1).node).body.front());
  expectSame(std::get<If>(body.front().node).then, {joined, vectors(kAt, 2)});
}

/// A branch that fills a row of the patch by a vector, or else column by column.
Statement piece(unsigned number, int row, unsigned axis = 0) {
  return {If{{below(local(kZ), axis)},
             {{LoadVector{{0, {constant(row), constant(0)}, 2}, 0, {local(kZ)}}}},
             {clamped(number, number + 1, row, 2, 7)}}};
}

TEST(OtherSides, OfBranchesOfOneConditionAreOne) {
  const Body body = shortOtherSides({piece(kColumn, 0), piece(kColumn, 1, 1), piece(kColumn2, 2)});
  Statement joined = piece(kColumn, 0);
  auto &branch = std::get<If>(joined.node);
  branch.then.push_back(std::get<If>(piece(kColumn, 2).node).then.front());
  std::get<For>(branch.otherwise.front().node)
      .body.push_back({AssignElement{0, {constant(2), local(kColumn)}, load(local(kAt))}});
  expectSame(body, {joined, piece(kColumn, 1, 1)});
  // Of three vectors in a branch nvcc may spill.
  EXPECT_EQ(shortOtherSides({piece(kColumn, 0), piece(kColumn2, 1), piece(kColumn, 2)}).size(), 2u);
}

TEST(OtherSides, OfBranchesInTurnsAreOneToo) {
  const auto rows = [](unsigned axis) -> Statement {
    return {For{LoopKind::Unroll,
                9,
                constant(0),
                constant(2),
                1,
                {{LetIndex{8, minimum(local(9), constant(7))}}, piece(kColumn, 0, axis)}}};
  };
  const Body body = shortOtherSides({rows(0), rows(0)});
  ASSERT_EQ(body.size(), 1u);
  EXPECT_EQ(std::get<For>(body.front().node).body.size(), 1u) << "names are gone";
  EXPECT_EQ(shortOtherSides({rows(0), rows(1)}).size(), 2u);
}

TEST(OtherSides, KeepLoopsOverOtherColumnsOrPlaces) {
  for (const Statement &other :
       {clamped(kColumn2, kAt2, 1, 3, 7), clamped(kColumn2, kAt2, 1, 2, 6)}) {
    const Body body = {clamped(kColumn, kAt, 0, 2, 7), other};
    expectSame(otherSideOf({below(local(kZ), 1)}, body), body);
  }
}

TEST(OtherSides, KeepTheOrderOfWhatReadsThePatch) {
  const Value first = makeValue(f64, PatchElement{0, {constant(0), constant(0)}});
  const Body body = {columns(kColumn, 0, 2, load(local(kColumn))), columns(kColumn2, 1, 2, first)};
  expectSame(otherSideOf({below(local(kZ), 1)}, body), body);
}

} // namespace
} // namespace other_sides
