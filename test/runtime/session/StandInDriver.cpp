// Stands in for libcuda.so.1 where there is no GPU: device memory is the host's, kernels are run by
// test/harness, and time is counted, not taken: every block of a launch adds a microsecond.
//
// Environment variables make it another device, or let it fail:
//   FAKE_FAILS      the function that fails, with what it usually fails with
//   FAKE_NAME       of the device; FAKE_CAPABILITY, as in 9.0
//   FAKE_MEMORY     bytes that the device has
//   FAKE_RUNS       a launch of more threads than this, 260000, is timed and not run
//   FAKE_INTERRUPT  the process is interrupted, as by Ctrl-C, at the launch of this number
#include "test/harness/cuda_runtime.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string>
#include <unistd.h>
#include <utility>

namespace {

enum { kInvalidValue = 1, kOutOfMemory = 2, kNoDevice = 100, kNotFound = 500 };

const char *setting(const char *name, const char *usual) {
  const char *value = std::getenv(name);
  return value && *value ? value : usual;
}

long long number(const char *name, long long usual) {
  const char *value = std::getenv(name);
  return value && *value ? std::atoll(value) : usual;
}

bool fails(const char *function) { return std::strcmp(setting("FAKE_FAILS", ""), function) == 0; }
int usually(const char *function) { return fails(function) ? kInvalidValue : 0; }

// What StandInNvrtc.cpp puts into a library beside each kernel.
using RunKernel = cudaError_t (*)(const cudaLaunchConfig_t *, void **arguments);
struct Function {
  RunKernel run;
};
struct Module {
  void *library;
  std::map<std::string, Function> functions;
};

std::map<uint64_t, size_t> allocated;
size_t allocatedBytes = 0;
double milliseconds = 0; // that have passed on the device
long long launches = 0;
struct Graph {
  double milliseconds = 0; // that its launches take; they are timed and not run
};
Graph *capture = nullptr; // that launches go to

size_t memoryBytes() { return number("FAKE_MEMORY", 1ll << 40); }

} // namespace

extern "C" {

int cuInit(unsigned) { return fails("cuInit") ? kNoDevice : 0; }
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return usually("cuDriverGetVersion");
}
int cuGetErrorString(int status, const char **text) {
  *text = status == kNoDevice      ? "no CUDA-capable device is detected"
          : status == kOutOfMemory ? "out of memory"
          : status == kNotFound    ? "named symbol not found"
                                   : "invalid argument";
  return 0;
}

int cuDeviceGetCount(int *count) {
  *count = 1;
  return usually("cuDeviceGetCount");
}
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return usually("cuDeviceGet");
}
int cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, length, "%s", setting("FAKE_NAME", "NVIDIA H200"));
  return usually("cuDeviceGetName");
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  int major = 0, minor = 0;
  std::sscanf(setting("FAKE_CAPABILITY", "9.0"), "%d.%d", &major, &minor);
  static const std::map<int, int> values = {{13, 1980000},  {16, 132},  {36, 3201000}, {37, 6144},
                                            {38, 62914560}, {39, 2048}, {81, 233472},  {82, 65536},
                                            {97, 232448},   {106, 32}};
  *value = attribute == 75 ? major : attribute == 76 ? minor : values.at(attribute);
  return usually("cuDeviceGetAttribute");
}
int cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = memoryBytes();
  return usually("cuDeviceTotalMem");
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  static int made;
  *context = &made;
  return usually("cuDevicePrimaryCtxRetain");
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void *context) { return context ? usually("cuCtxSetCurrent") : kInvalidValue; }

int cuMemGetInfo_v2(size_t *free, size_t *total) {
  *total = memoryBytes();
  *free = *total - allocatedBytes;
  return usually("cuMemGetInfo");
}
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  if (fails("cuMemAlloc") || allocatedBytes + bytes > memoryBytes())
    return kOutOfMemory;
  void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory)
    return kOutOfMemory;
  *address = reinterpret_cast<uint64_t>(memory);
  allocated[*address] = bytes;
  allocatedBytes += bytes;
  return 0;
}
int cuMemFree_v2(uint64_t address) {
  const auto found = allocated.find(address);
  if (found == allocated.end())
    return kInvalidValue;
  allocatedBytes -= found->second;
  allocated.erase(found);
  std::free(reinterpret_cast<void *>(address));
  return 0;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  if (fails("cuMemcpyHtoD"))
    return kInvalidValue;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  if (fails("cuMemcpyDtoH"))
    return kInvalidValue;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return 0;
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *) {
  if (fails("cuMemcpyDtoDAsync"))
    return kInvalidValue;
  std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes);
  return 0;
}
int cuMemsetD8Async(uint64_t to, unsigned char value, size_t count, void *) {
  if (fails("cuMemsetD8Async"))
    return kInvalidValue;
  std::memset(reinterpret_cast<void *>(to), value, count);
  return 0;
}

