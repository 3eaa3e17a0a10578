// Marches whose patches may stay in memory are not tried.
#include "frontend/driver/Choose.h"
#include "test/Examples.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace stencilc;

namespace large_patches {

static Ranking rankingOfStar5(ScalarType real) {
  const Stencil stencil = example("star5.stn", real);
  const DeviceProfile device = llvm::cantFail(loadDeviceProfile("h200"));
  return llvm::cantFail(choose(stencil, {}, Situation{&device, {512, 512, 512}, {}})).ranking;
}

static bool tries(const Ranking &ranking, llvm::StringRef schedule) {
  return llvm::any_of(ranking.candidates, [&](const Candidate &candidate) {
    return llvm::StringRef(toString(candidate.schedule)).contains(schedule);
  });
}

static bool rejectsFor(const Ranking &ranking, llvm::StringRef reason) {
  return llvm::any_of(ranking.rejected, [&](const auto &rejected) {
    return llvm::StringRef(rejected.reason).contains(reason);
  });
}

} // namespace large_patches

using namespace large_patches;

// Eleven planes of twelve rows of 14 numbers move up; of 32-bit numbers, or of points that march
// alone, nothing is as large.
TEST(LargePatches, AreTriedInNoMarches) {
  const Ranking large = rankingOfStar5(ScalarType::F64);
  EXPECT_FALSE(tries(large, "zblock/32x8x1/c64/v2x2"));
  EXPECT_TRUE(tries(large, "zblock/32x8x1/c64/r"));
  EXPECT_TRUE(rejectsFor(large, "a patch of 14784 bytes a thread may stay in memory"));
  EXPECT_FALSE(rejectsFor(rankingOfStar5(ScalarType::F32), "may stay in memory"));
}
