// Blocks whose rows are parts of lines.
#include "codegen/lower/Lower.h"
#include "costmodel/model/GeometricTraffic.h"
#include "test/ir/StencilSource.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace stencilc;

namespace parted {
namespace {

DeviceProfile h200() { return llvm::cantFail(loadDeviceProfile("h200")); }

/// Of a field of f64 with this update.
Prediction predicted(const char *update, const char *schedule, const DeviceProfile &device) {
  const Stencil stencil = stencilOf(
      fmt::format("stencil own(z, y, x) {{ field f64 u; boundary u: fixed; u' = {}; }}", update));
  const VerifiedProgram program =
      llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(schedule, 3))));
  const ProgramCounts counts = llvm::cantFail(countProgram(program, {256, 512, 512}));
  return llvm::cantFail(predict(counts, device, {Model::Geometric, std::nullopt}));
}

} // namespace

// Half of each line belongs to another block, which is at another plane of its march by then.
TEST(PartedLines, MarchesThatShareLinesTakeDeviceMemoryLonger) {
  const auto ofMemory = [](const char *schedule, const DeviceProfile &device) {
    return predicted("0.5*u[z-1]", schedule, device)[Bound::Dram];
  };
  DeviceProfile free = h200();
  free.geometric->partedMarchLoss.value = 0;
  const auto loss = [&](const char *schedule) {
    return ofMemory(schedule, h200()) / ofMemory(schedule, free) - 1;
  };
  EXPECT_EQ(loss("zblock/16x8x1/c16"), 0); // f64: whole lines
  EXPECT_GT(loss("zblock/8x8x1/c16"), 3 * h200().geometric->partedMarchLoss);
  EXPECT_GT(loss("zblock/8x8x1/c64"), 1.4 * loss("zblock/8x8x1/c16"));
  EXPECT_EQ(loss("baseline/8x8x1"), 0);
}

TEST(PartedLines, LinesThatBlocksRewriteInPartsTakeLonger) {
  const auto secondsOfLine = [](const char *update, const char *schedule) {
    DeviceProfile free = h200();
    free.geometric->rewrittenLineSeconds.value = 0;
    const double lines = 256.0 * 512 * 512 * 8 / 128;
    return (predicted(update, schedule, h200())[Bound::Dram] -
            predicted(update, schedule, free)[Bound::Dram]) /
           lines;
  };
  const double seconds = h200().geometric->rewrittenLineSeconds;
  EXPECT_NEAR(secondsOfLine("0.5*u", "baseline/8x8x1") / seconds, 1, 0.02);
  EXPECT_EQ(secondsOfLine("0.5*u", "baseline/16x8x1"), 0);
  EXPECT_EQ(secondsOfLine("0.5*u[z-1]", "baseline/8x8x1"), 0); // another buffer
}

} // namespace parted
