#include "costmodel/report/ReportFacts.h"

#include "costmodel/Quantity.h"
#include "costmodel/report/Advice.h"
#include "costmodel/report/Confidence.h"
#include "costmodel/report/ExpectedError.h"
#include "costmodel/report/InstructionKinds.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>

using namespace llvm;

namespace stencilc {

namespace {

constexpr size_t kNextBest = 3, kFurtherVariants = 3, kReasons = 4, kNamedConstants = 6;
constexpr int kMeasuredDigits = 3;

/// Makes the parts of the facts.
class FactWriter {
public:
  explicit FactWriter(const Report &report)
      : report(report), predicted(report.predicted), digits(digitsOf(report)) {}

  std::string headline() const;
  std::vector<Fact> facts() const;
  FactTable resources() const;
  FactTable launches() const;
  std::string bottleneck() const;
  /// How long threads wait for something, and the work that takes longer still, if any does.
  std::string waiting(const std::string &forWhat, const char *others) const;
  std::vector<Fact> paper() const;
  FactTable measured() const;
  FactTable candidates() const;
  FactTable rejected() const;

private:
  Fact stencil() const;
  Fact model() const;
  Fact schedule() const;
  Fact occupancy() const;
  Fact fusedSteps() const;
  Fact besidePasses() const;
  std::string otherResidency() const;
  std::string rate(const Prediction &of, int digits = kTimeDigits) const {
    return significant(gstencilsPerSecond(report.counted.points, of), digits);
  }
  /// In the unit of the whole; what is a thousandth of it or less leaves no digit.
  std::string time(double seconds, int digits = kTimeDigits) const {
    return timeText(seconds > 1e-3 * predicted.total ? seconds : 0, digits, predicted.total);
  }
  std::string perPoint(double bytes) const {
    return significant(bytes / report.counted.points, digits);
  }

