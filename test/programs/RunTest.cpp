// What is counted and predicted of a whole run: of a field in one buffer, two steps a pass by way
// of the workspace.
#include "costmodel/model/RunPrediction.h"
#include "ir/verify/KernelVerifier.h"
#include "test/programs/Programs.h"

#include <gtest/gtest.h>

#include <map>

using namespace stencilc;

namespace {

class Spread : public ::testing::Test {
protected:
  RunCounts countOf(int64_t steps) const {
    return llvm::cantFail(countRun(program, extents, steps));
  }
  /// Launches beside the passes of two steps: by kernel, then by what they are for.
  std::map<std::string, int64_t> besideOf(int64_t steps) const {
    std::map<std::string, int64_t> found;
    for (const LaunchesBeside &beside : countOf(steps).beside)
      found[beside.counted.kernel->name + ": " + beside.comment] += beside.times;
    return found;
  }

  const VerifiedProgram program = llvm::cantFail(KernelVerifier::verify(inPlace(spreading())));
  const std::vector<int64_t> extents = {1024, 2048};
  const DeviceProfile device = llvm::cantFail(loadDeviceProfile("h200"));
};

const std::string kWalls = "spread_copy: The other buffer takes the walls, which no step makes.",
                  kHome = "spread_copy: The newest level returns to the caller's memory.";

TEST_F(Spread, ReturnsAfterAnOddNumberOfPasses) {
  const std::string one = "spread_once: "; // its launch needs no comment
  using Beside = std::map<std::string, int64_t>;
  EXPECT_EQ(besideOf(1), (Beside{{kWalls, 1}, {one, 1}, {kHome, 1}}));
  EXPECT_EQ(besideOf(2), (Beside{{kWalls, 1}, {kHome, 1}}));
  EXPECT_EQ(besideOf(3), (Beside{{kWalls, 1}, {one, 1}}));
  EXPECT_EQ(besideOf(4), (Beside{{kWalls, 1}}));
  // Passes that do what earlier ones did are added up, whatever their number.
  for (const int64_t passes : {5, 100, 101, 102, 103, 1'000'000'000, 1'000'000'001}) {
    EXPECT_EQ(countOf(2 * passes).passes, passes);
    EXPECT_EQ(besideOf(2 * passes).count(kHome), passes % 2) << passes;
    EXPECT_EQ(besideOf(2 * passes + 1).count(kHome), 1 - passes % 2) << passes;
    EXPECT_EQ(besideOf(2 * passes + 1).at(one), 1) << passes;
  }
}

TEST_F(Spread, IsPredictedWithItsReturn) {
  const ProgramCounts counts = llvm::cantFail(countProgram(program, extents));
  const Prediction step = llvm::cantFail(predict(counts, device, {}));
  const auto predictedOf = [&](int64_t steps) {
    return llvm::cantFail(predictRun(countOf(steps), counts, step, device, {}));
  };
  // A copy reads and writes every point once.
  const RunPrediction home = predictedOf(8), away = predictedOf(6);
  ASSERT_EQ(home.beside.size(), 1u);
  ASSERT_EQ(away.beside.size(), 2u);
  const double copy = home.beside[0].seconds;
  EXPECT_GT(copy, 2 * 8 * 1024 * 2048 / device.geometric->dramBandwidth);
  EXPECT_EQ(away.beside[1].seconds, copy);
  EXPECT_DOUBLE_EQ(home.total, 8 * step.total + copy);
  EXPECT_DOUBLE_EQ(away.total, 6 * step.total + 2 * copy);
}

} // namespace
