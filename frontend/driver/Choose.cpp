#include "frontend/driver/Choose.h"

#include "frontend/driver/ScheduleTrials.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;

namespace stencilc {

void force(Schedule &schedule, const Constraints &constraints) {
  if (!constraints.block.empty()) {
    schedule.block = {1, 1, 1};
    copy(constraints.block, schedule.block.begin());
  }
  schedule.chunk = constraints.chunk.value_or(schedule.chunk);
  schedule.fuse = constraints.fuse.value_or(schedule.fuse);
}

namespace {

/// Lowers with the usual promise where none is asked for.
Expected<VerifiedProgram> lowerSettled(const Stencil &stencil, Schedule schedule) {
  Expected<StencilForm> form = formFor(stencil, schedule);
  if (!form)
    return form.takeError();
  settleResidency(schedule, form->stencil);
  return lowerForm(*form, schedule);
}

/// The schedule that needs no model, if there is one.
std::optional<Schedule> settled(const Stencil &stencil, const Constraints &constraints,
                                const std::optional<Situation> &situation) {
  if (constraints.whole)
    return constraints.whole;
  const Variant &variant = constraints.variant ? *constraints.variant : variants().front();
  Schedule schedule = variant.defaultSchedule(cantFail(formFor(stencil, {})).stencil);
  const bool knows = situation && (schedule.fuse == 1 || modelOf(*situation) != Model::Su2015);
  if (knows && !constraints.unoptimized && variant.candidates)
    return std::nullopt;
  force(schedule, constraints);
  return schedule;
}

/// Every reason that counts once: of steps to be fused only those of variants that fuse, if there
/// are any, none of schedules that gave way to others, and of those that take too many registers
/// the one that takes least.
Error noneLeft(ArrayRef<Rejection> rejected) {
  const auto mayFuse = [](const Rejection &rejection) { return fuses(rejection.schedule); };
  const bool someMay = any_of(rejected, mayFuse);
  const auto isByRule = [](const Rejection &rejection) {
    return rejection.grounds == Rejection::Grounds::Rule;
  };
  const bool someAre = any_of(rejected, isByRule);
  const Rejection *leanest = nullptr;
  std::vector<std::string> reasons;
  for (const Rejection &rejection : rejected) {
    if ((someAre && !isByRule(rejection)) ||
        (someMay && rejection.schedule.fuse != 1 && !mayFuse(rejection)))
      continue;
    if (rejection.needed == 0 && !is_contained(reasons, rejection.reason))
      reasons.push_back(rejection.reason);
    if (rejection.needed != 0 && (!leanest || rejection.needed < leanest->needed))
      leanest = &rejection;
  }
  if (leanest)
    reasons.push_back(leanest->reason);
  return createStringError(
      fmt::format("no schedule is left to choose: {}", fmt::join(reasons, "; ")));
}

/// Gives the candidates that fuse steps their times in a run, of which some steps are left over.
void timeInRun(std::vector<Candidate> &candidates, const Stencil &stencil,
               const Situation &situation) {
  if (!situation.steps || *situation.steps == 0)
    return;
  const Schedule leftOver = variants().front().defaultSchedule(stencil);
  const std::optional<double> single = tryOut(stencil, leftOver, situation);
  for (Candidate &candidate : candidates)
    if (const int fuse = candidate.schedule.fuse; fuse > 1 && single) {
      const int64_t left = *situation.steps % fuse;
      candidate.inRun =
          (double(*situation.steps - left) * candidate.predicted.total + double(left) * *single) /
          double(*situation.steps);
    }
}

/// Fused steps that gain too little are out of the question.
void rejectSmallGains(Ranking &ranking) {
  const auto isSingle = [](const Candidate &candidate) { return !fuses(candidate.schedule); };
  const auto single = find_if(ranking.candidates, isSingle);
  if (single == ranking.candidates.end())
    return;
  const double most = single->seconds();
  erase_if(ranking.candidates, [&](const Candidate &candidate) {
    const double asked = fusedGainAsked(candidate.schedule, candidate.predicted);
    if (isSingle(candidate) || candidate.seconds() * (1 + asked) <= most)
      return false;
    ranking.rejected.push_back(
        {candidate.schedule,
         fmt::format("forecasts of fused steps{} err by up to {:.0f} %, and by this one they gain "
                     "less",
                     asked == kFusedGainOfFewBlocks ? " whose blocks do not fill every SM" : "",
                     100 * asked)});
    return true;
  });
}

/// Of the candidates those that gain less than is asked, beside the best of the others, are out of
/// the question.
void rejectUnlessGained(Ranking &ranking, function_ref<bool(const Candidate &)> isDoubtful,
                        double asked, const std::string &why) {
  const auto without = find_if_not(ranking.candidates, isDoubtful);
  if (without == ranking.candidates.end())
    return;
  const double most = without->seconds();
  erase_if(ranking.candidates, [&](const Candidate &candidate) {
    if (!isDoubtful(candidate) || candidate.seconds() * (1 + asked) <= most)
      return false;
    ranking.rejected.push_back({candidate.schedule, why + ", and by this one it gains less"});
    return true;
  });
}

void rejectSpills(Ranking &ranking) {
  const auto spills = [](const Candidate &candidate) {
    return candidate.predicted.occupancy.spilledRegisters > 0;
  };
  rejectUnlessGained(
      ranking, spills, kSpilledGain,
      fmt::format("forecasts of what spills registers err by up to {:.0f} %", 100 * kSpilledGain));
}

/// Where the best spills, what other variants do instead if it gains enough.
void tryOthersThanSpill(Ranking &ranking, const Forms &forms, const Constraints &constraints,
                        const Situation &situation) {
  const Candidate &best = ranking.candidates.front();
  if (best.predicted.occupancy.spilledRegisters == 0)
    return;
  const double most = best.seconds() / (1 + kGainOfOthers);
  for (Trial &trial : tryAll(usualOfOthers(forms, constraints), forms, situation))
    if (trial.own && trial.own->seconds() <= most)
      ranking.candidates.push_back(std::move(*trial.own));
  rank(ranking.candidates);
}

void rejectValuesOnce(Ranking &ranking) {
  const auto isOnce = [](const Candidate &candidate) {
    return candidate.schedule.hasFlag(kValuesOnce);
  };
  rejectUnlessGained(
      ranking, isOnce, kValuesOnceGain,
      fmt::format(
          "compilers keep some of what is computed once, so that {:.0f} % are to be gained by the "
          "forecast",
          100 * kValuesOnceGain));
}

/// Of the candidates that have the parts forced, the one of least predicted time.
Expected<Schedule> chosen(const Stencil &stencil, const Constraints &constraints,
                          const Situation &situation, Ranking &ranking) {
  const Forms forms(stencil);
  const std::vector<Schedule> all = triedSchedules(forms, constraints, situation, ranking.rejected);
  std::vector<Trial> trials = tryAll(all, forms, situation);
  for (Trial &trial : trials) {
    if (!trial.isLowered)
      return lowerForm(forms.of(trial.schedule), trial.schedule).takeError();
    if (!trial.hasPoints) // nor has the grid for any other schedule
      return trial.schedule;
    if (trial.own)
      ranking.candidates.push_back(std::move(*trial.own));
    llvm::move(trial.rejected, std::back_inserter(ranking.rejected));
  }
  for (Trial &trial : trials)
    if (trial.full)
      ranking.candidates.push_back(std::move(*trial.full));
  if (ranking.candidates.empty() && constraints.variant && !all.empty() && all.front().fuse > 1)
    return all.front(); // it will spill, but it is what was asked for
  if (ranking.candidates.empty())
    return noneLeft(ranking.rejected);
  timeInRun(ranking.candidates, stencil, situation);
  rank(ranking.candidates);
  rejectSpills(ranking);
  tryOthersThanSpill(ranking, forms, constraints, situation);
  rejectValuesOnce(ranking);
  // Where one step is asked for, its stages may still be fused.
  if (constraints.fuse.value_or(1) == 1 && !constraints.variant)
    rejectSmallGains(ranking);
  return ranking.candidates.front().schedule;
}

Expected<Forecast> forecast(const VerifiedProgram &program, const Situation &situation) {
  Expected<ProgramCounts> counted = countProgram(program, situation.extents);
  if (!counted)
    return counted.takeError();
  Expected<Prediction> predicted = predict(*counted, *situation.device, situation.options);
  if (!predicted)
    return predicted.takeError();
  return Forecast{std::move(*counted), std::move(*predicted)};
}

} // namespace

double fusedGainAsked(const Schedule &schedule, const Prediction &fused) {
  if (fused.geometric && fused.geometric->waves < 1 &&
      fused.geometric->waves * fused.occupancy.fraction < kFewThreads)
    return kFusedGainOfFewBlocks;
  return schedule.fuse == 1 ? kFusedGainOfOneStep : kFusedGain;
}

std::optional<double> tryOut(const Stencil &stencil, Schedule schedule,
                             const Situation &situation) {
  if (schedule.variant.empty()) {
    std::optional<double> least;
    for (const Variant &variant : variants()) {
      if (!variant.candidates)
        continue;
      schedule.variant = variant.name;
      const std::optional<double> seconds = tryOut(stencil, schedule, situation);
      if (seconds && (!least || *seconds < *least))
        least = seconds;
    }
    return least;
  }
  Expected<VerifiedProgram> program = lowerSettled(stencil, schedule);
  if (!program) {
    consumeError(program.takeError());
    return std::nullopt;
  }
  Expected<Forecast> made = forecast(*program, situation);
  if (!made) {
    consumeError(made.takeError());
    return std::nullopt;
  }
  const bool promises = schedule.residency > 1 && !situation.options.registers;
  if (promises && !registerShortage(made->counted, *situation.device).empty())
    return std::nullopt; // as no candidate is
  return made->predicted.total;
}

Expected<Choice> choose(const Stencil &stencil, const Constraints &constraints,
                        const std::optional<Situation> &situation) {
  const std::optional<Schedule> forced = settled(stencil, constraints, situation);
  Ranking ranking;
  Expected<Schedule> schedule =
      forced ? *forced : chosen(stencil, constraints, *situation, ranking);
  if (!schedule)
    return schedule.takeError();
  Expected<VerifiedProgram> program = lowerSettled(stencil, *schedule);
  if (!program)
    return program.takeError();
  if (Error error = checkArguments(**program, situation ? situation->device : nullptr))
    return error;
  Choice choice{std::move(*program), forced.has_value(), {}, {}, std::move(ranking)};
  if (situation) {
    if (Expected<Forecast> made = forecast(choice.program, *situation))
      choice.forecast = std::move(*made);
    else
      choice.unpredicted = toString(made.takeError());
  }
  return choice;
}

} // namespace stencilc
