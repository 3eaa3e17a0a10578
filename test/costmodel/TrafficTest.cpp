// Traffic of the four stencils of [su2015] and of others, against arithmetic done on paper.
#include "costmodel/count/Traffic.h"

#include "codegen/lower/Lower.h"
#include "ir/walk/KernelWalk.h"
#include "test/Examples.h"

#include <gtest/gtest.h>
#include <set>

using namespace stencilc;

namespace {

LaunchTraffic trafficOf(const std::string &name, const std::string &schedule,
                        ScalarType real = ScalarType::F64, llvm::ArrayRef<int64_t> extents = {}) {
  const Stencil stencil = example(name, real);
  const VerifiedProgram program =
      llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank()))));
  Traffic traffic = llvm::cantFail(countTraffic(program, extents));
  EXPECT_EQ(traffic.launches.size(), 1u); // frames are copied in the first step only
  return traffic.launches.at(0);
}

/// Aligned and misaligned accesses of one thread, over all arrays.
using PerThread = std::pair<uint64_t, uint64_t>;
PerThread perThread(const LaunchTraffic &launch, bool isStore = false) {
  PerThread sum;
  for (const AccessTraffic &access : launch.accesses)
    if (access.isStore == isStore) {
      sum.first += access.aligned;
      sum.second += access.misaligned;
    }
  EXPECT_EQ(sum.first % launch.threads, 0u);
  EXPECT_EQ(sum.second % launch.threads, 0u);
  return {sum.first / launch.threads, sum.second / launch.threads};
}

const AccessTraffic &accessOf(const LaunchTraffic &launch, const std::string &name) {
  for (const AccessTraffic &access : launch.accesses)
    if (access.name == name)
      return access;
  ADD_FAILURE() << "nothing accesses " << name;
  return launch.accesses.front();
}

using BySectors = std::map<unsigned, uint64_t>;

} // namespace

TEST(Traffic, OnePointPerThreadLoadsWhatThePaperCounts) {
  // [su2015] table 2 rows 12 to 15, and the other three stencils' equations.
  const std::pair<const char *, PerThread> cases[] = {
      {"7pt1.stn", {5, 2}}, {"7pt2.stn", {5, 2}}, {"7pt3.stn", {11, 4}}, {"19pt.stn", {9, 10}}};
  for (const auto &[name, loads] : cases)
    for (const char *schedule : {"baseline/32x4x1", "baseline/64x2x2", "baseline/128x1x1",
                                 "baseline/16x8x1", "baseline/8x8x8", "zblock/32x4x1"}) {
      const LaunchTraffic launch = trafficOf(name, schedule);
      EXPECT_EQ(perThread(launch), loads) << name << " " << schedule;
      EXPECT_EQ(perThread(launch, true), PerThread(1, 0)) << name << " " << schedule;
    }
}

TEST(Traffic, MarchingThreadsLoadEachQueuedColumnOnce) {
  for (const uint64_t c : {2, 3, 8, 32, 256}) {
    const std::string schedule = "zblock/32x4x1/c" + std::to_string(c);
    // [su2015] section 3.5 for the first; columns times (c + span - 1) for the others.
    const std::pair<const char *, PerThread> cases[] = {{"7pt1.stn", {3 * c + 2, 2 * c}},
                                                        {"7pt2.stn", {4 * c + 2, 2 * c}},
                                                        {"7pt3.stn", {7 * c + 4, 4 * c}},
                                                        {"19pt.stn", {4 * c + 6, 6 * c + 4}}};
    for (const auto &[name, loads] : cases) {
      const LaunchTraffic launch = trafficOf(name, schedule);
      EXPECT_EQ(perThread(launch), loads) << name << " " << schedule;
      EXPECT_EQ(perThread(launch, true), PerThread(c, 0)) << name << " " << schedule;
      EXPECT_EQ(launch.points, 128 * c);
    }
  }
}

TEST(Traffic, AWarpTouchesOneSectorMoreWhereItIsMisaligned) {
  // 32 doubles are 8 sectors; 4 warps, 5 aligned loads and 2 that stick out on one side.
  const LaunchTraffic launch = trafficOf("7pt1.stn", "baseline/32x4x1");
  EXPECT_EQ(launch.warps, 4u);
  EXPECT_EQ(accessOf(launch, "u").requestsBySectors, (BySectors{{8, 20}, {9, 8}}));
  EXPECT_EQ(accessOf(launch, "u_next").requestsBySectors, (BySectors{{8, 4}}));
  // 32 floats are 4.
  const LaunchTraffic floats = trafficOf("7pt1.stn", "baseline/32x4x1", ScalarType::F32);
  EXPECT_EQ(accessOf(floats, "u").requestsBySectors, (BySectors{{4, 20}, {5, 8}}));
  // Two rows of 16 doubles in a warp: 4 sectors each, and one more each where misaligned.
  const LaunchTraffic rows = trafficOf("7pt1.stn", "baseline/16x8x1");
  EXPECT_EQ(accessOf(rows, "u").requestsBySectors, (BySectors{{8, 20}, {10, 8}}));
}

