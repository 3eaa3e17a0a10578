#include "runtime/graph/DeviceSolve.h"

#include "runtime/apsp/Device.h"
#include "runtime/apsp/Stages.h"

#include <cuda_runtime.h>

namespace stencilc::graph {

namespace {

/// The first error of a sequence of CUDA calls; what follows one is skipped.
class Calls {
public:
  template <class Call> void operator()(const char *what, Call call) {
    if (!text.empty())
      return;
    if (const cudaError_t error = call(); error != cudaSuccess)
      text = std::string(what) + ": " + cudaGetErrorString(error);
  }
  std::string text;
};

/// Everything that one solution owns on the device.
struct Resources {
  cudaStream_t stream = nullptr;
  apsp::device::LookAhead ahead;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  void *weights = nullptr, *paths = nullptr, *workspace = nullptr, *report = nullptr;

  ~Resources() {
    for (void *memory : {weights, paths, workspace, report})
      cudaFree(memory);
    for (cudaEvent_t event : {begin, end})
      if (event)
        cudaEventDestroy(event);
    if (executable)
      cudaGraphExecDestroy(executable);
    if (graph)
      cudaGraphDestroy(graph);
    apsp::device::destroyLookAhead(ahead);
    if (stream)
      cudaStreamDestroy(stream);
  }
};

/// Elements from row to row: rows begin at memory lines.
int64_t pitchOf(int64_t n) { return (n + 63) / 64 * 64; }

template <class T> size_t matrixBytes(int64_t n) { return size_t(pitchOf(n)) * n * sizeof(T); }

template <class T> size_t workspaceOf(int64_t n, apsp::PathKind kind, const apsp::Plan &plan) {
  size_t bytes;
  const apsp::Status status = apsp::device::workspaceBytes<apsp::MinPlus, T>(n, kind, plan, bytes);
  return status == apsp::Status::Ok ? bytes : 0; // solve() will say what is wrong
}

} // namespace

std::string findDevice(DeviceInfo &device) {
  int index, count = 0;
  cudaDeviceProp properties;
  size_t free, total;
  Calls call;
  call("no CUDA device", [&] { return cudaGetDeviceCount(&count); });
  call("no CUDA device", [&] { return cudaGetDevice(&index); });
  call("no CUDA device", [&] { return cudaGetDeviceProperties(&properties, index); });
  call("no CUDA device", [&] { return cudaMemGetInfo(&free, &total); });
  if (!call.text.empty())
    return call.text;
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, apsp::device::beginReport<apsp::Report>) != cudaSuccess)
    return std::string("no kernels for a ") + properties.name + " in this program";
  device = {properties.name, static_cast<int64_t>(free)};
  return "";
}

template <class T> int64_t deviceBytes(int64_t n, apsp::PathKind kind, const apsp::Plan &plan) {
  return static_cast<int64_t>(matrixBytes<T>(n) +
                              (kind == apsp::PathKind::None ? 0 : matrixBytes<int32_t>(n)) +
                              workspaceOf<T>(n, kind, plan) + sizeof(apsp::Report));
}

