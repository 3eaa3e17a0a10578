// Runs cases of one semiring and type of weights.
#pragma once

#include "Weights.h"
#include "runtime/apsp/Host.h"
#include "runtime/apsp/Instantiate.h"
#include "runtime/apsp/Paths.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <tuple>

namespace stencilc::apsp::bench {

template <class A, class T = typename A::Value>
__global__ void fillWeights(Graph graph, T *weights, int64_t pitch) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t at = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; at < graph.n * graph.n;
       at += step) {
    const int64_t i = at / graph.n, j = at % graph.n;
    int32_t weight;
    weights[i * pitch + j] = edge(graph, i, j, weight) ? T(weight) : A::zero();
  }
}

struct Sums {
  unsigned long long checksum, wrongPaths, wrongTriangles;
};

template <class A, class T = typename A::Value>
__global__ void inspect(Problem<T> problem, Sums *sums) {
  unsigned long long checksum = 0, wrong = 0;
  const int64_t n = problem.n, pitch = problem.distancesPitch;
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t at = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; at < n * n; at += step) {
    const int64_t i = at / n, j = at % n;
    const T distance = problem.distances[i * pitch + j];
    const bool reached = distance != A::zero();
    checksum += mix(uint32_t(at) ^ mix(reached ? uint32_t(int64_t(distance)) : 0xffffffffu));
    if (problem.kind == PathKind::None || i == j)
      continue;
    const int64_t via = problem.paths[i * pitch + j];
    if (!reached || via < 0 || via >= n) {
      wrong += reached || via != noVertex;
      continue;
    }
    const bool forward = problem.kind == PathKind::FirstHop;
    const T first = forward ? problem.weights[i * pitch + via] : problem.distances[i * pitch + via];
    const T rest = forward ? problem.distances[via * pitch + j] : problem.weights[via * pitch + j];
    wrong += A::extend(first, rest) != distance || via == (forward ? i : j);
  }
  atomicAdd(&sums->checksum, checksum);
  atomicAdd(&sums->wrongPaths, wrong);
}

/// One block of threads per 256 columns of a sampled row.
template <class A, class T = typename A::Value>
__global__ void inspectTriangles(Problem<T> problem, const int64_t *rows, Sums *sums) {
  const int64_t n = problem.n, pitch = problem.distancesPitch, i = rows[blockIdx.y];
  const int64_t j = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (j >= n)
    return;
  T best = A::zero();
  for (int64_t k = 0; k < n; ++k) {
    const T sum = A::extend(problem.distances[i * pitch + k], problem.distances[k * pitch + j]);
    best = A::better(sum, best) ? sum : best;
  }
  if (A::better(best, problem.distances[i * pitch + j]))
    atomicAdd(&sums->wrongTriangles, 1ull);
}

/// Device memory that goes with its owner.
template <class T> struct Buffer {
  T *data = nullptr;
  explicit Buffer(size_t count) {
    if (count > 0)
      cudaMalloc(&data, count * sizeof(T));
  }
  ~Buffer() { cudaFree(data); }
  Buffer(const Buffer &) = delete;
};

template <class T>
void fetch(std::vector<T> &to, const T *from, int64_t rows, int64_t columns, int64_t pitch) {
  to.resize(rows * columns);
  cudaMemcpy2D(to.data(), columns * sizeof(T), from, pitch * sizeof(T), columns * sizeof(T), rows,
               cudaMemcpyDeviceToHost);
}

