#include "frontend/driver/Choose.h"

#include "costmodel/compiled/Residency.h"
#include "ir/kernel/InThreads.h"
#include "ir/stencil/StencilFacts.h"

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

/// Differ in their chunk alone.
bool isSameTile(const Schedule &one, Schedule other) {
  other.chunk = one.chunk;
  return one == other;
}

/// Promises what is usual where nothing is asked for.
void settleResidency(Schedule &schedule, const Stencil &stencil) {
  if (schedule.residency == 0)
    schedule.residency = usualResidency(stencil, schedule, usualCodeTable());
}

/// Lowers with the usual promise where none is asked for.
Expected<VerifiedProgram> lowerSettled(const Stencil &stencil, Schedule schedule) {
  Expected<StencilForm> form = formFor(stencil, schedule);
  if (!form)
    return form.takeError();
  settleResidency(schedule, form->stencil);
  return lowerForm(*form, schedule);
}

Model modelOf(const Situation &situation) {
  return situation.options.model.value_or(defaultModel(*situation.device));
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

bool isInPatches(const Schedule &schedule) { return schedule.pointsPerThread != std::array{1, 1}; }

/// Why another candidate is as fast for certain; nothing if that is not so. See Choose.h.
std::optional<std::string> whyNot(const Schedule &candidate, ArrayRef<Schedule> all,
                                  const Stencil &stencil, const Situation &situation) {
  const Caches &caches = situation.device->caches;
  if (candidate.hasFlag("plain") && caches.plainLoads.value == caches.readOnlyLoads.value)
    return fmt::format("one cache of {} serves plain loads and those of the read-only path",
                       situation.device->name);
  const Model model = modelOf(situation);
  if (candidate.fuse > 1 && model == Model::Su2015)
    return std::string("[su2015] knows one step at a time");
  if (isInPatches(candidate) && model == Model::Su2015)
    return std::string("[su2015] knows threads of one point alone");
  const bool isLonger = any_of(all, [&](const Schedule &shorter) {
    if (shorter.chunk >= candidate.chunk || shorter.chunk < situation.extents[0])
      return false;
    Schedule asLong = shorter;
    asLong.chunk = candidate.chunk;
    return asLong == candidate;
  });
  if (isLonger)
    return fmt::format("a shorter chunk reaches through axis {}, which has {} points",
                       stencil.axes[0], situation.extents[0]);
  return std::nullopt;
}

/// Which candidates are tried. See Choose.h.
enum class Breadth { UsualRows, FewBlocks, Usual };

bool isWithin(Breadth breadth, const Schedule &candidate, const Schedule &usual) {
  switch (breadth) {
  case Breadth::UsualRows:
    return candidate.block[0] == usual.block[0];
  case Breadth::FewBlocks:
    return isInPatches(candidate) ||
           (candidate.flags == usual.flags &&
            (candidate.block == usual.block ||
             (candidate.chunk > 1 ? candidate.threads() == usual.threads() * 4
                                  : candidate.threads() == usual.threads() / 4)));
  case Breadth::Usual:
    return candidate == usual;
  }
  llvm_unreachable("all kinds are handled");
}

/// A stencil in the forms that schedules lower.
struct Forms {
  explicit Forms(const Stencil &stencil) : written(cantFail(formFor(stencil, {}))) {
    bool makesTemps = false;
    forEachUpdate(written.stencil, [&](const Update &update) {
      makesTemps |= stencil.arrays[update.array].kind == ArrayKind::Temp;
    });
    if (!makesTemps)
      return;
    if (Expected<StencilForm> form = formFor(stencil, withFlag({})))
      withoutTemps = std::move(*form);
    else
      whyStored = toString(form.takeError());
  }

  static Schedule withFlag(Schedule schedule) {
    schedule.flags.push_back(kTempsAgain.str());
    sort(schedule.flags);
    return schedule;
  }
  const StencilForm &of(const Schedule &schedule) const {
    return schedule.hasFlag(kTempsAgain) ? *withoutTemps : written;
  }

  StencilForm written;
  std::optional<StencilForm> withoutTemps;
  std::string whyStored; ///< why there is no such form, of a stencil with temps
};

size_t expressionsOf(const Stencil &stencil) {
  size_t expressions = 0;
  forEachUpdate(stencil, [&](const Update &update) { expressions += update.formula.exprs.size(); });
  return expressions;
}

/// Of schedules for one step at a time.
void pruneSingle(std::vector<Schedule> &candidates, const Stencil &form, size_t expressions,
                 const Constraints &constraints, const Situation &situation,
                 std::vector<Rejection> &rejected) {
  const auto isTried = [&](Breadth breadth, const Schedule &candidate) {
    Schedule usual = findVariant(candidate.variant)->defaultSchedule(form);
    if (candidate.hasFlag(kTempsAgain))
      usual = Forms::withFlag(std::move(usual));
    force(usual, constraints);
    return isWithin(breadth, candidate, usual);
  };
  for (Breadth breadth : {Breadth::UsualRows, Breadth::FewBlocks, Breadth::Usual}) {
    if (candidates.size() * expressions <= situation.mostLowered)
      return;
    std::vector<Schedule> left;
    for (Schedule &candidate : candidates)
      if (isTried(breadth, candidate))
        left.push_back(std::move(candidate));
      else
        rejected.push_back(
            {std::move(candidate),
             fmt::format("of a formula of {} expressions fewer schedules are tried", expressions)});
    candidates = std::move(left);
  }
}

/// Leaves as many candidates of one form as are not too much work; the others are added to
/// `rejected`.
void prune(std::vector<Schedule> &candidates, const Stencil &form, const Constraints &constraints,
           const Situation &situation, std::vector<Rejection> &rejected) {
  const size_t expressions = expressionsOf(form);
  const auto fused = std::stable_partition(candidates.begin(), candidates.end(),
                                           [](const Schedule &one) { return one.fuse == 1; });
  const std::vector<Schedule> allFused(std::make_move_iterator(fused),
                                       std::make_move_iterator(candidates.end()));
  candidates.erase(fused, candidates.end());
  pruneSingle(candidates, form, expressions, constraints, situation, rejected);
  size_t tiles = 0;
  for (const Schedule &candidate : allFused) {
    tiles += candidates.empty() || !isSameTile(candidates.back(), candidate);
    if (tiles * expressions <= situation.mostFused || tiles == 1)
      candidates.push_back(candidate);
    else
      rejected.push_back(
          {candidate,
           fmt::format("of a formula of {} expressions fewer tiles are tried", expressions)});
  }
}

/// Adds the candidates of a variant for the stencil as written or with temps computed again.
void addCandidates(std::vector<Schedule> &all, const Variant &variant, const Forms &forms,
                   bool isWritten, const Constraints &constraints,
                   std::vector<Rejection> &rejected) {
  const StencilForm &form = isWritten ? forms.written : *forms.withoutTemps;
  const auto flagged = [&](Schedule schedule) {
    return isWritten ? schedule : Forms::withFlag(std::move(schedule));
  };
  const Schedule usual = flagged(variant.defaultSchedule(form.stencil));
  if (Error error = checkLegal(form, usual)) {
    rejected.push_back({usual, toString(std::move(error)), /*isWholeVariant=*/isWritten});
    return;
  }
  for (Schedule &schedule : variant.candidates(form.stencil)) {
    Schedule candidate = flagged(std::move(schedule));
    force(candidate, constraints);
    if (is_contained(all, candidate))
      continue;
    if (Error error = checkLegal(form, candidate))
      rejected.push_back({candidate, toString(std::move(error))});
    else
      all.push_back(std::move(candidate));
  }
}

/// The candidates of all variants that are legal and may win, shorter marches first, else in their
/// order; the others are added to `rejected`.
std::vector<Schedule> allCandidates(const Forms &forms, const Constraints &constraints,
                                    const Situation &situation, std::vector<Rejection> &rejected) {
  std::vector<Schedule> all;
  for (bool isWritten : {true, false}) {
    if (!isWritten && !forms.withoutTemps)
      continue;
    for (const Variant &variant : variants())
      if (variant.candidates && (!constraints.variant || constraints.variant == &variant))
        addCandidates(all, variant, forms, isWritten, constraints, rejected);
  }
  if (!forms.whyStored.empty() && !all.empty())
    rejected.push_back({Forms::withFlag(all.front()), forms.whyStored});
  std::vector<Schedule> left;
  for (bool isWritten : {true, false}) {
    std::vector<Schedule> ofForm;
    for (const Schedule &candidate : all)
      if (candidate.hasFlag(kTempsAgain) == isWritten)
        continue;
      else if (auto reason = whyNot(candidate, all, forms.written.stencil, situation))
        rejected.push_back({candidate, *reason});
      else
        ofForm.push_back(candidate);
    if (!ofForm.empty())
      prune(ofForm, forms.of(ofForm.front()).stencil, constraints, situation, rejected);
    append_range(left, ofForm);
  }
  const auto place = [](const Schedule &one) {
    return one.fuse > 1 ? std::numeric_limits<int>::max() : one.chunk;
  };
  stable_sort(left, [&](const Schedule &a, const Schedule &b) { return place(a) < place(b); });
  return left;
}

Error noneLeft(ArrayRef<Rejection> rejected) {
  std::vector<std::string> reasons;
  for (const Rejection &rejection : rejected)
    if (!is_contained(reasons, rejection.reason))
      reasons.push_back(rejection.reason);
  return createStringError(
      fmt::format("no schedule is left to choose: {}", fmt::join(reasons, "; ")));
}

/// What the model makes of one schedule.
struct Trial {
  Schedule schedule; ///< with its residency
  bool isLowered = false, hasPoints = false;
  std::optional<Candidate> own, full; ///< as lowered, and with an SM full of blocks
  std::vector<Rejection> rejected;
};

/// Predicts the program, and the same with an SM full of blocks, unless it is full already. See
/// Choose.h.
void tryBothResidencies(Trial &trial, VerifiedProgram &program, ProgramCounts &counted,
                        const Situation &situation) {
  const DeviceProfile &device = *situation.device;
  const auto promise = [&](int residency) {
    cantFail(KernelVerifier::promise(program, residency));
    counted.schedule = program->schedule;
  };
  if (counted.steps > 1) {
    if (!situation.options.registers)
      promise(mostResidency(counted, device));
    auto predicted = predict(counted, device, situation.options);
    if (!predicted)
      trial.rejected.push_back({counted.schedule, toString(predicted.takeError())});
    else if (predicted->occupancy.spilledRegisters > 0)
      trial.rejected.push_back({counted.schedule,
                                "a thread has too few registers for what it keeps "
                                "of all steps"});
    else
      trial.own = {counted.schedule, std::move(*predicted)};
    return;
  }
  if (!situation.options.registers)
    while (counted.schedule.residency > 1 && !registerShortage(counted, device).empty())
      promise(counted.schedule.residency - 1);
  if (isInPatches(counted.schedule))
    if (std::string shortage = registerShortage(counted, device); !shortage.empty()) {
      trial.rejected.push_back({counted.schedule, std::move(shortage)});
      return;
    }
  auto predicted = predict(counted, device, situation.options);
  if (!predicted) {
    trial.rejected.push_back({counted.schedule, toString(predicted.takeError())});
    return;
  }
  const int resident = predicted->occupancy.blocks;
  trial.own = {counted.schedule, std::move(*predicted)};

  const int places = placesFor(counted.schedule.threads(), device.sm, device.threadsPerWarp);
  if (resident >= places || situation.options.registers)
    return;
  promise(places);
  if (std::string shortage = registerShortage(counted, device); !shortage.empty())
    trial.rejected.push_back({counted.schedule, std::move(shortage)});
  else
    trial.full = {counted.schedule, cantFail(predict(counted, device, situation.options))};
}

void run(Trial &trial, const Forms &forms, const Situation &situation) {
  const StencilForm &form = forms.of(trial.schedule);
  settleResidency(trial.schedule, form.stencil);
  Expected<VerifiedProgram> program = lowerForm(form, trial.schedule);
  trial.isLowered = !errorToBool(program.takeError());
  if (!trial.isLowered)
    return;
  Expected<ProgramCounts> counted = countProgram(*program, situation.extents);
  trial.hasPoints = !errorToBool(counted.takeError());
  if (trial.hasPoints)
    tryBothResidencies(trial, *program, *counted, situation);
}

void runAll(MutableArrayRef<Trial> trials, const Forms &forms, const Situation &situation) {
  doInThreads(trials.size(), situation.threads,
              [&](size_t number) { run(trials[number], forms, situation); });
}

/// Of those that differ in their chunk alone, leaves the first; returns the others.
std::vector<Schedule> takeFurtherChunks(std::vector<Schedule> &candidates) {
  std::vector<Schedule> first, further;
  for (Schedule &candidate : candidates) {
    const bool isFurther = candidate.fuse > 1 && any_of(first, [&](const Schedule &other) {
                             return isSameTile(other, candidate);
                           });
    (isFurther ? further : first).push_back(std::move(candidate));
  }
  candidates = std::move(first);
  return further;
}

/// The best tiles of fused steps with their further chunks.
std::vector<Trial> trialsOfBest(ArrayRef<Trial> trials, ArrayRef<Schedule> further,
                                const Situation &situation) {
  std::vector<const Candidate *> fused;
  for (const Trial &trial : trials)
    if (trial.own && trial.schedule.fuse > 1)
      fused.push_back(&*trial.own);
  stable_sort(fused, [](const Candidate *one, const Candidate *other) {
    return one->seconds() < other->seconds();
  });
  std::vector<Trial> more;
  for (const Candidate *best : ArrayRef(fused).take_front(situation.bestTiles)) {
    Schedule open = best->schedule;
    open.residency = 0;
    for (const Schedule &schedule : further)
      if (isSameTile(schedule, open))
        more.emplace_back().schedule = schedule;
  }
  return more;
}

/// Gives the candidates that fuse steps their times in a run, of which some steps are left over.
void timeInRun(std::vector<Candidate> &candidates, const Stencil &stencil,
               const Situation &situation) {
  if (!situation.steps || *situation.steps == 0)
    return;
  Schedule leftOver;
  leftOver.variant = variants().front().name;
  leftOver.rank = stencil.rank();
  leftOver = variants().front().defaultSchedule(stencil);
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
  const auto isSingle = [](const Candidate &candidate) { return candidate.schedule.fuse == 1; };
  const auto single = find_if(ranking.candidates, isSingle);
  if (single == ranking.candidates.end())
    return;
  const double most = single->seconds() / (1 + kFusedGain);
  erase_if(ranking.candidates, [&](const Candidate &candidate) {
    if (isSingle(candidate) || candidate.seconds() <= most)
      return false;
    ranking.rejected.push_back(
        {candidate.schedule,
         fmt::format(
             "forecasts of fused steps err by up to {:.0f} %, and by this one they gain less",
             100 * kFusedGain)});
    return true;
  });
}

/// Of the candidates that have the parts forced, the one of least predicted time.
Expected<Schedule> chosen(const Stencil &stencil, const Constraints &constraints,
                          const Situation &situation, Ranking &ranking) {
  const Forms forms(stencil);
  std::vector<Trial> trials;
  std::vector<Schedule> all = allCandidates(forms, constraints, situation, ranking.rejected);
  const std::vector<Schedule> further = takeFurtherChunks(all);
  for (const Schedule &schedule : all)
    trials.emplace_back().schedule = schedule;
  runAll(trials, forms, situation);
  std::vector<Trial> more = trialsOfBest(trials, further, situation);
  runAll(more, forms, situation);
  llvm::move(more, std::back_inserter(trials));
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
  if (!constraints.fuse && !constraints.variant)
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
