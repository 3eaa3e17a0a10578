// AnalyticDevice: a GPU whose times are formulas of constants that are known. What a calibration
// finds on it must be these constants.
#pragma once

#include "costmodel/calibrate/Benchmark.h"

namespace stencilc::test {

struct AnalyticDevice {
  double clock = 1.7e9;
  int64_t sms = 100, blocksOfSm = 8, l2Bytes = 40 << 20;
  double dramBandwidth = 2e12, inFlight = 8000, marchLoss = 0.02;
  double readBandwidth = 2.2e12, readInFlight = 7000;
  double l2Bandwidth = 5e12, l2Effective = 27e6, l2Softness = 0.5;
  double request = 0.4, wavefront = 1.1;
  double fp32 = 120, fp64 = 60, integer = 62, multiplyAdd = 61, special = 15.5, issue = 3.7;
  double dependent = 4.5, l1Latency = 35, l2Latency = 250, memoryLatency = 600;
  double barrier = 60, waitNorm = 3;
  double blocksPerSecond = 1.5e9;
  double hostInterval = 3e-6, graphInterval = 0.6e-6; ///< between launches
  double streamStart = 2.5e-6, graphStart = 1.1e-6, entry = 0.3e-6;
  double norm = 2.2;

  /// Between an event before and one after the launches.
  double seconds(const KernelLaunch &launch, int64_t launches, bool graph);

private:
  double kernelSeconds(const KernelLaunch &launch);
  int64_t linkedLines = 0; ///< of the chain of addresses
};

} // namespace stencilc::test
