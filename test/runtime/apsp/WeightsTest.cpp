// Weights at and beyond the edge: infinite, not a number, too large, on negative cycles.
#include "Solve.h"
#include "runtime/apsp/Algebra.h"
#include "runtime/apsp/Saturation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stencilc::apsp::test {
namespace {

const std::vector<Where> everywhere = {Where::Host, Where::Device};

TEST(NegativeCycle, IsReportedAndLeft) {
  for (int n : {3, 100}) {
    Graph graph = ringGraph(n);
    for (Edge &edge : graph.edges)
      edge.weight = -1;
    for (Where where : everywhere)
      for (PathKind kind : {PathKind::None, PathKind::FirstHop}) {
        auto single = makeMatrices<MinPlus, float>(graph, kind, 0);
        solve<MinPlus>(single, {}, where);
        EXPECT_EQ(single.status, Status::Ok);
        EXPECT_EQ(single.report.onNegativeCycle, 0);
        auto integer = makeMatrices<MinPlus, int32_t>(graph, kind, 0);
        solve<MinPlus>(integer, {}, where);
        EXPECT_EQ(integer.report.onNegativeCycle, 0);
        // Going round only gets better, and still no sum has wrapped.
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j < n; ++j)
            EXPECT_LT(integer.distance(i, j), 0);
        auto small = makeMatrices<MinPlus, int16_t>(graph, kind, 0);
        solve<MinPlus>(small, {}, where);
        EXPECT_EQ(small.report.onNegativeCycle, 0);
        for (int64_t i = 0; i < n; ++i)
          EXPECT_LT(small.distance(i, i), 0);
      }
  }
}

TEST(NegativeCycle, NamesALeastVertexOnIt) {
  Graph graph = ringGraph(0);
  graph.n = 70;
  graph.edges = {{5, 6, 1}, {40, 66, 2}, {66, 40, -3}, {6, 69, 1}};
  for (Where where : everywhere) {
    auto matrices = makeMatrices<MinPlus, int32_t>(graph, PathKind::None, 0);
    solve<MinPlus>(matrices, {}, where);
    EXPECT_EQ(matrices.report.onNegativeCycle, 40);
    EXPECT_EQ(matrices.distance(5, 69), 2);
  }
}

TEST(NegativeCycle, ALoopOnAVertexIsOne) {
  Graph graph = ringGraph(0);
  graph.n = 3;
  graph.edges = {{0, 0, 4}, {1, 1, -1}, {0, 2, 7}};
  for (Where where : everywhere) {
    auto matrices = makeMatrices<MinPlus, double>(graph, PathKind::FirstHop, 0);
    solve<MinPlus>(matrices, {}, where);
    EXPECT_EQ(matrices.report.onNegativeCycle, 1);
    EXPECT_EQ(matrices.distance(0, 0), 0);
    EXPECT_EQ(matrices.distance(0, 2), 7);
  }
}

TEST(FloatingWeights, NaNAndMinusInfinityAreRefused) {
  const Graph graph = randomGraph(70, 30, 1, 9, 2);
  for (Where where : everywhere) {
    auto plain = makeMatrices<MinPlus, float>(graph, PathKind::None, 0);
    plain.weight(3, 4) = plain.weight(50, 60) = INFINITY;
    auto odd = plain;
    odd.weight(3, 4) = NAN;
    odd.weight(50, 60) = -INFINITY;
    solve<MinPlus>(plain, {}, where);
    solve<MinPlus>(odd, {}, where);
    EXPECT_EQ(plain.report.refusedWeights, 0u);
    EXPECT_EQ(odd.report.refusedWeights, 2u);
    EXPECT_EQ(odd.distances, plain.distances);
  }
}

TEST(FloatingWeights, ANegativeOneBreaksThePromise) {
  Graph graph = randomGraph(10, 50, 1, 9, 2);
  graph.edges[0].weight = -1;
  Plan plan;
  plan.range = WeightRange::NonNegative;
  for (Where where : everywhere) {
    auto matrices = makeMatrices<MinPlus, float>(graph, PathKind::None, 0);
    solve<MinPlus>(matrices, plan, where);
    EXPECT_EQ(matrices.report.brokenRange, 1u);
  }
}

