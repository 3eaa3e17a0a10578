// What is known of regions for all extents.
#include "ir/stencil/StencilAreas.h"
#include "ir/stencil/StencilFacts.h"
#include "test/ir/StencilBuilder.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

constexpr unsigned k = 0, m = 1; // params

Area areaOf(AxisBound from, AxisBound to) { return {AxisSpan::of({from, to})}; }
const Area kWhole = areaOf(fromStart(0), fromEnd(0));
const Area kAtK = areaOf(fromParam(k, 0), fromParam(k, 1));
/// k names points; m bounds slices.
const ParamRanges kRanges = {{{0, k}, {0, 1}}, {{0, m}, {0, 0}}};

Disjointness apart(const Area &left, const Area &right) {
  const Disjointness result = disjointness(left, right, 1, kRanges);
  EXPECT_EQ(disjointness(right, left, 1, kRanges).answer, result.answer) << "of both orders";
  return result;
}

TEST(Region, NumbersFromOneEndAreApartWhateverTheExtent) {
  const Disjointness slices =
      apart(areaOf(fromStart(0), fromStart(2)), areaOf(fromStart(2), fromStart(4)));
  EXPECT_EQ(slices.answer, Disjointness::Proven);
  EXPECT_EQ(slices.least, 0);
  EXPECT_EQ(apart(areaOf(fromEnd(-3), fromEnd(-1)), areaOf(fromEnd(-1), fromEnd(0))).answer,
            Disjointness::Proven);
  EXPECT_EQ(apart(areaOf(fromStart(0), fromStart(3)), areaOf(fromStart(2), fromStart(4))).answer,
            Disjointness::Refuted);
}

TEST(Region, NumbersFromBothEndsNeedRoom) {
  const Disjointness ends =
      apart(areaOf(fromStart(0), fromStart(2)), areaOf(fromEnd(-3), fromEnd(0)));
  EXPECT_EQ(ends.answer, Disjointness::Proven);
  EXPECT_EQ(ends.least, 5);
  // From the start to near the end, and the start: they meet on all long axes.
  EXPECT_EQ(apart(areaOf(fromStart(0), fromEnd(-3)), areaOf(fromStart(0), fromStart(1))).answer,
            Disjointness::Refuted);
}

TEST(Region, TheAxisThatAsksForLeastDecides) {
  const Slice first = {fromStart(0), fromStart(2)}, last = {fromEnd(-2), fromEnd(0)};
  const Slice second = {fromStart(2), fromStart(3)};
  const Area left = {AxisSpan::of(first), AxisSpan::of(first)};
  const Area right = {AxisSpan::of(last), AxisSpan::of(second)};
  const Disjointness result = disjointness(left, right, 2, kRanges);
  EXPECT_EQ(result.answer, Disjointness::Proven);
  EXPECT_EQ(result.axis, 1u);
  EXPECT_EQ(result.least, 0);
}

TEST(Region, AnEmptySliceIsApartFromAll) {
  EXPECT_EQ(apart(areaOf(fromStart(3), fromStart(3)), kWhole).answer, Disjointness::Proven);
}

TEST(Region, ParamsAreOnTheGridAndElseUnknown) {
  EXPECT_EQ(apart(kAtK, kWhole).answer, Disjointness::Refuted) << "k is a point";
  EXPECT_EQ(apart(kAtK, areaOf(fromParam(k, 1), fromEnd(0))).answer, Disjointness::Proven);
  EXPECT_EQ(apart(kAtK, areaOf(fromStart(0), fromStart(1))).answer, Disjointness::Unknown);
  EXPECT_EQ(apart(kAtK, areaOf(fromParam(m, 0), fromEnd(0))).answer, Disjointness::Unknown);
  EXPECT_EQ(apart(areaOf(fromStart(0), fromParam(m, 0)), kWhole).answer, Disjointness::Unknown)
      << "m may be 0";
}

