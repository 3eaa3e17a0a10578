// What countProgram says of whole launches, against what the interpreter does in every block.
#include "codegen/lower/Lower.h"
#include "costmodel/count/EventCounter.h"
#include "ir/verify/KernelVerifier.h"
#include "test/Examples.h"
#include "test/Schedules.h"
#include "test/Seed.h"
#include "test/costmodel/CountComparison.h"
#include "test/fuzz/Random.h"
#include "test/ir/StencilSource.h"
#include "test/ir/UncheckedProgramFactory.h"
#include "test/ir/WarpPrograms.h"
#include "test/mutation/Subject.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace stencilc;

namespace {

/// Schedules that cut rows, warps and chunks.
std::vector<Schedule> schedulesOf(const Variant &variant, const Stencil &stencil) {
  std::vector<Schedule> schedules =
      legalSchedules(variant, stencil, {{32, 4, 1}, {33, 2, 1}, {5, 3, 2}, {64, 1, 1}}, {1, 2, 5});
  llvm::append_range(schedules, patchedSchedules(variant, stencil, {32, 4, 1}, {1, 5}));
  return schedules;
}

std::vector<Schedule> drawn(fuzz::Random &random, std::vector<Schedule> schedules) {
  if (takesAll())
    return schedules;
  return {schedules[random.below(schedules.size())]};
}

std::vector<std::vector<int64_t>> smallGrids(unsigned rank) {
  if (rank == 1)
    return {{37}, {400}};
  if (rank == 2)
    return {{9, 21}, {13, 70}};
  return {{9, 10, 13}, {12, 7, 43}};
}

} // namespace

/// By the place of the example.
class CountedExamples : public testing::TestWithParam<size_t> {};

