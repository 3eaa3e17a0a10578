#include "costmodel/report/Confidence.h"

#include "costmodel/Quantity.h"
#include "costmodel/compiled/Instructions.h"
#include "costmodel/model/GeometricTraffic.h"
#include "costmodel/model/LoadPhases.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace stencilc {

namespace {

/// Below so many rounds of blocks it shows on which SM each one happens to run.
constexpr double kFewWaves = 2;
/// In seconds: below this a launch shows, which takes microseconds wherever it was measured.
constexpr double kShortStep = 1e-4;

double wavesOf(const Report &report) {
  if (report.predicted.geometric)
    return report.predicted.geometric->waves;
  const Su2015Quantities &paper = *report.predicted.su2015;
  return double(paper.blocks) / double(paper.blocksPerSmx * report.device.sms);
}

/// [su2015] equation (17) is for threads that update several points.
bool marches(const LaunchCounts &launch) { return launch.pointsPerThread() > 1; }

bool usesSpecialFunctions(const LaunchCounts &launch, const CodeTable &table) {
  const InstructionEstimate estimate(*launch.kernel, table);
  return any_of(launch.statements, [&](const StatementCounts &counts) {
    return estimate.once(*counts.statement)[Pipe::Special] > 0;
  });
}

/// Whether the model reads a value of the profile: those of its own section and of launches; the
/// limits by which blocks find room on an SM; and what it is told of the device and its caches. The
/// code table is looked at value by value.
bool reads(const Report &report, const SourcedValue &value) {
  const bool isPaper = report.predicted.su2015.has_value();
  if (value.section == "caches" || value.section.empty()) {
    constexpr StringLiteral kBoth[] = {"sms", "threads-per-warp", "plain-loads", "read-only-loads",
                                       "l2-bytes"};
    constexpr StringLiteral kGeometric[] = {"clock-hertz", "sector-bytes", "l1-bytes"};
    return is_contained(kBoth, value.key) || (!isPaper && is_contained(kGeometric, value.key)) ||
           (!isPaper && value.key == "read-only-bytes" &&
            report.device.caches.readOnlyLoads.value == LoadPath::ReadOnly);
  }
  return value.section == "sm" || value.section == "launching" ||
         value.section == (isPaper ? "su2015" : "geometric");
}

/// Whether no term of this prediction reads a value of its model's sections.
bool isLeftOut(const Report &report, const SourcedValue &value) {
  if (value.key == "eta")
    return none_of(report.counted.launches, marches);
  if (value.key == "special-rate")
    return none_of(report.counted.launches, [&](const LaunchCounts &launch) {
      return usesSpecialFunctions(launch, report.device.codeTable());
    });
  if (value.key == "parted-march-loss")
    return none_of(report.counted.launches,
                   [](const LaunchCounts &launch) { return partedLines(launch).share > 0; });
  if (value.key == "rewritten-line-seconds")
    return none_of(report.counted.launches,
                   [](const LaunchCounts &launch) { return partedLines(launch).rewritten > 0; });
  // [su2015] has no launches: where they are not the whole, the time is what its equations say.
  if (report.predicted.su2015 && value.section == "launching" &&
      (value.key != "host-interval-seconds" || report.predicted.bottleneck != Bound::Launch))
    return true;
  // Steps are launched on a stream; of a CUDA graph the advice speaks.
  return is_contained({"start-seconds", "graph-interval-seconds"}, value.key);
}

/// Whether bytes follow from a value, and not only the time that they take.
bool decidesBytes(const Report &report, const SourcedValue &value) {
  const StringRef key = value.key;
  if (report.predicted.su2015)
    return !key.ends_with("-bandwidth") && key != "host-interval-seconds";
  return value.section == "sm" || value.section == "caches" ||
         is_contained({"sms", "threads-per-warp", "l2-effective-bytes", "l2-softness"}, key);
}

/// Values of the table that what is estimated of compiled code depends on.
CodeValues codeValuesOf(const Report &report) {
  const CodeTable &table = report.device.codeTable();
  CodeValues used;
  for (const LaunchCounts &launch : report.counted.launches) {
    if (report.predicted.geometric)
      used |=
          InstructionEstimate(*launch.kernel, table).used() | PhaseCounter(launch, table).used();
    if (report.registersAsked == 0)
      used |= estimateRegisters(*launch.kernel, table).used;
  }
  return used;
}

} // namespace

Calibration calibrationOf(const Report &report) {
  Calibration found;
  for (const SourcedValue &value : valuesOf(report.device)) {
    if (!reads(report, value) || isLeftOut(report, value))
      continue;
    ++found.constants;
    if (value.calibrated)
      continue;
    found.missing.push_back(value.key);
    found.bytesMiss |= decidesBytes(report, value);
  }
  const CodeValues used = codeValuesOf(report);
  for (const auto &[number, value] : enumerate(valuesOf(report.device.codeTable()))) {
    if (!used[number])
      continue;
    ++found.constants;
    if (!value.calibrated || !report.device.code.calibrated())
      found.missing.push_back(value.key + " of " + value.section);
  }
  return found;
}

int digitsOf(const Report &report) { return calibrationOf(report).bytesMiss ? 2 : 3; }

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
  if (!report.device.launching && report.predicted.total < kShortStep)
    all.push_back(fmt::format("What a launch takes on {} is not known: a step that is as short as "
                              "this one may last as long as its launches.",
                              report.device.name));
  const double memory = report.device.memoryBytes;
  if (const double needed = report.counted.heldBytes; needed > memory)
    all.push_back(
        fmt::format("The arrays of a step take {} and the device has {}: they do not fit.",
                    bytesText(needed, 2), bytesText(memory, 2)));
  if (report.predicted.su2015 && report.predicted.su2015->edgeNet > 0)
    all.push_back(fmt::format(
        "A block loads {:.0f} elements across its edges, which equation (6) of [su2015], made for "
        "stars, has no term for: they are {} here, as the profile's halo-mode is `{}`.",
        report.predicted.su2015->edgeNet,
        report.device.su2015->haloMode.value == HaloMode::Paper ? "left out" : "counted",
        report.device.su2015->haloMode.value == HaloMode::Paper ? "paper" : "geometric"));
  return all;
}

} // namespace stencilc
