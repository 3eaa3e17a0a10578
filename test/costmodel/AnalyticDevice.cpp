#include "test/costmodel/AnalyticDevice.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>

using namespace llvm;
using namespace stencilc;
using namespace stencilc::test;

/// What a cache of this capacity keeps of a window: a logistic fall from 1.
static double kept(double window, double capacity, double softness) {
  const auto fall = [&](double at) {
    return 1 / (1 + std::exp(4 / softness * (at / capacity - 1)));
  };
  return fall(window) / fall(0);
}

double AnalyticDevice::seconds(const KernelLaunch &launch, int64_t launches, bool graph) {
  const double start = graph ? graphStart : streamStart;
  const double interval = graph ? graphInterval : hostInterval;
  const double work = kernelSeconds(launch);
  return double(launches) * (work > 1e-8 ? work + start : interval);
}

double AnalyticDevice::kernelSeconds(const KernelLaunch &launch) {
  const auto [name, shape] = StringRef(launch.kernel).split('_');
  const auto first = double(launch.numbers[0]), second = double(launch.numbers[1]);
  const auto blocks = double(launch.blocks), threads = double(launch.threads);
  const double perSm = blocks / double(sms);
  const auto pipe = [&](double instructions, double lanes) {
    return first * instructions * perSm * threads / lanes / clock;
  };

  if (name == "link") {
    linkedLines = launch.numbers[0];
    return 1e-4;
  }
  if (name == "chase") {
    const double latency = linkedLines <= 128    ? l1Latency
                           : linkedLines <= 8192 ? l2Latency
                                                 : memoryLatency;
    return (first + double(linkedLines) * 1e-3) * latency / clock;
  }
  if (launch.kernel == "read_cyclic" || launch.kernel == "write_cyclic") {
    const double lost = 1 - kept(first, 1.5 * l2Effective, 0.2);
    return first * second * (1 / l2Bandwidth + lost * (1 / readBandwidth - 1 / l2Bandwidth));
  }
  if (name == "window") {
    const double planes = shape == "write" ? 4 : 3;
    const double lost = 1 - kept(planes * first, l2Effective, l2Softness);
    return blocks * 8192 * (shape == "write" ? 2 + 1.2 * lost : 1 + 1.5 * lost) / dramBandwidth;
  }
  if (name == "copy" || name == "read" || name == "write") {
    const auto [width, words] = shape.split('x');
    const double ways = name == "copy" ? 2 : 1;
    const double blockBytes = threads * std::stod(width.str()) * std::stod(words.str());
    const double resident = launch.rows == 1 && first > 1 ? perSm : double(blocksOfSm);
    const double scale = name == "copy" ? inFlight : readInFlight;
    const double filled = 1 - std::exp(-ways * resident * blockBytes / scale);
    const double bandwidth = name == "copy" ? dramBandwidth : readBandwidth;
    const double marching = 1 + marchLoss * std::log2(std::max(1.0, first));
    return ways * second * first * double(launch.rows) * marching / (bandwidth * filled);
  }
  if (name == "load" || name == "shared" || name == "store") {
    const double wavefronts = std::stod(shape.str()) / 4;
    const double clocks = request + wavefronts * wavefront;
    return first * 8 * threads / 32 * (name == "store" ? 4 * clocks : clocks) / clock;
  }
  if (launch.kernel == "fp32_alone" || launch.kernel == "multiply_add_alone")
    return first * 256 * dependent / clock;
  if (name == "alternate") {
    const double busy = 2 * second + 20;
    const double alone = busy + dependent * (second + 12) + l1Latency + barrier;
    const double each =
        std::pow(std::pow(busy, waitNorm) + std::pow(alone / perSm, waitNorm), 1 / waitNorm);
    return first * perSm * each / clock;
  }
  if (name == "beside") {
    const double bytes = 32 * blocks * threads, work = second * (shape == "arithmetic" ? 1e-5
                                                                 : shape == "shared"   ? 4e-5
                                                                                       : 16e-5);
    const double memory = launch.numbers[0] > (1 << 20) ? bytes / dramBandwidth : 0;
    return std::pow(std::pow(memory, norm) + std::pow(work, norm), 1 / norm);
  }
  if (launch.kernel == "empty")
    return blocks / blocksPerSecond;
  return StringSwitch<double>(launch.kernel)
      .Case("scramble", 1e-3)
      .Case("busy", first / clock)
      .Case("barriers", first * barrier * threads / 256 / clock)
      .Case("touch", std::max(entry, blocks / blocksPerSecond))
      .Case("fp32", pipe(256, fp32))
      .Case("fp64", pipe(256, fp64))
      .Case("integer", pipe(512, integer))
      .Case("multiply_add", pipe(256, multiplyAdd))
      .Case("special", pipe(256, special))
      .Case("issue", pipe(192, 32 * issue));
}
