// Distances and paths against independent algorithms, on many graphs, by every plan.
#include "Solve.h"
#include "runtime/apsp/Algebra.h"
#include "test/Seed.h"
#include "test/harness/Engine.h"
#include "test/harness/Streams.h"

#include <gtest/gtest.h>

namespace stencilc::apsp::test {
namespace {

/// The weight of a path by its edges; a path of no edges has one().
template <class Semiring, class T>
T pathWeight(Matrices<T> &matrices, const std::vector<int32_t> &vertices) {
  using A = Algebra<Semiring, T>;
  T sum = A::one();
  for (size_t i = 0; i + 1 < vertices.size(); ++i)
    sum = A::extend(sum, matrices.weight(vertices[i], vertices[i + 1]));
  return sum;
}

template <class Semiring, class T> void expectPaths(Matrices<T> &matrices) {
  using A = Algebra<Semiring, T>;
  if (matrices.kind == PathKind::None)
    return;
  std::vector<int32_t> vertices(matrices.n);
  for (int64_t i = 0; i < matrices.n; ++i)
    for (int64_t j = 0; j < matrices.n; ++j) {
      int64_t length;
      const Status status =
          tracePath(matrices.pathMatrix(), i, j, vertices.data(), matrices.n, length);
      if (i != j && matrices.distance(i, j) == A::zero()) {
        ASSERT_EQ(status, Status::NoPath) << i << " to " << j;
        continue;
      }
      ASSERT_EQ(status, Status::Ok) << i << " to " << j;
      const std::vector<int32_t> path(vertices.begin(), vertices.begin() + length);
      ASSERT_EQ((pathWeight<Semiring>(matrices, path)), matrices.distance(i, j))
          << i << " to " << j;
    }
}

/// Solves, and compares with `expected`, in which noPath stands for zero().
template <class Semiring, class T>
void expectSolved(const Graph &graph, const std::vector<int64_t> &expected, const Plan &plan,
                  PathKind kind, Where where) {
  using A = Algebra<Semiring, T>;
  SCOPED_TRACE(graph.name + " n " + std::to_string(graph.n) + " algorithm " +
               std::to_string(int(plan.algorithm)) + " block " + std::to_string(plan.blockSize) +
               " tile " + std::to_string(plan.tileSize) + " range " +
               std::to_string(int(plan.range)) + " kind " + std::to_string(int(kind)));
  // An odd pitch keeps rows from being moved in fours; none lets them.
  const int64_t padding = graph.n % 2 == 0 ? 0 : 3;
  Matrices<T> matrices = makeMatrices<Semiring, T>(graph, kind, padding);
  solve<Semiring>(matrices, plan, where);
  ASSERT_EQ(matrices.status, Status::Ok) << describe(matrices.status);
  EXPECT_EQ(matrices.report.onNegativeCycle, noVertex);
  EXPECT_EQ(matrices.report.refusedWeights, 0u);
  EXPECT_EQ(matrices.report.brokenRange, 0u);
  // With negative weights it is only known where no path can be too long.
  bool undecided = false;
  if constexpr (std::is_integral_v<T>)
    undecided = matrices.report.improvingWeights && longPathsSaturate<T>(graph.n, matrices.report);
  if (!undecided) {
    EXPECT_EQ(matrices.report.saturated, 0u);
  }
  for (int64_t i = 0; i < graph.n; ++i)
    for (int64_t j = 0; j < graph.n; ++j) {
      const int64_t value = expected[i * graph.n + j];
      const T wanted = i == j ? A::one() : value == noPath ? A::zero() : static_cast<T>(value);
      ASSERT_EQ(matrices.distance(i, j), wanted) << i << " to " << j;
    }
  expectPaths<Semiring>(matrices);
}

Plan blocked(int block, int tile, WeightRange range = WeightRange::Any) {
  Plan plan;
  plan.blockSize = block;
  plan.tileSize = tile;
  plan.range = range;
  return plan;
}

/// With paths a product takes fewer pivots at once.
Plan allowed(Plan plan, PathKind kind) {
  const int most = plan.range == WeightRange::Below22Bits ? 128 : 64;
  if (kind != PathKind::None && plan.blockSize > most)
    plan.blockSize = most;
  return plan;
}

Plan paper(Algorithm algorithm, int width) {
  Plan plan;
  plan.algorithm = algorithm;
  plan.blockSize = width;
  return plan;
}

const std::vector<PathKind> kinds = {PathKind::None, PathKind::FirstHop, PathKind::Predecessor};

/// The larger the matrix, the fewer graphs: harness and Johnson's algorithm take their time.
std::vector<Graph> graphsOf(int n) {
  std::vector<Graph> graphs = {gridGraph(n), everImproving(n), randomGraph(n, 4, 1, 100, 2)};
  if (n <= 65)
    for (const Graph &graph : {randomGraph(n, 100, 1, 1000, 1), ringGraph(n), twoHalves(n)})
      graphs.push_back(graph);
  return graphs;
}

TEST(Host, AgreesWithJohnson) {
  for (int n : {0, 1, 2, 3, 63, 64, 65, 131})
    for (const Graph &graph : graphsOf(n)) {
      const std::vector<int64_t> expected = shortest(graph);
      for (PathKind kind : kinds) {
        expectSolved<MinPlus, float>(graph, expected, {}, kind, Where::Host);
        expectSolved<MinPlus, double>(graph, expected, {}, kind, Where::Host);
        expectSolved<MinPlus, int32_t>(graph, expected, {}, kind, Where::Host);
        expectSolved<MinPlus, uint16_t>(graph, expected, {}, kind, Where::Host);
      }
    }
}

TEST(Host, AgreesOnNegativeEdges) {
  for (int n : {2, 65, 150}) {
    const Graph graph = withNegativeEdges(randomGraph(n, 20, 0, 100, 5), 300);
    const std::vector<int64_t> expected = shortest(graph);
    for (PathKind kind : kinds) {
      expectSolved<MinPlus, double>(graph, expected, {}, kind, Where::Host);
      expectSolved<MinPlus, int32_t>(graph, expected, {}, kind, Where::Host);
      expectSolved<MinPlus, int16_t>(graph, expected, {}, kind, Where::Host);
    }
  }
}

/// Each plan with each kind of paths; of graphs that take their time a seed draws half of these,
/// others for each graph.
template <class T>
void tryPlans(int n, const std::vector<Plan> &plans,
              const std::vector<PathKind> &pathKinds = kinds) {
  std::vector<std::pair<Plan, PathKind>> ways;
  for (const Plan &plan : plans)
    for (PathKind kind : pathKinds)
      ways.emplace_back(allowed(plan, kind), kind);
  uint64_t place = n;
  for (const Graph &graph : graphsOf(n)) {
    const std::vector<int64_t> expected = shortest(graph);
    for (const auto &[plan, kind] : n < 64 ? ways : drawn(ways, (ways.size() + 1) / 2, place++))
      expectSolved<MinPlus, T>(graph, expected, plan, kind,
                               kind == PathKind::FirstHop ? Where::DeviceAhead : Where::Device);
  }
}

TEST(Blocked, Single) {
  for (int n : {0, 1, 2, 63, 64, 127, 128, 129})
    tryPlans<float>(n, {blocked(64, 64, WeightRange::NonNegative), blocked(64, 64),
                        blocked(128, 128, WeightRange::NonNegative), blocked(64, 128)});
}

TEST(Blocked, Integer) {
  for (int n : {2, 65, 193})
    tryPlans<int32_t>(n, {blocked(64, 64), blocked(64, 128, WeightRange::NonNegative)});
}

TEST(Blocked, TensorCores) {
  for (int n : {2, 65})
    tryPlans<int32_t>(
        n,
        {blocked(64, 128, WeightRange::Below22Bits), blocked(128, 128, WeightRange::Below22Bits)},
        {PathKind::None, PathKind::FirstHop});
}

TEST(Blocked, PackedPivots) {
  for (int n : {2, 65, 150})
    tryPlans<int32_t>(
        n, {blocked(64, 64, WeightRange::Below22Bits), blocked(128, 128, WeightRange::Below22Bits)},
        {PathKind::FirstHop, PathKind::Predecessor});
}

/// Two blocks of pivots are closed for one product, the second one not always whole.
TEST(Blocked, TwoBlocksOfPivots) {
  const Graph graph = randomGraph(400, 4, 1, 1000, 7);
  const std::vector<int64_t> expected = shortest(graph);
  for (Where where : {Where::Device, Where::DeviceAhead}) {
    expectSolved<MinPlus, float>(graph, expected, blocked(256, 64, WeightRange::NonNegative),
                                 PathKind::None, where);
    expectSolved<MinPlus, uint16_t>(graph, expected, blocked(256, 128), PathKind::None, where);
  }
  expectSolved<MinPlus, int32_t>(graph, expected, blocked(256, 128, WeightRange::Below22Bits),
                                 PathKind::None, Where::DeviceAhead);
}

TEST(Blocked, Halves) {
  for (int n : {2, 65, 150})
    tryPlans<uint16_t>(n, {blocked(64, 64), blocked(64, 128), blocked(128, 128)});
}

TEST(Blocked, Double) {
  for (int n : {65, 150})
    tryPlans<double>(n, {blocked(64, 64), blocked(128, 64)});
}

/// Look-ahead, with its second stream as far ahead and as far behind as its events let it be.
class Streams : public testing::TestWithParam<harness::StreamOrder> {
protected:
  void SetUp() override { harness::setStreamOrder(GetParam(), 3); }
  void TearDown() override { harness::setStreamOrder(harness::StreamOrder::AsCalled); }
};

TEST_P(Streams, WaitForEachOther) {
  const Graph graph = randomGraph(300, 4, 1, 1000, 7);
  const std::vector<int64_t> expected = shortest(graph);
  for (PathKind kind : {PathKind::None, PathKind::FirstHop})
    expectSolved<MinPlus, int32_t>(graph, expected, blocked(64, 64), kind, Where::DeviceAhead);
  expectSolved<MinPlus, float>(graph, expected, blocked(128, 128, WeightRange::NonNegative),
                               PathKind::None, Where::DeviceAhead);
}

INSTANTIATE_TEST_SUITE_P(Orders, Streams,
                         testing::Values(harness::StreamOrder::CreatedFirst,
                                         harness::StreamOrder::CreatedLast,
                                         harness::StreamOrder::Random));

/// The kernels, in each of the harness's orders.
class Kernels : public testing::TestWithParam<harness::ThreadOrder> {
protected:
  void SetUp() override { harness::setThreadOrder(GetParam(), 5); }
  void TearDown() override { harness::setThreadOrder(harness::ThreadOrder::Ascending); }
};

TEST_P(Kernels, BlockedSingle) {
  for (int n : {65, 131})
    tryPlans<float>(n, {blocked(64, 64, WeightRange::NonNegative), blocked(64, 128),
                        blocked(128, 128, WeightRange::NonNegative)});
}

TEST_P(Kernels, BlockedInteger) { tryPlans<int32_t>(130, {blocked(64, 64), blocked(128, 128)}); }

TEST_P(Kernels, NegativeEdges) {
  const Graph graph = withNegativeEdges(randomGraph(131, 20, 0, 100, 5), 300);
  const std::vector<int64_t> expected = shortest(graph);
  for (PathKind kind : {PathKind::None, PathKind::FirstHop})
    for (Plan plan : {blocked(64, 64), blocked(128, 128)}) {
      plan = allowed(plan, kind);
      expectSolved<MinPlus, float>(graph, expected, plan, kind, Where::Device);
      expectSolved<MinPlus, int32_t>(graph, expected, plan, kind, Where::Device);
      expectSolved<MinPlus, int16_t>(graph, expected, plan, kind, Where::Device);
    }
}

TEST_P(Kernels, PapersAlgorithms) {
  for (int n : {0, 1, 2, 7, 8, 9, 17, 33})
    for (const Graph &graph : graphsOf(n)) {
      const std::vector<int64_t> expected = shortest(graph);
      for (int width : {8, 16, 32}) {
        for (PathKind kind : kinds) {
          expectSolved<MinPlus, float>(graph, expected, paper(Algorithm::MinPlus, width), kind,
                                       Where::Device);
          expectSolved<MinPlus, int32_t>(graph, expected, paper(Algorithm::PivotByPivot, width),
                                         kind, Where::Device);
        }
        // Its distances are right; RacyMinPlusTest.cpp is about its paths.
        expectSolved<MinPlus, float>(graph, expected, paper(Algorithm::RacyInPlaceMinPlus, width),
                                     PathKind::None, Where::Device);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Orders, Kernels,
                         testing::Values(harness::ThreadOrder::Ascending,
                                         harness::ThreadOrder::Descending,
                                         harness::ThreadOrder::Random));

TEST(Semirings, WidestPath) {
  for (int n : {2, 65, 150}) {
    const Graph graph = randomGraph(n, 10, -500, 500, 3);
    std::vector<int64_t> expected = widest(graph);
    for (PathKind kind : kinds) {
      expectSolved<MaxMin, int32_t>(graph, expected, {}, kind, Where::Host);
      expectSolved<MaxMin, int32_t>(graph, expected, blocked(64, 64), kind, Where::DeviceAhead);
      expectSolved<MaxMin, int32_t>(graph, expected, allowed(blocked(128, 128), kind), kind,
                                    Where::Device);
    }
    const Graph positive = randomGraph(n, 10, 1, 60000, 3);
    expected = widest(positive);
    expectSolved<MaxMin, uint16_t>(positive, expected, blocked(64, 128), PathKind::FirstHop,
                                   Where::Device);
  }
}

TEST(Semirings, LongestPathOfNegatives) {
  for (int n : {2, 65, 150}) {
    Graph graph = randomGraph(n, 10, 1, 1000, 4);
    std::vector<int64_t> expected = shortest(graph);
    for (Edge &edge : graph.edges)
      edge.weight = -edge.weight;
    for (int64_t &value : expected)
      value = value == noPath ? noPath : -value;
    for (PathKind kind : {PathKind::None, PathKind::FirstHop}) {
      expectSolved<MaxPlus, float>(graph, expected, {}, kind, Where::Host);
      expectSolved<MaxPlus, float>(graph, expected, blocked(64, 64), kind, Where::Device);
      expectSolved<MaxPlus, int32_t>(graph, expected, allowed(blocked(128, 128), kind), kind,
                                     Where::Device);
    }
  }
}

TEST(Semirings, Reachability) {
  for (int n : {1, 64, 150})
    for (Graph graph : {twoHalves(n), randomGraph(n, 1, 1, 9, 6)}) {
      std::vector<int64_t> expected = shortest(graph);
      for (int64_t &value : expected)
        value = value == noPath ? noPath : 1;
      for (Edge &edge : graph.edges)
        edge.weight = 1;
      for (PathKind kind : kinds) {
        expectSolved<OrAnd, uint16_t>(graph, expected, {}, kind, Where::Host);
        expectSolved<OrAnd, uint16_t>(graph, expected, blocked(64, 64), kind, Where::Device);
      }
    }
}

TEST(InPlace, WeightsMayBeTheDistances) {
  const Graph graph = randomGraph(100, 30, 1, 1000, 8);
  const std::vector<int64_t> expected = shortest(graph);
  for (Where where : {Where::Host, Where::DeviceAhead}) {
    Matrices<int32_t> matrices = makeMatrices<MinPlus, int32_t>(graph, PathKind::Predecessor, 5);
    solve<MinPlus>(matrices, {}, where, true);
    ASSERT_EQ(matrices.status, Status::Ok);
    for (int64_t i = 0; i < graph.n; ++i)
      for (int64_t j = 0; j < graph.n; ++j)
        ASSERT_EQ(matrices.distance(i, j), expected[i * graph.n + j]);
    expectPaths<MinPlus>(matrices);
  }
}

} // namespace
} // namespace stencilc::apsp::test
