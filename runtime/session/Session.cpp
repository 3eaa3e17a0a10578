#include "runtime/session/Session.h"

#include <algorithm>

namespace stencilc::session {

// Numbers of CUfunction_attribute.
enum { kStaticShared = 1, kLocalSize = 3, kRegisters = 4, kMaxDynamicShared = 8 };
/// A kernel that wants more shared memory than this has to say so.
static constexpr unsigned kUsualSharedBytes = 48 << 10;

Expected<Session> Session::open(int device) {
  Expected<Driver> driver = Driver::open();
  if (!driver)
    return driver.fault();
  Expected<DeviceFacts> facts = driver->factsOf(device);
  if (!facts)
    return facts.fault();
  Session session;
  session.shared = std::make_shared<Shared>();
  Shared &own = *session.shared;
  own.driver = *driver;
  own.facts = *facts;
  if (auto fault = driver->check("cuDeviceGet", driver->cuDeviceGet(&own.device, device)))
    return *fault;
  if (auto fault = driver->check("cuDevicePrimaryCtxRetain",
                                 driver->cuDevicePrimaryCtxRetain(&own.context, own.device)))
    return *fault;
  if (auto fault = driver->check("cuCtxSetCurrent", driver->cuCtxSetCurrent(own.context)))
    return *fault;
  if (auto fault = driver->check("cuStreamCreate", driver->cuStreamCreate(&own.stream, 0)))
    return *fault;
  return session;
}

Session::Shared::~Shared() {
  if (stream)
    driver.cuStreamDestroy_v2(stream);
  if (context)
    driver.cuDevicePrimaryCtxRelease_v2(device);
}

// ---- kernels ----------------------------------------------------------------------------------

const Kernel *Module::find(const std::string &name) const {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Kernel &kernel) { return kernel.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Expected<Module> Session::load(const Cubin &cubin) const {
  const Driver &driver = shared->driver;
  void *handle = nullptr;
  if (auto fault =
          driver.check("cuModuleLoadData", driver.cuModuleLoadData(&handle, cubin.bytes.data())))
    return *fault;
  Module module;
  module.module = std::shared_ptr<void>(
      handle, [own = shared](void *loaded) { own->driver.cuModuleUnload(loaded); });
  for (const CompiledKernel &compiled : cubin.kernels) {
    Kernel kernel;
    kernel.name = compiled.name;
    if (auto fault = driver.check(
            "cuModuleGetFunction",
            driver.cuModuleGetFunction(&kernel.function, handle, compiled.symbol.c_str())))
      return *fault;
    for (auto [attribute, value] : {std::pair(kRegisters, &kernel.registers),
                                    {kLocalSize, &kernel.localBytes},
                                    {kStaticShared, &kernel.sharedBytes}})
      if (auto fault = driver.check("cuFuncGetAttribute",
                                    driver.cuFuncGetAttribute(value, attribute, kernel.function)))
        return *fault;
    module.all.push_back(std::move(kernel));
  }
  return module;
}

std::optional<Fault> Session::launch(const Launch &launch) const {
  const Driver &driver = shared->driver;
  void *function = launch.kernel->function;
  if (launch.kernel->sharedBytes + launch.dynamicSharedBytes > kUsualSharedBytes)
    if (auto fault = driver.check(
            "cuFuncSetAttribute",
            driver.cuFuncSetAttribute(function, kMaxDynamicShared, launch.dynamicSharedBytes)))
      return fault;
  std::vector<void *> arguments;
  for (const void *argument : launch.arguments)
    arguments.push_back(const_cast<void *>(argument));
  return driver.check("cuLaunchKernel",
                      driver.cuLaunchKernel(function, launch.grid[0], launch.grid[1],
                                            launch.grid[2], launch.block[0], launch.block[1],
                                            launch.block[2], launch.dynamicSharedBytes,
                                            shared->stream, arguments.data(), nullptr));
}

Expected<Graph> Session::capture(const std::vector<Launch> &launches) const {
  const Driver &driver = shared->driver;
  if (auto fault = driver.check("cuStreamBeginCapture",
                                driver.cuStreamBeginCapture_v2(shared->stream, /*mode=*/0)))
    return *fault;
  std::optional<Fault> failed;
  for (const Launch &one : launches)
    if (!failed)
      failed = launch(one);
  void *graph = nullptr; // there is one to end after a failed launch too
  const auto ended =
      driver.check("cuStreamEndCapture", driver.cuStreamEndCapture(shared->stream, &graph));
  if (failed || ended)
    return failed ? *failed : *ended;
  void *executable = nullptr;
  const auto fault =
      driver.check("cuGraphInstantiate", driver.cuGraphInstantiateWithFlags(&executable, graph, 0));
  driver.cuGraphDestroy(graph);
  if (fault)
    return *fault;
  Graph captured;
  captured.executable = std::shared_ptr<void>(
      executable, [own = shared](void *made) { own->driver.cuGraphExecDestroy(made); });
  return captured;
}

std::optional<Fault> Session::launch(const Graph &graph) const {
  return shared->driver.check("cuGraphLaunch",
                              shared->driver.cuGraphLaunch(graph.executable.get(), shared->stream));
}

// ---- memory -----------------------------------------------------------------------------------

Expected<Buffer> Session::allocate(size_t bytes) const {
  const Driver &driver = shared->driver;
  uint64_t address = 0;
  if (auto fault = driver.check("cuMemAlloc", driver.cuMemAlloc_v2(&address, bytes ? bytes : 1)))
    return Fault{fault->message + ": " + std::to_string(bytes) + " bytes are asked for"};
  Buffer buffer;
  buffer.size = bytes;
  buffer.memory = std::shared_ptr<uint64_t>(new uint64_t(address), [own = shared](uint64_t *held) {
    own->driver.cuMemFree_v2(*held);
    delete held;
  });
  return buffer;
}

Expected<size_t> Session::freeBytes() const {
  size_t free = 0, total = 0;
  if (auto fault =
          shared->driver.check("cuMemGetInfo", shared->driver.cuMemGetInfo_v2(&free, &total)))
    return *fault;
  return free;
}

// These two copies belong to the default stream, which waits for ours and which ours waits for.
std::optional<Fault> Session::copyIn(uint64_t to, const void *from, size_t bytes) const {
  if (auto fault = synchronize())
    return fault;
  return shared->driver.check("cuMemcpyHtoD", shared->driver.cuMemcpyHtoD_v2(to, from, bytes));
}

std::optional<Fault> Session::copyOut(void *to, uint64_t from, size_t bytes) const {
  if (auto fault = synchronize())
    return fault;
  return shared->driver.check("cuMemcpyDtoH", shared->driver.cuMemcpyDtoH_v2(to, from, bytes));
}

std::optional<Fault> Session::copy(uint64_t to, uint64_t from, size_t bytes) const {
  return shared->driver.check("cuMemcpyDtoDAsync",
                              shared->driver.cuMemcpyDtoDAsync_v2(to, from, bytes, shared->stream));
}

std::optional<Fault> Session::fill(uint64_t to, unsigned char value, size_t bytes) const {
  return shared->driver.check("cuMemsetD8Async",
                              shared->driver.cuMemsetD8Async(to, value, bytes, shared->stream));
}

// ---- time -------------------------------------------------------------------------------------

Expected<Event> Session::makeEvent() const {
  void *handle = nullptr;
  if (auto fault = shared->driver.check("cuEventCreate", shared->driver.cuEventCreate(&handle, 0)))
    return *fault;
  Event event;
  event.event = std::shared_ptr<void>(
      handle, [own = shared](void *made) { own->driver.cuEventDestroy_v2(made); });
  return event;
}

std::optional<Fault> Session::record(const Event &event) const {
  return shared->driver.check("cuEventRecord",
                              shared->driver.cuEventRecord(event.event.get(), shared->stream));
}

Expected<double> Session::secondsBetween(const Event &begin, const Event &end) const {
  const Driver &driver = shared->driver;
  if (auto fault = driver.check("cuEventSynchronize", driver.cuEventSynchronize(end.event.get())))
    return *fault;
  float milliseconds = 0;
  if (auto fault = driver.check(
          "cuEventElapsedTime",
          driver.cuEventElapsedTime(&milliseconds, begin.event.get(), end.event.get())))
    return *fault;
  return 1e-3 * milliseconds;
}

std::optional<Fault> Session::synchronize() const {
  return shared->driver.check("cuStreamSynchronize",
                              shared->driver.cuStreamSynchronize(shared->stream));
}

} // namespace stencilc::session
