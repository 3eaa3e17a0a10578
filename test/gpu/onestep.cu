// What onestep.py does on the GPU beside the kernels it times: memory, contents, a copy kernel, the
// time of a run, and the comparison of two buffers. A shared object, called from Python.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "onestep: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

// Numbers from 1 to 2: what is divided by them is no exceptional operand, which would be dealt with
// apart and slowly.
template <class T> __global__ void fillWith(T *to, size_t count, uint64_t seed) {
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    uint64_t bits = (i + seed) * 0x9e3779b97f4a7c15u;
    bits ^= bits >> 31;
    bits *= 0xbf58476d1ce4e5b9u;
    to[i] = 1 + T(bits >> 40) / T(1 << 24);
  }
}

__global__ void countDifferences(const uint32_t *a, const uint32_t *b, size_t words,
                                 unsigned long long *count) {
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words; i += stride)
    if (a[i] != b[i])
      atomicAdd(count, 1ull);
}

__global__ void __launch_bounds__(512)
    copy(const float4 *__restrict__ from, float4 *__restrict__ to) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

__global__ void sum(const float4 *from, size_t count, float *to) {
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  float all = 0;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    all += from[i].x + from[i].y + from[i].z + from[i].w;
  if (all < 0) // of no number here: what is read must count for something
    *to = all;
}

/// Median milliseconds of `launch`, which queues work; `before` each what is not timed.
template <class Launch, class Before>
static double medianAfter(int samples, Before before, Launch launch) {
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  std::vector<float> times;
  for (int sample = -2; sample < samples; ++sample) {
    before();
    check(cudaEventRecord(start));
    launch();
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    float ms;
    check(cudaEventElapsedTime(&ms, start, stop));
    if (sample >= 0)
      times.push_back(ms);
  }
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// The same where the GPU has nothing to do for a while before each.
template <class Launch> static double median(int samples, Launch launch, int idleMs = 0) {
  return medianAfter(
      samples, [&] { std::this_thread::sleep_for(std::chrono::milliseconds(idleMs)); }, launch);
}

using Run = int (*)(void *args, int64_t steps, void *workspace, size_t bytes, void *stream);
using Needed = size_t (*)(const void *args, int64_t steps);

/// What runs of so many steps need beside the arrays.
struct Workspace {
  Workspace(Needed needed, const void *args, int64_t steps) : bytes(needed(args, steps)) {
    check(cudaMalloc(&memory, bytes));
  }
  ~Workspace() { cudaFree(memory); }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  size_t bytes;
  void *memory = nullptr;
};

static double time_apart(Run run, Needed needed, void *args, int64_t steps, int samples,
                         int idleMs) {
  const Workspace room(needed, args, steps);
  int status = 0;
  const double ms = median(
      samples, [&] { status |= run(args, steps, room.memory, room.bytes, nullptr); }, idleMs);
  check(cudaGetLastError());
  return status ? -status : ms / steps;
}

extern "C" {

void *take(size_t bytes) {
  void *memory;
  check(cudaMalloc(&memory, bytes));
  return memory;
}

void give_back(void *memory) { check(cudaFree(memory)); }

void fill(void *memory, size_t count, int bytes, uint64_t seed) {
  if (bytes == 4)
    fillWith<<<2048, 256>>>(static_cast<float *>(memory), count, seed);
  else
    fillWith<<<2048, 256>>>(static_cast<double *>(memory), count, seed);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

/// How many 32-bit words differ.
uint64_t differences(const void *a, const void *b, size_t bytes) {
  unsigned long long *count, result;
  check(cudaMalloc(&count, sizeof(result)));
  check(cudaMemset(count, 0, sizeof(result)));
  countDifferences<<<2048, 256>>>(static_cast<const uint32_t *>(a),
                                  static_cast<const uint32_t *>(b), bytes / 4, count);
  check(cudaMemcpy(&result, count, sizeof(result), cudaMemcpyDeviceToHost));
  check(cudaFree(count));
  return result;
}

/// Bytes read and written per second by a copy of 16 bytes a thread between buffers of `bytes`.
double copy_rate(void *to, const void *from, size_t bytes) {
  const int launches = 4;
  const double ms = median(15, [&] {
    for (int i = 0; i < launches; ++i)
      copy<<<bytes / 16 / 512, 512>>>(static_cast<const float4 *>(from), static_cast<float4 *>(to));
  });
  check(cudaGetLastError());
  return 2.0 * (bytes / 16 / 512 * 16 * 512) * launches / (ms / 1e3);
}

/// Milliseconds a step, the median of several runs; negative: the status of a run that failed.
double time_steps(Run run, Needed needed, void *args, int64_t steps, int samples) {
  return time_apart(run, needed, args, steps, samples, 0);
}

/// The same of runs before each of which the GPU had nothing to do for a tenth of a second.
double time_bursts(Run run, Needed needed, void *args, int64_t steps, int samples) {
  return time_apart(run, needed, args, steps, samples, 100);
}

/// The same once the GPU has made such runs for so many seconds, and is as hot as it gets.
double time_sustained(Run run, Needed needed, void *args, int64_t steps, double seconds) {
  const Workspace room(needed, args, steps);
  const auto once = [&] { return run(args, steps, room.memory, room.bytes, nullptr); };
  int status = 0;
  double spent = 0;
  while (status == 0 && spent < 1e3 * seconds) {
    const double ms = median(8, [&] { status |= once(); });
    spent += 10 * ms; // it runs two more before those
  }
  const double ms = median(15, [&] { status |= once(); });
  check(cudaGetLastError());
  return status ? -status : ms / steps;
}

/// Milliseconds of a run of one step whose arrays are in no cache, or (`again`) where such a run
/// left them just before. Each is queued behind a sweep of a buffer several times the L2, so that
/// no launch is waited for, and what was written is in memory.
double time_swept(Run run, Needed needed, void *args, int again, int samples) {
  const Workspace room(needed, args, 1);
  const size_t bytes = size_t(1) << 29;
  void *buffer;
  check(cudaMalloc(&buffer, bytes));
  check(cudaMemset(buffer, 0, bytes));
  int status = 0;
  const auto step = [&] { status |= run(args, 1, room.memory, room.bytes, nullptr); };
  const auto before = [&] {
    sum<<<1024, 512>>>(static_cast<const float4 *>(buffer), bytes / 16,
                       static_cast<float *>(buffer));
    if (again)
      step();
  };
  const double ms = medianAfter(samples, before, step);
  check(cudaGetLastError());
  check(cudaFree(buffer));
  return status ? -status : ms;
}

int run_steps(Run run, Needed needed, void *args, int64_t steps) {
  const Workspace room(needed, args, steps);
  const int status = run(args, steps, room.memory, room.bytes, nullptr);
  check(cudaDeviceSynchronize());
  return status;
}

/// So many steps captured as a graph, which is run so many times.
int replay_steps(Run run, Needed needed, void *args, int64_t steps, int times) {
  const Workspace room(needed, args, steps);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  check(cudaStreamCreate(&stream));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const int status = run(args, steps, room.memory, room.bytes, stream);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&runnable, graph, 0));
  for (int time = 0; time < times; ++time)
    check(cudaGraphLaunch(runnable, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaGraphExecDestroy(runnable));
  check(cudaGraphDestroy(graph));
  check(cudaStreamDestroy(stream));
  return status;
}
}
