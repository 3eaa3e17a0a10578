// Every example under every variant: the accesses of the emitted text are those that the walker
// counts and the interpreter makes, none of them race, and on recommended layouts their sums are
// those that countProgram gives for the whole step.
//
// A sample of blocks, chunks and grids is drawn; STENCILC_SEED draws another, STENCILC_ALL takes
// all.
#include "test/Examples.h"
#include "codegen/lower/Variant.h"
#include "costmodel/count/Counts.h"
#include "test/Schedules.h"
#include "test/Seed.h"
#include "test/fuzz/Random.h"
#include "test/ir/WalkComparison.h"
#include "test/trace/Races.h"
#include "test/trace/TracedPrograms.h"

#include "llvm/Support/xxhash.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace stencilc;
using namespace stencilc::trace;

namespace {

/// Schedules that cut rows, warps and chunks.
std::vector<Schedule> schedulesOf(const Variant &variant, const Stencil &stencil) {
  if (variant.defaultSchedule(stencil).fuse > 1)
    return legalSchedules(variant, stencil, {{32, 3, 1}, {32, 1, 1}}, {1, 3});
  return legalSchedules(variant, stencil, {{32, 4, 1}, {33, 2, 1}, {5, 3, 2}, {8, 1, 1}},
                        {1, 2, 3});
}

std::string programName(llvm::StringRef file, const Variant &variant, ScalarType real,
                        size_t number) {
  return fmt::format("t{}_{}_{}_{}", llvm::sys::path::stem(file).str(), variant.name.str(),
                     real == ScalarType::F32 ? "f32" : "f64", number);
}

/// The log watches the caller's memory, not the workspace, in which temps lie, and levels that the
/// caller has no buffer for.
bool canBeTraced(const Program &program) {
  return llvm::none_of(program.buffers, [](const Buffer &buffer) {
    return std::holds_alternative<WorkspaceMemory>(buffer.owner);
  });
}

/// Of each variant and precision, all schedules or a drawn one.
std::vector<PrintedProgram> samplePrograms(const std::string &file, fuzz::Random &random) {
  std::vector<PrintedProgram> programs;
  for (ScalarType real : {ScalarType::F32, ScalarType::F64}) {
    Stencil stencil = example(file, real);
    if (llvm::any_of(stencil.arrays,
                     [](const Array &array) { return array.kind == ArrayKind::Temp; }))
      continue;
    stencil.reductions.clear(); // no part of a step
    for (const Variant *variant : variantsFor(stencil)) {
      const std::vector<Schedule> schedules = schedulesOf(*variant, stencil);
      const size_t drawn = random.below(schedules.size());
      for (size_t number = 0; number < schedules.size(); ++number)
        if (takesAll() || number == drawn) {
          PrintedProgram printed =
              printProgram(stencil, schedules[number], programName(file, *variant, real, number));
          if (canBeTraced(*printed.program))
            programs.push_back(std::move(printed));
        }
    }
  }
  return programs;
}

std::vector<std::vector<int64_t>> smallGrids(unsigned rank) {
  if (rank == 1)
    return {{6}, {41}};
  if (rank == 2)
    return {{7, 6}, {7, 41}};
  return {{7, 9, 9}, {7, 9, 41}};
}

/// True if a run makes more than one step in its first pass.
bool fusesSteps(const Program &program) { return program.plan.passes.front().steps > 1; }

/// True if the program makes its first pass on such a grid.
bool fits(const Program &program, const std::vector<int64_t> &extents) {
  const auto &least = program.plan.passes.front().minimumExtent;
  return llvm::all_of(llvm::enumerate(extents),
                      [&](auto extent) { return extent.value() >= least[extent.index()]; });
}

/// Small grids of a pass: all, or a drawn one.
std::vector<std::vector<int64_t>> sampleGrids(const Program &program, fuzz::Random &random) {
  std::vector<std::vector<int64_t>> grids = smallGrids(program.signature.rank());
  llvm::erase_if(grids, [&](const auto &extents) { return !fits(program, extents); });
  if (takesAll() || grids.empty())
    return grids;
  return {grids[random.below(grids.size())]};
}

std::vector<Placement> placementsOf(const Program &program, fuzz::Random &random) {
  std::vector<Placement> placements;
  for (const std::vector<int64_t> &extents : sampleGrids(program, random)) {
    Placement dense;
    dense.extents = extents;
    dense.phase = random.below(32);
    Placement apart = dense;
    apart.phase = random.below(32);
    apart.pitch = random.between(1, 5);
    placements.push_back(dense);
    placements.push_back(apart);
  }
  return placements;
}

/// As the emitted layout function recommends.
Placement recommendedPlacement(const Program &program, const std::vector<int64_t> &extents) {
  Placement placement;
  placement.extents = extents;
  const std::vector<ArrayLayout> layouts = recommendedLayouts(program, extents);
  const unsigned x = extents.size() - 1;
  int64_t row = 0, widest = 0;
  for (auto [array, layout] : llvm::zip_equal(program.buffers, layouts)) {
    placement.phase = layout.origin; // of all arrays
    if (array.axes.size() != extents.size())
      continue;
    row = x > 0 ? layout.stride[x - 1] : 0;
    widest = std::max<int64_t>(widest, array.ghost[x][Low] + extents[x] + array.ghost[x][High]);
  }
  placement.pitch = x > 0 ? row - widest : 0;
  return placement;
}

uint64_t countAccesses(const StepTraffic &step) {
  uint64_t accesses = 0;
  for (const auto &[place, block] : step)
    for (const auto &[thread, made] : block.threads)
      accesses += made.size();
  return accesses;
}

uint64_t countRequests(const StepTraffic &step) {
  uint64_t requests = 0;
  for (const auto &[place, block] : step)
    for (const auto &[stream, count] : block.requests)
      requests += count.requests;
  return requests;
}

/// Of one launch: accesses (of a vector, one), requests and sectors by buffer and whether it is
/// stored to.
using Sums = std::map<std::pair<unsigned, bool>, std::array<uint64_t, 3>>;

Sums sumsOf(const StepTraffic &step, const StepTraffic &walked, unsigned launch) {
  Sums sums;
  for (const auto &[place, block] : step) {
    if (place.first != launch)
      continue;
    for (const auto &[thread, accesses] : block.threads)
      for (const ThreadAccess &access : accesses)
        sums[{access.buffer, access.isStore}][0] += access.part == 0;
    for (const auto &[stream, count] : block.requests) {
      sums[stream][1] += count.requests;
      sums[stream][2] += count.sectors;
    }
  }
  for (const auto &[place, block] : walked)
    if (place.first == launch)
      for (auto [buffer, sectors] : block.sectorsAgain)
        sums[{buffer, false}][2] += sectors;
  return sums;
}

Sums countedSums(const LaunchCounts &counts, const Launch &launch) {
  Sums sums;
  for (const ArrayCounts &array : counts.arrays) {
    auto &[accesses, requests, sectors] = sums[{launch.buffers[array.array], array.isStore}];
    accesses += array.launch.accesses;
    requests += array.launch.requests;
    sectors += array.launch.sectors;
  }
  return sums;
}

/// One pass, whose accesses are those walked and do not race.
TracedStep runAsWalked(TracedPrograms &programs, size_t number, const Placement &placement) {
  TracedStep step = programs.run(number, placement);
  EXPECT_EQ(step.message, "");
  EXPECT_FALSE(step.accesses.empty());
  EXPECT_EQ(programs.difference(number, step), "");
  for (const auto &[left, right] : findRaces(step.accesses))
    ADD_FAILURE() << programs.lineOf(left.instruction) << " races with "
                  << programs.lineOf(right.instruction);
  return step;
}

void testProgram(TracedPrograms &programs, size_t number, const Placement &placement) {
  const PrintedProgram &printed = programs[number];
  SCOPED_TRACE(fmt::format("{}, {}, extents {}, phase {}, pitch {}", printed.form.name,
                           printed.form.schedule, testing::PrintToString(placement.extents),
                           placement.phase, placement.pitch));
  const TracedStep step = runAsWalked(programs, number, placement);
  if (placement.pitch != 0)
    return;
  // The interpreter's arrays have no gaps between rows.
  const WalkedStep interpreted = compareWalk(*printed.program, placement.extents, placement.phase);
  EXPECT_EQ(interpreted.difference, "");
  if (fusesSteps(*printed.program))
    return; // and those of single steps are interpreted too
  EXPECT_EQ(interpreted.accesses, countAccesses(step.logged));
  EXPECT_EQ(interpreted.requests,
            countRequests(programs.tellsRequests(number) ? step.logged : step.walked));
}

/// What is counted of a program against one run of its text; where the layout lets it, vectors are
/// moved.
void testCounts(TracedPrograms &programs, size_t number, const std::vector<int64_t> &extents) {
  const VerifiedProgram &program = programs[number].program;
  if (program->target == Target::Host)
    return;
  SCOPED_TRACE(fmt::format("{}, {}, extents {}", programs[number].form.name,
                           toString(program->schedule), testing::PrintToString(extents)));
  const ProgramCounts counts = llvm::cantFail(countProgram(program, extents));
  const TracedStep step = runAsWalked(programs, number, recommendedPlacement(*program, extents));

  const std::vector<ArrayLayout> layouts = recommendedLayouts(*program, extents);
  unsigned inLog = 0, inCounts = 0; // launches
  const std::vector<const Launch *> steady =
      steadyLaunches(*program, program->plan.passes.front(), extents, layouts);
  for (const Launch *launch : launchesOfFirstPass(*program, layouts)) {
    if (place(*program, *launch, extents, layouts).cover.isEmpty())
      continue;
    if (llvm::is_contained(steady, launch)) {
      ASSERT_LT(inCounts, counts.launches.size());
      const StepTraffic &made = programs.tellsRequests(number) ? step.logged : step.walked;
      EXPECT_EQ(countedSums(counts.launches[inCounts++], *launch),
                sumsOf(made, step.walked, inLog));
    }
    ++inLog;
  }
  EXPECT_EQ(inCounts, counts.launches.size());
}

} // namespace

class ExampleTraces : public testing::TestWithParam<std::string> {};

TEST_P(ExampleTraces, AreWhatWalkerAndInterpreterCount) {
  const uint64_t seed = seedOfRun();
  fuzz::Random random(seed + llvm::xxh3_64bits(GetParam())); // each draws its own
  std::vector<PrintedProgram> programs = samplePrograms(GetParam(), random);
  SCOPED_TRACE(fmt::format("STENCILC_SEED={}{}", seed, takesAll() ? " STENCILC_ALL=1" : ""));
  if (programs.empty())
    GTEST_SKIP() << "it has memory in the workspace, which the log does not watch";
  ASSERT_GT(programs.size(), 3u); // in two precisions, of two variants
  TracedPrograms traced(std::move(programs));
  for (size_t number = 0; number < traced.size(); ++number) {
    const Program &program = *traced[number].program;
    for (const Placement &placement : placementsOf(program, random))
      testProgram(traced, number, placement);
    for (const std::vector<int64_t> &extents : sampleGrids(program, random))
      testCounts(traced, number, extents);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ExampleTraces, testing::ValuesIn(exampleNames()),
                         [](const auto &example) {
                           return llvm::sys::path::stem(example.param).str();
                         });