// Of each example a drawn precision, of each variant a drawn schedule; STENCILC_SEED draws others,
// STENCILC_ALL takes all.
TEST_P(CountedExamples, AreWhatTheInterpreterRequests) {
  const std::string name = exampleNames()[GetParam()];
  fuzz::Random random(seedOfRun() + GetParam());
  for (ScalarType real : drawn(std::array{ScalarType::F32, ScalarType::F64}, 1, GetParam())) {
    const Stencil stencil = example(name, real);
    for (const Variant *variant : variantsFor(stencil))
      for (const Schedule &schedule : drawn(random, schedulesOf(*variant, stencil))) {
        const VerifiedProgram program = llvm::cantFail(lower(stencil, schedule));
        if (program->target != Target::Device)
          continue;
        for (const std::vector<int64_t> &extents : smallGrids(stencil.rank())) {
          SCOPED_TRACE(name + " " + spelling(real).str() + " " + toString(program->schedule) +
                       " on " + testing::PrintToString(extents));
          expectCountsOfInterpreter(program, extents);
        }
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, CountedExamples, testing::Range<size_t>(0, exampleNames().size()));

TEST(CountedRequests, AreThoseThatTheInterpreterMakesOfSharedMemory) {
  for (const char *real : {"f32", "f64"}) {
    SCOPED_TRACE(real);
    const Stencil stencil =
        stencilOf(fmt::format("stencil tiled(y, x) {{ field {} u; boundary u: fixed;"
                              "  u' = u[x-1] + 2*u[y+1] + u[x+1, y-1]; }}",
                              real));
    const Variant &tiled = mutation::tiledVariant;
    const VerifiedProgram program = llvm::cantFail(
        KernelVerifier::verify(tiled.lower(stencil, tiled.defaultSchedule(stencil))));
    for (const std::vector<int64_t> &extents : smallGrids(2)) {
      SCOPED_TRACE(testing::PrintToString(extents));
      expectCountsOfInterpreter(program, extents);
    }
  }
}

// ---- what warps do together -------------------------------------------------------------------

namespace {

const Index x = local(0), i = local(1), t = thread(0);

Statement at(unsigned group) { return {Barrier{group}}; }
Statement inside(Body body) { return {If{{{x, nullptr, extent(0)}}, std::move(body), {}}}; }
Statement store(Value value) { return {StoreGlobal{1, {x}, std::move(value)}}; }
PatchRow row(int64_t slice) { return {0, {c(slice), c(0)}, 2}; }

/// Counts the program on grids that end in a block and between blocks.
void testWarps(const Program &program) {
  const VerifiedProgram verified = llvm::cantFail(KernelVerifier::verify(program));
  for (int64_t points : {64, 150, 4096})
    expectCountsOfInterpreter(verified, {points});
}

WarpCounts togetherOf(const Program &program, int64_t points) {
  const VerifiedProgram verified = llvm::cantFail(KernelVerifier::verify(program));
  return llvm::cantFail(countProgram(verified, {points})).launches.at(0).together;
}

} // namespace

// Whole lines take one wavefront each, wherever they begin; lanes that are some elements apart, as
// those of patches, take one for each time that they come back to a bank.
TEST(CountedWarps, AskTheL1AsSharedMemory) {
  const auto wavefronts = [](LaneRun run, unsigned elementBytes, unsigned width) {
    return wavefrontsOf({0, false, 0, run, 1, width}, elementBytes);
  };
  EXPECT_EQ(wavefronts({0, 32, 31, 1}, 4, 1), 1u);
  EXPECT_EQ(wavefronts({0, 32, 0, 4}, 4, 4), 4u);
  EXPECT_EQ(wavefronts({0, 32, 0, 4}, 4, 1), 4u);
  EXPECT_EQ(wavefronts({0, 32, 0, 2}, 8, 1), 4u);
  EXPECT_EQ(wavefronts({0, 32, 0, 4}, 8, 1), 8u);
  EXPECT_EQ(wavefronts({0, 32, 0, 0}, 4, 1), 1u); // all the same
}

// Rows of less than a line, which lie lines apart: each asks the banks that the others ask.
TEST(CountedWarps, MeetInBanksByRows) {
  const auto wavefronts = [](unsigned lanesOfRow, int64_t apart, unsigned elementBytes) {
    llvm::SmallVector<LaneRun, 4> rows;
    for (unsigned lane = 0; lane < kLanesPerWarp; lane += lanesOfRow)
      rows.push_back({lane, lanesOfRow, 3 + apart * lane / lanesOfRow, 1});
    return wavefrontsOf({0, false, 0, rows, 1, 1}, elementBytes);
  };
  EXPECT_EQ(wavefronts(8, 512, 4), 4u);
  EXPECT_EQ(wavefronts(16, 512, 4), 2u);
  EXPECT_EQ(wavefronts(16, 512 + 16, 4), 1u); // half a line more
  EXPECT_EQ(wavefronts(8, 0, 4), 1u);         // all the same row
  EXPECT_EQ(wavefronts(8, 512, 8), 4u);       // two rows in each half of the warp
  EXPECT_EQ(wavefronts(16, 512, 8), 2u);
}

TEST(CountedRequests, AreThoseOfVectors) {
  const Index first = add(argument(0), add(scale(block(0), 64), scale(t, 2)));
  Program program = twoWarps({{LetIndex{1, first}},
                              {If{{{t, nullptr, c(32)}, {i, nullptr, add(extent(0), -1)}},
                                  {{LoadVector{row(0), 0, {i}}}, {StoreVector{1, {i}, row(0)}}},
                                  {}}}});
  testWarps(program);
  // 32 threads of each block of 64 points copy two each: 16 sectors, 4 lines and wavefronts.
  const VerifiedProgram verified = llvm::cantFail(KernelVerifier::verify(program));
  const LaunchCounts launch = llvm::cantFail(countProgram(verified, {640})).launches.at(0);
  EXPECT_EQ(launch.computed, 640u);
  for (const ArrayCounts &array : launch.arrays) {
    EXPECT_EQ(array.launch.accesses, 320u);
    EXPECT_EQ(array.launch.elements, 640u);
    EXPECT_EQ(array.launch.requests, 10u);
    EXPECT_EQ(array.launch.sectors, 160u);
    EXPECT_EQ(array.launch.wavefronts, 40u);
    EXPECT_EQ(array.launchPoints, 640u);
    EXPECT_EQ(array.aligned, 32u);
  }
}

TEST(CountedRequests, AreThoseOfVectorsOfTiles) {
  const Index even = scale(lane, 2), mirrored = add(c(62), scale(lane, -2));
  const Body body = {{AssignElement{0, {c(0), c(0)}, number(1)}},
                     {AssignElement{0, {c(0), c(1)}, number(2)}},
                     {StoreSharedVector{0, {c(1), even}, row(0)}},
                     at(0),
                     {LoadSharedVector{row(2), 0, {c(1), mirrored}}},
                     inside({store(sum(element({c(2), c(0)}), element({c(2), c(1)})))})};
  const Program program = twoWarps({{roles(body, {inside({store(number(0))})})}});
  testWarps(program);
  // 32 lanes of 16 bytes, a quarter at a time, to the tile and back.
  EXPECT_EQ(togetherOf(program, 64).shared.requests, 2u);
  EXPECT_EQ(togetherOf(program, 64).shared.wavefronts, 8u);
}

TEST(CountedRequests, AreThoseOfCopies) {
  const Index clamped = map(BoundaryKind::Clamp, 0, x);
  Program program = twoWarps({{CopyAsync{0, {c(0), t}, 0, {clamped}, 1}},
                              {CommitCopies{}},
                              {WaitCopies{0}},
                              {Barrier{}},
                              inside({store(loadShared(0, {c(0), add(c(63), scale(t, -1))}))})});
  program.kernels[0].minimumExtent = {1};
  testWarps(program);
  EXPECT_EQ(togetherOf(program, 64).shared.requests, 4u);
}

TEST(CountedRequests, AreThoseOfCopiesPastTheL1) {
  const Index first = add(argument(0), add(scale(block(0), 64), scale(t, 2)));
  for (int behind : {0, 2}) { // elements of f64: copies begin with a sector, or in its middle
    const Index from = add(first, c(behind));
    Program program = twoWarps(
        {{If{{{t, nullptr, c(32)}, {from, nullptr, add(extent(0), -1)}},
             {{CopyAsync{0, {c(0), scale(t, 2)}, 0, {from}, 2}}, {CommitCopies{}}, {WaitCopies{0}}},
             {}}},
         {Barrier{}},
         {If{{{x, nullptr, add(extent(0), c(-1 - behind))}},
             {store(loadShared(0, {c(0), t}))},
             {}}}});
    testWarps(program);
    const VerifiedProgram verified = llvm::cantFail(KernelVerifier::verify(program));
    const ArrayCounts loads =
        llvm::cantFail(countProgram(verified, {64 + behind})).launches.at(0).arrays.at(0);
    // 512 bytes, in four groups of eight lanes and in sixteen pairs.
    EXPECT_EQ(loads.launch.sectors, behind ? 4 * 5u : 16u) << behind;
    EXPECT_EQ(loads.launch.sectorsPastL1, behind ? 2 * 16u : 16u) << behind;
  }
}

TEST(CountedRequests, AreThoseOfRolesThatMeet) {
  const Body fill = {{StoreShared{0, {c(0), lane}, number(1)}}, at(2), at(0), at(2)};
  const Body use = {
      at(2), {Assign{0, sum(reg(0), loadShared(0, {c(0), add(c(31), scale(lane, -1))}))}}, at(2)};
  const Body front = {{loop(LoopKind::Serial, 1, c(0), c(5), fill)}, inside({store(number(0))})};
  const Body back = {{LetMutable{0, number(0)}},
                     {loop(LoopKind::Unroll, 1, c(0), c(5), use)},
                     inside({store(reg(0))})};
  const Program program = twoWarps({{roles(front, back)}});
  testWarps(program);
  // Each turn: both warps meet twice, the front one is with itself once.
  const WarpCounts together = togetherOf(program, 128);
  EXPECT_EQ(together.meetings, 2 * 5 * 3u);
  EXPECT_EQ(together.arrivals, 2 * 5 * 5u);
}

TEST(CountedRequests, KnowWarpsAndLanesInRowsOfAnyLength) {
  // Each thread stores where it stands and loads where its mirror image in the warp does.
  for (const std::array<int, 3> shape : {std::array{64, 1, 1}, {32, 2, 1}}) {
    Program program = twoWarps({});
    Kernel &kernel = program.kernels[0];
    kernel.block = shape;
    const Index start = add(argument(0), add(scale(block(0), 64), scale(warp, 32)));
    const Index mirrored = add(start, add(c(31), scale(lane, -1)));
    kernel.minimumExtent = {1};
    kernel.body = {{LetIndex{0, add(start, lane)}},
                   inside({store(load(0, {map(BoundaryKind::Clamp, 0, mirrored)}))})};
    expectCountsOfInterpreter(UncheckedProgramFactory::make(program), {150});
  }
}

TEST(CountedRequests, AreThoseOfTheSideOfAValueThatABoxSelects) {
  // Sides of one, two and three operations, one guarded value in another.
  const auto guarded = [](Box box, Value inside, Value outside) {
    return makeValue(ScalarType::F64, GuardedValue{std::move(box), inside, outside});
  };
  const Value once = sum(load(0, {x}), number(1)), twice = sum(once, number(2)),
              thrice = sum(twice, load(0, {x}));
  const Value inner = guarded({{t, c(16), c(48)}}, once, thrice);
  const Value whole = sum(guarded({{x, nullptr, c(40)}}, inner, twice), number(3));
  const Program program = twoWarps({inside({store(whole)})});
  testWarps(program);
  // The first block: 40 points take the inner value, of which 24 have 1 operation and 16 have 3;
  // the others have 2, and all have one more.
  const VerifiedProgram verified = llvm::cantFail(KernelVerifier::verify(program));
  EXPECT_EQ(llvm::cantFail(countProgram(verified, {64})).launches.at(0).flops,
            24 * 1 + 16 * 3 + 24 * 2 + 64 * 1u);
}

TEST(CountedWarps, ShuffleByTheWarp) {
  const Value west = shuffle(ShuffleFrom::LowerLane, 1, number(1));
  const WarpCounts together = togetherOf(twoWarps({{Let{0, west}}, inside({store(reg(0))})}), 640);
  EXPECT_EQ(together.shuffles, 20u);
}

TEST(CountedWarps, AskBanksInGroupsOfLanes) {
  const auto wavefronts = [](LaneRun run, unsigned elementBytes, unsigned width) {
    return wavefrontsOf({0, false, 0, run, 1, width}, elementBytes);
  };
  EXPECT_EQ(wavefronts({0, 32, 0, 1}, 4, 1), 1u); // 128 bytes
  EXPECT_EQ(wavefronts({0, 32, 0, 2}, 4, 2), 2u); // 256 bytes, by halves
  EXPECT_EQ(wavefronts({0, 32, 0, 4}, 4, 4), 4u); // 512 bytes, by quarters
  EXPECT_EQ(wavefronts({0, 32, 0, 2}, 8, 2), 4u);
  EXPECT_EQ(wavefronts({0, 32, 0, 4}, 4, 2), 4u); // every second pair: two lanes a bank
  EXPECT_EQ(wavefronts({0, 32, 0, 8}, 4, 4), 8u);
  EXPECT_EQ(wavefronts({0, 32, 0, 0}, 4, 4), 4u); // all the same, once a quarter
  EXPECT_EQ(wavefronts({4, 8, 0, 4}, 4, 4), 2u);  // in two quarters
}
