#include "runtime/session/Driver.h"

#include <array>
#include <cstdlib>

namespace stencilc::session {

namespace {

// Numbers of CUdevice_attribute.
enum Attribute {
  kClockRate = 13,
  kSmCount = 16,
  kMemoryClockRate = 36,
  kMemoryBusWidth = 37,
  kL2Size = 38,
  kThreadsPerSm = 39,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kSharedPerSm = 81,
  kRegistersPerSm = 82,
  kSharedPerBlock = 97,
  kBlocksPerSm = 106,
};

} // namespace

std::optional<Fault> Driver::check(const char *function, int status) const {
  if (status == 0)
    return std::nullopt;
  const char *text = nullptr;
  if (cuGetErrorString(status, &text) != 0 || !text)
    text = "unknown error";
  return Fault{std::string(function) + ": " + text};
}

Expected<Driver> Driver::open() {
  const char *named = std::getenv("STENCILC_CUDA_DRIVER");
  const Expected<SharedLibrary> library = SharedLibrary::open(named ? named : "libcuda.so.1");
  if (!library)
    return Fault{"there is no driver of an NVIDIA GPU here (" + library.fault().message +
                 "); the variable STENCILC_CUDA_DRIVER names another"};
  Driver driver;
#define DRIVER_FUNCTION(NAME, PARAMETERS)                                                          \
  if (!library->find(#NAME, driver.NAME))                                                          \
    return Fault{library->path() + " has no " #NAME ": it is no driver, or older than CUDA 11"};
#include "runtime/session/DriverFunctions.def"
#undef DRIVER_FUNCTION
  if (auto fault = driver.check("cuInit", driver.cuInit(0)))
    return *fault;
  return driver;
}

Expected<DeviceFacts> Driver::factsOf(int number) const {
  int count = 0;
  if (auto fault = check("cuDeviceGetCount", cuDeviceGetCount(&count)))
    return *fault;
  if (number < 0 || number >= count)
    return Fault{"there is no GPU " + std::to_string(number) + ": the driver has " +
                 std::to_string(count)};
  int device = 0;
  if (auto fault = check("cuDeviceGet", cuDeviceGet(&device, number)))
    return *fault;
  DeviceFacts facts;
  std::array<char, 256> name = {};
  if (auto fault = check("cuDeviceGetName", cuDeviceGetName(name.data(), name.size(), device)))
    return *fault;
  facts.name = name.data();
  if (auto fault = check("cuDeviceTotalMem", cuDeviceTotalMem_v2(&facts.memoryBytes, device)))
    return *fault;
  if (auto fault = check("cuDriverGetVersion", cuDriverGetVersion(&facts.driverVersion)))
    return *fault;
  for (auto [attribute, value] : {std::pair(kComputeCapabilityMajor, &facts.major),
                                  {kComputeCapabilityMinor, &facts.minor},
                                  {kSmCount, &facts.sms},
                                  {kL2Size, &facts.l2Bytes},
                                  {kSharedPerSm, &facts.sharedBytesPerSm},
                                  {kSharedPerBlock, &facts.sharedBytesPerBlock},
                                  {kRegistersPerSm, &facts.registersPerSm},
                                  {kThreadsPerSm, &facts.threadsPerSm},
                                  {kBlocksPerSm, &facts.blocksPerSm},
                                  {kClockRate, &facts.clockKilohertz},
                                  {kMemoryClockRate, &facts.memoryClockKilohertz},
                                  {kMemoryBusWidth, &facts.memoryBusBits}})
    if (auto fault = check("cuDeviceGetAttribute", cuDeviceGetAttribute(value, attribute, device)))
      return *fault;
  return facts;
}

} // namespace stencilc::session
