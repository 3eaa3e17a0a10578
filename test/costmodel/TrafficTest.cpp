// What an interior block asks of global memory, for the four stencils of [su2015] and others,
// against arithmetic done on paper.
#include "costmodel/count/Counts.h"

#include "codegen/lower/Lower.h"
#include "costmodel/count/TrafficText.h"
#include "ir/verify/KernelVerifier.h"
#include "ir/walk/KernelWalk.h"
#include "test/Examples.h"
#include "test/ir/KernelPrograms.h"
#include "test/ir/WarpPrograms.h"

#include <gtest/gtest.h>
#include <set>

using namespace stencilc;

namespace {

/// The counts of a program's only launch. `program` must outlive them.
LaunchCounts countsOf(const VerifiedProgram &program) {
  ProgramCounts counts = llvm::cantFail(countInteriorBlocks(program));
  EXPECT_EQ(counts.launches.size(), 1u); // frames are copied in the first step only
  return counts.launches.at(0);
}

VerifiedProgram lowered(const std::string &name, const std::string &schedule,
                        ScalarType real = ScalarType::F64) {
  const Stencil stencil = example(name, real);
  return llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank()))));
}

/// As of a program that is not looked at.
LaunchCounts trafficOf(const std::string &name, const std::string &schedule,
                       ScalarType real = ScalarType::F64) {
  return countsOf(lowered(name, schedule, real));
}

/// Aligned and misaligned accesses of one thread, over all arrays.
using PerThread = std::pair<uint64_t, uint64_t>;
PerThread perThread(const LaunchCounts &launch, bool isStore = false) {
  PerThread sum;
  for (const ArrayCounts &array : launch.arrays)
    if (array.isStore == isStore) {
      sum.first += array.aligned;
      sum.second += array.misaligned;
    }
  EXPECT_EQ(sum.first % launch.threads, 0u);
  EXPECT_EQ(sum.second % launch.threads, 0u);
  return {sum.first / launch.threads, sum.second / launch.threads};
}

const ArrayCounts &accessOf(const LaunchCounts &launch, const std::string &name) {
  for (const ArrayCounts &array : launch.arrays)
    if (array.name == name)
      return array;
  ADD_FAILURE() << "nothing accesses " << name;
  return launch.arrays.front();
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
      const LaunchCounts launch = trafficOf(name, schedule);
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
      const LaunchCounts launch = trafficOf(name, schedule);
      EXPECT_EQ(perThread(launch), loads) << name << " " << schedule;
      EXPECT_EQ(perThread(launch, true), PerThread(c, 0)) << name << " " << schedule;
      EXPECT_EQ(launch.pointsPerThread(), c);
    }
  }
}

TEST(Traffic, AWarpTouchesOneSectorMoreWhereItIsMisaligned) {
  // 32 doubles are 8 sectors; 4 warps, 5 aligned loads and 2 that stick out on one side.
  const LaunchCounts launch = trafficOf("7pt1.stn", "baseline/32x4x1");
  EXPECT_EQ(launch.warps, 4u);
  EXPECT_EQ(accessOf(launch, "u").requestsBySectors, (BySectors{{8, 20}, {9, 8}}));
  EXPECT_EQ(accessOf(launch, "u_next").requestsBySectors, (BySectors{{8, 4}}));
  // 32 floats are 4.
  const LaunchCounts floats = trafficOf("7pt1.stn", "baseline/32x4x1", ScalarType::F32);
  EXPECT_EQ(accessOf(floats, "u").requestsBySectors, (BySectors{{4, 20}, {5, 8}}));
  // Two rows of 16 doubles in a warp: 4 sectors each, and one more each where misaligned.
  const LaunchCounts rows = trafficOf("7pt1.stn", "baseline/16x8x1");
  EXPECT_EQ(accessOf(rows, "u").requestsBySectors, (BySectors{{8, 20}, {10, 8}}));
}

TEST(Traffic, ABlockTouchesItsPointsAndTheirHalo) {
  // A row of 32 doubles is 8 sectors in 2 lines. 4 rows with one sector and line more at each end,
  // 2 rows north and south, 4 below and 4 above.
  const LaunchCounts plane = trafficOf("7pt1.stn", "baseline/32x4x1");
  EXPECT_EQ(accessOf(plane, "u").blockSectors, 4 * 10 + 10 * 8u);
  EXPECT_EQ(accessOf(plane, "u").blockLines, 4 * 4 + 10 * 2u);
  EXPECT_EQ(accessOf(plane, "u_next").blockSectors, 4 * 8u);
  // A march of 8 planes: 8 planes of those rows, and 4 rows below and above all.
  const LaunchCounts march = trafficOf("7pt1.stn", "zblock/32x4x1/c8");
  EXPECT_EQ(accessOf(march, "u").blockSectors, 8 * (4 * 10 + 2 * 8) + 2 * 4 * 8u);
  // A full box: 6 rows in 3 planes, all with both ends.
  const LaunchCounts box = trafficOf("box27.stn", "baseline/32x4x1");
  EXPECT_EQ(accessOf(box, "u").blockSectors, 6 * 3 * 10u);
  EXPECT_EQ(perThread(box), PerThread(9, 18));
}