TEST(Region, WhatMeetsJoins) {
  const std::pair<Slice, Slice> meeting[] = {
      {{fromStart(0), fromStart(1)}, {fromStart(1), fromEnd(0)}},
      {{fromStart(0), fromEnd(-1)}, {fromEnd(-1), fromEnd(0)}},
      {{fromStart(0), fromParam(k, 0)}, {fromParam(k, 0), fromEnd(0)}},
  };
  for (const auto &[low, high] : meeting)
    for (const auto &both : {joined({AxisSpan::of(low)}, {AxisSpan::of(high)}, 1),
                             joined({AxisSpan::of(high)}, {AxisSpan::of(low)}, 1)}) {
      ASSERT_TRUE(both);
      EXPECT_EQ(both->points, kWhole);
      EXPECT_EQ(both->least, 0);
    }
  const auto joins = [](AxisBound from, AxisBound to, AxisBound nextFrom, AxisBound nextTo) {
    return joined(areaOf(from, to), areaOf(nextFrom, nextTo), 1).has_value();
  };
  EXPECT_FALSE(joins(fromStart(0), fromStart(1), fromStart(2), fromEnd(0))) << "a gap";
  EXPECT_FALSE(joins(fromStart(0), fromEnd(-1), fromStart(1), fromEnd(0))) << "an overlap";
  EXPECT_FALSE(joins(fromStart(3), fromStart(5), fromStart(5), fromStart(4)))
      << "the second is empty, and ends before the first does";
  EXPECT_FALSE(joins(fromStart(0), fromParam(k, 0), fromParam(k, 0), fromEnd(-1)))
      << "k may be the last point";
}

TEST(Region, WhatMeetsOnLongAxesNeedsThem) {
  // [0, 2) and [2, n-2): on an axis of 3 the second is empty, and together they are not [0, 1).
  const auto both =
      joined(areaOf(fromStart(0), fromStart(2)), areaOf(fromStart(2), fromEnd(-2)), 1);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->points, areaOf(fromStart(0), fromEnd(-2)));
  EXPECT_EQ(both->least, 4);
}

TEST(Region, JoinsAlongOneAxisOnly) {
  const AxisSpan low = AxisSpan::of({fromStart(0), fromStart(1)});
  const AxisSpan high = AxisSpan::of({fromStart(1), fromEnd(0)});
  const AxisSpan whole = AxisSpan::whole();
  const auto both = joined({low, whole}, {high, whole}, 2);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->points, (Area{whole, whole}));
  EXPECT_FALSE(joined({low, low}, {high, high}, 2));
}

// ---- areas of updates ---------------------------------------------------------------------------

TEST(StencilAreas, RegionsFramesAndTempsTakeAwayTogether) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Fixed);
  const unsigned d = addArray(stencil, ArrayKind::Temp, "d");
  const unsigned e = addArray(stencil, ArrayKind::Temp, "e");
  addUpdate(stencil, 0, d, [&](auto &f) { return f.now(u, {-2}); }, {{{{}, fromEnd(-3)}}});
  addUpdate(stencil, 1, e, [&](auto &f) { return f.next(d, {1}); });
  addUpdate(stencil, 2, u, [&](auto &f) { return f.next(e, {-1}); },
            {{{fromStart(1), fromEnd(0)}}});
  const StencilAreas areas = areasOf(stencil);
  EXPECT_EQ(areas.updates[0][0][0], AxisSpan::of({fromStart(2), fromEnd(-3)}));
  EXPECT_EQ(areas.updates[1][0][0], AxisSpan::of({fromStart(1), fromEnd(-4)}));
  EXPECT_EQ(areas.updates[2][0][0], AxisSpan::of({fromStart(2), fromEnd(-3)}));
  EXPECT_EQ(areas.temps[e], areas.updates[1][0]);
  EXPECT_EQ(areas.temps[u], std::nullopt);
}

