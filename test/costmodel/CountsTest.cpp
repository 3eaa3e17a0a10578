// Counts of a whole launch, made in rounds, against a walk of every turn of every block, and
// footprints against sets of sectors.
#include "costmodel/count/BlockFootprint.h"
#include "costmodel/count/EventCounter.h"

#include "codegen/lower/Lower.h"
#include "ir/stencil/StencilFacts.h"
#include "test/Examples.h"
#include "test/Seed.h"
#include "test/ir/KernelPrograms.h"
#include "test/ir/StencilSource.h"

#include <fmt/ranges.h>
#include <set>

using namespace stencilc;

namespace {

VerifiedProgram lowered(const Stencil &stencil, const std::string &schedule) {
  return llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank()))));
}

std::vector<std::string> schedulesOf(const Stencil &stencil) {
  switch (stencil.rank()) {
  case 1:
    return {"baseline/64", "baseline/96"};
  case 2:
    return {"baseline/32x4", "baseline/8x8", "zblock/64x1/c16", "zblock/32x1/c3"};
  default:
    return {"baseline/32x4x2", "baseline/8x2x5", "zblock/32x4x1/c16", "zblock/16x3x1/c5"};
  }
}

/// Extents with `blocks` or so blocks along each axis, which divide nothing.
std::vector<int64_t> extentsOf(const Stencil &stencil, bool isLarge) {
  if (stencil.rank() == 1)
    return {isLarge ? 1001 : 37};
  if (stencil.rank() == 2)
    return isLarge ? std::vector<int64_t>{67, 203} : std::vector<int64_t>{7, 21};
  return isLarge ? std::vector<int64_t>{53, 27, 101} : std::vector<int64_t>{11, 12, 19};
}

/// Distinct sectors that a block loads from, or stores to, an argument.
class SectorSets : public WalkObserver {
public:
  explicit SectorSets(const Kernel &kernel) : kernel(kernel) {}

  void global(const WarpRequest &request) override {
    llvm::SmallVector<PieceRange, 32> pieces;
    appendPieces(request, sizeInBytes(kernel.arrays[request.array].type), kSectorBytes, pieces);
    for (const PieceRange &range : pieces)
      for (int64_t sector = range.first; sector <= range.last; ++sector)
        sets[{request.array, request.isStore}].insert(sector);
  }

  const Kernel &kernel;
  std::map<std::pair<unsigned, bool>, std::set<int64_t>> sets;
};

bool isPeriodic(const Stencil &stencil) {
  for (const Array &array : stencil.arrays)
    for (const auto &sides : array.boundary)
      if (sides[Low].kind == BoundaryKind::Periodic)
        return true;
  return false;
}

void expectEqual(const RequestCounts &left, const RequestCounts &right) {
  EXPECT_EQ(left.accesses, right.accesses);
  EXPECT_EQ(left.requests, right.requests);
  EXPECT_EQ(left.sectors, right.sectors);
  EXPECT_EQ(left.lines, right.lines);
  EXPECT_EQ(left.wavefronts, right.wavefronts);
}

void expectEqual(const EventCounts &left, const EventCounts &right) {
  for (auto member : {&EventCounts::loads, &EventCounts::stores})
    for (auto [own, other] : llvm::zip_equal(left.*member, right.*member))
      expectEqual(own, other);
  for (auto [own, other] : llvm::zip_equal(left.statements, right.statements)) {
    EXPECT_EQ(own.warps, other.warps);
    EXPECT_EQ(own.lanes, other.lanes);
    EXPECT_EQ(own.turns, other.turns);
    EXPECT_EQ(own.divergent, other.divergent);
  }
  EXPECT_EQ(left.together.shared.requests, right.together.shared.requests);
  EXPECT_EQ(left.together.shared.wavefronts, right.together.shared.wavefronts);
  EXPECT_EQ(left.storingWarps, right.storingWarps);
}

/// Counts the turns that are really walked.
class WalkedTurns : public EventCounter {
public:
  using EventCounter::EventCounter;

  void turn(unsigned statement, const WarpLanes &lanes) override {
    ++turns;
    EventCounter::turn(statement, lanes);
  }

  int64_t turns = 0;
};

