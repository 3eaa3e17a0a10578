// A calibration finds the constants that a device was made of, keeps what it cannot measure and
// says so, and writes nothing that does not settle.
#include "costmodel/calibrate/Calibrate.h"
#include "test/costmodel/AnalyticDevice.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <random>

using namespace llvm;
using namespace stencilc;
using namespace stencilc::test;

namespace {

/// A device whose times are formulas, each repeat off by some noise.
class AnalyticMachine : public Machine {
public:
  AnalyticDevice gpu;
  std::string name = "X1";
  double noise = 0.005; ///< as a share, of each repeat
  std::string failing;  ///< a kernel whose launch fails

  MeasuredDevice device() override {
    return {.name = name,
            .computeCapability = 9.0,
            .memoryBytes = int64_t(64) << 30,
            .sms = gpu.sms,
            .l2Bytes = gpu.l2Bytes,
            .threadsPerSm = 2048,
            .blocksPerSm = 32,
            .registersPerSm = 65536,
            .sharedBytesPerSm = 233472,
            .sharedBytesPerBlock = 232448,
            .software = "driver of CUDA 13.0, NVRTC 13.0",
            .date = "2026-11-23"};
  }
  Error prepare(const Benchmark &benchmark, ArrayRef<std::string> kernels) override {
    for (const std::string &kernel : kernels)
      EXPECT_TRUE(benchmark.kernels().contains(kernel) ||
                  benchmark.kernels().contains(StringRef(kernel).split('_').first.str() + "_##"))
          << kernel;
    return Error::success();
  }
  Expected<std::vector<double>> time(const Measurement &what, int64_t) override {
    if (what.launch.kernel == failing)
      return createStringError("cuLaunchKernel: out of order");
    if (what.before)
      gpu.seconds(*what.before, 1, false);
    const double exact = gpu.seconds(what.launch, what.launches, what.graph);
    std::normal_distribution<double> normal(1, noise);
    std::vector<double> seconds;
    for (int repeat = 0; repeat < 7; ++repeat)
      seconds.push_back(exact * normal(generator));
    return seconds;
  }

private:
  std::mt19937 generator{777};
};

RawData measureAll(Machine &machine) {
  const DeviceProfile start = cantFail(startingProfile(machine.device(), ""));
  return cantFail(measure(machine, start, [](size_t, size_t) {}));
}

Calibrated calibrateAll(Machine &machine) {
  const DeviceProfile start = cantFail(startingProfile(machine.device(), ""));
  return cantFail(calibrate(measureAll(machine), start));
}

const Finding *findingOf(const Calibrated &calibrated, StringRef section, StringRef key) {
  for (const Finding &finding : calibrated.findings)
    if (finding.section == section && finding.key == key)
      return &finding;
  return nullptr;
}

TEST(Calibrate, FindsTheConstantsThatTheDeviceWasMadeOf) {
  AnalyticMachine machine;
  const AnalyticDevice &gpu = machine.gpu;
  const Calibrated result = calibrateAll(machine);
  const DeviceProfile &profile = result.profile;
  const auto isNear = [](const Sourced<double> &found, double planted, double share) {
    EXPECT_NEAR(found, planted, share * planted) << found.source;
    EXPECT_TRUE(StringRef(found.source).starts_with("micro-benchmark, X1, ")) << found.source;
  };
  isNear(profile.clock, gpu.clock, 0.01);
  const GeometricConstants &geometric = *profile.geometric;
  isNear(geometric.dramBandwidth, gpu.dramBandwidth, 0.01);
  isNear(geometric.dramInFlightBytes, gpu.inFlight, 0.02);
  isNear(geometric.marchLoss, gpu.marchLoss, 0.1);
  isNear(geometric.l2Bandwidth, gpu.l2Bandwidth, 0.02);
  isNear(geometric.l2EffectiveBytes, gpu.l2Effective, 0.02);
  isNear(geometric.l2Softness, gpu.l2Softness, 0.05);
  isNear(geometric.requestClocks, gpu.request, 0.05);
  isNear(geometric.wavefrontClocks, gpu.wavefront, 0.02);
  isNear(geometric.fp32Rate, gpu.fp32, 0.02);
  isNear(geometric.fp64Rate, gpu.fp64, 0.02);
  isNear(geometric.integerRate, gpu.integer, 0.02);
  isNear(geometric.multiplyAddRate, gpu.multiplyAdd, 0.02);
  isNear(geometric.specialRate, gpu.special, 0.02);
  isNear(geometric.issueRate, gpu.issue, 0.02);
  isNear(geometric.dependentClocks, gpu.dependent, 0.02);
  isNear(geometric.l1Latency, gpu.l1Latency, 0.03);
  isNear(geometric.l2Latency, gpu.l2Latency, 0.03);
  isNear(geometric.barrierLatency, gpu.barrier, 0.02);
  const Finding *waiting = findingOf(result, "", "norm of waiting");
  ASSERT_TRUE(waiting);
  EXPECT_NEAR(waiting->value, gpu.waitNorm, 0.1 * gpu.waitNorm);
  isNear(geometric.norm, gpu.norm, 0.05);
  isNear(profile.su2015->dramBandwidth, gpu.dramBandwidth, 0.01);
  isNear(profile.su2015->l2Bandwidth, gpu.l2Bandwidth, 0.02);
  const LaunchTiming &timing = *profile.launching;
  isNear(timing.blocksPerSecond, gpu.blocksPerSecond, 0.02);
  isNear(timing.hostInterval, gpu.hostInterval, 0.01);
  isNear(timing.graphInterval, gpu.graphInterval, 0.01);
}

// Not of what the profile means by starting and entering, which is a Floyd-Warshall kernel's.
TEST(Calibrate, StartAndEntryAreToldApartWhereTimesAreExact) {
  AnalyticMachine machine;
  machine.noise = 1e-6;
  const Calibrated result = calibrateAll(machine);
  for (const auto &[key, planted] :
       {std::pair("seconds of a launch in a graph before its blocks start", machine.gpu.graphStart),
        std::pair("seconds of a launch on a stream before its blocks start",
                  machine.gpu.streamStart),
        std::pair("seconds of one such block", machine.gpu.entry)}) {
    const Finding *found = findingOf(result, "", key);
    ASSERT_TRUE(found) << key;
    EXPECT_NEAR(found->value, planted, 0.01e-6) << key;
  }
}

TEST(Calibrate, TellsWhatTheDriverTells) {
  AnalyticMachine machine;
  const DeviceProfile profile = calibrateAll(machine).profile;
  EXPECT_EQ(profile.name, "X1");
  EXPECT_EQ(profile.sms, 100);
  EXPECT_EQ(profile.memoryBytes, int64_t(64) << 30);
  EXPECT_EQ(profile.caches.l2Bytes, 40 << 20);
  EXPECT_EQ(profile.sms.source, "device property, driver of CUDA 13.0, NVRTC 13.0, 2026-11-23");
}

TEST(Calibrate, KeepsWhatNoBenchmarkMeasuresAndSaysFromWhere) {
  AnalyticMachine machine;
  const DeviceProfile start = cantFail(startingProfile(machine.device(), ""));
  const DeviceProfile profile = calibrateAll(machine).profile;
  const Sourced<double> &share = profile.geometric->dependentShare;
  EXPECT_EQ(share, start.geometric->dependentShare);
  EXPECT_TRUE(StringRef(share.source).starts_with("uncalibrated: taken from " + start.name + ": "))
      << share.source;
  EXPECT_FALSE(share.calibrated());
  EXPECT_EQ(StringRef(profile.su2015->delta.source).count("uncalibrated"), 1u);
  // What the compute capability says holds for every device of it.
  EXPECT_EQ(profile.sm.registerUnit.source, start.sm.registerUnit.source);
}

TEST(Calibrate, WhatWasKnownOfTheSameDeviceStays) {
  AnalyticMachine machine;
  machine.name = "H200";
  const DeviceProfile start = cantFail(startingProfile(machine.device(), ""));
  EXPECT_EQ(start.name, "H200");
  const DeviceProfile profile = calibrateAll(machine).profile;
  EXPECT_EQ(profile.geometric->dependentShare.source, start.geometric->dependentShare.source);
  EXPECT_NE(profile.geometric->dramBandwidth.source, start.geometric->dramBandwidth.source);
}

TEST(Calibrate, WhatDoesNotRepeatIsReportedAndNotWritten) {
  AnalyticMachine machine;
  machine.noise = 0.2;
  const DeviceProfile start = cantFail(startingProfile(machine.device(), ""));
  const Calibrated result = calibrateAll(machine);
  const Finding *found = findingOf(result, "geometric", "dram-bandwidth");
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->settles());
  EXPECT_TRUE(StringRef(found->problem).starts_with("repeats differ by ")) << found->problem;
  EXPECT_EQ(result.profile.geometric->dramBandwidth, start.geometric->dramBandwidth);
  EXPECT_FALSE(result.profile.geometric->dramBandwidth.calibrated());
}

