#include "frontend/apsp/ApspChoice.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace stencilc;
using apsp::WeightRange;

namespace {

ApspCommandLine parse(std::vector<const char *> arguments) {
  arguments.insert(arguments.begin(), "a.gr");
  return cantFail(parseApspCommandLine(arguments));
}

/// The plan for 500 nodes on a device for which only `runs` are known.
Expected<apsp::Plan> plan(const ApspCommandLine &line, WeightRange range,
                          std::vector<ApspRun> runs = {}) {
  const ApspData data{cantFail(loadDeviceProfile("h200")), std::move(runs)};
  return planOf(chooseKernel(line, data, 500, range), range);
}

void expectPlan(Expected<apsp::Plan> plan, int blockSize, int tileSize, WeightRange range) {
  ASSERT_TRUE(bool(plan)) << toString(plan.takeError());
  EXPECT_EQ(plan->algorithm, apsp::Algorithm::Blocked);
  EXPECT_EQ(plan->blockSize, blockSize);
  EXPECT_EQ(plan->tileSize, tileSize);
  EXPECT_EQ(plan->range, range);
}

} // namespace

TEST(ApspChoice, WhatIsNotNamedIsLeftToTheLibrary) {
  expectPlan(plan(parse({}), WeightRange::NonNegative), 0, 0, WeightRange::NonNegative);
  const ApspCommandLine small = parse({"--type=s32", "--algorithm=blocked"});
  expectPlan(plan(small, WeightRange::Below22Bits), 0, 0, WeightRange::Below22Bits);
}

TEST(ApspChoice, NarrowTilesKeepOffTensorCores) {
  const ApspCommandLine narrow = parse({"--type=s32", "--algorithm=blocked", "--tile=64"});
  expectPlan(plan(narrow, WeightRange::Below22Bits), 0, 64, WeightRange::NonNegative);
  expectPlan(plan(narrow, WeightRange::Any), 0, 64, WeightRange::Any);
  const ApspCommandLine paths =
      parse({"--type=s32", "--algorithm=blocked", "--tile=64", "--from=1", "--to=2"});
  expectPlan(plan(paths, WeightRange::Below22Bits), 0, 64, WeightRange::Below22Bits);
}

// Nothing was measured of weights below 22 bits, so that they go as others do.
TEST(ApspChoice, AKernelOfAWeakerPromiseStaysOne) {
  const ApspKernel narrow = {ApspAlgorithm::Blocked, 64, 64, "s32+", false};
  expectPlan(plan(parse({"--type=s32"}), WeightRange::Below22Bits,
                  {{narrow, 64, 12e-6}, {narrow, 128, 40e-6}, {narrow, 8192, 0.05}}),
             64, 64, WeightRange::NonNegative);
}

TEST(ApspChoice, WithPathsOnlySmallWeightsTake128PivotsAtOnce) {
  const ApspCommandLine line =
      parse({"--type=s32", "--algorithm=blocked", "--block=128", "--from=1", "--to=2"});
  expectPlan(plan(line, WeightRange::Below22Bits), 128, 0, WeightRange::Below22Bits);
  EXPECT_EQ(toString(plan(line, WeightRange::NonNegative).takeError()),
            "blocks of 128 pivots with paths take weights from 0 to 2^22 / n of type s32; others "
            "take 64");
}
