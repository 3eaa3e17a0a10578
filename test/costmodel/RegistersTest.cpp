// Registers of a few kernels, by the rules that Registers.cpp writes down.
#include "costmodel/compiled/Instructions.h"
#include "costmodel/model/Prediction.h"

#include "codegen/lower/Lower.h"
#include "test/Examples.h"
#include "test/ir/KernelPrograms.h"

#include <gtest/gtest.h>

using namespace stencilc;

static RegisterEstimate registersOf(const std::string &name, const std::string &schedule,
                                    ScalarType real) {
  const Stencil stencil = example(name, real);
  const VerifiedProgram program =
      llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank()))));
  return estimateRegisters(program->kernels[firstLaunch(*program).kernel], usualCodeTable());
}

TEST(Registers, LoadedValuesAreAliveTogether) {
  // 27 values of one or two words, and 12 registers beside.
  EXPECT_EQ(registersOf("box27.stn", "baseline/32x4x2", ScalarType::F32).wanted, 27 + 12);
  EXPECT_EQ(registersOf("box27.stn", "baseline/32x4x2", ScalarType::F64).wanted, 54 + 12);
}

TEST(Registers, PointersAreAliveBeforeTheirValues) {
  // star5: 21 rows of two registers, and 10 beside: more than its 31 values need.
  EXPECT_EQ(registersOf("star5.stn", "baseline/32x4x2", ScalarType::F32).wanted, 2 * 21 + 10);
  EXPECT_EQ(registersOf("star5.stn", "baseline/32x4x2", ScalarType::F64).wanted, 62 + 12);
  // star3, periodic: 18 neighbours that may lie across an end, and the centre.
  EXPECT_EQ(registersOf("star3.stn", "baseline/32x4x2", ScalarType::F32).wanted, 2 * 19 + 10);
}

TEST(Registers, TurnsThatBecameOneLoadTogether) {
  // 7pt1: four turns of five loads, two queued values, four rows: 27 + 0.65 * 22 + 4 = 45.3.
  EXPECT_EQ(registersOf("7pt1.stn", "zblock/32x8x1/c64", ScalarType::F32).wanted, 45);
  EXPECT_EQ(registersOf("7pt1.stn", "zblock/32x8x1/c64", ScalarType::F64).wanted, 60);
}

TEST(Registers, OnlyWhatIsUsedAgainIsNeeded) {
  // box27's centre is used twice: one value (two words), and 14 beside.
  EXPECT_EQ(registersOf("box27.stn", "baseline/32x4x2", ScalarType::F32).needed, 14 + 1);
  EXPECT_EQ(registersOf("box27.stn", "baseline/32x4x2", ScalarType::F64).needed, 14 + 2);
  // Nine queues hold two values each from turn to turn.
  EXPECT_EQ(registersOf("box27.stn", "zblock/32x8x1/c64", ScalarType::F32).needed, 24 + 18);
}

TEST(Registers, NoKernelNeedsMoreThanItWants) {
  for (const std::string &name : exampleNames())
    for (ScalarType real : {ScalarType::F32, ScalarType::F64}) {
      const Stencil stencil = example(name, real);
      const std::vector<const char *> ofRank[] = {{"baseline/256"},
                                                  {"baseline/32x8", "zblock/128x1/c64"},
                                                  {"baseline/32x4x2", "zblock/32x8x1/c64"}};
      for (const char *schedule : ofRank[stencil.rank() - 1]) {
        const RegisterEstimate registers = registersOf(name, schedule, real);
        EXPECT_LE(registers.needed, registers.wanted) << name << ' ' << schedule;
        EXPECT_GE(registers.needed, 14) << name << ' ' << schedule;
      }
    }
}

TEST(Registers, AFullSmMustLeaveWhatIsNeededAndATenth) {
  const DeviceProfile device = llvm::cantFail(loadDeviceProfile("h200"));
  const auto shortage = [&](const std::string &name, const std::string &schedule) {
    const Stencil stencil = example(name, ScalarType::F32);
    const VerifiedProgram program =
        llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank()))));
    const std::vector<int64_t> extents(stencil.rank(), 256);
    return registerShortage(llvm::cantFail(countProgram(program, extents)), device);
  };
  // Eight blocks leave 32 of 26 needed, 19pt's march needs 36 and star2d2's 32; six leave 40.
  EXPECT_EQ(shortage("7pt1.stn", "zblock/32x8x1/c64/r8"), "");
  EXPECT_EQ(shortage("19pt.stn", "zblock/32x8x1/c64/r8"),
            "so many blocks on an SM leave a thread 32 registers, and it needs about 36, give or "
            "take 10 %");
  EXPECT_NE(shortage("star2d2.stn", "zblock/256x1/c64/r8"), "");
  EXPECT_EQ(shortage("star2d2.stn", "zblock/256x1/c64/r6"), "");
  // Who wants no more than there is has no shortage.
  EXPECT_EQ(shortage("hdiff.stn", "baseline/32x8x1/r8"), "");
}