/// Counts of a launch against a walk of every block.
void testEveryBlock(const Stencil &stencil, const PlacedLaunch &placed,
                    const LaunchCounts &counted) {
  KernelWalk walk(placed);
  EventCounter every(*placed.kernel, walk);
  std::map<std::pair<unsigned, bool>, uint64_t> distinct;
  for (int64_t z = 0; z < placed.blocks[2]; ++z)
    for (int64_t y = 0; y < placed.blocks[1]; ++y)
      for (int64_t x = 0; x < placed.blocks[0]; ++x) {
        walk.walk({x, y, z}, every);
        SectorSets sectors(*placed.kernel);
        walk.walk({x, y, z}, sectors);
        for (const auto &[access, set] : sectors.sets)
          distinct[access] += set.size();
      }
  for (const ArrayCounts &array : counted.arrays) {
    SCOPED_TRACE(array.name);
    expectEqual(array.launch,
                (array.isStore ? every.counts().stores : every.counts().loads)[array.array]);
    if (!isPeriodic(stencil)) { // where footprints run on beyond the end
      EXPECT_EQ(array.launchSectors, (distinct[{array.array, array.isStore}]));
    }
  }
  for (auto [own, full] : llvm::zip_equal(counted.statements, every.counts().statements)) {
    EXPECT_EQ(own.warps, full.warps);
    EXPECT_EQ(own.lanes, full.lanes);
    EXPECT_EQ(own.turns, full.turns);
    EXPECT_EQ(own.divergent, full.divergent);
  }
  EXPECT_EQ(counted.storingWarps, every.counts().storingWarps);
}

/// ... of every launch of a pass.
void testEveryBlock(const Stencil &stencil, const std::string &schedule,
                    const std::vector<int64_t> &extents) {
  SCOPED_TRACE(fmt::format("{} {} on {}", stencil.name, schedule, extents));
  const VerifiedProgram program = lowered(stencil, schedule);
  const ProgramCounts counts = llvm::cantFail(countProgram(program, extents));
  const std::vector<ArrayLayout> layouts = recommendedLayouts(*program, extents);
  unsigned number = 0;
  for (const Launch *launch :
       steadyLaunches(*program, program->plan.passes.front(), extents, layouts)) {
    const PlacedLaunch placed = place(*program, *launch, extents, layouts);
    if (placed.cover.isEmpty())
      continue;
    ASSERT_LT(number, counts.launches.size());
    testEveryBlock(stencil, placed, counts.launches[number++]);
  }
  EXPECT_EQ(number, counts.launches.size());
}

} // namespace

TEST(Counts, ClassesOfBlocksAddUpToAWalkOfEveryBlock) {
  uint64_t place = 0; // each draws a precision of its own
  for (const std::string &name : exampleNames())
    for (bool isLarge : {false, true})
      for (ScalarType real : drawn(std::array{ScalarType::F32, ScalarType::F64}, 1, place++)) {
        SCOPED_TRACE(spelling(real).str());
        const Stencil stencil = example(name, real);
        for (const std::string &schedule : schedulesOf(stencil))
          testEveryBlock(stencil, schedule, extentsOf(stencil, isLarge));
      }
}

TEST(Counts, AreMadeWithinTheGuardOfEachUpdate) {
  // u' is made from the second row on; a march names the row that it reads before that guard.
  const Stencil stencil = stencilOf("stencil frames(z, y, x) { field f64 u, w; const f64 f;"
                                    "  boundary u, w: clamp; boundary f: fixed;"
                                    "  u' = u + w[y+1]*f[y-1]; w' = w; }");
  for (const char *schedule : {"baseline/32x1x1", "zblock/32x1x1/c5", "zblock/32x2x1/c5"})
    testEveryBlock(stencil, schedule, {12, 7, 40});
}

TEST(Counts, TakeTurnsForAlikeOnlyUntilOneIsNot) {
  // The first three turns load nothing of u, and no boundary bends the last ones.
  const Stencil stencil = stencilOf("stencil below(z, y, x) { field f64 u; boundary u: value(2);"
                                    "  u' = u[z-3] * u[y+3]; }");
  for (const char *schedule : {"zblock/32x3x1/c4", "zblock/32x3x1/c5", "zblock/32x3x1/c16"})
    testEveryBlock(stencil, schedule, {40, 7, 34});
}

TEST(Counts, InteriorBlocksOfThePapersStencilsAreCountedByHand) {
  // Per updated point: sectors that a warp of 32 asks for, and bytes of distinct sectors of a
  // block. 7 points, f64, 32x4x1: five aligned requests of 8 sectors and two of 9; a row and its
  // halo are 10 sectors, the rows in y and z 8 each: (4 * 10 + 2 * 8 + 2 * 4 * 8) * 32 / 128 = 30
  // bytes.
  struct Case {
    const char *name;
    ScalarType real;
    const char *schedule;
    double sectors, blockBytes;
  };
  const Case cases[] = {
      {"7pt1.stn", ScalarType::F64, "baseline/32x4x1", 58, 30},
      {"7pt1.stn", ScalarType::F32, "baseline/32x4x1", 30, 16},
      {"7pt1.stn", ScalarType::F64, "baseline/32x8x4", 58, 16},
      {"7pt1.stn", ScalarType::F64, "baseline/128x2x1", 58, 32.5},
      {"7pt1.stn", ScalarType::F64, "zblock/32x8x1/c64", 42.25, 12.25},
      {"7pt3.stn", ScalarType::F64, "baseline/32x4x1", 124, 68},
      {"19pt.stn", ScalarType::F64, "baseline/32x4x1", 162, 51},
  };
  for (const Case &expected : cases) {
    SCOPED_TRACE(std::string(expected.name) + " " + expected.schedule);
    const Stencil stencil = example(expected.name, expected.real);
    const VerifiedProgram program = lowered(stencil, expected.schedule);
    const ProgramCounts counts = llvm::cantFail(countProgram(program, {512, 512, 512}));
    const LaunchCounts &launch = counts.launches.front();
    double sectors = 0, bytes = 0;
    for (const ArrayCounts &array : launch.arrays)
      if (!array.isStore) {
        sectors += array.interior.sectors;
        bytes += array.blockSectors * kSectorBytes;
      }
    const double points = double(launch.threads) * launch.pointsPerThread();
    EXPECT_EQ(sectors / points * kLanesPerWarp, expected.sectors);
    EXPECT_EQ(bytes / points, expected.blockBytes);
  }
}