// A cubin of StandInNvrtc.cpp is the path of a shared library.
int cuModuleLoadData(void **module, const void *image) {
  const char *path = static_cast<const char *>(image);
  if (fails("cuModuleLoadData")) {
    unlink(path);
    return kInvalidValue;
  }
  // Its kernels find the engine in this library.
  Dl_info self;
  dladdr(reinterpret_cast<void *>(&cuInit), &self);
  dlopen(self.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "%s\n", dlerror());
    return kInvalidValue;
  }
  unlink(path);
  *module = new Module{library, {}};
  return 0;
}
int cuModuleUnload(void *module) {
  Module *loaded = static_cast<Module *>(module);
  dlclose(loaded->library);
  delete loaded;
  return 0;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  Module *loaded = static_cast<Module *>(module);
  void *found = dlsym(loaded->library, ("stand_in_" + std::string(name)).c_str());
  if (!found || fails("cuModuleGetFunction"))
    return kNotFound;
  Function &made = loaded->functions[name];
  made.run = reinterpret_cast<RunKernel>(found);
  *function = &made;
  return 0;
}
int cuFuncGetAttribute(int *value, int attribute, void *) {
  *value = attribute == 4 ? 32 : 0;
  return usually("cuFuncGetAttribute");
}
int cuFuncSetAttribute(void *, int attribute, int value) {
  return attribute == 8 && value <= 232448 ? usually("cuFuncSetAttribute") : kInvalidValue;
}

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned sharedBytes, void *, void **arguments,
                   void **) {
  if (fails("cuLaunchKernel"))
    return kInvalidValue;
  if (++launches == number("FAKE_INTERRUPT", 0))
    std::raise(SIGINT);
  cudaLaunchConfig_t config;
  config.gridDim = dim3(gridX, gridY, gridZ);
  config.blockDim = dim3(blockX, blockY, blockZ);
  config.dynamicSmemBytes = sharedBytes;
  const long long blocks = 1ll * gridX * gridY * gridZ;
  if (capture) {
    capture->milliseconds += 1e-3 * blocks;
    return 0;
  }
  milliseconds += 1e-3 * blocks;
  if (blocks * blockX * blockY * blockZ > number("FAKE_RUNS", 260'000))
    return 0;
  return static_cast<Function *>(function)->run(&config, arguments);
}

int cuStreamCreate(void **stream, unsigned) {
  static int made;
  *stream = &made;
  return usually("cuStreamCreate");
}
int cuStreamDestroy_v2(void *) { return 0; }
int cuStreamSynchronize(void *) { return usually("cuStreamSynchronize"); }
int cuStreamBeginCapture_v2(void *, int) {
  if (fails("cuStreamBeginCapture"))
    return kInvalidValue;
  capture = new Graph;
  return 0;
}
int cuStreamEndCapture(void *, void **graph) {
  *graph = std::exchange(capture, nullptr);
  return usually("cuStreamEndCapture");
}
int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long) {
  *executable = new Graph(*static_cast<Graph *>(graph));
  return usually("cuGraphInstantiate");
}
int cuGraphDestroy(void *graph) {
  delete static_cast<Graph *>(graph);
  return 0;
}
int cuGraphLaunch(void *executable, void *) {
  milliseconds += static_cast<Graph *>(executable)->milliseconds;
  return usually("cuGraphLaunch");
}
int cuGraphExecDestroy(void *executable) { return cuGraphDestroy(executable); }
int cuEventCreate(void **event, unsigned) {
  *event = new double(0);
  return usually("cuEventCreate");
}
int cuEventRecord(void *event, void *) {
  *static_cast<double *>(event) = milliseconds;
  return usually("cuEventRecord");
}
int cuEventSynchronize(void *) { return usually("cuEventSynchronize"); }
int cuEventElapsedTime(float *passed, void *begin, void *end) {
  *passed = float(*static_cast<double *>(end) - *static_cast<double *>(begin));
  return usually("cuEventElapsedTime");
}
int cuEventDestroy_v2(void *event) {
  delete static_cast<double *>(event);
  return 0;
}

} // extern "C"