TEST(StencilAreas, PiecesOfATempNeedRoomToMeet) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Fixed);
  const unsigned d = addArray(stencil, ArrayKind::Temp, "d");
  addUpdate(stencil, 0, d, [&](auto &f) { return f.now(u); }, {{{{}, fromStart(1)}}});
  addUpdate(stencil, 0, d, [&](auto &f) { return f.now(u, {1}); }, {{{fromStart(1), fromEnd(0)}}});
  addUpdate(stencil, 1, u, [&](auto &f) { return f.next(d); });
  // On an axis of one point the second piece would take away from the first.
  EXPECT_EQ(areasOf(stencil).temps[d], (Area{AxisSpan::of({fromStart(0), fromEnd(-1)})}));
  EXPECT_EQ(minimumExtent(stencil, 0), 2);
}

TEST(StencilAreas, EndsThatFollowFromTheirNeighboursNeedRoom) {
  for (BoundaryKind kind : {BoundaryKind::Fixed, BoundaryKind::Clamp, BoundaryKind::Reflect,
                            BoundaryKind::Symmetric, BoundaryKind::Periodic}) {
    Stencil stencil = emptyStencil({"x"});
    const unsigned u = addArray(stencil, ArrayKind::Field, "u", kind);
    addUpdate(stencil, 0, u, [&](auto &f) { return f.now(u); }, {{{fromStart(1), fromEnd(-1)}}});
    addUpdate(stencil, 1, u, [&](auto &f) { return f.next(u, {1}); }, {{{{}, fromStart(1)}}});
    addUpdate(stencil, 1, u, [&](auto &f) { return f.next(u, {-1}); },
              {{{fromEnd(-1), fromEnd(0)}}});
    for (const Separation &apart : separations(stencil, areasOf(stencil)))
      EXPECT_EQ(disjointness(apart.left, apart.right, 1, {}).answer, Disjointness::Proven)
          << spelling(kind).str() << ": " << apart.what;
    EXPECT_EQ(minimumExtent(stencil, 0), 3) << spelling(kind).str();
  }
}

TEST(StencilAreas, GhostPointsOfTempsAddUpFromStageToStage) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Halo);
  const unsigned d = addArray(stencil, ArrayKind::Temp, "d", BoundaryKind::Halo);
  const unsigned e = addArray(stencil, ArrayKind::Temp, "e", BoundaryKind::Halo);
  addUpdate(stencil, 0, d, [&](auto &f) { return f.now(u, {-1}); });
  addUpdate(stencil, 1, e, [&](auto &f) { return f.next(d, {2}); });
  addUpdate(stencil, 2, u, [&](auto &f) { return f.next(e, {3}); });
  EXPECT_EQ(ghostWidths(stencil, e), (Widths{{{0, 3}}}));
  EXPECT_EQ(ghostWidths(stencil, d), (Widths{{{0, 5}}}));
  EXPECT_EQ(ghostWidths(stencil, u), (Widths{{{1, 4}}}));
  EXPECT_EQ(areasOf(stencil).updates[0][0][0], AxisSpan::whole(0, 5));
}

TEST(StencilFacts, TempsAreNoTrafficAndTheInteriorCounts) {
  Stencil stencil = emptyStencil({"x"});
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Clamp);
  const unsigned d = addArray(stencil, ArrayKind::Temp, "d");
  addUpdate(stencil, 0, d, [&](auto &f) { return f.plus(f.now(u, {-1}), f.now(u, {1})); });
  addUpdate(stencil, 1, u, [&](auto &f) { return f.number(0); }, {{{{}, fromStart(1)}}});
  addUpdate(stencil, 1, u, [&](auto &f) { return f.times(f.next(d), f.now(u)); },
            {{{fromStart(1), fromEnd(0)}}});
  const PointCounts counts = countPoint(stencil);
  EXPECT_EQ(counts.loads, 4u);
  EXPECT_EQ(counts.stores, 2u);
  EXPECT_EQ(counts.flops, 2u);
  EXPECT_EQ(counts.compulsoryBytes, 16u);
}

} // namespace