template <class A, class T> std::vector<double> asDoubles(const std::vector<T> &values) {
  std::vector<double> doubles(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    doubles[i] = values[i] == A::zero() ? std::numeric_limits<double>::infinity() : values[i];
  return doubles;
}

/// The distances that host::solve finds; kept, as many cases share a graph.
template <class Semiring, class T> const std::vector<T> &hostDistances(const Graph &graph) {
  static std::map<std::tuple<int64_t, int, int32_t, int32_t>, std::vector<T>> known;
  std::vector<T> &distances = known[{graph.n, graph.percent, graph.lowest, graph.highest}];
  if (!distances.empty())
    return distances;
  distances.resize(size_t(graph.n) * graph.n);
#pragma omp parallel for
  for (int64_t i = 0; i < graph.n; ++i)
    for (int64_t j = 0; j < graph.n; ++j) {
      int32_t weight;
      distances[i * graph.n + j] =
          edge(graph, i, j, weight) ? T(weight) : Algebra<Semiring, T>::zero();
    }
  Report report;
  Problem<T> problem;
  problem.n = graph.n;
  problem.weights = problem.distances = distances.data();
  problem.weightsPitch = problem.distancesPitch = graph.n;
  problem.report = &report;
  size_t bytes;
  host::workspaceBytes<Semiring, T>(graph.n, PathKind::None, {}, bytes);
  bytes = (bytes + 255) / 256 * 256;
  void *workspace = std::aligned_alloc(256, bytes);
  host::solve<Semiring, T>(problem, {}, workspace, bytes);
  std::free(workspace);
  return distances;
}

template <class Semiring, class T>
void compareWithHost(const Case &c, const std::vector<T> &distances,
                     const std::vector<int32_t> &paths, Outcome &outcome) {
  const std::vector<T> &expected = hostDistances<Semiring, T>(c.graph);
  for (size_t at = 0; at < distances.size(); ++at)
    outcome.wrongDistances += distances[at] != expected[at];
  if (c.kind == PathKind::None || c.graph.n > 1000)
    return;
  const PathMatrix matrix = {c.graph.n, c.kind, paths.data(), c.graph.n};
  uint64_t cyclic = 0;
#pragma omp parallel for reduction(+ : cyclic)
  for (int64_t i = 0; i < c.graph.n; ++i)
    for (int64_t j = 0; j < c.graph.n; ++j) {
      int64_t length;
      cyclic += pathLength(matrix, i, j, length) == Status::CyclicPath;
    }
  outcome.cyclicPaths = cyclic;
}

template <class Semiring, class T> Outcome runCase(const Case &c) {
  using A = Algebra<Semiring, T>;
  Outcome outcome;
  const int64_t n = c.graph.n;
  const int64_t pitch = (n + c.rowUnit - 1) / c.rowUnit * c.rowUnit;
  const size_t entries = size_t(n) * pitch;
  size_t bytes = 0;
  outcome.status = device::workspaceBytes<Semiring, T>(n, c.kind, c.plan, bytes);
  if (outcome.status != Status::Ok)
    return outcome;
  Buffer<T> weights(entries), distances(entries);
  Buffer<int32_t> paths(c.kind == PathKind::None ? 0 : entries);
  Buffer<char> workspace(bytes);
  Buffer<Report> report(1);
  Buffer<Sums> sums(1);
  const std::vector<int64_t> sampled = sampleRows(n);
  Buffer<int64_t> rows(sampled.size());
  cudaMemcpy(rows.data, sampled.data(), sampled.size() * sizeof(int64_t), cudaMemcpyHostToDevice);

  Problem<T> problem;
  problem.n = n;
  problem.weights = weights.data;
  problem.distances = distances.data;
  problem.paths = paths.data;
  problem.weightsPitch = problem.distancesPitch = problem.pathsPitch = pitch;
  problem.kind = c.kind;
  problem.report = report.data;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  device::LookAhead ahead;
  device::createLookAhead(ahead);
  fillWeights<A><<<4096, 256, 0, stream>>>(c.graph, weights.data, pitch);
  cudaMemsetAsync(distances.data, 0xa5, entries * sizeof(T), stream);
  cudaMemsetAsync(workspace.data, 0xa5, bytes, stream);

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  outcome.status = device::solve<Semiring, T>(problem, c.plan, workspace.data, bytes, stream,
                                              c.lookAhead ? &ahead : nullptr);
  cudaStreamEndCapture(stream, &graph);
  if (outcome.status == Status::Ok && cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess) {
    cudaGraphUpload(executable, stream);
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    std::vector<float> times;
    for (int repeat = 0; repeat < c.repeats; ++repeat) {
      cudaEventRecord(begin, stream);
      cudaGraphLaunch(executable, stream);
      cudaEventRecord(end, stream);
      cudaEventSynchronize(end);
      float milliseconds = 0;
      cudaEventElapsedTime(&milliseconds, begin, end);
      times.push_back(milliseconds);
    }
    std::sort(times.begin(), times.end());
    outcome.seconds = times[times.size() / 2] * 1e-3;
    cudaGraphExecDestroy(executable);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  cudaGraphDestroy(graph);

  cudaMemsetAsync(sums.data, 0, sizeof(Sums), stream);
  inspect<A><<<4096, 256, 0, stream>>>(problem, sums.data);
  const dim3 triangles(unsigned((n + 255) / 256), unsigned(sampled.size()));
  inspectTriangles<A><<<triangles, 256, 0, stream>>>(problem, rows.data, sums.data);
  Sums found = {};
  cudaStreamSynchronize(stream);
  cudaMemcpy(&found, sums.data, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpy(&outcome.report, report.data, sizeof(Report), cudaMemcpyDeviceToHost);
  outcome.checksum = found.checksum;
  outcome.wrongPaths = found.wrongPaths;
  outcome.wrongTriangles = found.wrongTriangles;
  std::vector<T> values;
  for (int64_t row : sampled) {
    fetch(values, distances.data + row * pitch, 1, n, pitch);
    outcome.rows.push_back(asDoubles<A>(values));
  }
  if (c.againstHost) {
    fetch(values, distances.data, n, n, pitch);
    std::vector<int32_t> hops;
    if (c.kind != PathKind::None)
      fetch(hops, paths.data, n, n, pitch);
    compareWithHost<Semiring, T>(c, values, hops, outcome);
  }
  device::destroyLookAhead(ahead);
  cudaStreamDestroy(stream);
  if (cudaError_t error = cudaGetLastError(); error != cudaSuccess)
    outcome.error = cudaGetErrorString(error);
  return outcome;
}

} // namespace stencilc::apsp::bench
