// On every example, variant and a choice of block shapes, chunks, sizes and phases, the walker's
// requests are those that the interpreter makes.
#include "codegen/lower/Lower.h"
#include "ir/walk/WalkLaunch.h"
#include "test/Examples.h"
#include "test/Schedules.h"
#include "test/Seed.h"
#include "test/ir/WalkComparison.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

/// Schedules that cut rows, warps and chunks.
std::vector<Schedule> schedulesOf(const Variant &variant, const Stencil &stencil) {
  std::vector<Schedule> schedules =
      legalSchedules(variant, stencil, {{32, 4, 1}, {33, 2, 1}, {5, 3, 2}, {8, 1, 1}}, {1, 2, 3});
  llvm::append_range(schedules, patchedSchedules(variant, stencil, {32, 4, 1}, {1, 3}));
  return schedules;
}

std::vector<std::vector<int64_t>> gridsOf(unsigned rank) {
  if (rank == 1)
    return {{41}, {6}};
  if (rank == 2)
    return {{13, 41}, {6, 6}};
  return {{7, 6, 37}, {6, 7, 6}};
}

} // namespace

/// By the place of the example.
class WalkedExamples : public testing::TestWithParam<size_t> {};

// A third of the schedules of each variant: STENCILC_SEED draws others, STENCILC_ALL takes all.
TEST_P(WalkedExamples, MakeTheRequestsOfTheInterpreter) {
  uint64_t requests = 0;
  const std::string name = exampleNames()[GetParam()];
  const Stencil stencil = example(name);
  for (const Variant *variant : variantsFor(stencil)) {
    const std::vector<Schedule> schedules = schedulesOf(*variant, stencil);
    for (const Schedule &schedule : drawn(schedules, (schedules.size() + 2) / 3, GetParam())) {
      const VerifiedProgram program = llvm::cantFail(lower(stencil, schedule));
      for (const std::vector<int64_t> &extents : gridsOf(stencil.rank())) {
        const WalkedStep step = compareWalk(*program, extents, /*phase=*/schedule.chunk * 5);
        EXPECT_EQ(step.difference, "") << name << ", " << toString(program->schedule)
                                       << ", extents " << testing::PrintToString(extents);
        requests += step.requests;
      }
    }
  }
  EXPECT_GT(requests, stencil.rank() == 1 ? 400u : 8000u);
}

INSTANTIATE_TEST_SUITE_P(Of, WalkedExamples, testing::Range<size_t>(0, exampleNames().size()));

TEST(KernelWalkExamples, RecommendedLayoutsStartTheFirstUpdatedPointOnALine) {
  const std::vector<int64_t> extents = {5, 7, 37};
  auto layoutOf = [&](const char *name, ScalarType real) {
    const Stencil stencil = example(name, real);
    return recommendedLayouts(*llvm::cantFail(lower(stencil, defaultSchedule(stencil))),
                              extents)[0];
  };
  using Strides = std::array<int64_t, kMaxRank>;
  // A ghost point around all; points 0 are updated. 37 + 2 doubles need 3 lines of 16.
  const ArrayLayout halo = layoutOf("7pt1.stn", ScalarType::F64);
  EXPECT_EQ(halo.stride, (Strides{9 * 48, 48, 1}));
  EXPECT_EQ(halo.origin, 0);
  // Points 1 are the first to be updated. 37 floats need 2 lines of 32.
  const ArrayLayout fixed = layoutOf("heat.stn", ScalarType::F32);
  EXPECT_EQ(fixed.stride, (Strides{7 * 64, 64, 1}));
  EXPECT_EQ(fixed.origin, 31);
}
