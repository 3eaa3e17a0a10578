// One run of the library on a device: what to run, and what came of it.
#pragma once

#include "runtime/apsp/Apsp.h"

#include <string>
#include <vector>

namespace stencilc::apsp::bench {

/// Weights are a function of the two vertices, so that any of them can be had anywhere: uniform in
/// lowest .. highest, for `percent` of the pairs.
struct Graph {
  int64_t n;
  int percent;
  int32_t lowest, highest;
};

struct Case {
  std::string type; ///< of weights, f32 f64 s32 s16 u16 for min-plus; or longest, widest, reach
  Graph graph;
  PathKind kind = PathKind::None;
  Plan plan;
  bool lookAhead = true;
  int repeats = 1;
  int rowUnit = 64;         ///< elements from row to row are the next multiple of it
  bool againstHost = false; ///< whether to compare with host::solve
};

struct Outcome {
  Status status = Status::Ok;
  std::string error;  ///< of CUDA
  double seconds = 0; ///< median, as a graph of kernels, from weights to report
  Report report = {};
  uint64_t checksum = 0;       ///< of all distances
  uint64_t wrongDistances = 0; ///< against the host
  uint64_t wrongPaths = 0;     ///< pairs whose hop does not lead on to a path of their distance
  uint64_t cyclicPaths = 0;    ///< against the host: pairs whose path does not arrive
  uint64_t wrongTriangles =
      0; ///< pairs of sampled rows that have a shorter way over a third vertex
  std::vector<std::vector<double>> rows; ///< distances from the vertices of sampleRows
};

/// Vertices whose rows are checked when n is large.
std::vector<int64_t> sampleRows(int64_t n);

/// The best weights from one vertex, found by Dijkstra's algorithm.
std::vector<double> dijkstra(const Graph &graph, int64_t from);

/// Runs a case of one semiring and type of weights.
template <class Semiring, class T> Outcome runCase(const Case &c);

} // namespace stencilc::apsp::bench
