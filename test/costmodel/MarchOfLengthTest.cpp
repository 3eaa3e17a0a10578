// Counts of marches in proportion, against counts of the marches themselves.
#include "costmodel/count/MarchOfLength.h"
#include "codegen/lower/Lower.h"
#include "costmodel/model/Prediction.h"
#include "test/Examples.h"

#include "gtest/gtest.h"
#include <fmt/format.h>

#include <list>

using namespace stencilc;

namespace {

/// A march of fused steps on some grid, and what is counted of it in chunks of any length.
struct Marches {
  Marches(const char *name, const char *tile, std::vector<int64_t> extents)
      : stencil(example(name)), tile(tile), extents(std::move(extents)) {}

  ProgramCounts counted(int chunk) {
    const std::string text = fmt::format(fmt::runtime(tile), chunk);
    programs.push_back(
        llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(text, stencil.rank())))));
    return llvm::cantFail(countProgram(programs.back(), extents));
  }

  Stencil stencil;
  std::string tile;
  std::vector<int64_t> extents;
  std::list<VerifiedProgram> programs; ///< that counts point into
};

double seconds(const ProgramCounts &counts) {
  static const DeviceProfile device = llvm::cantFail(loadDeviceProfile("h200"));
  return llvm::cantFail(predict(counts, device, {})).total;
}

} // namespace

TEST(MarchOfLength, ForecastsAsItsOwnCountsDo) {
  double worst = 0;
  for (Marches marches :
       {Marches("7pt1.stn", "temporal/32x8x1/c{}/t4/v2x5/p2/r1", {512, 512, 512}),
        Marches("heat.stn", "temporal/16x24x1/c{}/t3/v2x3/p2/r1", {300, 260, 410}),
        Marches("star2.stn", "temporal/32x8x1/c{}/t2/v2x3/p2/r1", {512, 512, 512}),
        Marches("box27.stn", "temporal/32x12x1/c{}/t2/v2x3/p2/r1", {512, 512, 512})}) {
    const ProgramCounts first = marches.counted(128);
    for (int chunk : {32, 43, 61, 86, 171, 512}) {
      const double own = seconds(marches.counted(chunk)),
                   scaled = seconds(*marchOfLength(first, chunk));
      EXPECT_NEAR(scaled / own, 1, 0.005) << fmt::format(fmt::runtime(marches.tile), chunk);
      worst = std::max(worst, std::abs(scaled / own - 1));
    }
  }
  fmt::print("at most {:.1f} %\n", 100 * worst);
}

TEST(MarchOfLength, OfItsOwnLengthIsTheSame) {
  Marches marches("heat.stn", "temporal/32x8x1/c{}/t4/v2x4/p2/r1", {512, 512, 512});
  const ProgramCounts first = marches.counted(128), again = *marchOfLength(first, 128);
  EXPECT_EQ(again.launches[0].blockCount, first.launches[0].blockCount);
  EXPECT_EQ(again.launches[0].flops, first.launches[0].flops);
  EXPECT_EQ(seconds(again), seconds(first));
}

// What has no loop through the planes, or several launches, says nothing of other lengths.
TEST(MarchOfLength, IsOfOneMarch) {
  Marches point("heat.stn", "baseline/32x4x2", {64, 64, 64});
  EXPECT_FALSE(marchOfLength(point.counted(1), 8));
  Marches staged("maxwell3d.stn", "zblock/32x8x1/c{}", {64, 64, 64});
  EXPECT_FALSE(marchOfLength(staged.counted(8), 16));
}
