#include "costmodel/count/RunCounts.h"

#include "ir/kernel/PlanRun.h"
#include "ir/walk/WalkLaunch.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

namespace {

/// Passes of a kind that are followed one by one. What names stand for repeats long before: fields
/// have up to three buffers, which take turns.
constexpr int64_t kFollowed = 100;

/// How often a run makes each launch.
class LaunchTally : public PlanRun {
public:
  LaunchTally(const Program &program, llvm::ArrayRef<ArrayLayout> layouts)
      : PlanRun(program), layouts(layouts) {
    forEachLaunchOf(program.plan, [&](const Launch &launch) { launches.push_back(&launch); });
    times.resize(launches.size());
    for (const Pass &pass : program.plan.passes)
      findFirst(pass.actions);
  }

  struct Moment {
    std::vector<unsigned> names; ///< what each stands for
    std::vector<int64_t> times;
  };
  std::vector<const Launch *> launches;
  std::vector<int64_t> times;    ///< of each
  std::vector<Moment> afterPass; ///< the first entry: before the first one
  int64_t firstPasses = 0;       ///< after so many all do the same where names do

private:
  void findFirst(const Actions &actions) {
    for (const Action &action : actions)
      if (const When *when = std::get_if<When>(&action.node)) {
        if (const auto *first = std::get_if<FirstPasses>(&when->condition))
          firstPasses = std::max(firstPasses, first->count);
        findFirst(when->then);
        findFirst(when->otherwise);
      }
  }

  llvm::Error perform(const Launch &launch) override {
    ++times[llvm::find(launches, &launch) - launches.begin()];
    return llvm::Error::success();
  }
  bool isAligned(unsigned buffer, const Aligned &aligned) const override {
    return rowsAreAligned(program, {aligned.bytes, aligned.at, {buffer}}, layouts);
  }
  bool wantsResults() const override { return false; }

  llvm::Error beginPass(const Pass &) override {
    if (afterPass.empty())
      note();
    return llvm::Error::success();
  }
  llvm::Error endPass(const Pass &) override {
    note();
    return llvm::Error::success();
  }
  void note() {
    Moment &moment = afterPass.emplace_back();
    for (unsigned buffer = 0; buffer < program.buffers.size(); ++buffer)
      moment.names.push_back(memoryOf(buffer));
    moment.times = times;
  }

  llvm::ArrayRef<ArrayLayout> layouts;
};

/// Follows all of a run, but for passes of the steady kind that do what earlier ones did, which are
/// added up.
llvm::Expected<LaunchTally> tallyOf(const Program &program, llvm::ArrayRef<ArrayLayout> layouts,
                                    llvm::ArrayRef<int64_t> extents, int64_t steps) {
  const int64_t stepsOfPass = steadyPass(program.plan, extents).steps, passes = steps / stepsOfPass;
  LaunchTally all(program, layouts);
  if (passes <= kFollowed) {
    llvm::cantFail(all.run(extents, steps));
    return all;
  }
  LaunchTally start(program, layouts);
  llvm::cantFail(start.run(extents, kFollowed * stepsOfPass));
  const int64_t from = start.firstPasses;
  for (int64_t to = from + 1; to <= kFollowed; ++to)
    if (start.afterPass[to].names == start.afterPass[from].names) {
      const int64_t period = to - from, left = from + (passes - from) % period;
      llvm::cantFail(all.run(extents, steps - (passes - left) * stepsOfPass));
      for (unsigned launch = 0; launch < all.times.size(); ++launch)
        all.times[launch] +=
            (passes - left) / period *
            (start.afterPass[to].times[launch] - start.afterPass[from].times[launch]);
      return all;
    }
  return llvm::createStringError("what the passes of a run launch does not repeat");
}

} // namespace

llvm::Expected<RunCounts> stencilc::countRun(const VerifiedProgram &program,
                                             llvm::ArrayRef<int64_t> extents, int64_t steps) {
  const std::vector<ArrayLayout> layouts = recommendedLayouts(*program, extents);
  llvm::Expected<LaunchTally> tally = tallyOf(*program, layouts, extents, steps);
  if (!tally)
    return tally.takeError();
  const Pass &pass = steadyPass(program->plan, extents);
  RunCounts run{steps, steps / pass.steps, {}};
  const std::vector<const Launch *> steady = steadyLaunches(*program, pass, extents, layouts);
  for (auto [launch, times] : llvm::zip_equal(tally->launches, tally->times)) {
    const int64_t beside = times - llvm::count(steady, launch) * run.passes;
    if (beside == 0)
      continue;
    if (std::optional<LaunchCounts> counted = countLaunch(program, *launch, extents))
      run.beside.push_back({launch->comment, std::move(*counted), beside});
  }
  return run;
}
