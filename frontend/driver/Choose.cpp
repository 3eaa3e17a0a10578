#include "frontend/driver/Choose.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;

namespace stencilc {

namespace {

Expected<const Variant *> variantNamed(StringRef name) {
  if (const Variant *variant = findVariant(name))
    return variant;
  return make_error<UsageError>(
      fmt::format("there is no variant `{}`; see stencilc --list-variants", name.str()));
}

/// Puts the parts that are forced in their places.
Error force(Schedule &schedule, const ScheduleOptions &options, const Stencil &stencil) {
  if (options.block.size() > stencil.rank())
    return make_error<UsageError>(fmt::format("--block={} has more numbers than `{}` has axes",
                                              fmt::join(options.block, "x"), stencil.name));
  if (!options.block.empty()) {
    schedule.block = {1, 1, 1};
    copy(options.block, schedule.block.begin());
  }
  schedule.chunk = options.chunk.value_or(schedule.chunk);
  schedule.fuse = options.fuse.value_or(schedule.fuse);
  return Error::success();
}

/// The schedule that needs no model, if there is one.
Expected<std::optional<Schedule>> settled(const Stencil &stencil, const CommandLine &line,
                                          bool hasModel) {
  const ScheduleOptions &options = line.schedule;
  if (options.text) {
    Expected<Schedule> schedule = parseSchedule(*options.text, stencil.rank());
    if (!schedule)
      return make_error<UsageError>("--schedule: " + toString(schedule.takeError()));
    return *schedule;
  }
  Expected<const Variant *> variant =
      variantNamed(options.variant.value_or(line.host ? "host" : defaultSchedule(stencil).variant));
  if (!variant)
    return variant.takeError();
  if (hasModel && !options.unoptimized && (*variant)->candidates)
    return std::nullopt;
  Schedule schedule = (*variant)->defaultSchedule(stencil);
  if (Error error = force(schedule, options, stencil))
    return error;
  return schedule;
}

/// Why one of the candidates before is as fast for certain; nothing if that is not so. See
/// Choose.h.
std::optional<std::string> whyNot(const Schedule &candidate, ArrayRef<Schedule> before,
                                  const Stencil &stencil, const Situation &situation) {
  const Caches &caches = situation.device.caches;
  if (candidate.hasFlag("plain") && caches.plainLoads.value == caches.readOnlyLoads.value)
    return fmt::format("one cache of {} serves plain loads and those of the read-only path",
                       situation.device.name);
  const bool isLonger = any_of(before, [&](Schedule other) {
    const bool reachesThrough = other.chunk >= situation.extents[0];
    return std::exchange(other.chunk, candidate.chunk) < candidate.chunk && reachesThrough &&
           other == candidate;
  });
  if (isLonger)
    return fmt::format("a shorter chunk reaches through axis {}, which has {} points",
                       stencil.axes[0], situation.extents[0]);
  return std::nullopt;
}

/// The candidates of all variants that are legal and may win, in their order; the others are added
/// to `rejected`.
Expected<std::vector<Schedule>> allCandidates(const Stencil &stencil, const ScheduleOptions &forced,
                                              const Situation &situation,
                                              std::vector<Rejection> &rejected) {
  std::vector<Schedule> all;
  for (const Variant &variant : variants()) {
    if (!variant.candidates || variant.name != forced.variant.value_or(variant.name.str()))
      continue;
    if (Error error = variant.checkLegal(stencil, variant.defaultSchedule(stencil))) {
      rejected.push_back({variant.name.str(), toString(std::move(error))});
      continue;
    }
    for (Schedule &candidate : variant.candidates(stencil)) {
      if (Error error = force(candidate, forced, stencil))
        return error;
      if (is_contained(all, candidate))
        continue;
      if (Error error = variant.checkLegal(stencil, candidate))
        rejected.push_back({toString(candidate, stencil.rank()), toString(std::move(error))});
      else if (auto reason = whyNot(candidate, all, stencil, situation))
        rejected.push_back({toString(candidate, stencil.rank()), *reason});
      else
        all.push_back(std::move(candidate));
    }
  }
  return all;
}

Error noneLeft(ArrayRef<Rejection> rejected) {
  std::vector<std::string> reasons;
  for (const Rejection &rejection : rejected)
    if (!is_contained(reasons, rejection.reason))
      reasons.push_back(rejection.reason);
  return createStringError(
      fmt::format("no schedule is left to choose: {}", fmt::join(reasons, "; ")));
}

/// Adds what the model makes of a schedule, or why it makes nothing of it; and to `full` that of
/// the same with an SM full of blocks, unless it is full already. See Choose.h.
void addBothResidencies(Ranking &ranking, std::vector<Candidate> &full, ProgramCounts counted,
                        const Situation &situation) {
  const DeviceProfile &device = situation.device;
  auto predicted = predict(counted, device, situation.options);
  if (!predicted) {
    ranking.rejected.push_back({counted.schedule, toString(predicted.takeError())});
    return;
  }
  const int resident = predicted->occupancy.blocks;
  ranking.candidates.push_back({counted.schedule, std::move(*predicted)});

  const unsigned rank = counted.axes.size();
  Schedule schedule = cantFail(parseSchedule(counted.schedule, rank));
  schedule.residency = placesFor(schedule.threads(), device.sm, device.threadsPerWarp);
  if (resident >= schedule.residency || situation.options.registers)
    return;
  counted.schedule = toString(schedule, rank);
  for (LaunchCounts &launch : counted.launches)
    if (launch.residency > 0)
      launch.residency = schedule.residency;
  if (std::string shortage = registerShortage(counted, device); !shortage.empty())
    ranking.rejected.push_back({counted.schedule, std::move(shortage)});
  else
    full.push_back({counted.schedule, cantFail(predict(counted, device, situation.options))});
}

/// Of the candidates that have the parts forced, the one of least predicted time.
Expected<Schedule> chosen(const Stencil &stencil, const ScheduleOptions &forced,
                          const Situation &situation, Ranking &ranking) {
  auto schedules = allCandidates(stencil, forced, situation, ranking.rejected);
  if (!schedules)
    return schedules.takeError();
  std::vector<Candidate> full;
  for (const Schedule &schedule : *schedules) {
    Expected<VerifiedProgram> program = lower(stencil, schedule);
    if (!program)
      return program.takeError();
    Expected<ProgramCounts> counted = countProgram(*program, situation.extents);
    if (!counted) {
      // It is the grid that has no point to update, whatever the schedule.
      consumeError(counted.takeError());
      return schedule;
    }
    addBothResidencies(ranking, full, std::move(*counted), situation);
  }
  llvm::move(full, std::back_inserter(ranking.candidates));
  if (ranking.candidates.empty())
    return noneLeft(ranking.rejected);
  rank(ranking.candidates);
  return cantFail(parseSchedule(ranking.candidates.front().schedule, stencil.rank()));
}

Expected<Forecast> forecast(const VerifiedProgram &program, const Situation &situation) {
  Expected<ProgramCounts> counted = countProgram(program, situation.extents);
  if (!counted)
    return counted.takeError();
  Expected<Prediction> predicted = predict(*counted, situation.device, situation.options);
  if (!predicted)
    return predicted.takeError();
  return Forecast{std::move(*counted), std::move(*predicted)};
}

} // namespace

Expected<Situation> situationOf(const Stencil &stencil, const CommandLine &line,
                                const DeviceProfile &device) {
  constexpr std::array<int64_t, kMaxRank> byRank = {int64_t(1) << 27, 8192, 512};
  constexpr double kMostPoints = int64_t(1) << 40; // far more than any device holds
  auto extents = line.extentsOf(stencil, byRank[stencil.rank() - 1]);
  if (!extents)
    return extents.takeError();
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    if (const int least = minimumExtent(stencil, axis);
        (*extents)[axis] > 0 && (*extents)[axis] < least)
      return make_error<UsageError>(fmt::format("--size {} is {}; `{}` takes 0 or at least {}, for "
                                                "its periodic boundary",
                                                stencil.axes[axis], (*extents)[axis], stencil.name,
                                                least));
  if (std::accumulate(extents->begin(), extents->end(), 1.0, std::multiplies<>()) > kMostPoints)
    return make_error<UsageError>(fmt::format("--size asks for {} points; predictions are made for "
                                              "at most 2^40",
                                              fmt::join(*extents, "*")));
  return Situation{device, std::move(*extents), line.model.options};
}

Expected<Choice> choose(const Stencil &stencil, const CommandLine &line,
                        const std::optional<Situation> &situation) {
  Expected<std::optional<Schedule>> forced = settled(stencil, line, situation.has_value());
  if (!forced)
    return forced.takeError();
  Ranking ranking;
  Expected<Schedule> schedule =
      *forced ? Expected<Schedule>(**forced) : chosen(stencil, line.schedule, *situation, ranking);
  if (!schedule)
    return schedule.takeError();
  Expected<VerifiedProgram> program = lower(stencil, *schedule);
  if (!program)
    return program.takeError();
  if (line.host && (*program)->target != Target::Host)
    return make_error<UsageError>("variant `" + schedule->variant +
                                  "` runs on the device; leave out --target=host");
  Choice choice{std::move(*program), forced->has_value(), {}, {}, std::move(ranking)};
  if (situation) {
    if (Expected<Forecast> made = forecast(choice.program, *situation))
      choice.forecast = std::move(*made);
    else
      choice.unpredicted = toString(made.takeError());
  }
  return choice;
}

} // namespace stencilc
