// baseline: one thread brings one point to its next level.
//
// Su et al. 2015, section 2.2, is this kernel with loads through the read-only path; with the flag
// `plain` it is the BASE version of Nasciutti & Panetta 2017. Neighbouring threads meet again in
// the caches; nothing is kept in registers or shared memory from one point to the next.
#include "codegen/lower/Candidates.h"
#include "codegen/lower/PatchStage.h"
#include "codegen/lower/ScheduleLimits.h"
#include "codegen/lower/StageKernel.h"

using namespace stencilc;

static constexpr VariantFlag kFlags[] = {kLdgFlag, kPlainFlag};

static Schedule defaultSchedule(const Stencil &stencil) {
  Schedule schedule;
  schedule.variant = "baseline";
  schedule.rank = stencil.rank();
  switch (stencil.rank()) {
  case 1:
    schedule.block = {256, 1, 1};
    break;
  case 2:
    schedule.block = {32, 8, 1};
    break;
  default:
    schedule.block = {32, 4, 2};
  }
  return schedule;
}

static llvm::Error checkLegal(const Stencil &stencil, const Schedule &schedule) {
  ScheduleLimits limits;
  limits.flags = namesOf(kFlags);
  limits.pointsPerThread = true;
  return checkLimits(stencil, schedule, limits);
}

static void appendPoint(ThreadedStage &stage) { stage.appendPoint(); }

static Program lower(const Stencil &stencil, const Schedule &schedule) {
  return isPatched(schedule) ? lowerInPatches(stencil, schedule, appendPoint)
                             : lowerByStages(stencil, schedule, appendPoint);
}

static std::vector<Schedule> candidates(const Stencil &stencil) {
  std::vector<Schedule> all =
      candidatesIn(defaultSchedule(stencil), stencil.rank(), {1}, {"plain"});
  // On three axes, threads that have several points march. Of blocks that are forecast alike the
  // first is taken: smaller ones are as fast in most cases, and a tenth faster in some
  // (test/gpu/results/h200_search_again.json). Of rows likewise: two take as long as one at the
  // median, 2 % longer in the mean of 141 such pairs of the draws there, lbm in f32 7.
  if (stencil.rank() == 2)
    llvm::append_range(
        all, candidatesInPatches(stencil, defaultSchedule(stencil),
                                 {{{32, 4, 1}, {1, 2}}, {{32, 8, 1}, {1, 2}}, {{64, 4, 1}, {1, 2}}},
                                 {1}));
  return all;
}

namespace stencilc {
extern const Variant baselineVariant;
const Variant baselineVariant = {
    .name = "baseline",
    .summary = "one thread, one point",
    .defaultSchedule = defaultSchedule,
    .checkLegal = checkLegal,
    .lower = lower,
    .candidates = candidates,
    .flags = kFlags,
};
} // namespace stencilc