/// Distances along a line of `weight`s stay exact below the limit and are infinite from there on.
template <class T> void expectSaturation(int64_t weight, const Plan &plan, Where where) {
  using A = Algebra<MinPlus, T>;
  const Graph graph = overflowingGraph(90, weight);
  auto matrices = makeMatrices<MinPlus, T>(graph, PathKind::FirstHop, 0);
  solve<MinPlus>(matrices, plan, where);
  ASSERT_EQ(matrices.status, Status::Ok);
  EXPECT_EQ(matrices.report.onNegativeCycle, noVertex);
  EXPECT_EQ(matrices.report.saturated, 1u);
  for (int64_t i = 0; i < graph.n; ++i)
    for (int64_t j = i; j < graph.n; ++j) {
      const int64_t exact = (j - i) * weight;
      ASSERT_EQ(matrices.distance(i, j),
                exact < IntegerRange<T>::limit ? static_cast<T>(exact) : A::zero())
          << i << " to " << j;
      ASSERT_EQ(matrices.paths[i * matrices.pitch + j] == noVertex,
                i == j || exact >= IntegerRange<T>::limit);
    }
}

TEST(IntegerWeights, SaturateAtInfinity) {
  Plan nonNegative;
  nonNegative.range = WeightRange::NonNegative;
  for (Where where : everywhere)
    for (const Plan &plan : {Plan(), nonNegative}) {
      expectSaturation<int32_t>((1 << 29) / 40, plan, where);
      expectSaturation<int32_t>((1 << 29) - 1, plan, where);
      expectSaturation<int16_t>(8192 / 40, plan, where);
      expectSaturation<int16_t>(8191, plan, where);
      expectSaturation<uint16_t>(32767 / 40, plan, where);
      expectSaturation<uint16_t>(32766, plan, where);
    }
}

/// Two heavy edges, apart and then joined by a light one: their sum is out of range by one, or not.
TEST(IntegerWeights, TellOfSaturationExactly) {
  const int64_t half = IntegerRange<int32_t>::limit / 2;
  Graph graph = ringGraph(0);
  graph.n = 70;
  graph.edges = {{0, 1, half - 1}, {68, 69, half - 1}};
  const auto solved = [&](Where where) {
    auto matrices = makeMatrices<MinPlus, int32_t>(graph, PathKind::None, 0);
    solve<MinPlus>(matrices, {}, where);
    EXPECT_EQ(matrices.report.greatestWeight, half - 1);
    return matrices;
  };
  for (Where where : everywhere) {
    EXPECT_EQ(solved(where).report.saturated, 0u);
    EXPECT_EQ(solved(where).report.improvingWeights, 0u);
  }
  const int32_t noPath = Algebra<MinPlus, int32_t>::zero();
  for (int64_t light : {1, 2}) {
    graph.edges.resize(2);
    graph.edges.push_back({1, 68, light});
    for (Where where : everywhere) {
      auto joined = solved(where);
      EXPECT_EQ(joined.report.saturated, 1u); // one may be
      EXPECT_EQ(joined.distance(0, 69), light == 1 ? 2 * half - 1 : noPath);
      const Reach reach(graph.n, joined.distances.data(), joined.pitch, noPath);
      EXPECT_EQ(countSaturated(reach, graph.n, joined.distances.data(), joined.pitch, noPath),
                light == 1 ? 0 : 1);
      EXPECT_TRUE(reach.joins(0, 69));
      EXPECT_FALSE(reach.joins(69, 0));
    }
  }
}

/// Splits into two finite distances are not enough: those too have saturated.
TEST(IntegerWeights, CountAllSaturatedPairs) {
  Graph graph = ringGraph(0);
  graph.n = 6;
  for (int v = 0; v < 5; ++v)
    graph.edges.push_back({v, v + 1, 30000});
  for (Where where : everywhere) {
    auto matrices = makeMatrices<MinPlus, uint16_t>(graph, PathKind::None, 0);
    solve<MinPlus>(matrices, {}, where);
    EXPECT_EQ(matrices.report.saturated, 1u);
    const uint16_t noPath = Algebra<MinPlus, uint16_t>::zero();
    const Reach reach(graph.n, matrices.distances.data(), matrices.pitch, noPath);
    EXPECT_EQ(countSaturated(reach, graph.n, matrices.distances.data(), matrices.pitch, noPath),
              10);
  }
}