TEST(Counts, TurnsThatAreLeftOutWouldHaveAddedTheSame) {
  for (const std::string &name : exampleNames()) {
    const Stencil stencil = example(name);
    if (stencil.rank() == 1)
      continue;
    int64_t reached = 0; // turns that an end of the grid may bend
    for (unsigned array = 0; array < stencil.arrays.size(); ++array)
      reached = std::max<int64_t>(reached,
                                  reach(stencil, array)[0][Low] + reach(stencil, array)[0][High]);
    for (int64_t chunk = 2; chunk <= 70; ++chunk) {
      SCOPED_TRACE(name + fmt::format(", chunk {}", chunk));
      const VerifiedProgram program = lowered(
          stencil, fmt::format("zblock/32x1{}/c{}", stencil.rank() == 3 ? "x1" : "", chunk));
      // Two whole chunks, and a rest.
      std::vector<int64_t> extents(stencil.rank(), 11);
      extents[0] = 2 * chunk + chunk / 3 + 1;
      const PlacedLaunch placed =
          place(*program, firstLaunch(*program), extents, recommendedLayouts(*program, extents));
      KernelWalk walk(placed);
      const unsigned slowest = stencil.rank() - 1;
      for (int64_t number = 0; number < placed.blocks[slowest]; ++number) {
        std::array<int64_t, 3> block = {};
        block[slowest] = number;
        WalkedTurns every(*placed.kernel, walk), some(*placed.kernel, walk);
        walk.walk(block, every);
        walk.walkInRounds(block, std::nullopt, some);
        expectEqual(some.counts(), every.counts());
        EXPECT_EQ(every.turns,
                  std::min(chunk, placed.cover.end[0] - placed.cover.first[0] - number * chunk));
        EXPECT_LE(some.turns, reached + 1);
      }
    }
  }
}

TEST(Counts, AThreadUpdatesNoMorePointsThanTheSlowestAxisHas) {
  const VerifiedProgram program = lowered(example("7pt1.stn"), "zblock/32x4x1/c64");
  const auto pointsOfThread = [&](int64_t z) {
    return llvm::cantFail(countProgram(program, {z, 32, 64})).launches.front().pointsPerThread();
  };
  EXPECT_EQ(pointsOfThread(100), 64u);
  EXPECT_EQ(pointsOfThread(16), 16u);
  const VerifiedProgram deep = lowered(example("7pt1.stn"), "baseline/8x8x8");
  EXPECT_EQ(llvm::cantFail(countProgram(deep, {3, 32, 64})).launches.front().pointsPerThread(), 1u);
}

TEST(Counts, HoldsEveryBufferOnce) {
  // Two fields in two buffers each, and a coefficient.
  const VerifiedProgram program = lowered(
      stencilOf("stencil a(y, x) { field f64 u; field f64 v; const f64 k; boundary u, v: fixed;"
                "u' = k * u[x-1]; v' = v[y-1] + k; }"),
      "baseline/32x4");
  const ProgramCounts counts = llvm::cantFail(countProgram(program, {34, 66}));
  EXPECT_EQ(counts.heldBytes, counts.compulsoryReadBytes + counts.compulsoryWriteBytes);
}

// Rows of 130 doubles lie one after another, and every other one begins amid a sector: eight that
// are two points off touch three sectors or two.
TEST(Counts, BlocksTouchNoMoreSectorsThanTheyAskFor) {
  const VerifiedProgram program =
      lowered(stencilOf("stencil a(z, y, x) { field f64 u; const f64 f(y, x); boundary f: clamp;"
                        "u' = u*f[x+2]; }"),
              "baseline/8x1x3");
  const ProgramCounts counts = llvm::cantFail(countProgram(program, {200, 150, 130}));
  for (const ArrayCounts &array : counts.launches.front().arrays)
    EXPECT_LE(array.launchSectors, array.launch.sectors) << array.name;
}
