#include "costmodel/report/Advice.h"

#include "costmodel/Quantity.h"
#include "costmodel/report/Confidence.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;

namespace stencilc {

namespace {

/// A resource is worth advice if it alone would take this share of the predicted time.
constexpr double kMatters = 0.5;
/// What is within this of the best is good enough.
constexpr double kGoodEnough = 0.9;
/// A halo is large if it is this share of what is read along an axis.
constexpr double kLargeHalo = 0.25;
/// With so few blocks on an SM, much of it may be left for a smaller one.
constexpr int kFewBlocks = 3;
/// Stages and temps take launches and memory: to make a value once must save so much of a point's
/// instructions.
constexpr double kMuchToMake = 0.25;
/// Rounds of blocks from which on the last one no longer shows.
constexpr double kManyWaves = 4;

bool matters(const Report &report, Bound bound) {
  return report.predicted[bound] >= kMatters * report.predicted.total;
}

bool binds(const Report &report, Bound bound) { return report.predicted.bottleneck == bound; }

double perPoint(const Report &report, double amount) { return amount / report.counted.points; }

double leastBytes(const Report &report) {
  return report.counted.compulsoryReadBytes + report.counted.compulsoryWriteBytes;
}

/// Device memory moves hardly more than it must.
bool isNearTheLeast(const Report &report) {
  return report.predicted.bytes.dram * kGoodEnough <= leastBytes(report);
}

/// "planes", or what there is of them in fewer dimensions.
const char *slices(const Report &report) {
  return report.counted.axes.size() == 3 ? "planes" : "rows";
}

bool marches(const Report &report) { return largestLaunch(report).pointsPerThread() > 1; }

std::string marchAlongSlowest(const Report &report) {
  return fmt::format("{} along {}", marches(report) ? "longer marches" : "a march",
                     report.counted.axes.front());
}

bool usesDoubles(const Report &report) {
  return any_of(largestLaunch(report).arrays,
                [](const ArrayCounts &array) { return array.elementBytes == 8; });
}

/// The share of device memory's bandwidth that the loads under way can reach.
double bandwidthReached(const Report &report) {
  const auto &seen = report.predicted.geometric;
  const auto &constants = report.device.geometric;
  return seen && constants ? 1 - std::exp(-seen->inFlightBytes / constants->dramInFlightBytes) : 1;
}

bool lacksLoadsInFlight(const Report &report) {
  return (matters(report, Bound::Dram) || matters(report, Bound::Latency)) &&
         bandwidthReached(report) < kGoodEnough;
}

/// Points that an interior block reads along an axis, and those it updates.
struct Span {
  int64_t read = 0, updated = 0;
  double halo() const { return 1 - double(updated) / double(read); }
};

/// Along the contiguous axis a block reads whole pieces (lines, sectors) of memory.
Span spanOf(const LaunchCounts &launch, unsigned axis, int64_t pieceBytes) {
  Span widest{launch.cover[axis], launch.cover[axis]};
  const bool isContiguous = axis + 1 == launch.kernel->rank();
  for (const ArrayCounts &array : launch.arrays) {
    if (array.isStore || array.boxes.empty())
      continue;
    int64_t first = 0, last = 0;
    for (const GridBox &box : array.boxes) {
      first = std::min(first, box[axis].first);
      last = std::max(last, box[axis].last);
    }
    const int64_t piece = isContiguous ? pieceBytes / array.elementBytes : 1;
    const int64_t read =
        (divideFloorSigned(last, piece) - divideFloorSigned(first, piece) + 1) * piece;
    widest.read = std::max(widest.read, read);
  }
  return widest;
}

// ---- what may be changed about a schedule ------------------------------------------------------

/// In the words of the advice, and so many schedules that follow it; one that helps is enough.
struct Change {
  std::string words;
  std::vector<Schedule> schedules;
};

Schedule scheduleOf(const Report &report) { return report.predicted.schedule; }

/// A block twice or half as long along an axis (0: x), with as many threads on an SM as before.
Schedule resized(Schedule schedule, unsigned axis, bool isLarger) {
  int &threads = schedule.block[axis];
  threads = isLarger ? 2 * threads : std::max(1, threads / 2);
  if (schedule.residency > 0)
    schedule.residency = isLarger ? std::max(1, schedule.residency / 2) : 2 * schedule.residency;
  return schedule;
}

std::vector<Schedule> resizedAlongAny(const Report &report, bool isLarger) {
  std::vector<Schedule> all;
  const Schedule schedule = scheduleOf(report);
  for (unsigned axis = 0; axis < report.counted.axes.size(); ++axis)
    all.push_back(resized(schedule, axis, isLarger));
  return all;
}

/// Marches twice as long; a march, of any variant, where there is none yet.
Change longerMarch(const Report &report, std::string words) {
  Schedule schedule = scheduleOf(report);
  if (marches(report)) {
    schedule.chunk *= 2;
    return {std::move(words), {schedule}};
  }
  constexpr int kUsualChunks[] = {8, 32};
  schedule.variant.clear();
  schedule.residency = 0;
  Change change{std::move(words), {}};
  for (int chunk : kUsualChunks) {
    schedule.chunk = chunk;
    change.schedules.push_back(schedule);
  }
  return change;
}

/// One block more, or less, on an SM.
Change otherResidency(const Report &report, std::string words, int more) {
  Schedule schedule = scheduleOf(report);
  schedule.residency = report.predicted.occupancy.blocks + more;
  if (schedule.residency < 1)
    return {std::move(words), {}};
  return {std::move(words), {schedule}};
}

/// The words of those changes that help by more than a tie, "one or another"; empty: none does.
std::string helping(const Report &report, ArrayRef<Change> changes) {
  const auto helps = [&](const Schedule &schedule) {
    const std::optional<double> seconds = report.tryOut ? report.tryOut(schedule) : std::nullopt;
    return seconds && *seconds * (1 + kTie) < report.predicted.total;
  };
  std::vector<StringRef> words;
  for (const Change &change : changes)
    if (any_of(change.schedules, helps))
      words.push_back(change.words);
  return join(words, " or ");
}

} // namespace

const LaunchCounts &largestLaunch(const Report &report) {
  return *std::max_element(
      report.counted.launches.begin(), report.counted.launches.end(),
      [](const LaunchCounts &a, const LaunchCounts &b) { return a.points < b.points; });
}

std::string adviseAtTheLeast(const Report &report) {
  if (!binds(report, Bound::Dram) || !isNearTheLeast(report) || report.counted.steps > 1)
    return {};
  std::string what = report.mayFuse ? "several time steps at a time" : "";
  if (usesDoubles(report))
    what += what.empty() ? "f32 values" : ", or f32 values,";
  if (what.empty())
    return {};
  const int digits = digitsOf(report); // those of the table
  return fmt::format(
      "Device memory moves {} bytes a point and the least is {}: only {} would ask less of it.",
      significant(perPoint(report, report.predicted.bytes.dram), digits),
      significant(perPoint(report, leastBytes(report)), digits), what);
}

std::string adviseOnWindow(const Report &report) {
  const auto &seen = report.predicted.geometric;
  if (!seen || report.counted.axes.size() < 2 || !matters(report, Bound::Dram) ||
      seen->reuseKept >= kGoodEnough || isNearTheLeast(report))
    return {};
  const std::string what = helping(report, longerMarch(report, marchAlongSlowest(report)));
  if (what.empty())
    return {};
  return fmt::format("Reuse between {} needs a window of {} and the L2 holds about {}, so {} of it "
                     "is kept: {} would load fewer of them again.",
                     slices(report), bytesText(seen->windowBytes, 2),
                     bytesText(seen->effectiveBytes, 2), percent(seen->reuseKept), what);
}

std::string adviseOnGroups(const Report &report) {
  const auto &seen = report.predicted.su2015;
  if (!seen || !matters(report, Bound::Dram) || seen->groupStores == 0)
    return {};
  const double loaded = seen->groupLoads / seen->groupStores;
  const double least =
      double(report.counted.compulsoryReadBytes) / double(report.counted.compulsoryWriteBytes);
  if (loaded * kGoodEnough <= least)
    return {};
  std::vector<Change> changes = {
      {"blocks of more rows", {resized(scheduleOf(report), 1, /*isLarger=*/true)}}};
  if (report.counted.axes.size() == 3)
    changes.push_back(longerMarch(report, marchAlongSlowest(report)));
  const std::string what = helping(report, changes);
  if (what.empty())
    return {};
  return fmt::format(
      "A group of {} loads {} elements for each one it stores, where {} would do: {} "
      "would share more of what is loaded.",
      counted(seen->blocksPerGroup, "block"), significant(loaded, 2), significant(least, 2), what);
}

std::string adviseOnHalo(const Report &report) {
  // Where the shape was chosen, others have been found no better unless the L2 binds them all.
  if (!matters(report, Bound::L2) || (!report.isForced && !binds(report, Bound::L2)))
    return {};
  const LaunchCounts &launch = largestLaunch(report);
  const bool isPaper = report.predicted.su2015 && report.device.su2015;
  const int64_t pieceBytes =
      isPaper ? report.device.su2015->smxLineBytes : report.device.caches.sectorBytes;
  std::optional<unsigned> worst;
  Span span;
  for (unsigned axis = 0; axis < launch.kernel->rank(); ++axis) {
    const Span along = spanOf(launch, axis, pieceBytes);
    const bool canGrow = launch.cover[axis] < launch.extent[axis];
    if (canGrow && along.halo() >= kLargeHalo && (!worst || along.halo() >= span.halo())) {
      worst = axis;
      span = along;
    }
  }
  if (!worst)
    return {};
  const std::string &axis = report.counted.axes[*worst];
  const unsigned ofBlock = launch.kernel->rank() - 1 - *worst;
  Change longer{fmt::format("blocks longer along {}", axis),
                {resized(scheduleOf(report), ofBlock, /*isLarger=*/true)}};
  if (*worst == 0 && marches(report))
    longer.schedules = longerMarch(report, "").schedules;
  const std::string what = helping(report, longer);
  if (what.empty())
    return {};
  const bool isContiguous = *worst + 1 == launch.kernel->rank();
  return fmt::format(
      "Along {} a block reads {} points{} to update {}: {} would ask less of the L2.", axis,
      span.read, isContiguous ? fmt::format(", in whole pieces of {} bytes,", pieceBytes) : "",
      span.updated, what);
}

std::string adviseOnLoadsInFlight(const Report &report) {
  if (!lacksLoadsInFlight(report))
    return {};
  std::vector<Change> changes = {longerMarch(report, "more points per thread")};
  if (report.predicted.occupancy.fraction < 1)
    changes.push_back(otherResidency(report, "more resident blocks", +1));
  const std::string what = helping(report, changes);
  if (what.empty())
    return {};
  return fmt::format("Loads of {} are under way on an SM at any time, which reaches {} of the "
                     "bandwidth of device memory: {} would keep more of them under way.",
                     bytesText(report.predicted.geometric->inFlightBytes, 2),
                     percent(bandwidthReached(report)), what);
}

std::string adviseOnRegisters(const Report &report) {
  const Occupancy &occupancy = report.predicted.occupancy;
  const auto &paper = report.predicted.su2015;
  const bool timeDependsOnIt = paper
                                   ? paper->occupancyEfficiency < kGoodEnough
                                   : lacksLoadsInFlight(report) || binds(report, Bound::Latency) ||
                                         binds(report, Bound::Barrier);
  if (occupancy.limit != OccupancyLimit::Registers || !timeDependsOnIt)
    return {};
  std::vector<Change> changes;
  if (occupancy.blocks <= kFewBlocks)
    changes.push_back({"smaller blocks", resizedAlongAny(report, /*isLarger=*/false)});
  changes.push_back(otherResidency(report, "fewer registers", +1));
  const std::string what = helping(report, changes);
  if (what.empty())
    return {};
  return fmt::format("Registers limit residency: at {} a thread only {} on an SM ({} of its "
                     "threads); {} would let more in.",
                     occupancy.registers,
                     counted(occupancy.blocks, "block") +
                         (occupancy.blocks == 1 ? " fits" : " fit"),
                     percent(occupancy.fraction), what);
}

std::string adviseOnSpills(const Report &report) {
  const Occupancy &occupancy = report.predicted.occupancy;
  const Change fewer =
      otherResidency(report, "fewer resident blocks promised (/r in the schedule)", -1);
  if (occupancy.spilledRegisters == 0 || helping(report, fewer).empty())
    return {};
  return fmt::format("A thread may use {} and wants {} more, which are spilled to memory: {} "
                     "would leave room for them.",
                     counted(occupancy.registers, "register"), occupancy.spilledRegisters,
                     fewer.words);
}

std::string adviseOnInstructions(const Report &report) {
  if (!report.predicted.geometric || !binds(report, Bound::Issue) ||
      report.stencil.flops >= instructionsPerPoint(report) / 2 ||
      helping(report, longerMarch(report, "more points")).empty())
    return {};
  return fmt::format("A point takes about {} instructions for its {}: more points per thread share "
                     "addresses, tests and loads.",
                     significant(instructionsPerPoint(report), 2),
                     counted(report.stencil.flops, "flop"));
}

/// What to do about the kind of that name, if what could be avoided of it takes much.
static std::string adviseOnKind(const Report &report, StringRef name, const char *which,
                                const char *remedy) {
  if (!takesInstructions(report))
    return {};
  const double all = instructionsPerPoint(report);
  for (const InstructionKind &kind : instructionKinds(report))
    if (kind.name == name && kind.avoidableInstructions >= kMuchOfInstructions * all)
      return fmt::format("{} {} take {} of a point's {} instructions: {}.",
                         timesText(kind.avoidableTimes, kind.name), which,
                         significant(kind.avoidableInstructions, 2), significant(all, 2), remedy);
  return {};
}

std::string adviseOnDivisions(const Report &report) {
  return adviseOnKind(report, "division", "by literals and params",
                      "a product with `let r = 1/d` takes one each, and rounds once more");
}

std::string adviseOnPowers(const Report &report) {
  return adviseOnKind(report, "pow", "with exponents like 2.5 or 7/3",
                      "products, `sqrt` and `cbrt` take far fewer");
}

std::string adviseOnMovedValue(const Report &report) {
  const std::optional<MovedValue> &moved = report.moved;
  if (!moved || !takesInstructions(report) || report.counted.steps > 1 ||
      moved->saved() < kMuchToMake * instructionsPerPoint(report))
    return {};
  return fmt::format(
      "{} is computed at {} for each one, in about {} instructions a time{}: a stage before "
      "could "
      "make {}, and this one read {}.",
      moved->name, counted(moved->points, "point"), significant(moved->instructions, 2),
      moved->others ? fmt::format(", and {} likewise", counted(moved->others, "other value")) : "",
      moved->others ? "them once, as temps" : "it once, as a temp",
      moved->others ? "those" : "that");
}

std::string adviseOnPrecision(const Report &report) {
  const auto &constants = report.device.geometric;
  if (!constants || !binds(report, Bound::Flops) || !usesDoubles(report) ||
      constants->fp32Rate * kGoodEnough <= constants->fp64Rate)
    return {};
  return fmt::format("f32 arithmetic is {} times as fast on this device.",
                     significant(constants->fp32Rate / constants->fp64Rate, 2));
}

std::string adviseOnBarriers(const Report &report) {
  const LaunchCounts &launch = largestLaunch(report);
  if (!binds(report, Bound::Barrier) || launch.together.meetings == 0 ||
      helping(report, otherResidency(report, "more resident blocks", +1)).empty())
    return {};
  return fmt::format("A block passes {} and {} an SM: more resident blocks would hide more of the "
                     "waiting.",
                     counted(launch.together.meetings / launch.blockCount, "barrier"),
                     counted(report.predicted.occupancy.blocks, "block") +
                         (report.predicted.occupancy.blocks == 1 ? " has" : " share"));
}

std::string adviseOnDispatch(const Report &report) {
  if (!binds(report, Bound::Dispatch))
    return {};
  const std::string what =
      helping(report, {{"larger blocks", resizedAlongAny(report, /*isLarger=*/true)},
                       longerMarch(report, "more points per thread")});
  if (what.empty())
    return {};
  const LaunchCounts &launch = largestLaunch(report);
  return fmt::format("{} for {} each: {} would start fewer.",
                     counted(launch.blockCount, "block") +
                         (launch.blockCount == 1 ? " starts" : " start"),
                     counted(launch.points / launch.blockCount, "point"), what);
}

std::string adviseOnLaunches(const Report &report) {
  const auto &launching = report.device.launching;
  if (!binds(report, Bound::Launch) || !launching)
    return {};
  return fmt::format("A launch starts {} after the one before at best, in a CUDA graph {}: capture "
                     "the steps in a graph, or give each more points.",
                     timeText(launching->hostInterval, 2), timeText(launching->graphInterval, 2));
}

std::string adviseOnTail(const Report &report) {
  const auto &seen = report.predicted.geometric;
  if (!seen || seen->waves >= kManyWaves || seen->waves > kGoodEnough * std::ceil(seen->waves))
    return {};
  const std::vector<Schedule> smaller = resizedAlongAny(report, /*isLarger=*/false);
  if (seen->waves < 1) {
    Schedule shorter = scheduleOf(report);
    shorter.chunk = std::max(1, shorter.chunk / 2);
    const std::string what =
        helping(report, {{"smaller blocks", smaller}, {"fewer points per thread", {shorter}}});
    if (what.empty())
      return {};
    return fmt::format(
        "The blocks take {} of the places on the device: {} would fill more of them.",
        percent(seen->waves), what);
  }
  const std::vector<Schedule> larger = resizedAlongAny(report, /*isLarger=*/true);
  const std::string what =
      helping(report, {{"smaller blocks", smaller}, {"larger blocks", larger}});
  if (what.empty())
    return {};
  return fmt::format("The blocks fill the device {} times, so that it is partly idle in the last "
                     "round: {} divide the grid better.",
                     significant(seen->waves, 2), what);
}

std::vector<std::string> advice(const Report &report) {
  std::vector<std::string> all;
  for (auto rule : {adviseAtTheLeast, adviseOnWindow, adviseOnGroups, adviseOnHalo,
                    adviseOnLoadsInFlight, adviseOnRegisters, adviseOnSpills, adviseOnInstructions,
                    adviseOnDivisions, adviseOnPowers, adviseOnMovedValue, adviseOnPrecision,
                    adviseOnBarriers, adviseOnDispatch, adviseOnLaunches, adviseOnTail})
    if (std::string text = rule(report); !text.empty())
      all.push_back(std::move(text));
  return all;
}

} // namespace stencilc
