// A session by stand-ins for the driver and NVRTC: what it does, and what it says when a call
// fails.
#include "runtime/session/Session.h"
#include "runtime/session/NvrtcPlaces.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace stencilc::session;

namespace {

const std::string kScale = R"(
namespace {
__global__ void __launch_bounds__(32) scale(double *a, int n, double by) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n) a[i] = by * a[i];
}
}  // namespace
)";

/// A variable of the environment, for as long as this lives.
class Variable {
public:
  Variable(const char *name, const std::string &value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable &) = delete;
  ~Variable() { before ? setenv(name, before->c_str(), 1) : unsetenv(name); }

private:
  const char *name;
  std::optional<std::string> before;
};

class SessionTest : public testing::Test {
protected:
  Variable driver{"STENCILC_CUDA_DRIVER", STAND_IN_DRIVER};
  Variable nvrtc{"STENCILC_NVRTC", STAND_IN_NVRTC};
};

template <class T> std::string messageOf(const Expected<T> &expected) {
  return expected ? "" : expected.fault().message;
}

/// All that a session does, up to the first fault; gives its message.
std::string useEverything() {
  const auto session = Session::open(0);
  if (!session)
    return session.fault().message;
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc)
    return nvrtc.fault().message;
  const auto cubin = nvrtc->compile(kScale, "scale.cu", session->facts().architecture(), {"scale"});
  if (!cubin)
    return cubin.fault().message;
  const auto module = session->load(*cubin);
  if (!module)
    return module.fault().message;
  std::vector<double> values(100, 3.0), after(100);
  const size_t bytes = 8 * values.size();
  const auto free = session->freeBytes();
  const auto buffer = session->allocate(bytes), other = session->allocate(bytes);
  const auto begin = session->makeEvent(), end = session->makeEvent();
  for (const std::string &message :
       {messageOf(free), messageOf(buffer), messageOf(other), messageOf(begin), messageOf(end)})
    if (!message.empty())
      return message;
  const uint64_t address = buffer->address();
  const int n = 100;
  const double by = 2;
  const Launch launch{module->find("scale"), {4, 1, 1}, {32, 1, 1}, 64 << 10, {&address, &n, &by}};
  for (const auto &fault :
       {session->copyIn(other->address(), values.data(), bytes), session->fill(address, 0, bytes),
        session->copy(address, other->address(), bytes), session->record(*begin),
        session->launch(launch), session->record(*end),
        session->copyOut(after.data(), address, bytes), session->synchronize()})
    if (fault)
      return fault->message;
  EXPECT_EQ(after, std::vector<double>(100, 6.0));
  const auto graph = session->capture({launch, launch, launch});
  if (!graph)
    return graph.fault().message;
  const auto graphEnd = session->makeEvent();
  for (const auto &fault : {session->launch(*graph), session->record(*graphEnd)})
    if (fault)
      return fault->message;
  const auto ofGraph = session->secondsBetween(*end, *graphEnd);
  if (ofGraph) {
    EXPECT_NEAR(*ofGraph, 12e-6, 1e-9);
  }
  const auto seconds = session->secondsBetween(*begin, *end);
  if (seconds) {
    EXPECT_NEAR(*seconds, 4e-6, 1e-9);
  }
  return messageOf(seconds);
}

TEST_F(SessionTest, CompilesRunsAndTimesAKernel) { EXPECT_EQ(useEverything(), ""); }

TEST_F(SessionTest, TellsWhatADeviceIs) {
  const auto session = Session::open(0);
  ASSERT_TRUE(session);
  EXPECT_EQ(session->facts().name, "NVIDIA H200");
  EXPECT_EQ(session->facts().architecture(), "sm_90");
  EXPECT_EQ(session->facts().sms, 132);
  EXPECT_EQ(session->facts().l2Bytes, 62914560);
  EXPECT_EQ(session->facts().driverVersion, 13000);
  EXPECT_EQ(messageOf(Session::open(1)), "there is no GPU 1: the driver has 1");
}

TEST_F(SessionTest, TellsWhatTheAssemblerSays) {
  const Variable spills("FAKE_SPILLS", "scale"), registers("FAKE_REGISTERS", "40");
  const auto nvrtc = Nvrtc::open();
  ASSERT_TRUE(nvrtc) << nvrtc.fault().message;
  EXPECT_EQ(nvrtc->version(), "13.0");
  const auto cubin = nvrtc->compile(kScale, "scale.cu", "sm_90", {"scale"});
  ASSERT_TRUE(cubin) << cubin.fault().message;
  ASSERT_EQ(cubin->kernels.size(), 1u);
  const CompiledKernel &kernel = cubin->kernels.front();
  EXPECT_EQ(kernel.registers, 40);
  EXPECT_EQ(kernel.spillStoreBytes, 24);
  EXPECT_EQ(kernel.spillLoadBytes, 24);
  EXPECT_EQ(kernel.sharedBytes, 4096);
}

