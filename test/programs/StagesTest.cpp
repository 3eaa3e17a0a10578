// What is counted and predicted of a pass that makes several launches.
#include "codegen/lower/Lower.h"
#include "costmodel/model/Prediction.h"
#include "test/programs/Programs.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

const ArrayCounts &arrayOf(const LaunchCounts &launch, llvm::StringRef name, bool isStore) {
  return *llvm::find_if(launch.arrays, [&](const ArrayCounts &array) {
    return array.name == name && array.isStore == isStore;
  });
}

} // namespace

TEST(Stages, AreCountedAndPredictedLaunchByLaunch) {
  const Stencil stencil = smoothing();
  const VerifiedProgram program = llvm::cantFail(lower(stencil, defaultSchedule(stencil)));
  const ProgramCounts counts = llvm::cantFail(countProgram(program, {1024, 2048}));
  ASSERT_EQ(counts.launches.size(), 2u);
  EXPECT_EQ(arrayOf(counts.launches[0], "bend", true).launchPoints, 1022u * 2046);
  EXPECT_EQ(arrayOf(counts.launches[1], "u", true).launchPoints, 1020u * 2044);
  // Each is read and written once, on the points that its launch updates.
  const uint64_t ofBends = 8 * 1022 * 2046, ofFields = 8 * 1020 * 2044;
  EXPECT_EQ(counts.compulsoryReadBytes, ofBends + ofFields);
  EXPECT_EQ(counts.compulsoryWriteBytes, ofBends + ofFields);

  const DeviceProfile device = llvm::cantFail(loadDeviceProfile("h200"));
  const Prediction both = llvm::cantFail(predict(counts, device, {}));
  double seconds = 0, bytes = 0;
  for (const LaunchCounts &launch : counts.launches) {
    ProgramCounts alone = counts;
    alone.launches = {launch};
    const Prediction one = llvm::cantFail(predict(alone, device, {}));
    EXPECT_GT(one.total, 0);
    seconds += one.total;
    bytes += one.bytes.dram;
  }
  EXPECT_DOUBLE_EQ(both.total, seconds);
  EXPECT_DOUBLE_EQ(both.bytes.dram, bytes);
}