  const Report &report;
  const Prediction &predicted;
  const int digits;
};

/// "+12 %", or that the ranking held it for as good.
std::string moreTime(double ratio) {
  return std::max(ratio, 1 / ratio) <= 1 + kTie ? "tie"
                                                : fmt::format("{:+.0f} %", 100 * (ratio - 1));
}

std::string FactWriter::headline() const {
  std::string text = fmt::format("{} on {}: {} GStencil/s, {} a step", report.stencil.name,
                                 report.device.name, rate(predicted), time(predicted.total));
  if (report.run)
    text += fmt::format(", {} for {} steps", timeText(report.run->total, kTimeDigits),
                        report.run->steps);
  return text + fmt::format("; bound by {}", inWords(predicted.bottleneck).str());
}

Fact FactWriter::stencil() const {
  std::vector<std::string> extents;
  for (auto [axis, extent] : zip_equal(report.stencil.axes, report.extents))
    extents.push_back(fmt::format("{}={}", axis, extent));
  const StencilSummary &stencil = report.stencil;
  Fact fact{"stencil",
            {fmt::format("{}, {}: {}", stencil.file, fmt::join(extents, " "), arraysText(stencil)),
             fmt::format("a point: {}, {}, {}, {} at least", counted(stencil.loads, "load"),
                         counted(stencil.stores, "store"), counted(stencil.flops, "flop"),
                         counted(stencil.compulsoryBytes, "byte")),
             fmt::format("reach: {}", fmt::join(stencil.reach, ", "))}};
  if (report.isReassociated)
    fact.lines.push_back("sums are added plane after plane, not in the order written "
                         "(--fp=reassociate)");
  return fact;
}

Fact FactWriter::model() const {
  const Calibration calibration = calibrationOf(report);
  const std::vector<std::string> &missing = calibration.missing;
  std::string said = predicted.model + ", calibrated on this device";
  if (!missing.empty()) {
    const std::string which =
        missing.size() <= kNamedConstants
            ? fmt::format("{}", fmt::join(missing, ", "))
            : fmt::format("{} of its {} constants", missing.size(), calibration.constants);
    said = fmt::format("{}; not calibrated on this device: {}{}", predicted.model, which,
                       calibration.bytesMiss ? "; hence two digits" : "");
  }
  Fact fact{"model", {said}};
  if (predicted.geometric)
    fact.lines.push_back(expectedErrorText(report));
  return fact;
}

Fact FactWriter::schedule() const {
  const size_t count = report.candidates.size();
  const auto isForWork = [](const Rejection &rejection) {
    return rejection.grounds == Rejection::Grounds::Work;
  };
  const bool saidWhy = size_t(count_if(report.rejected, isForWork)) > count;
  const std::string why = saidWhy ? " (" + find_if(report.rejected, isForWork)->reason + ")" : "";
  Fact fact{"schedule",
            {toString(predicted.schedule) +
             (report.isForced ? ", as asked"
              : report.measured
                  ? fmt::format(", the fastest of {} measured", report.measured->times.size())
                  : fmt::format(", chosen from {}{}", counted(count, "candidate"), why))}};
  for (const LaunchCounts &launch : report.counted.launches)
    fact.lines.push_back(fmt::format(
        "{}: {} of {}, {} a thread{}", launch.kernel->name, counted(launch.blockCount, "block"),
        counted(launch.threads, "thread"), counted(launch.pointsPerThread(), "point"),
        launch.bands() > 1
            ? fmt::format(", in {} bands along {}", launch.bands(), report.counted.axes[1])
            : ""));
  return fact;
}

Fact FactWriter::occupancy() const {
  const Occupancy &occupancy = predicted.occupancy;
  Fact fact{"occupancy",
            {fmt::format(
                "{}: {} on an SM, limited by {}; {}{} a thread{}, {}", percent(occupancy.fraction),
                counted(occupancy.blocks, "block"), spelling(occupancy.limit).str(),
                report.registersAsked || !report.compiledBy.empty() ? "" : "about ",
                counted(occupancy.registers, "register"),
                !report.compiledBy.empty() ? " by " + report.compiledBy
                : report.registersAsked    ? " as asked"
                                           : "",
                occupancy.spilledRegisters ? fmt::format("{} spilled", occupancy.spilledRegisters)
                                           : "no spills")}};
  const std::vector<LaunchShare> &launches = predicted.launches;
  if (launches.size() > 1)
    fact.lines.push_back(fmt::format("of {}, which takes longest of {}",
                                     longestLaunch(predicted)->kernel,
                                     counted(launches.size(), "kernel")));
  if (std::string other = otherResidency(); !other.empty())
    fact.lines.push_back(std::move(other));
  return fact;
}

/// What a step of several fused ones takes, beside the best single step.
Fact FactWriter::fusedSteps() const {
  const LaunchCounts &launch = largestLaunch(report);
  const double points = double(report.counted.points);
  const auto single = find_if(report.candidates, [](const Candidate &candidate) {
    return candidate.schedule.fuse == 1 && candidate.predicted.geometric;
  });
  const auto beside = [&](double own, auto ofSingle) {
    std::string text = significant(own, 2);
    if (single != report.candidates.end())
      text += fmt::format(" instead of {}", significant(ofSingle(single->predicted), 2));
    return text;
  };
  Fact fact{
      "fused steps",
      {fmt::format("{} a pass{}; a point takes {} bytes of device memory, {} of the L2 a step",
                   report.counted.steps, report.run ? "" : ", in a run of many",
                   beside(predicted.bytes.dram / points,
                          [&](const Prediction &of) { return of.bytes.dram / points; }),
                   beside(predicted.bytes.l2 / points,
                          [&](const Prediction &of) { return of.bytes.l2 / points; }))}};
  if (predicted.geometric)
    fact.lines.push_back(fmt::format(
        "and {} instructions; a block waits at {} a step",
        beside(instructionsPerPoint(report),
               [](const Prediction &of) { return of.geometric->instructionsPerPoint; }),
        counted(launch.together.meetings / launch.blockCount / report.counted.steps, "barrier")));
  return fact;
}

/// What a run launches beside its passes.
Fact FactWriter::besidePasses() const {
  Fact fact{"run", {fmt::format("of {}, beside its passes:", counted(report.run->steps, "step"))}};
  for (const RunPrediction::Beside &beside : report.run->beside)
    fact.lines.push_back(fmt::format("{:+} {}, {}{}{}", beside.times, beside.kernel,
                                     timeText(beside.seconds, kTimeDigits),
                                     beside.comment.empty() ? "" : ": ", beside.comment));
  return fact;
}

/// Why not the other number of blocks on an SM that was tried for the chosen schedule.
std::string FactWriter::otherResidency() const {
  const auto other = find_if(report.candidates, [&](const Candidate &candidate) {
    Schedule same = candidate.schedule;
    same.residency = predicted.schedule.residency;
    return candidate.schedule != predicted.schedule && same == predicted.schedule;
  });
  if (other == report.candidates.end())
    return {};
  const auto underWay = [](const Prediction &of) {
    return bytesText(of.geometric->inFlightBytes, 2);
  };
  const double ratio = other->predicted.total / predicted.total;
  const std::string difference = percent(std::abs(ratio - 1));
  return fmt::format(
      "{}with {}, {}, a step would take {}",
      predicted.geometric ? underWay(predicted) + " are under way on an SM at any time; " : "",
      counted(other->predicted.occupancy.blocks, "block"),
      predicted.geometric ? underWay(other->predicted)
                          : percent(other->predicted.occupancy.fraction),
      difference == percent(0)
          ? "about as long"
          : fmt::format("{} {} time", difference, ratio < 1 ? "less" : "more"));
}

std::vector<Fact> FactWriter::facts() const {
  const Fact device{
      "device",
      {fmt::format("{}: compute capability {:.1f}, {}", report.device.name,
                   report.device.computeCapability.value, counted(report.device.sms, "SM"))}};
  std::vector<Fact> all = {stencil(), device, model(), schedule(), occupancy()};
  if (report.counted.steps > 1)
    all.push_back(fusedSteps());
  if (report.run && !report.run->beside.empty())
    all.push_back(besidePasses());
  return all;
}

FactTable FactWriter::resources() const {
  FactTable table{{"resource", "bytes/point", "at least", "GB/s", "time", "share"}, {}, {}};
  for (Bound bound : resourcesOf(predicted)) {
    const LevelPrediction *level = levelOf(predicted, bound);
    if (bound == predicted.bottleneck)
      table.marked = table.rows.size();
    table.rows.push_back(
        {inWords(bound).str(), level ? perPoint(level->bytes) : "",
         level && level->leastBytes > 0 ? perPoint(level->leastBytes) : "",
         level && level->bandwidth > 0 ? significant(level->bandwidth / 1e9, 3) : "",
         time(predicted[bound]), percent(predicted[bound] / predicted.total)});
  }
  return table;
}

FactTable FactWriter::launches() const {
  if (predicted.launches.size() < 2)
    return {};
  FactTable table{{"bytes/point", "SM", "L2", "device memory", "time", "share"}, {}, {}};
  const auto append = [&](const std::string &name, double smx, double l2, double dram,
                          double seconds) {
    table.rows.push_back({name, perPoint(smx), perPoint(l2), perPoint(dram), time(seconds),
                          percent(seconds / predicted.total)});
  };
  for (const LaunchShare &launch : predicted.launches)
    append(launch.kernel, launch.smxBytes, launch.l2Bytes, launch.dramBytes, launch.seconds);
  append("the step", predicted.bytes.smx, predicted.bytes.l2, predicted.bytes.dram,
         predicted.total);
  return table;
}

std::string FactWriter::waiting(const std::string &forWhat, const char *others) const {
  Bound longest = predicted.bottleneck;
  for (Bound unit : kWork)
    if (predicted[unit] > predicted[longest])
      longest = unit;
  std::string text =
      fmt::format("{}, {} of the step's {}, with too few {} to run meanwhile.", forWhat,
                  time(predicted[predicted.bottleneck]), time(predicted.total), others);
  // Both are shares of the step, and neither fills it: the model adds up what does not overlap.
  if (longest != predicted.bottleneck)
    text += fmt::format(" A part of the work goes on beside it: the longest, {}, takes {} of the "
                        "step, and waiting keeps it from more.",
                        inWords(longest).str(), percent(predicted[longest] / predicted.total));
  return text;
}

std::string FactWriter::bottleneck() const {
  const LaunchCounts &launch = largestLaunch(report);
  const std::string spent = fmt::format(
      "{} of the step's {}", time(predicted[predicted.bottleneck]), time(predicted.total));
  const auto crossing = [&](const char *what) {
    const LevelPrediction &level = *levelOf(predicted, predicted.bottleneck);
    return fmt::format("{} {} bytes a point, {} in all; at {} GB/s that takes {}.", what,
                       perPoint(level.bytes), bytesText(level.bytes, digits),
                       significant(level.bandwidth / 1e9, 3), spent);
  };
  switch (predicted.bottleneck) {
  case Bound::Dram:
    return crossing("Device memory reads and writes");
  case Bound::L2:
    return crossing("Between the L2 and the SMs go");
  case Bound::Smx:
    return crossing("Threads load and store, in the storage on the SMs,");
  case Bound::Shared:
    return fmt::format("Shared memory is asked {} for up to 128 bytes, which takes {}.",
                       counted(launch.together.shared.wavefronts, "time"), spent);
  case Bound::Issue:
    return fmt::format("A point takes {} instructions, and the SMs start only a few a clock; those "
                       "of all points take {}.",
                       predicted.geometric ? significant(instructionsPerPoint(report), 2) : "many",
                       spent);
  case Bound::Flops:
    return fmt::format("A point takes {}; the arithmetic of all points takes {}.",
                       counted(report.stencil.flops, "flop"), spent);
  case Bound::Latency:
    return waiting("Threads wait for their loads", "others");
  case Bound::Barrier:
    return waiting(fmt::format("The threads of a block wait for each other {}",
                               counted(launch.together.meetings / launch.blockCount, "time")),
                   "other blocks");
  case Bound::Dispatch:
    return fmt::format("Starting {} alone takes {}.", counted(launch.blockCount, "block"), spent);
  case Bound::Launch:
    return fmt::format("The device is done before the next launch can reach it; launches take {}.",
                       spent);
  }
  llvm_unreachable("all bounds are handled");
}

// Elements and ratios as [su2015] Table 2 prints them.
std::vector<Fact> FactWriter::paper() const {
  if (!predicted.su2015)
    return {};
  const Su2015Quantities &q = *predicted.su2015;
  return {
      {"thread",
       {fmt::format("{} aligned and {} misaligned loads: ld {}, st {}", q.alignedLoads,
                    q.misalignedLoads, q.loads, q.stores)}},
      {"grid",
       {fmt::format("{}, {}, {} on an SMX, {} in a group, {}", counted(q.threads, "thread"),
                    counted(q.blocks, "block"), q.blocksPerSmx, q.blocksPerGroup,
                    counted(q.groups, "group"))}},
      {"block",
       {fmt::format("net {:.1f}, miss ratio {:.4f}, ld {:.1f}, st {:.0f}", q.blockNet,
                    q.smxMissRatio, q.blockLoads, q.blockStores)}},
      {"group",
       {fmt::format("width_y {}, height_z {}, net {:.0f}, miss ratio {:.4f}, ld {:.1f}, st {:.0f}",
                    q.widthY, q.heightZ, q.groupNet, q.l2MissRatio, q.groupLoads, q.groupStores)}},
      {"volumes",
       {fmt::format("V_SMX {}, V_L2 {}, V_GM {}", volumeText(predicted.bytes.smx),
                    volumeText(predicted.bytes.l2), volumeText(predicted.bytes.dram))}},
      {"time",
       {fmt::format("{} by (2), adjusted {} by (18) with occupancy {} of the best",
                    timeText(q.unadjustedSeconds, 3), timeText(q.adjustedSeconds, 3),
                    percent(q.occupancyEfficiency))}}};
}

FactTable FactWriter::measured() const {
  if (!report.measured)
    return {};
  FactTable table{
      {"schedule", "predicted", "measured", "measured/predicted", "GStencil/s", "spread"}, {}, {}};
  for (const MeasuredTime &measured : report.measured->times) {
    const std::optional<double> forecast = predictedSeconds(report, measured.schedule);
    if (measured.schedule == predicted.schedule)
      table.marked = table.rows.size();
    table.rows.push_back(
        {toString(measured.schedule), forecast ? time(*forecast) : "",
         timeText(measured.seconds, kMeasuredDigits),
         forecast ? significant(measured.seconds / *forecast, kTimeDigits) : "",
         significant(report.counted.points / measured.seconds / 1e9, kMeasuredDigits),
         fmt::format("{:.1f} %", 100 * measured.spread)});
  }
  return table;
}

FactTable FactWriter::candidates() const {
  std::vector<const Candidate *> shown;
  StringSet<> variants;
  variants.insert(predicted.schedule.variant);
  size_t further = 0;
  for (const Candidate &candidate : report.candidates) {
    if (candidate.schedule == predicted.schedule)
      continue;
    const bool isNew = variants.insert(candidate.schedule.variant).second;
    if (shown.size() >= kNextBest && (!isNew || further++ >= kFurtherVariants))
      continue;
    shown.push_back(&candidate);
  }
  // The ranking holds times that tie for one, and puts the simpler schedule first.
  stable_sort(shown, [](const Candidate *one, const Candidate *other) {
    return one->predicted.total < other->predicted.total;
  });
  FactTable table{{"schedule", "GStencil/s", "time", "more time", "bound by"}, {}, {}};
  for (const Candidate *candidate : shown)
    table.rows.push_back({toString(candidate->schedule), rate(candidate->predicted),
                          time(candidate->predicted.total),
                          moreTime(candidate->predicted.total / predicted.total),
                          inWords(candidate->predicted.bottleneck).str()});
  return table;
}

FactTable FactWriter::rejected() const {
  std::vector<std::pair<std::string, std::vector<const Rejection *>>> groups; // by reason
  for (const Rejection &rejection : report.rejected) {
    auto group = find_if(groups, [&](const auto &g) { return g.first == rejection.reason; });
    if (group == groups.end())
      group = groups.insert(groups.end(), {rejection.reason, {}});
    group->second.push_back(&rejection);
  }
  // What gives way to another that does as well is no news.
  std::stable_partition(groups.begin(), groups.end(), [](const auto &group) {
    return group.second.front()->grounds != Rejection::Grounds::Another;
  });
  FactTable table{{"schedule", "reason"}, {}, {}};
  for (const auto &[reason, rejections] : ArrayRef(groups).take_front(kReasons)) {
    std::string which = toString(*rejections.front());
    if (rejections.size() > 1)
      which += fmt::format(" and {} more", rejections.size() - 1);
    table.rows.push_back({std::move(which), reason});
  }
  if (groups.size() > kReasons)
    table.rows.push_back(
        {"others",
         fmt::format("{}, all in the JSON", counted(groups.size() - kReasons, "further reason"))});
  return table;
}

} // namespace

ReportFacts factsOf(const Report &report) {
  const FactWriter writer(report);
  ReportFacts facts{writer.headline(),
                    writer.facts(),
                    writer.resources(),
                    writer.launches(),
                    {"bottleneck", {writer.bottleneck()}},
                    writer.paper(),
                    writer.measured(),
                    writer.candidates(),
                    writer.rejected(),
                    {"would help", advice(report)},
                    {"beware", cautions(report)}};
  if (std::string kinds = instructionKindsText(report); !kinds.empty())
    facts.bottleneck.lines.push_back(std::move(kinds));
  return facts;
}

const LaunchShare *longestLaunch(const Prediction &predicted) {
  const auto longest = std::max_element(
      predicted.launches.begin(), predicted.launches.end(),
      [](const LaunchShare &a, const LaunchShare &b) { return a.seconds < b.seconds; });
  return longest == predicted.launches.end() ? nullptr : &*longest;
}

std::optional<double> predictedSeconds(const Report &report, const Schedule &schedule) {
  for (const Candidate &candidate : report.candidates)
    if (candidate.schedule == schedule)
      return candidate.predicted.total;
  return std::nullopt;
}

std::vector<Bound> resourcesOf(const Prediction &predicted) {
  std::vector<Bound> bounds = {Bound::Smx, Bound::L2, Bound::Dram};
  for (unsigned i = unsigned(Bound::Shared); i < kBounds; ++i)
    if (predicted.seconds[i] > 0)
      bounds.push_back(Bound(i));
  return bounds;
}

const LevelPrediction *levelOf(const Prediction &predicted, Bound bound) {
  switch (bound) {
  case Bound::Smx:
    return &predicted.levels[0];
  case Bound::L2:
    return &predicted.levels[1];
  case Bound::Dram:
    return &predicted.levels[2];
  default:
    return nullptr;
  }
}

} // namespace stencilc
