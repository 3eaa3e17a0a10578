#include "Graphs.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/johnson_all_pairs_shortest.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace stencilc::apsp::test {

Graph randomGraph(int n, int percent, int lowest, int highest, uint32_t seed) {
  Graph graph{"random" + std::to_string(percent), n, {}};
  std::mt19937 random(seed);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i != j && int(random() % 100) < percent)
        graph.edges.push_back({i, j, lowest + int(random() % unsigned(highest - lowest + 1))});
  return graph;
}

Graph withNegativeEdges(Graph graph, int highestPotential) {
  graph.name += "-negative";
  std::mt19937 random(7);
  std::vector<int64_t> potential(graph.n);
  for (int64_t &p : potential)
    p = random() % unsigned(highestPotential + 1);
  for (Edge &edge : graph.edges)
    edge.weight += potential[edge.from] - potential[edge.to];
  return graph;
}

Graph ringGraph(int n) {
  Graph graph{"ring", n, {}};
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i)
    order[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  for (int i = 0; n > 1 && i < n; ++i)
    graph.edges.push_back({order[i], order[(i + 1) % n], 1 + i % 3});
  return graph;
}

Graph gridGraph(int n) {
  Graph graph{"grid", n, {}};
  const int side = std::max(1, static_cast<int>(std::sqrt(n)));
  std::mt19937 random(11);
  auto connect = [&](int a, int b) {
    if (b >= n)
      return;
    graph.edges.push_back({a, b, int64_t(random() % 2)});
    graph.edges.push_back({b, a, int64_t(random() % 2)});
  };
  for (int v = 0; v < n; ++v) {
    if (side > 1 && v % side != side - 1)
      connect(v, v + 1);
    connect(v, v + side);
  }
  return graph;
}

Graph twoHalves(int n) {
  Graph graph{"halves", n, {}};
  const int half = n / 2;
  for (int v = 0; half > 1 && v < half; ++v)
    graph.edges.push_back({v, (v + 1) % half, 5});
  for (int v = half; v + 1 < n; ++v)
    graph.edges.push_back({v, v + 1, 2});
  return graph;
}

Graph everImproving(int n) {
  Graph graph{"improving", n, {}};
  const int hubs = n / 2;
  for (int v = hubs; v < n; ++v) {
    for (int hub = 0; hub < hubs; ++hub) {
      graph.edges.push_back({v, hub, n - hub});
      graph.edges.push_back({hub, v, n - hub});
    }
    for (int u = hubs; u < n; ++u)
      if (u != v)
        graph.edges.push_back({v, u, 10 * n});
  }
  return graph;
}

Graph overflowingGraph(int n, int64_t weight) {
  Graph graph{"overflowing", n, {}};
  for (int v = 0; v + 1 < n; ++v)
    graph.edges.push_back({v, v + 1, weight});
  return graph;
}

namespace {

using Boost = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, int64_t>>;

Boost toBoost(const Graph &graph) {
  Boost result(graph.n);
  for (const Edge &edge : graph.edges)
    add_edge(edge.from, edge.to, edge.weight, result);
  return result;
}

} // namespace

std::vector<int64_t> shortest(const Graph &graph) {
  const Boost boost = toBoost(graph);
  std::vector<std::vector<int64_t>> rows(graph.n, std::vector<int64_t>(graph.n));
  // Johnson's algorithm adds a vertex, which an empty graph need not have.
  if (graph.n > 0)
    johnson_all_pairs_shortest_paths(boost, rows);
  std::vector<int64_t> result;
  for (const auto &row : rows)
    result.insert(result.end(), row.begin(), row.end());
  return result;
}

std::vector<int64_t> widest(const Graph &graph) {
  const Boost boost = toBoost(graph);
  constexpr int64_t least = INT64_MIN, most = INT64_MAX - 1;
  std::vector<int64_t> result;
  for (int from = 0; from < graph.n; ++from) {
    std::vector<int64_t> row(graph.n);
    auto worse = [](int64_t a, int64_t b) { return std::min(a, b); };
    dijkstra_shortest_paths(boost, vertex(from, boost),
                            boost::distance_map(row.data())
                                .distance_compare(std::greater<int64_t>())
                                .distance_combine(worse)
                                .distance_inf(least)
                                .distance_zero(most));
    for (int64_t value : row)
      result.push_back(value == least ? noPath : value);
  }
  return result;
}

} // namespace stencilc::apsp::test