TEST(IntegerWeights, NegativeOnesMayBringASaturatedSumBack) {
  Graph graph = ringGraph(0);
  graph.n = 4;
  graph.edges = {{0, 2, 8000}, {2, 1, 8000}, {1, 3, -8000}};
  for (Where where : everywhere) {
    auto wrong = makeMatrices<MinPlus, int16_t>(graph, PathKind::None, 0);
    solve<MinPlus>(wrong, {}, where);
    EXPECT_EQ(wrong.report.improvingWeights, 1u);
    EXPECT_EQ(wrong.report.saturated, 1u);
    EXPECT_FALSE(areExact(graph.n, wrong.distances.data(), wrong.pitch));
    auto right = makeMatrices<MinPlus, int32_t>(graph, PathKind::None, 0);
    solve<MinPlus>(right, {}, where);
    EXPECT_EQ(right.report.saturated, 0u);
    EXPECT_TRUE(areExact(graph.n, right.distances.data(), right.pitch));
    EXPECT_EQ(right.distance(0, 3), 8000);
  }
}

TEST(IntegerWeights, TheBoundIsOfMaxPlusToo) {
  Graph graph = ringGraph(0);
  graph.n = 3;
  graph.edges = {{0, 1, -400000000}, {1, 2, -400000000}};
  for (Where where : everywhere) {
    auto matrices = makeMatrices<MaxPlus, int32_t>(graph, PathKind::None, 0);
    solve<MaxPlus>(matrices, {}, where);
    EXPECT_EQ(matrices.distance(0, 2), (Algebra<MaxPlus, int32_t>::zero()));
    EXPECT_EQ(matrices.report.saturated, 1u);
  }
}

TEST(IntegerWeights, InfinityMinusSomethingIsInfinity) {
  // From 0 to 2 there is no path, however negative the edge from 1 on is.
  Graph graph = ringGraph(0);
  graph.n = 67;
  for (int v = 1; v < 66; ++v)
    graph.edges.push_back({v, v + 1, -100});
  for (Where where : everywhere) {
    auto integer = makeMatrices<MinPlus, int32_t>(graph, PathKind::None, 0);
    solve<MinPlus>(integer, {}, where);
    auto small = makeMatrices<MinPlus, int16_t>(graph, PathKind::None, 0);
    solve<MinPlus>(small, {}, where);
    for (int64_t j = 1; j < graph.n; ++j) {
      EXPECT_EQ(integer.distance(0, j), (Algebra<MinPlus, int32_t>::zero()));
      EXPECT_EQ(small.distance(0, j), (Algebra<MinPlus, int16_t>::zero()));
    }
    EXPECT_EQ(integer.distance(1, 66), -6500);
    EXPECT_EQ(small.distance(1, 66), -6500);
  }
}

TEST(IntegerWeights, BeyondTheFiniteRangeAreRefused) {
  Graph graph = ringGraph(0);
  graph.n = 3;
  graph.edges = {{0, 1, 1 << 29}, {1, 2, -(1 << 29)}, {2, 0, INT32_MAX}, {0, 2, 5}};
  for (Where where : everywhere) {
    auto matrices = makeMatrices<MinPlus, int32_t>(graph, PathKind::None, 0);
    solve<MinPlus>(matrices, {}, where);
    EXPECT_EQ(matrices.report.refusedWeights, 2u); // INT32_MAX plainly says "no edge"
    EXPECT_EQ(matrices.distance(0, 2), 5);
    EXPECT_EQ(matrices.distance(0, 1), (Algebra<MinPlus, int32_t>::zero()));
  }
}

TEST(TensorCores, TellOfDistancesTheyCannotHold) {
  Plan plan;
  plan.range = WeightRange::Below22Bits;
  const int64_t weight = (1 << 22) - 1;
  auto fits = makeMatrices<MinPlus, int32_t>(overflowingGraph(2, weight), PathKind::None, 0);
  solve<MinPlus>(fits, plan, Where::Device);
  EXPECT_EQ(fits.report.saturated, 0u);
  EXPECT_EQ(fits.distance(0, 1), weight);
  auto beyond = makeMatrices<MinPlus, int32_t>(overflowingGraph(70, weight), PathKind::None, 0);
  solve<MinPlus>(beyond, plan, Where::Device);
  EXPECT_NE(beyond.report.saturated, 0u);
}

} // namespace
} // namespace stencilc::apsp::test