TEST(Calibrate, WhatACurveDoesNotDescribeIsNotWritten) {
  AnalyticMachine machine;
  RawData raw = measureAll(machine);
  for (Samples &samples : raw.benchmarks)
    for (Sample &sample : samples.all)
      if (sample.what.launch.kernel == "copy_8x1")
        for (double &seconds : sample.seconds)
          seconds *= 2;
  const DeviceProfile start = cantFail(startingProfile(raw.device, ""));
  const Calibrated result = cantFail(calibrate(raw, start));
  const Finding *found = findingOf(result, "geometric", "dram-bandwidth");
  ASSERT_TRUE(found);
  EXPECT_TRUE(StringRef(found->problem).starts_with("the curve misses what was measured by "))
      << found->problem;
}

TEST(Calibrate, WhatIsOutOfRangeIsNotWritten) {
  AnalyticMachine machine;
  machine.gpu.marchLoss = -0.01; // marches that go faster, which no profile can say
  const Calibrated result = calibrateAll(machine);
  const Finding *found = findingOf(result, "geometric", "march-loss");
  ASSERT_TRUE(found);
  EXPECT_TRUE(StringRef(found->problem).ends_with("is not from 0 to 1")) << found->problem;
  EXPECT_GE(result.profile.geometric->marchLoss, 0);
}