TEST_F(SessionTest, NamesTheCallThatFails) {
  for (const auto &[function, why] : std::vector<std::pair<const char *, const char *>>{
           {"cuInit", "no CUDA-capable device is detected"},
           {"cuDeviceGetCount", "invalid argument"},
           {"cuDeviceGet", "invalid argument"},
           {"cuDeviceGetName", "invalid argument"},
           {"cuDeviceTotalMem", "invalid argument"},
           {"cuDriverGetVersion", "invalid argument"},
           {"cuDeviceGetAttribute", "invalid argument"},
           {"cuDevicePrimaryCtxRetain", "invalid argument"},
           {"cuCtxSetCurrent", "invalid argument"},
           {"cuStreamCreate", "invalid argument"},
           {"cuModuleLoadData", "invalid argument"},
           {"cuModuleGetFunction", "named symbol not found"},
           {"cuFuncGetAttribute", "invalid argument"},
           {"cuFuncSetAttribute", "invalid argument"},
           {"cuMemGetInfo", "invalid argument"},
           {"cuMemAlloc", "out of memory: 800 bytes are asked for"},
           {"cuEventCreate", "invalid argument"},
           {"cuMemcpyHtoD", "invalid argument"},
           {"cuMemcpyDtoH", "invalid argument"},
           {"cuMemcpyDtoDAsync", "invalid argument"},
           {"cuMemsetD8Async", "invalid argument"},
           {"cuEventRecord", "invalid argument"},
           {"cuLaunchKernel", "invalid argument"},
           {"cuStreamBeginCapture", "invalid argument"},
           {"cuStreamEndCapture", "invalid argument"},
           {"cuGraphInstantiate", "invalid argument"},
           {"cuGraphLaunch", "invalid argument"},
           {"cuStreamSynchronize", "invalid argument"},
           {"cuEventSynchronize", "invalid argument"},
           {"cuEventElapsedTime", "invalid argument"},
           {"nvrtcCreateProgram", "NVRTC_ERROR_OUT_OF_MEMORY"},
           {"nvrtcAddNameExpression", "NVRTC_ERROR_INVALID_INPUT"},
           {"nvrtcCompileProgram",
            "NVRTC_ERROR_COMPILATION\nheat.cu(7): error: refused, as was asked for"},
           {"nvrtcGetLoweredName", "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID"},
           {"nvrtcGetCUBINSize", "NVRTC_ERROR_INVALID_INPUT"},
           {"nvrtcGetCUBIN", "NVRTC_ERROR_INVALID_INPUT"}}) {
    const Variable fails("FAKE_FAILS", function);
    const std::string said = useEverything(), expected = std::string(function) + ": " + why;
    EXPECT_EQ(said.substr(0, expected.size()), expected);
  }
}

TEST_F(SessionTest, SaysThatADriverIsMissing) {
  const Variable nowhere("STENCILC_CUDA_DRIVER", "/nowhere/libcuda.so");
  const std::string said = messageOf(Session::open(0));
  EXPECT_EQ(said.find("there is no driver of an NVIDIA GPU here (/nowhere/libcuda.so: "), 0u)
      << said;
  EXPECT_NE(said.find("the variable STENCILC_CUDA_DRIVER names another"), said.npos) << said;
}

TEST_F(SessionTest, SaysThatALibraryIsNoDriver) {
  const Variable other("STENCILC_CUDA_DRIVER", STAND_IN_NVRTC);
  EXPECT_EQ(messageOf(Session::open(0)),
            STAND_IN_NVRTC " has no cuInit: it is no driver, or older than CUDA 11");
}

TEST_F(SessionTest, SaysThatNvrtcIsMissing) {
  const Variable nowhere("STENCILC_NVRTC", "/nowhere/libnvrtc.so");
  EXPECT_EQ(messageOf(Nvrtc::open()),
            "there is no NVRTC, which compiles kernels: /nowhere/libnvrtc.so cannot be loaded; "
            "`pip install nvidia-cuda-nvrtc-cu12`, or name a toolkit with CUDA_HOME");
}

TEST_F(SessionTest, LooksForNvrtcInToolkitsAndWheels) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "nvrtc-places";
  const std::filesystem::path toolkit = folder / "toolkit", home = folder / "home",
                              wheel =
                                  home / ".local/lib/python3.11/site-packages/nvidia/cuda_nvrtc";
  for (const auto &place : {toolkit / "lib64", toolkit / "include", wheel / "lib"})
    std::filesystem::create_directories(place);
  for (const auto &file : {toolkit / "lib64/libnvrtc.so.13", wheel / "lib/libnvrtc.so.12",
                           toolkit / "include/cuda_runtime.h"})
    std::ofstream(file) << "";
  const Variable cudaHome("CUDA_HOME", toolkit.string()), userHome("HOME", home.string());
  const std::vector<std::string> places = nvrtcPlaces();
  const auto at = [&](const std::filesystem::path &path) {
    return std::find(places.begin(), places.end(), path.string()) - places.begin();
  };
  EXPECT_EQ(at(toolkit / "lib64/libnvrtc.so.13"), 0);
  EXPECT_LT(at(wheel / "lib/libnvrtc.so.12"), at("libnvrtc.so.13"));
  EXPECT_EQ(places.back(), "libnvrtc.so");
  EXPECT_EQ(headerFolders(places.front()),
            std::vector<std::string>{(toolkit / "include").string()});
  std::filesystem::remove_all(folder);
}

} // namespace
