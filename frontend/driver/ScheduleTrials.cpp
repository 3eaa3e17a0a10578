#include "frontend/driver/ScheduleTrials.h"

#include "costmodel/compiled/PatchWords.h"
#include "costmodel/compiled/Residency.h"
#include "costmodel/count/MarchOfLength.h"
#include "ir/kernel/InThreads.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace llvm;

namespace stencilc {

void settleResidency(Schedule &schedule, const Stencil &stencil) {
  if (schedule.residency == 0)
    schedule.residency = usualResidency(stencil, schedule, usualCodeTable());
}

namespace {

/// Bands of so many blocks are tried where less than this share of the reuse between layers is
/// kept, and taken where they gain as much by forecast: 27 such marches that were timed with and
/// without (test/gpu/results/h200_cube.json) ran 0.94 to 1.25 times as fast, 1.10 at the median.
/// The share was chosen on an earlier sitting of such marches, so nothing is held out. Eight are
/// tried last, for blocks of many rows: of marches of one point in vectors they ran slower than 16.
constexpr double kKeptReuse = 0.9, kBandGain = 0.1;
constexpr int kBands[] = {16, 32, 8};

/// So much longer than what a variant has beside it a candidate must take by the forecasts. Tiles
/// that lie apart gain 6 to 14 % by them where a grid takes a row of tiles less. On an H200, where
/// that is 10 % or more, such marches ran 1.06 to 1.22 times as fast
/// (test/gpu/results/h200_apart.json); on an H100, where it is 4 to 6 %, those of stars 0.75 to
/// 0.83 times, for device memory sets the time there, and is slower to store parts of sectors
/// (h100_sectors.json). Chosen on these.
constexpr double kGainBeside = 0.08;

Rejection tooFewRegisters(const Schedule &schedule, int needed, const DeviceProfile &device) {
  Rejection result{schedule,
                   fmt::format("what a thread keeps of {} fused steps takes about {} registers, of "
                               "at most {}: fewer arrays, or reads that reach less far, take fewer",
                               schedule.fuse, needed, device.sm.registersPerThread)};
  result.needed = needed;
  return result;
}

/// True if a thread has fewer registers to spare than the estimate of its need may err by.
bool isTight(const Prediction &predicted, const DeviceProfile &device) {
  const Occupancy &occupancy = predicted.occupancy;
  return occupancy.spareRegisters <
         device.codeTable()[CodeNumber::ErrorOfNeed] * occupancy.registers;
}

/// Rejects fused steps on three axes of which some kernel spills with a block alone on an SM.
bool spills(Trial &trial, const VerifiedProgram &program, const Situation &situation) {
  if (situation.options.registers || situation.extents.size() != 3 ||
      steadyPass(program->plan, situation.extents).steps == 1)
    return false;
  const DeviceProfile &device = *situation.device;
  const std::optional<int> needed = spillsAlone(*program, device, situation.options.known);
  if (needed)
    trial.rejected.push_back(tooFewRegisters(program->schedule, *needed, device));
  return needed.has_value();
}

/// Of 64-bit numbers in a patch that is moved up. Of larger ones an earlier lowering left some in
/// memory, where marches of star5.stn took 60 times as long
/// (test/gpu/results/h200_search_third.json). Compilers take apart what was tried of today's
/// (nvcc 13.0, up to 81 KB), but few of these were timed, and of 222 registers one took a fifth
/// longer than is forecast.
constexpr unsigned kMostPatchBytes = 12096;

/// Rejects marches whose patches, moved up, are so large that they may stay in memory.
bool hasLargePatch(Trial &trial, const VerifiedProgram &program) {
  for (const Kernel &kernel : program->kernels)
    for (auto [number, patch] : enumerate(kernel.patches)) {
      const unsigned bytes = elementsOf(patch) * sizeInBytes(patch.type);
      if (patch.type != ScalarType::F64 || bytes <= kMostPatchBytes ||
          patchWords(kernel).ways[number].empty())
        continue;
      trial.rejected.push_back(
          {program->schedule,
           fmt::format("a patch of {} bytes a thread may stay in memory", bytes)});
      return true;
    }
  return false;
}

/// Predicts the program, and the same with an SM full of blocks, unless it is full already. See
/// Choose.h.
void tryBothResidencies(Trial &trial, VerifiedProgram &program, ProgramCounts &counted,
                        const Situation &situation) {
  const DeviceProfile &device = *situation.device;
  KernelEstimates *known = situation.options.known;
  const auto promise = [&](int residency) {
    cantFail(KernelVerifier::promise(program, residency));
    counted.schedule = program->schedule;
  };
  if (counted.steps > 1) {
    if (!situation.options.registers)
      promise(mostResidency(counted, device, known));
    auto predicted = predict(counted, device, situation.options);
    if (!predicted)
      trial.rejected.push_back({counted.schedule, toString(predicted.takeError())});
    else if (const Occupancy &occupancy = predicted->occupancy; occupancy.spilledRegisters > 0)
      trial.rejected.push_back(tooFewRegisters(
          counted.schedule, occupancy.registers + occupancy.spilledRegisters, device));
    else
      trial.own = {counted.schedule, std::move(*predicted)};
    return;
  }
  if (!situation.options.registers)
    while (counted.schedule.residency > 1 && !registerShortage(counted, device, known).empty())
      promise(counted.schedule.residency - 1);
  if (isInPatches(counted.schedule))
    if (std::string shortage = registerShortage(counted, device, known); !shortage.empty()) {
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
  trial.own->isTight = isTight(trial.own->predicted, device);

  const int places = placesFor(counted.schedule.threads(), device.sm, device.threadsPerWarp);
  if (resident >= places || situation.options.registers)
    return;
  promise(places);
  if (std::string shortage = registerShortage(counted, device, known); !shortage.empty())
    trial.rejected.push_back({counted.schedule, std::move(shortage)});
  else {
    trial.full = {counted.schedule, cantFail(predict(counted, device, situation.options))};
    trial.full->isTight = isTight(trial.full->predicted, device);
  }
}

/// Lets a step of one kernel go on in bands where the L2 loses what layers of blocks share, and it
/// gains by that.
void tryBands(std::optional<Candidate> &candidate, ProgramCounts &counted,
              const Situation &situation) {
  if (!candidate || counted.steps > 1 || counted.extents.size() < 3 ||
      !candidate->predicted.geometric || candidate->predicted.geometric->reuseKept > kKeptReuse)
    return;
  counted.schedule = candidate->schedule;
  const double most = candidate->predicted.total / (1 + kBandGain);
  for (const int band : kBands) {
    counted.schedule.band = band;
    for (LaunchCounts &launch : counted.launches)
      launch.band = band;
    Prediction predicted = cantFail(predict(counted, *situation.device, situation.options));
    if (predicted.total < std::min(most, candidate->predicted.total * (1 - kTie)))
      candidate = {counted.schedule, std::move(predicted), 0, candidate->isTight};
  }
}

/// Predicts the same march in chunks of other lengths.
void scale(Trial &trial, const ProgramCounts &counted, const Situation &situation) {
  for (Schedule &schedule : trial.longer) {
    std::optional<ProgramCounts> counts = marchOfLength(counted, schedule.chunk);
    if (!counts)
      continue;
    auto predicted = predict(*counts, *situation.device, situation.options);
    if (predicted)
      trial.scaled.push_back({counts->schedule, std::move(*predicted)});
    else
      trial.rejected.push_back({counts->schedule, toString(predicted.takeError())});
  }
}

void run(Trial &trial, const Forms &forms, Situation situation) {
  KernelEstimates estimates; // residency, bands and chunks change nothing of a kernel's text
  situation.options.known = &estimates;
  const StencilForm &form = forms.of(trial.schedule);
  settleResidency(trial.schedule, form.stencil);
  Expected<VerifiedProgram> program = lowerForm(form, trial.schedule);
  trial.isLowered = !errorToBool(program.takeError());
  if (!trial.isLowered)
    return;
  if (hasLargePatch(trial, *program) ||
      spills(trial, *program, situation)) { // to count them takes long
    trial.hasPoints = updatesPoints(*program, situation.extents);
    return;
  }
  Expected<ProgramCounts> counted = countProgram(*program, situation.extents);
  trial.hasPoints = !errorToBool(counted.takeError());
  if (trial.hasPoints)
    tryBothResidencies(trial, *program, *counted, situation);
  for (std::optional<Candidate> *candidate : {&trial.own, &trial.full})
    if (trial.hasPoints)
      tryBands(*candidate, *counted, situation);
  if (trial.own)
    scale(trial, *counted, situation);
}

/// The last ones first: those that fuse steps stand there and take longest, and no thread is to do
/// one while the others have nothing left to do.
void runAll(MutableArrayRef<Trial> trials, const Forms &forms, const Situation &situation) {
  doInThreads(trials.size(), situation.threads,
              [&](size_t number) { run(trials.rbegin()[number], forms, situation); });
}

/// True of marches whose counts say what they do in chunks of another length.
bool scales(const Schedule &schedule, const Situation &situation) {
  return situation.scalesMarches && schedule.rank == 3 && fuses(schedule);
}

/// A trial of each but those that differ from one before in their chunk alone: these go to it if
/// its counts say what they do, and to `further` if not.
std::vector<Trial> trialsOf(std::vector<Schedule> candidates, const Situation &situation,
                            std::vector<Schedule> &further) {
  std::vector<Trial> trials;
  for (Schedule &candidate : candidates) {
    auto first =
        fuses(candidate)
            ? find_if(reverse(trials),
                      [&](const Trial &trial) { return isSameTile(trial.schedule, candidate); })
            : trials.rend();
    if (first == trials.rend())
      trials.emplace_back().schedule = std::move(candidate);
    else
      (scales(candidate, situation) ? first->longer : further).push_back(std::move(candidate));
  }
  return trials;
}

/// What a march would take if its chunks filled the SMs to the last wave of blocks, as some length
/// of chunks may.
double secondsOfFullWaves(const Candidate &candidate) {
  const double waves = candidate.predicted.geometric ? candidate.predicted.geometric->waves : 0;
  return candidate.seconds() * (waves > 1 ? waves / std::ceil(waves) : 1);
}

/// Of chunks that blocks share, those are of use of which a grid has as many in a column as groups
/// of sharers run at once: with fewer SMs hold fewer blocks than they could, with more a group
/// waits.
bool isOfUse(const Schedule &shared, int residency, const Situation &situation) {
  const std::optional<int> sharers = sharersOf(shared);
  if (!sharers)
    return true;
  const int places = residency * int(situation.device->sms.value);
  return int64_t(divideCeil(situation.extents[0], shared.chunk)) == std::max(1, places / *sharers);
}

/// The best tiles of fused steps with their further chunks.
std::vector<Trial> trialsOfBest(ArrayRef<Trial> trials, ArrayRef<Schedule> further,
                                const Situation &situation) {
  std::vector<const Candidate *> fused;
  for (const Trial &trial : trials)
    if (trial.own && fuses(trial.schedule))
      fused.push_back(&*trial.own);
  stable_sort(fused, [](const Candidate *one, const Candidate *other) {
    return secondsOfFullWaves(*one) < secondsOfFullWaves(*other);
  });
  std::vector<Trial> more;
  for (const Candidate *best : ArrayRef(fused).take_front(situation.bestTiles)) {
    Schedule open = best->schedule;
    open.residency = 0;
    for (const Schedule &schedule : further)
      if (isSameTile(schedule, open) && isOfUse(schedule, best->schedule.residency, situation))
        more.emplace_back().schedule = schedule;
  }
  return more;
}

/// Adds trials of marches that were predicted by counts in proportion, the best of which are
/// counted themselves where the first ties with the best of all or beats it. More would take longer
/// than they are worth: forecasts by proportion are off by less than a tie (MarchOfLengthTest.cpp).
void addScaled(std::vector<Trial> &trials, const Forms &forms, const Situation &situation) {
  constexpr size_t mostCounted = 4;
  std::vector<Candidate> scaled;
  double least = std::numeric_limits<double>::infinity();
  for (Trial &trial : trials) {
    llvm::move(trial.scaled, std::back_inserter(scaled));
    if (trial.own)
      least = std::min(least, trial.own->seconds());
  }
  stable_sort(scaled, [](const Candidate &one, const Candidate &other) {
    return one.seconds() < other.seconds();
  });
  std::vector<Trial> counted;
  if (!scaled.empty() && scaled.front().seconds() <= least * (1 + kTie))
    for (const Candidate &candidate : ArrayRef(scaled).take_front(mostCounted)) {
      counted.emplace_back().schedule = candidate.schedule;
      counted.back().schedule.residency = 0;
    }
  runAll(counted, forms, situation);
  const size_t first = counted.size();
  llvm::move(counted, std::back_inserter(trials));
  for (Candidate &candidate : MutableArrayRef(scaled).drop_front(first)) {
    Trial &trial = trials.emplace_back();
    trial.schedule = candidate.schedule;
    trial.isLowered = trial.hasPoints = true;
    trial.own = std::move(candidate);
  }
  // Of a tie the shorter march comes first.
  const auto length = [](const Trial &trial) {
    return trial.schedule.rank == 3 && fuses(trial.schedule) ? trial.schedule.chunk : 0;
  };
  stable_sort(trials,
              [&](const Trial &one, const Trial &other) { return length(one) < length(other); });
}

/// Adds trials of what variants have beside the best of their candidates, where it gains enough.
void addBesides(std::vector<Trial> &trials, const Forms &forms, const Situation &situation) {
  constexpr size_t best = 4;
  std::vector<const Candidate *> predicted;
  for (const Trial &trial : trials)
    if (trial.own)
      predicted.push_back(&*trial.own);
  stable_sort(predicted, [](const Candidate *one, const Candidate *other) {
    return one->seconds() < other->seconds();
  });
  std::vector<Trial> beside;
  std::vector<double> most; // seconds, of each
  for (const Candidate *candidate : ArrayRef(predicted).take_front(best)) {
    Schedule open = candidate->schedule;
    open.residency = 0;
    const Variant &variant = *findVariant(open.variant);
    if (!variant.besides)
      continue;
    for (Schedule &schedule : variant.besides(forms.of(open).stencil, open)) {
      beside.emplace_back().schedule = std::move(schedule);
      most.push_back(candidate->seconds());
    }
  }
  runAll(beside, forms, situation);
  for (auto [trial, seconds] : zip_equal(beside, most))
    if (trial.own && trial.own->seconds() * (1 + kGainBeside) <= seconds)
      trials.push_back(std::move(trial));
}

} // namespace

std::vector<Trial> tryAll(std::vector<Schedule> schedules, const Forms &forms,
                          const Situation &situation) {
  std::vector<Schedule> further;
  std::vector<Trial> trials = trialsOf(std::move(schedules), situation, further);
  runAll(trials, forms, situation);
  std::vector<Trial> more = trialsOfBest(trials, further, situation);
  runAll(more, forms, situation);
  llvm::move(more, std::back_inserter(trials));
  addScaled(trials, forms, situation);
  addBesides(trials, forms, situation);
  return trials;
}

} // namespace stencilc