template <class T>
std::string solveOnDevice(const apsp::Problem<T> &host, const apsp::Plan &plan, double &seconds) {
  seconds = 0;
  const int64_t n = host.n, pitch = pitchOf(n);
  const bool withPaths = host.kind != apsp::PathKind::None;
  const size_t bytes = workspaceOf<T>(n, host.kind, plan);
  Resources device;
  Calls call;
  call("device memory", [&] { return cudaMalloc(&device.weights, matrixBytes<T>(n)); });
  if (withPaths)
    call("device memory", [&] { return cudaMalloc(&device.paths, matrixBytes<int32_t>(n)); });
  call("device memory", [&] { return cudaMalloc(&device.workspace, bytes); });
  call("device memory", [&] { return cudaMalloc(&device.report, sizeof(apsp::Report)); });
  call("stream", [&] { return cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking); });
  for (cudaEvent_t *event : {&device.begin, &device.end})
    call("event", [&] { return cudaEventCreate(event); });
  const auto copy = [&](void *to, int64_t toPitch, const void *from, int64_t fromPitch,
                        size_t element, cudaMemcpyKind kind) {
    if (n > 0)
      call("copy", [&] {
        return cudaMemcpy2DAsync(to, toPitch * element, from, fromPitch * element, n * element, n,
                                 kind, device.stream);
      });
  };
  copy(device.weights, pitch, host.weights, host.weightsPitch, sizeof(T), cudaMemcpyHostToDevice);
  if (call.text.empty() && createLookAhead(device.ahead) != apsp::Status::Ok)
    call.text = "a second stream could not be made";

  // All launches in one graph: below about 500 nodes a stream would only show the host.
  apsp::Problem<T> problem = host;
  problem.weights = problem.distances = static_cast<T *>(device.weights);
  problem.weightsPitch = problem.distancesPitch = problem.pathsPitch = pitch;
  problem.paths = static_cast<int32_t *>(device.paths);
  problem.report = static_cast<apsp::Report *>(device.report);
  call("graph",
       [&] { return cudaStreamBeginCapture(device.stream, cudaStreamCaptureModeThreadLocal); });
  if (call.text.empty()) {
    const apsp::Status status = apsp::device::solve<apsp::MinPlus>(
        problem, plan, device.workspace, bytes, device.stream, &device.ahead);
    // A capture that has begun must end, whatever came of it.
    const cudaError_t ended = cudaStreamEndCapture(device.stream, &device.graph);
    if (status != apsp::Status::Ok)
      return apsp::describe(status);
    call("graph", [&] { return ended; });
  }
  call("graph", [&] { return cudaGraphInstantiate(&device.executable, device.graph, 0); });
  call("graph", [&] { return cudaGraphUpload(device.executable, device.stream); });
  call("event", [&] { return cudaEventRecord(device.begin, device.stream); });
  call("launch", [&] { return cudaGraphLaunch(device.executable, device.stream); });
  call("event", [&] { return cudaEventRecord(device.end, device.stream); });
  copy(host.distances, host.distancesPitch, device.weights, pitch, sizeof(T),
       cudaMemcpyDeviceToHost);
  if (withPaths)
    copy(host.paths, host.pathsPitch, device.paths, pitch, sizeof(int32_t), cudaMemcpyDeviceToHost);
  call("copy", [&] {
    return cudaMemcpyAsync(host.report, device.report, sizeof(apsp::Report), cudaMemcpyDeviceToHost,
                           device.stream);
  });
  call("kernels", [&] { return cudaStreamSynchronize(device.stream); });
  float milliseconds = 0;
  call("event", [&] { return cudaEventElapsedTime(&milliseconds, device.begin, device.end); });
  seconds = milliseconds * 1e-3;
  return call.text;
}

template int64_t deviceBytes<float>(int64_t, apsp::PathKind, const apsp::Plan &);
template int64_t deviceBytes<double>(int64_t, apsp::PathKind, const apsp::Plan &);
template int64_t deviceBytes<int32_t>(int64_t, apsp::PathKind, const apsp::Plan &);
template int64_t deviceBytes<int16_t>(int64_t, apsp::PathKind, const apsp::Plan &);
template int64_t deviceBytes<uint16_t>(int64_t, apsp::PathKind, const apsp::Plan &);
template std::string solveOnDevice(const apsp::Problem<float> &, const apsp::Plan &, double &);
template std::string solveOnDevice(const apsp::Problem<double> &, const apsp::Plan &, double &);
template std::string solveOnDevice(const apsp::Problem<int32_t> &, const apsp::Plan &, double &);
template std::string solveOnDevice(const apsp::Problem<int16_t> &, const apsp::Plan &, double &);
template std::string solveOnDevice(const apsp::Problem<uint16_t> &, const apsp::Plan &, double &);

} // namespace stencilc::graph
