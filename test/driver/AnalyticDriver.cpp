// Stands in for libcuda.so.1 and, under the same name, for NVRTC: a GPU on which nothing runs, and
// on which time is what the formulas of an AnalyticDevice say.
//
// FAKE_SLOW: milliseconds that every launch really takes, so that it can be interrupted
// FAKE_FAILS: the function that fails
#include "test/costmodel/AnalyticDevice.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <unistd.h>
#include <utility>

using stencilc::KernelLaunch;

namespace {

stencilc::test::AnalyticDevice gpu;
double now = 0; // seconds on the device
struct Graph {
  KernelLaunch launch; // all of them are the same
  int64_t launches = 0;
};
Graph *capture = nullptr;
std::set<std::string> names;

bool fails(const char *function) {
  const char *failing = std::getenv("FAKE_FAILS");
  return failing && std::strcmp(failing, function) == 0;
}
int usually(const char *function) { return fails(function) ? 1 : 0; }

/// Any handle; nothing is behind it.
int give(void **handle) {
  static int some;
  *handle = &some;
  return 0;
}

} // namespace

extern "C" {

int cuInit(unsigned) { return fails("cuInit") ? 100 : 0; }
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuGetErrorString(int status, const char **text) {
  *text = status == 100 ? "no CUDA-capable device is detected" : "invalid argument";
  return 0;
}
int cuDeviceGetCount(int *count) { return *count = 1, 0; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, length, "NVIDIA X1 64GB");
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  const std::map<int, int> values = {
      {13, 1980000},          {16, int(gpu.sms)}, {36, 3201000}, {37, 6144},
      {38, int(gpu.l2Bytes)}, {39, 2048},         {75, 9},       {76, 0},
      {81, 233472},           {82, 65536},        {97, 232448},  {106, 32}};
  return *value = values.at(attribute), 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int) { return *bytes = size_t(64) << 30, 0; }
int cuDevicePrimaryCtxRetain(void **context, int) { return give(context); }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void *) { return 0; }
int cuMemGetInfo_v2(size_t *free, size_t *total) { return *free = *total = size_t(64) << 30, 0; }
int cuMemAlloc_v2(uint64_t *address, size_t) {
  static uint64_t next = 1 << 20;
  *address = next++;
  return fails("cuMemAlloc") ? 2 : 0;
}
int cuMemFree_v2(uint64_t) { return 0; }
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t) { return 1; }
int cuMemcpyDtoH_v2(void *, uint64_t, size_t) { return 1; }
int cuMemcpyDtoDAsync_v2(uint64_t, uint64_t, size_t, void *) { return 1; }
int cuMemsetD8Async(uint64_t, unsigned char, size_t, void *) { return 1; }

int cuModuleLoadData(void **module, const void *) { return give(module); }
int cuModuleUnload(void *) { return 0; }
int cuModuleGetFunction(void **function, void *, const char *name) {
  *function = const_cast<char *>(names.insert(name).first->c_str());
  return usually("cuModuleGetFunction");
}
int cuFuncGetAttribute(int *value, int, void *) { return *value = 32, 0; }
int cuFuncSetAttribute(void *, int, int) { return 0; }

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned, unsigned blockX,
                   unsigned, unsigned, unsigned, void *, void **arguments, void **) {
  if (const char *slow = std::getenv("FAKE_SLOW"))
    usleep(1000 * std::atoi(slow));
  KernelLaunch launch{static_cast<const char *>(function), gridX, gridY, blockX, {}};
  for (int i = 0; i < 2; ++i)
    launch.numbers[i] = *static_cast<long long *>(arguments[2 + i]);
  if (capture)
    *capture = {launch, capture->launches + 1};
  else
    now += gpu.seconds(launch, 1, false);
  return usually("cuLaunchKernel");
}

int cuStreamCreate(void **stream, unsigned) { return give(stream); }
int cuStreamDestroy_v2(void *) { return 0; }
int cuStreamSynchronize(void *) { return 0; }
int cuStreamBeginCapture_v2(void *, int) { return capture = new Graph, 0; }
int cuStreamEndCapture(void *, void **graph) {
  *graph = std::exchange(capture, nullptr);
  return 0;
}
int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long) {
  *executable = new Graph(*static_cast<Graph *>(graph));
  return 0;
}
int cuGraphDestroy(void *graph) {
  delete static_cast<Graph *>(graph);
  return 0;
}
int cuGraphLaunch(void *executable, void *) {
  const auto &graph = *static_cast<Graph *>(executable);
  now += gpu.seconds(graph.launch, graph.launches, true);
  return usually("cuGraphLaunch");
}
int cuGraphExecDestroy(void *executable) { return cuGraphDestroy(executable); }
int cuEventCreate(void **event, unsigned) { return *event = new double(0), 0; }
int cuEventRecord(void *event, void *) { return *static_cast<double *>(event) = now, 0; }
int cuEventSynchronize(void *) { return usually("cuEventSynchronize"); }
int cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  *milliseconds = float(1e3 * (*static_cast<double *>(end) - *static_cast<double *>(begin)));
  return 0;
}
int cuEventDestroy_v2(void *event) {
  delete static_cast<double *>(event);
  return 0;
}

int nvrtcVersion(int *major, int *minor) { return *major = 13, *minor = 0, 0; }
const char *nvrtcGetErrorString(int) { return "NVRTC_ERROR_COMPILATION"; }
int nvrtcCreateProgram(void **program, const char *, const char *, int, const char *const *,
                       const char *const *) {
  return give(program);
}
int nvrtcDestroyProgram(void **) { return 0; }
int nvrtcAddNameExpression(void *, const char *) { return 0; }
int nvrtcCompileProgram(void *, int, const char *const *) {
  return fails("nvrtcCompileProgram") ? 6 : 0;
}
int nvrtcGetLoweredName(void *, const char *name, const char **lowered) {
  return *lowered = names.insert(name).first->c_str(), 0;
}
int nvrtcGetProgramLogSize(void *, size_t *bytes) { return *bytes = 1, 0; }
int nvrtcGetProgramLog(void *, char *text) { return *text = 0, 0; }
int nvrtcGetCUBINSize(void *, size_t *bytes) { return *bytes = 1, 0; }
int nvrtcGetCUBIN(void *, char *bytes) { return *bytes = 0, 0; }

} // extern "C"
