#include "frontend/driver/TriedSchedules.h"

#include "ir/kernel/InThreads.h"
#include "ir/stencil/StencilFacts.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace stencilc {

Model modelOf(const Situation &situation) {
  return situation.options.model.value_or(defaultModel(*situation.device));
}

bool isInPatches(const Schedule &schedule) { return schedule.pointsPerThread != std::array{1, 1}; }

bool isSameTile(const Schedule &one, Schedule other) {
  Schedule tile = one;
  for (Schedule *some : {&tile, &other})
    erase_if(some->flags, [](StringRef flag) { return flag.starts_with("share"); });
  other.chunk = tile.chunk;
  return tile == other;
}

std::optional<int> sharersOf(const Schedule &schedule) {
  for (StringRef flag : schedule.flags)
    if (int sharers; flag.consume_front("share") && !flag.consumeInteger(10, sharers))
      return sharers;
  return std::nullopt;
}

Forms::Forms(const Stencil &stencil) : all{{"", cantFail(formFor(stencil, {}))}} {
  const auto add = [&](StringRef flag) {
    Schedule flagged;
    flagged.flags.push_back(flag.str());
    Expected<StencilForm> form = formFor(stencil, flagged);
    if (!form)
      return toString(form.takeError());
    all.push_back({flag, std::move(*form)});
    return std::string();
  };
  bool makesTemps = false;
  forEachUpdate(all.front().form.stencil, [&](const Update &update) {
    makesTemps |= stencil.arrays[update.array].kind == ArrayKind::Temp;
  });
  if (makesTemps)
    whyStored = add(kTempsAgain);
  add(kValuesOnce); // most stencils have no such values, which is no news
}

Schedule Forms::Flagged::schedule(Schedule plain) const {
  if (!flag.empty())
    plain.flags.push_back(flag.str());
  sort(plain.flags);
  return plain;
}

bool Forms::Flagged::isOf(const Schedule &schedule) const {
  return flag.empty() ? !schedule.hasFlag(kTempsAgain) && !schedule.hasFlag(kValuesOnce)
                      : schedule.hasFlag(flag);
}

const Forms::Flagged &Forms::flaggedOf(const Schedule &schedule) const {
  return *find_if(all, [&](const Flagged &one) { return one.isOf(schedule); });
}

namespace {

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

/// Of schedules for one step at a time.
void pruneSingle(std::vector<Schedule> &candidates, const Forms::Flagged &form, size_t expressions,
                 const Constraints &constraints, const Situation &situation,
                 std::vector<Rejection> &rejected) {
  const auto isTried = [&](Breadth breadth, const Schedule &candidate) {
    Schedule usual =
        form.schedule(findVariant(candidate.variant)->defaultSchedule(form.form.stencil));
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
             fmt::format(
                 "of a formula of {} expressions fewer schedules are tried than by --try-all",
                 expressions),
             /*isWholeVariant=*/false, Rejection::Grounds::Work});
    candidates = std::move(left);
  }
}

/// Leaves as many candidates of one form as are not too much work; the others are added to
/// `rejected`.
void prune(std::vector<Schedule> &candidates, const Forms::Flagged &form,
           const Constraints &constraints, const Situation &situation,
           std::vector<Rejection> &rejected) {
  const size_t expressions = countValues(form.form.stencil);
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
           fmt::format("of a formula of {} expressions fewer tiles are tried than by --try-all",
                       expressions),
           /*isWholeVariant=*/false, Rejection::Grounds::Work});
  }
}

/// Adds the candidates of a variant for one form of the stencil.
void addCandidates(std::vector<Schedule> &all, const Variant &variant,
                   const Forms::Flagged &flagged, const Constraints &constraints,
                   const Situation &situation, std::vector<Rejection> &rejected) {
  const StencilForm &form = flagged.form;
  const Schedule usual = flagged.schedule(variant.defaultSchedule(form.stencil));
  if (Error error = checkLegal(form, usual)) {
    rejected.push_back(
        {usual, toString(std::move(error)), /*isWholeVariant=*/flagged.flag.empty()});
    return;
  }
  std::vector<Schedule> candidates;
  StringSet<> known;
  for (Schedule &schedule : variant.candidates(form.stencil)) {
    Schedule candidate = flagged.schedule(std::move(schedule));
    force(candidate, constraints);
    if (known.insert(toString(candidate)).second)
      candidates.push_back(std::move(candidate));
  }
  if (!constraints.fuse && !constraints.variant && !evolves(form.stencil))
    erase_if(candidates, [&](const Schedule &candidate) {
      if (candidate.fuse == 1)
        return false;
      rejected.push_back({candidate, "no step reads what the one before made, so that "
                                     "fused ones would make the same again"});
      return true;
    });
  std::vector<std::string> faults(candidates.size());
  doInThreads(candidates.size(), situation.threads, [&](size_t number) {
    faults[number] = toString(checkLegal(form, candidates[number]));
  });
  for (auto [candidate, fault] : zip_equal(candidates, faults))
    if (fault.empty())
      all.push_back(std::move(candidate));
    else
      rejected.push_back({std::move(candidate), std::move(fault)});
}

} // namespace

std::vector<Schedule> triedSchedules(const Forms &forms, const Constraints &constraints,
                                     const Situation &situation, std::vector<Rejection> &rejected) {
  std::vector<Schedule> all;
  for (const Forms::Flagged &form : forms.all)
    for (const Variant &variant : variants())
      if (variant.candidates && (!constraints.variant || constraints.variant == &variant))
        addCandidates(all, variant, form, constraints, situation, rejected);
  if (!forms.whyStored.empty() && !all.empty()) {
    rejected.push_back(
        {all.front(), forms.whyStored, /*isWholeVariant=*/false, Rejection::Grounds::Another});
    rejected.back().schedule.flags.push_back(kTempsAgain.str());
  }
  std::vector<Schedule> left;
  for (const Forms::Flagged &form : forms.all) {
    std::vector<Schedule> ofForm;
    for (const Schedule &candidate : all)
      if (!form.isOf(candidate))
        continue;
      else if (auto reason = whyNot(candidate, all, form.form.stencil, situation))
        rejected.push_back(
            {candidate, *reason, /*isWholeVariant=*/false, Rejection::Grounds::Another});
      else
        ofForm.push_back(candidate);
    if (!ofForm.empty())
      prune(ofForm, form, constraints, situation, rejected);
    append_range(left, ofForm);
  }
  const auto place = [](const Schedule &one) {
    return one.fuse > 1 ? std::numeric_limits<int>::max() : one.chunk;
  };
  stable_sort(left, [&](const Schedule &a, const Schedule &b) { return place(a) < place(b); });
  return left;
}

std::vector<Schedule> usualOfOthers(const Forms &forms, const Constraints &constraints) {
  std::vector<Schedule> all;
  if (constraints.variant)
    return all;
  for (const Forms::Flagged &form : forms.all)
    for (const Variant &variant : variants()) {
      if (variant.candidates || variant.target != Target::Device)
        continue;
      Schedule usual = form.schedule(variant.defaultSchedule(form.form.stencil));
      force(usual, constraints);
      if (!errorToBool(checkLegal(form.form, usual)))
        all.push_back(std::move(usual));
    }
  return all;
}

} // namespace stencilc