TEST(Traffic, ABlockTouchesItsPointsAndTheirHalo) {
  // A row of 32 doubles is 8 sectors in 2 lines. 4 rows with one sector and line more at each end,
  // 2 rows north and south, 4 below and 4 above.
  const LaunchTraffic plane = trafficOf("7pt1.stn", "baseline/32x4x1");
  EXPECT_EQ(accessOf(plane, "u").distinctSectors, 4 * 10 + 10 * 8u);
  EXPECT_EQ(accessOf(plane, "u").distinctLines, 4 * 4 + 10 * 2u);
  EXPECT_EQ(accessOf(plane, "u_next").distinctSectors, 4 * 8u);
  // A march of 8 planes: 8 planes of those rows, and 4 rows below and above all.
  const LaunchTraffic march = trafficOf("7pt1.stn", "zblock/32x4x1/c8");
  EXPECT_EQ(accessOf(march, "u").distinctSectors, 8 * (4 * 10 + 2 * 8) + 2 * 4 * 8u);
  // A full box: 6 rows in 3 planes, all with both ends.
  const LaunchTraffic box = trafficOf("box27.stn", "baseline/32x4x1");
  EXPECT_EQ(accessOf(box, "u").distinctSectors, 6 * 3 * 10u);
  EXPECT_EQ(perThread(box), PerThread(9, 18));
}

TEST(Traffic, NoBoundaryIsSeenFromTheInterior) {
  // Whatever stands outside: a star of radius 1 and 2 in three dimensions and two.
  for (const char *name : {"7pt1.stn", "heat.stn", "star1.stn", "diffusion.stn"})
    EXPECT_EQ(perThread(trafficOf(name, "baseline/32x4x1")), PerThread(5, 2)) << name;
  EXPECT_EQ(perThread(trafficOf("star2.stn", "baseline/32x4x1")), PerThread(9, 4));
  EXPECT_EQ(perThread(trafficOf("jacobi9.stn", "baseline/32x4")), PerThread(3, 6));
}

TEST(Traffic, CountsWhereTheMiddleBlockIs) {
  // 40 x 40 x 70 points in blocks of 32 x 4 x 1; all of block (1, 5, 20) is inside.
  const LaunchTraffic launch =
      trafficOf("7pt1.stn", "baseline/32x4x1", ScalarType::F64, {40, 40, 70});
  EXPECT_EQ(launch.block, (std::array<int64_t, 3>{1, 5, 20}));
  EXPECT_EQ(perThread(launch), PerThread(5, 2));
}

TEST(Traffic, ClosedFormsCountWhatSetsHold) {
  // Sectors of every single access of the middle block, which lies at the edges of these grids.
  const std::vector<int64_t> extents = {11, 10, 90};
  for (const char *name : {"7pt3.stn", "19pt.stn", "diffusion.stn", "star3.stn", "star4.stn"})
    for (const char *text :
         {"baseline/32x4x1", "baseline/12x5x2", "zblock/32x4x1/c4", "zblock/100x2x1/c5"}) {
      const Stencil stencil = example(name, ScalarType::F32);
      const VerifiedProgram program =
          llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(text, 3))));
      const LaunchTraffic counted = trafficOf(name, text, ScalarType::F32, extents);
      const Launch &step = *llvm::find_if(program->launches, [](const Launch &launch) {
        return launch.when == LaunchWhen::EveryStep;
      });

      struct Sets {
        BySectors requests;
        std::set<int64_t> sectors, lines;
        uint64_t accesses = 0;
      };
      std::map<std::pair<bool, unsigned>, Sets> expected;
      KernelWalk(place(*program, step, extents, recommendedLayouts(*program, extents)))
          .walk(counted.block, [&](const WarpRequest &request) {
            Sets &sets = expected[{request.isStore, request.array}];
            std::set<int64_t> sectors;
            for (const LaneRun &run : request.runs)
              for (unsigned lane = 0; lane < run.count; ++lane) {
                // Bytes from a line far below all elements, so that rounding down is division.
                const int64_t byte = (int64_t(1) << 40) + (run.element + run.stride * lane) * 4;
                sectors.insert(byte / 32);
                sets.lines.insert(byte / 128);
                ++sets.accesses;
              }
            ++sets.requests[sectors.size()];
            sets.sectors.insert(sectors.begin(), sectors.end());
          });
      EXPECT_EQ(counted.accesses.size(), expected.size());
      for (const AccessTraffic &access : counted.accesses) {
        const Sets &sets = expected[{access.isStore, access.array}];
        EXPECT_EQ(access.requestsBySectors, sets.requests) << name << " " << text;
        EXPECT_EQ(access.distinctSectors, sets.sectors.size()) << name << " " << text;
        EXPECT_EQ(access.distinctLines, sets.lines.size()) << name << " " << text;
        EXPECT_EQ(access.aligned + access.misaligned, sets.accesses) << name << " " << text;
      }
    }
}

TEST(Traffic, ProgramsForTheHostAreRefused) {
  const Stencil stencil = example("heat.stn");
  const VerifiedProgram program =
      llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule("host", 3))));
  EXPECT_TRUE(llvm::errorToBool(countTraffic(program).takeError()));
}
