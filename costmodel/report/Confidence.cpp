#include "costmodel/report/Confidence.h"

#include "costmodel/Quantity.h"
#include "costmodel/compiled/Instructions.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace stencilc {

namespace {

/// Below so many rounds of blocks it shows on which SM each one happens to run.
constexpr double kFewWaves = 2;

double wavesOf(const Report &report) {
  if (report.predicted.geometric)
    return report.predicted.geometric->waves;
  const Su2015Quantities &paper = *report.predicted.su2015;
  return double(paper.blocks) / double(paper.blocksPerSmx * report.device.sms);
}

/// [su2015] equation (17) is for threads that update several points.
bool marches(const LaunchCounts &launch) { return launch.pointsPerThread() > 1; }

bool usesSpecialFunctions(const LaunchCounts &launch) {
  const InstructionEstimate estimate(*launch.kernel);
  return any_of(launch.statements, [&](const StatementCounts &counts) {
    return estimate.once(*counts.statement)[Pipe::Special] > 0;
  });
}

} // namespace

Calibration calibrationOf(const Report &report) {
  Calibration found;
  const auto look = [&](const Sourced<double> &constant, const char *name) {
    ++found.constants;
    if (!constant.calibrated())
      found.missing.push_back(name);
  };
  if (report.predicted.su2015 && report.device.su2015) {
    const Su2015Constants &constants = *report.device.su2015;
    look(constants.smxBandwidth, "SM bandwidth");
    look(constants.l2Bandwidth, "L2 bandwidth");
    look(constants.dramBandwidth, "device memory bandwidth");
    look(constants.delta, "delta");
    look(constants.epsilon, "epsilon");
    if (any_of(report.counted.launches, marches))
      look(constants.eta, "eta");
  }
  if (report.predicted.geometric && report.device.geometric) {
    const GeometricConstants &constants = *report.device.geometric;
    look(constants.dramBandwidth, "device memory bandwidth");
    look(constants.dramInFlightBytes, "bytes in flight");
    look(constants.l2Bandwidth, "L2 bandwidth");
    look(constants.l2EffectiveBytes, "effective L2 capacity");
    look(constants.l2Softness, "softness of the L2");
    look(constants.issueRate, "issue rate");
    look(constants.fp32Rate, "f32 rate");
    look(constants.fp64Rate, "f64 rate");
    look(constants.integerRate, "integer rate");
    look(constants.multiplyAddRate, "multiply-add rate");
    if (any_of(report.counted.launches, usesSpecialFunctions))
      look(constants.specialRate, "special function rate");
    look(constants.requestClocks, "clocks a request");
    look(constants.wavefrontClocks, "clocks a wavefront");
    look(constants.l1Latency, "L1 latency");
    look(constants.l2Latency, "L2 latency");
    look(constants.barrierLatency, "barrier latency");
    look(constants.overlappedTurns, "turns that overlap");
    look(constants.norm, "norm");
  }
  if (report.predicted.geometric && report.device.launching) {
    look(report.device.launching->hostInterval, "launch interval");
    look(report.device.launching->graphInterval, "launch interval in a graph");
    look(report.device.launching->blocksPerSecond, "blocks a second");
  }
  return found;
}

int digitsOf(const Report &report) { return calibrationOf(report).missing.empty() ? 3 : 2; }

std::vector<std::string> cautions(const Report &report) {
  std::vector<std::string> all;
  const double arrays = report.counted.compulsoryReadBytes + report.counted.compulsoryWriteBytes;
  const double held = report.device.caches.l2Bytes;
  if (arrays <= held)
    all.push_back(
        fmt::format("The arrays of a step take {} and the L2 has {}: what a step leaves there "
                    "for the next one decides, which is out of the models' range.",
                    bytesText(arrays, 2), bytesText(held, 2)));
  if (const double waves = wavesOf(report); waves < kFewWaves)
    all.push_back(
        fmt::format("The blocks fill the device {} times; below {:g} it shows on which SM "
                    "each happens to run, which no model here follows.",
                    significant(waves, 2), kFewWaves));
  return all;
}

} // namespace stencilc