TEST(Calibrate, ADifferentNormForEachPairIsNoNorm) {
  AnalyticMachine machine;
  RawData raw = measureAll(machine);
  for (Samples &samples : raw.benchmarks)
    for (Sample &sample : samples.all)
      if (sample.what.launch.kernel == "beside_l2" && sample.dial("memory") > 0 &&
          sample.dial("dial") > 0)
        for (double &seconds : sample.seconds)
          seconds *= 1.2;
  const DeviceProfile start = cantFail(startingProfile(raw.device, ""));
  const Calibrated result = cantFail(calibrate(raw, start));
  const Finding *found = findingOf(result, "geometric", "norm");
  ASSERT_TRUE(found);
  EXPECT_TRUE(StringRef(found->problem).starts_with("no one norm composes them")) << found->problem;
  EXPECT_EQ(result.profile.geometric->norm, start.geometric->norm);
}

std::string rawText(const RawData &raw) {
  std::string text;
  raw_string_ostream out(text);
  printRaw(out, raw);
  return text;
}

TEST(Calibrate, TheSameProfileIsMadeOfTheKeptTimes) {
  AnalyticMachine machine;
  const RawData raw = measureAll(machine);
  const RawData read = cantFail(parseRaw(rawText(raw)));
  const DeviceProfile start = cantFail(startingProfile(raw.device, ""));
  std::string first, second;
  raw_string_ostream one(first), other(second);
  printCalibrated(one, cantFail(calibrate(raw, start)), raw);
  printCalibrated(other, cantFail(calibrate(read, start)), read);
  EXPECT_EQ(first, second);
  EXPECT_TRUE(bool(parseDeviceProfile({first, "made.yaml"})));
}

TEST(Calibrate, KeptTimesThatAreNotAllThereAreRefused) {
  AnalyticMachine machine;
  RawData raw = measureAll(machine);
  const DeviceProfile start = cantFail(startingProfile(raw.device, ""));
  raw.benchmarks[1].all.pop_back();
  EXPECT_EQ(toString(calibrate(raw, start).takeError()),
            "the measurements of `dram` are not those that this version plans");
  for (const char *text : {"", "{}", "{\"device\": 1}", "[1, 2"}) {
    Expected<RawData> read = parseRaw(text);
    EXPECT_FALSE(bool(read)) << text;
    consumeError(read.takeError());
  }
}

TEST(Calibrate, AFailingLaunchEndsItAll) {
  AnalyticMachine machine;
  machine.failing = "window_read";
  const DeviceProfile start = cantFail(startingProfile(machine.device(), ""));
  EXPECT_EQ(toString(measure(machine, start, [](size_t, size_t) {}).takeError()),
            "cuLaunchKernel: out of order");
}

TEST(Calibrate, ADeviceOfNoKnownCapabilityTakesAProfileToBeginWith) {
  AnalyticMachine machine;
  MeasuredDevice device = machine.device();
  device.computeCapability = 12.0;
  EXPECT_EQ(
      toString(startingProfile(device, "").takeError()),
      "no profile that ships is of compute capability 12.0: name one to begin with by --gpu=");
  EXPECT_TRUE(bool(startingProfile(device, "h100")));
  DeviceProfile without = cantFail(loadDeviceProfile("h100"));
  without.launching.reset();
  const std::string file = testing::TempDir() + "/without-launching.yaml";
  std::error_code code;
  raw_fd_ostream out(file, code);
  printDeviceProfile(out, without);
  out.close();
  EXPECT_TRUE(StringRef(toString(startingProfile(device, file).takeError()))
                  .ends_with("the model `calibrate` needs the section `launching`, which this "
                             "profile lacks"));
}

} // namespace