TEST(Traffic, ATurnLoadsAgainWhatWasNewestSomeTurnsBefore) {
  // A row of 32 doubles is 8 sectors in 2 lines. New are 4 rows of the newest plane, 2 rows around
  // the own one and a line at each end of its rows; those themselves came a turn before.
  const ArrayCounts star = accessOf(trafficOf("7pt1.stn", "zblock/32x4x1/c8"), "u");
  EXPECT_EQ(star.newLinesOfTurn, 4 * 2 + 2 * 2 + 4 * 2u);
  EXPECT_EQ(star.sectorsOfTurnsBefore, (std::map<uint64_t, uint64_t>{{1, 4 * 8}}));
  // Twice as many rows, each twice as long, in patches that are loaded in loops.
  const ArrayCounts patches = accessOf(trafficOf("7pt1.stn", "zblock/32x4x1/c8/v2x2"), "u");
  EXPECT_EQ(patches.newLinesOfTurn, 8 * 4 + 2 * 4 + 8 * 2u);
  EXPECT_EQ(patches.sectorsOfTurnsBefore, (std::map<uint64_t, uint64_t>{{1, 8 * 16}}));
  // Two turns before, of a star that reaches so far; each turn before, where nothing is kept.
  const ArrayCounts wide = accessOf(trafficOf("star2.stn", "zblock/32x4x1/c8"), "u");
  EXPECT_EQ(wide.sectorsOfTurnsBefore, (std::map<uint64_t, uint64_t>{{2, 4 * 8}}));
  const ArrayCounts reloaded = accessOf(trafficOf("7pt1.stn", "zblock/32x4x1/c8/reload"), "u");
  EXPECT_EQ(reloaded.sectorsOfTurnsBefore, (std::map<uint64_t, uint64_t>{{1, 2 * 4 * 8}}));
}

TEST(Traffic, NoBoundaryIsSeenFromTheInterior) {
  // Whatever stands outside: a star of radius 1 and 2 in three dimensions and two.
  for (const char *name : {"7pt1.stn", "heat.stn", "star1.stn", "diffusion.stn"})
    EXPECT_EQ(perThread(trafficOf(name, "baseline/32x4x1")), PerThread(5, 2)) << name;
  EXPECT_EQ(perThread(trafficOf("star2.stn", "baseline/32x4x1")), PerThread(9, 4));
  EXPECT_EQ(perThread(trafficOf("jacobi9.stn", "baseline/32x4")), PerThread(3, 6));
}

TEST(Traffic, ClosedFormsCountWhatSetsHold) {
  // Sectors of every single access of a block in the middle of a grid, wherever it lies.
  const std::vector<int64_t> extents(3, 16384);
  for (const char *name : {"7pt3.stn", "19pt.stn", "diffusion.stn", "star3.stn", "star4.stn"})
    for (const char *text :
         {"baseline/32x4x1", "baseline/16x6x2", "zblock/32x4x1/c4", "zblock/96x2x1/c5"}) {
      SCOPED_TRACE(std::string(name) + " " + text);
      const VerifiedProgram program = lowered(name, text, ScalarType::F32);
      const LaunchCounts counted = countsOf(program);
      const Launch &step = firstLaunch(*program);
      const PlacedLaunch placed =
          place(*program, step, extents, recommendedLayouts(*program, extents));
      std::array<int64_t, 3> block;
      for (unsigned dimension = 0; dimension < 3; ++dimension)
        block[dimension] = placed.blocks[dimension] / 2 & ~31; // starts a line

      struct Sets {
        BySectors requests;
        std::set<int64_t> sectors, lines;
        uint64_t accesses = 0;
      };
      std::map<std::pair<bool, unsigned>, Sets> expected;
      KernelWalk(placed).walk(block, [&](const WarpRequest &request) {
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
      EXPECT_EQ(counted.arrays.size(), expected.size());
      for (const ArrayCounts &array : counted.arrays) {
        const Sets &sets = expected[{array.isStore, array.array}];
        EXPECT_EQ(array.requestsBySectors, sets.requests);
        EXPECT_EQ(array.blockSectors, sets.sectors.size());
        EXPECT_EQ(array.blockLines, sets.lines.size());
        EXPECT_EQ(array.aligned + array.misaligned, sets.accesses);
      }
    }
}

TEST(Traffic, ProgramsForTheHostAreRefused) {
  const VerifiedProgram program = lowered("heat.stn", "host");
  EXPECT_TRUE(llvm::errorToBool(countInteriorBlocks(program).takeError()));
}

TEST(Traffic, PrintsWhatWarpsDoTogether) {
  const PatchRow row{0, {c(0), c(0)}, 2};
  const Index x = local(0), pair = add(x, thread(0));
  const Body body = {{If{{{thread(0), nullptr, c(32)}, {pair, nullptr, add(extent(0), -1)}},
                         {{LoadVector{row, 0, {pair}}}},
                         {}}},
                     {StoreShared{0, {c(0), thread(0)}, number(1)}},
                     {Barrier{}},
                     {Let{0, shuffle(ShuffleFrom::LowerLane, 1, number(1))}},
                     {If{{{x, nullptr, extent(0)}}, {{StoreGlobal{1, {x}, reg(0)}}}, {}}}};
  const VerifiedProgram program = llvm::cantFail(KernelVerifier::verify(twoWarps(body)));
  std::string text;
  llvm::raw_string_ostream out(text);
  printTraffic(out, llvm::cantFail(countInteriorBlocks(program)));
  for (const char *line : {"load u: 1/2 aligned, 0 misaligned a thread of 1 elements; 1 requests, "
                           "16 sectors (1 of 16)",
                           "store u_next: 1 aligned, 0 misaligned a thread; 2 requests",
                           "shared: 2 requests, 4 wavefronts", "barriers: 1, 2 arrivals of warps",
                           "shuffles: 2 of warps"})
    EXPECT_NE(text.find(line), text.npos) << line << "\n" << text;
}
