// The paper's experiment: its two kernels, with path matrix, after Init.
#include "Paper.h"

#include "Runner.cuh"

namespace stencilc::apsp::bench {

double timePaper(Algorithm algorithm, int width, int64_t n, bool asGraph, int repeats) {
  using A = Algebra<MinPlus, float>;
  const size_t entries = size_t(n) * n;
  Buffer<float> weights(entries), distances(entries);
  Buffer<int32_t> paths(entries);
  Buffer<Report> report(1);
  Problem<float> problem;
  problem.n = n;
  problem.weights = weights.data;
  problem.distances = distances.data;
  problem.paths = paths.data;
  problem.weightsPitch = problem.distancesPitch = problem.pathsPitch = n;
  problem.kind = algorithm == Algorithm::PivotByPivot ? PathKind::Predecessor : PathKind::FirstHop;
  problem.report = report.data;
  Plan plan;
  plan.algorithm = algorithm;
  plan.blockSize = width;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  fillWeights<A><<<1024, 256, 0, stream>>>(Graph{n, 100, 1, 1000000}, weights.data, n);
  auto run = [&] { return device::detail::runPaper<A>(problem, plan, nullptr, stream); };

  cudaGraphExec_t executable = nullptr;
  if (asGraph) {
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    run();
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    cudaGraphUpload(executable, stream);
  }
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times;
  const dim3 initGrid(unsigned((n + 255) / 256), 64);
  for (int repeat = -1; repeat < repeats; ++repeat) {
    device::admitWeights<MinPlus, float><<<initGrid, 256, 0, stream>>>(problem, WeightRange::Any);
    cudaEventRecord(begin, stream);
    if (asGraph)
      cudaGraphLaunch(executable, stream);
    else
      run();
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    if (repeat >= 0)
      times.push_back(milliseconds);
  }
  std::sort(times.begin(), times.end());
  if (executable)
    cudaGraphExecDestroy(executable);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaStreamDestroy(stream);
  return times[times.size() / 2] * 1e-3;
}

} // namespace stencilc::apsp::bench
