// Every example under every variant: the accesses of the emitted text are those that the walker
// counts and the interpreter makes, and none of them race.
//
// Day by day another sample of blocks and chunks is drawn; STENCILC_SEED repeats one, STENCILC_ALL
// takes all.
#include "test/Examples.h"
#include "codegen/Variant.h"
#include "test/fuzz/Random.h"
#include "test/ir/WalkComparison.h"
#include "test/trace/Races.h"
#include "test/trace/TracedPrograms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

using namespace stencilc;
using namespace stencilc::trace;

namespace {

uint64_t seedOfRun() {
  if (const char *seed = std::getenv("STENCILC_SEED"))
    return std::strtoull(seed, nullptr, 10);
  const std::time_t now = std::time(nullptr);
  std::array<char, 16> day;
  std::strftime(day.data(), day.size(), "%Y%m%d", std::gmtime(&now));
  return std::strtoull(day.data(), nullptr, 10);
}

/// The variant's own schedule, and others that cut rows, warps and chunks.
std::vector<Schedule> schedulesOf(const Variant &variant, const Stencil &stencil) {
  std::vector<Schedule> schedules = {variant.defaultSchedule(stencil)};
  for (std::array<int, 3> block : {std::array{32, 4, 1}, {33, 2, 1}, {5, 3, 2}, {8, 1, 1}})
    for (int chunk : {1, 2, 3}) {
      Schedule schedule = schedules.front();
      schedule.block = block;
      std::fill(schedule.block.begin() + stencil.rank(), schedule.block.end(), 1);
      schedule.chunk = chunk;
      if (!llvm::errorToBool(variant.checkLegal(stencil, schedule)))
        schedules.push_back(schedule);
    }
  return schedules;
}

std::string programName(llvm::StringRef file, const Variant &variant, ScalarType real,
                        size_t number) {
  return fmt::format("t{}_{}_{}_{}", llvm::sys::path::stem(file).str(), variant.name.str(),
                     real == ScalarType::F32 ? "f32" : "f64", number);
}

/// Of each example, variant and precision, all schedules or a drawn one.
std::vector<PrintedProgram> samplePrograms(fuzz::Random &random, bool takesAll) {
  std::vector<PrintedProgram> programs;
  for (const std::string &file : exampleNames())
    for (ScalarType real : {ScalarType::F32, ScalarType::F64}) {
      const Stencil stencil = example(file, real);
      for (const Variant *variant : variantsFor(stencil)) {
        const std::vector<Schedule> schedules = schedulesOf(*variant, stencil);
        const size_t drawn = random.below(schedules.size());
        for (size_t number = 0; number < schedules.size(); ++number)
          if (takesAll || number == drawn)
            programs.push_back(printProgram(stencil, schedules[number],
                                            programName(file, *variant, real, number)));
      }
    }
  return programs;
}

std::vector<Placement> placementsOf(unsigned rank, fuzz::Random &random) {
  std::vector<Placement> placements;
  for (int64_t x : {6, 41}) {
    Placement dense;
    dense.extents = rank == 2 ? std::vector<int64_t>{7, x} : std::vector<int64_t>{7, 6, x};
    dense.phase = random.below(32);
    Placement apart = dense;
    apart.phase = random.below(32);
    apart.pitch = random.between(1, 5);
    placements.push_back(dense);
    placements.push_back(apart);
  }
  return placements;
}

uint64_t countRequests(const StepTraffic &step) {
  uint64_t requests = 0;
  for (const auto &[place, block] : step)
    for (const auto &[stream, count] : block.requests)
      requests += count.requests;
  return requests;
}

void testProgram(TracedPrograms &programs, size_t number, const Placement &placement) {
  const PrintedProgram &printed = programs[number];
  SCOPED_TRACE(fmt::format("{}, {}, extents {}, phase {}, pitch {}", printed.form.name,
                           printed.form.schedule, testing::PrintToString(placement.extents),
                           placement.phase, placement.pitch));
  const TracedStep step = programs.run(number, placement);
  EXPECT_EQ(step.message, "");
  EXPECT_FALSE(step.accesses.empty());
  EXPECT_EQ(programs.difference(number, step), "");
  for (const auto &[left, right] : findRaces(step.accesses))
    ADD_FAILURE() << programs.lineOf(left.instruction) << " races with "
                  << programs.lineOf(right.instruction);
  if (placement.pitch != 0)
    return;
  // The interpreter's arrays have no gaps between rows.
  const WalkedStep interpreted = compareWalk(*printed.program, placement.extents, placement.phase);
  EXPECT_EQ(interpreted.difference, "");
  EXPECT_EQ(interpreted.accesses, step.accesses.size());
  EXPECT_EQ(interpreted.requests, countRequests(step.logged));
}

} // namespace

TEST(ExampleTraces, AreWhatWalkerAndInterpreterCount) {
  const uint64_t seed = seedOfRun();
  const bool takesAll = std::getenv("STENCILC_ALL") != nullptr;
  fuzz::Random random(seed);
  std::vector<PrintedProgram> programs = samplePrograms(random, takesAll);
  SCOPED_TRACE(fmt::format("STENCILC_SEED={}{}", seed, takesAll ? " STENCILC_ALL=1" : ""));
  ASSERT_GE(programs.size(), exampleNames().size() * variants().size());
  TracedPrograms traced(std::move(programs));
  for (size_t number = 0; number < traced.size(); ++number)
    for (const Placement &placement : placementsOf(traced[number].form.signature.rank(), random))
      testProgram(traced, number, placement);
}
