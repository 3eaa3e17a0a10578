// Graphs to try the shortest-path library on, and what independent algorithms say of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stencilc::apsp::test {

struct Edge {
  int from, to;
  int64_t weight;
};

struct Graph {
  std::string name;
  int n;
  std::vector<Edge> edges; ///< at most one for a pair
};

/// Weights are uniform in lowest .. highest, of `percent` of all pairs.
Graph randomGraph(int n, int percent, int lowest, int highest, uint32_t seed);
/// The same with vertex potentials added: negative edges, and no negative cycle.
Graph withNegativeEdges(Graph graph, int highestPotential);
/// A cycle through all vertices in a scattered order; the longest paths there are.
Graph ringGraph(int n);
/// Neighbours in a square, both ways, with weights 0 and 1: many ties and cycles without weight.
Graph gridGraph(int n);
/// Two halves that no edge connects, one of them strongly connected.
Graph twoHalves(int n);
/// Half of the vertices are hubs, each a better way between all others than the hubs before it, so
/// that every pivot improves every entry.
Graph everImproving(int n);
/// Large weights, so that longer paths leave the range of 16-bit and 32-bit integers.
Graph overflowingGraph(int n, int64_t weight);

/// Best weights of all pairs, row by row, by Johnson's algorithm (Boost); none: `noPath`.
constexpr int64_t noPath = INT64_MAX;
std::vector<int64_t> shortest(const Graph &graph);
/// By Dijkstra's algorithm with minimum in place of plus (Boost). A path to itself: INT64_MAX - 1.
std::vector<int64_t> widest(const Graph &graph);

} // namespace stencilc::apsp::test
