#include "costmodel/apsp/ApspForecast.h"
#include "costmodel/apsp/ApspStudy.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace llvm;
using namespace stencilc;

namespace {

const DeviceProfile &h200() {
  static const DeviceProfile device = cantFail(loadDeviceProfile("h200"));
  return device;
}

ApspKernel kernel(ApspAlgorithm algorithm, int width) {
  return {algorithm, width, width, "f32", true};
}

std::string refusal(const ApspKernel &kernel, ArrayRef<ApspRun> runs,
                    const DeviceProfile &device = h200()) {
  auto forecast = ApspForecast::fit(device, kernel, runs);
  return forecast ? "" : toString(forecast.takeError());
}

/// The step from `from` nodes to one more, in percent.
double rise(const ApspForecast &forecast, int64_t from) {
  return 100 * (forecast.seconds(from + 1) / forecast.seconds(from) - 1);
}

} // namespace

// n = 96 has 3 x 3 blocks, one on an SM: 7 launches of 1.1 us, 0.38 us and 3 tiles of 1.4 us.
// n = 1000, on a stream, has 32 x 32, eight on an SM, a tile of each: sqrt(1.4^2 + 63 * 1^2) us.
TEST(ApspForecast, MinPlusConstantsComeOutOfTwoRuns) {
  const ApspKernel wide = kernel(ApspAlgorithm::MinPlus, 32);
  const double small = 7 * 5.68e-6, large = 10 * (2.74e-6 + 32 * std::sqrt(64.96) * 1e-6);
  const ApspForecast forecast = cantFail(ApspForecast::fit(
      h200(), wide, {{wide, 96, small}, {wide, 1000, large, LaunchMode::Stream}}));
  const auto &form = std::get<MinPlusForm>(forecast.form);
  EXPECT_NEAR(form.tileLatency, 1.4e-6, 1e-15);
  EXPECT_NEAR(form.tileThroughput, 1e-6, 1e-15);
  EXPECT_NEAR(forecast.seconds(96), small, 1e-12);
  EXPECT_NEAR(forecast.seconds(1000, LaunchMode::Stream), large, 1e-12);
  EXPECT_NEAR(forecast.seconds(1000), large - 10 * 1.26e-6, 1e-12);
}

// PAPER     duemmler2015
// WHERE     model Full, (15), carried to an H200, whose 132 SMs hold 2 blocks 32 wide each
// QUANTITY  rise of one launch at n = 480, 512 and 544, percent
// PUBLISHED nothing: the paper knows no such device. Measured on one: 6, 54, 6
// OURS      6, 49, 6 where a tile among many takes 1 us and alone 1.4 us: rounds of 2, 2, 3 and 3
//           blocks in 15, 16, 17 and 18 tiles, beside 1.48 us
// KIND      predicted
TEST(ApspForecast, BlocksAreDealtAsModelFullDoes) {
  const ApspKernel wide = kernel(ApspAlgorithm::MinPlus, 32);
  const ApspForecast forecast = cantFail(ApspForecast::fit(
      h200(), wide,
      {{wide, 96, 7 * 5.68e-6}, {wide, 1000, 10 * (1.48e-6 + 32 * std::sqrt(64.96) * 1e-6)}}));
  const double two = std::sqrt(1.96 + 3), three = std::sqrt(1.96 + 8);
  EXPECT_NEAR(rise(forecast, 480), 100 * (1.48 + 16 * two) / (1.48 + 15 * two) - 100, 1e-9);
  EXPECT_NEAR(rise(forecast, 512), 100 * (1.48 + 17 * three) / (1.48 + 16 * two) - 100, 1e-9);
  EXPECT_NEAR(rise(forecast, 544), 100 * (1.48 + 18 * three) / (1.48 + 17 * three) - 100, 1e-9);
  EXPECT_NEAR(rise(forecast, 512), 48.5, 0.1);
}

// A warp reads 4 rows of 8 words; 32 words lie in as many banks, 8 in a sector.
TEST(ApspForecast, WhereRowsLieDecidesHowManyWavefrontsAndSectorsATileTakes) {
  EXPECT_EQ(wavefrontsPerRequest(1000, 8), 1); // rows at banks 0, 8, 16, 24
  EXPECT_EQ(wavefrontsPerRequest(1008, 8), 2); // 0, 16, 0, 16
  EXPECT_EQ(wavefrontsPerRequest(1024, 8), 4); // all at 0
  EXPECT_EQ(wavefrontsPerRequest(4020, 8), 2); // 0, 20, 8, 28: the last one reaches bank 3
  EXPECT_EQ(wavefrontsPerRequest(1008, 16), 1);
  EXPECT_EQ(wavefrontsPerRequest(1024, 16), 2);
  EXPECT_EQ(wavefrontsPerRequest(1021, 32), 1);
  EXPECT_EQ(sectorsPerRow(4000, 8, 8), 1);
  EXPECT_EQ(sectorsPerRow(4004, 8, 8), 1.5);   // every other row begins in mid-sector
  EXPECT_EQ(sectorsPerRow(4001, 8, 8), 1.875); // one row in eight does not
  EXPECT_EQ(sectorsPerRow(4004, 16, 8), 2.5);
}

/// Seconds of a further wavefront of a product of 8 x 8 tiles, which makes 4 requests, and of a
/// further sector of the 16 rows that it reads. Half of what they take is not hidden.
static double ofWavefront() { return 0.5 * 4 * h200().geometric->wavefrontClocks / h200().clock; }
static double ofSector() {
  return 0.5 * 16 * 32 * double(h200().sms) / h200().geometric->l2Bandwidth;
}

TEST(ApspForecast, RowsOutOfPlaceCostExtra) {
  const ApspKernel narrow = kernel(ApspAlgorithm::MinPlus, 8);
  const double latency = 0.3e-6, throughput = 0.025e-6;
  // n = 40 has 5 x 5 blocks, n = 1000 has 125 x 125, 119 on an SM; neither has rows out of place.
  const auto run = [&](double width, double rounds, double each) {
    return 1.48e-6 + width * std::hypot(latency, std::sqrt(rounds * rounds - 1) * each);
  };
  const ApspForecast forecast = cantFail(ApspForecast::fit(
      h200(), narrow,
      {{narrow, 40, 6 * run(5, 1, throughput)}, {narrow, 1000, 10 * run(125, 119, throughput)}}));
  const double wavefront = ofWavefront(), sector = ofSector();
  // 1024: 128 x 128 blocks, 125 on an SM, 4 wavefronts.
  EXPECT_NEAR(forecast.seconds(1024), 10 * run(128, 125, throughput + 3 * wavefront), 1e-12);
  // 2500: 313 x 313 blocks, 743 on an SM, rows of 1.5 sectors, but within the L2; 2 wavefronts.
  EXPECT_NEAR(forecast.seconds(2500), 12 * run(313, 743, throughput + wavefront), 1e-10);
  // 4004: 501 x 501 blocks, 1902 on an SM, 2 wavefronts and half a sector more.
  EXPECT_NEAR(forecast.seconds(4004), 12 * run(501, 1902, throughput + wavefront + 0.5 * sector),
              1e-10);
}

// n = 1000 lies as n = 1024 does where a row takes a multiple of 64 entries: 4 wavefronts. So does
// n = 1008, of 126 x 126 blocks, 121 on an SM.
TEST(ApspForecast, RowsLieAsThoseOfTheRunsDo) {
  const ApspKernel narrow = kernel(ApspAlgorithm::MinPlus, 8);
  ApspDevice device = cantFail(ApspDevice::of(h200()));
  EXPECT_EQ(device.pitch(1000), 1000);
  device.rowUnit = 64;
  EXPECT_EQ(device.pitch(1000), 1024);
  EXPECT_EQ(device.pitch(1024), 1024);
  const double latency = 0.3e-6, throughput = 0.025e-6, wavefront = ofWavefront();
  const auto run = [&](double width, double rounds, double each) {
    return 1.48e-6 + width * std::hypot(latency, std::sqrt(rounds * rounds - 1) * each);
  };
  const double each = throughput + 3 * wavefront;
  const ApspForecast forecast = cantFail(
      ApspForecast::fit(h200(), narrow,
                        {{narrow, 40, 6 * run(5, 1, each), LaunchMode::Graph, 64},
                         {narrow, 1000, 10 * run(125, 119, each), LaunchMode::Graph, 64}}));
  EXPECT_NEAR(std::get<MinPlusForm>(forecast.form).tileThroughput, throughput, 1e-15);
  EXPECT_NEAR(forecast.seconds(1008), 10 * run(126, 121, each), 1e-12);
}

// A tile takes 1.1 us at n = 1000 and 1 / 1.1 us at n = 2000, which has 63 x 63 blocks, 31 on an
// SM: 1 us in the mean. n = 1414 lies half way between, has 45 x 45 blocks, 16 on an SM; n = 2500
// has 79 x 79, 48 on an SM.
TEST(ApspForecast, WhatMinPlusLeavesOutIsInterpolated) {
  const ApspKernel wide = kernel(ApspAlgorithm::MinPlus, 32);
  const auto launch = [](double width, double rounds, double each) {
    return (1.48 + width * std::sqrt(1.96 + (rounds * rounds - 1) * each * each)) * 1e-6;
  };
  const double small = 7 * launch(3, 1, 1), middle = 10 * launch(32, 8, 1.1),
               large = 11 * launch(63, 31, 1 / 1.1);
  const ApspForecast forecast = cantFail(ApspForecast::fit(
      h200(), wide, {{wide, 96, small}, {wide, 1000, middle}, {wide, 2000, large}}));
  const auto &form = std::get<MinPlusForm>(forecast.form);
  EXPECT_NEAR(form.tileLatency, 1.4e-6, 1e-15);
  EXPECT_NEAR(form.tileThroughput, 1e-6, 1e-15);
  EXPECT_NEAR(forecast.seconds(96), small, 1e-12);
  EXPECT_NEAR(forecast.seconds(1000), middle, 1e-12);
  EXPECT_NEAR(forecast.seconds(2000), large, 1e-12);
  const double atMiddle = middle / (10 * launch(32, 8, 1)),
               atLarge = large / (11 * launch(63, 31, 1));
  const double left = std::log(2000.0 / 1414) / std::log(2.0);
  EXPECT_NEAR(forecast.seconds(1414),
              std::pow(atMiddle, left) * std::pow(atLarge, 1 - left) * 11 * launch(45, 16, 1),
              1e-12);
  // Beyond the first and the last run their errors stay.
  EXPECT_NEAR(forecast.seconds(50), 6 * launch(2, 1, 1), 1e-12);
  EXPECT_NEAR(forecast.seconds(2500), atLarge * 12 * launch(79, 48, 1), 1e-12);
}

// n = 1000 has 1024 blocks, 8 on an SM, and 8 MB that lie in the L2; n = 4000 has 15625, 119 on an
// SM, and 128 MB that do not.
TEST(ApspForecast, FloydWarshallConstantsComeOutOfTwoRuns) {
  const ApspKernel wide = kernel(ApspAlgorithm::FloydWarshall, 32);
  const auto launch = [](double start, double rounds, double each) {
    return (start + std::sqrt(0.38 * 0.38 + (rounds * rounds - 1) * each * each)) * 1e-6;
  };
  const ApspForecast forecast =
      cantFail(ApspForecast::fit(h200(), wide,
                                 {{wide, 4000, 4000 * launch(2.36, 119, 0.5), LaunchMode::Stream},
                                  {wide, 1000, 1000 * launch(1.1, 8, 0.35)}}));
  const auto &form = std::get<FloydWarshallForm>(forecast.form);
  EXPECT_NEAR(form.blockThroughput, 0.35e-6, 1e-15);
  EXPECT_NEAR(form.blockThroughputBeyondL2, 0.5e-6, 1e-15);
  EXPECT_NEAR(forecast.seconds(96), 96 * 1.48e-6, 1e-12);
  // 60 MiB are 8 * 2804.3^2 bytes: 88 x 88 blocks, 59 on an SM, on both sides.
  EXPECT_NEAR(forecast.seconds(2804), 2804 * launch(1.1, 59, 0.35), 1e-9);
  EXPECT_NEAR(forecast.seconds(2805), 2805 * launch(1.1, 59, 0.5), 1e-9);
}

TEST(ApspForecast, OneLargeRunOfFloydWarshallStandsForAllSizes) {
  const ApspKernel wide = kernel(ApspAlgorithm::FloydWarshall, 32);
  const ApspForecast forecast =
      cantFail(ApspForecast::fit(h200(), wide, {{wide, 1000, 1000 * 4e-6}}));
  const auto &form = std::get<FloydWarshallForm>(forecast.form);
  EXPECT_EQ(form.blockThroughput, form.blockThroughputBeyondL2);
}

// Blocks 8 wide: n = 520 has 65 x 65, 33 on an SM, and took no longer than to start them. At 15625
// blocks, 119 on an SM, they take 9.1 us by the fit and 9.4 us to start.
TEST(ApspForecast, BlocksStartNoFasterThanTheDeviceStartsThem) {
  const ApspKernel narrow = kernel(ApspAlgorithm::FloydWarshall, 8);
  const double rate = h200().launching->blocksPerSecond;
  const ApspForecast forecast =
      cantFail(ApspForecast::fit(h200(), narrow, {{narrow, 520, 520 * (1.1e-6 + 4225 / rate)}}));
  EXPECT_LT(119 * std::get<FloydWarshallForm>(forecast.form).blockThroughput, 9.1e-6);
  EXPECT_NEAR(forecast.seconds(1000), 1000 * (1.1e-6 + 15625 / rate), 1e-12);
}

TEST(ApspForecast, OnAStreamTheHostSetsThePaceOfShortLaunches) {
  const ApspKernel wide = kernel(ApspAlgorithm::FloydWarshall, 32);
  const ApspForecast forecast =
      cantFail(ApspForecast::fit(h200(), wide, {{wide, 1000, 1000 * 4e-6}}));
  EXPECT_NEAR(forecast.seconds(64, LaunchMode::Stream), 64 * 3.6e-6, 1e-12);
  EXPECT_NEAR(forecast.seconds(64, LaunchMode::Graph), 64 * 1.48e-6, 1e-12);
  EXPECT_NEAR(forecast.seconds(2000, LaunchMode::Stream) - forecast.seconds(2000),
              2000 * (2.36e-6 - 1.1e-6), 1e-12);
  // A run at this pace says nothing of the device.
  EXPECT_EQ(refusal(wide, {{wide, 600, 600 * 3.7e-6, LaunchMode::Stream}}),
            "floyd-warshall/32 f32 with paths: no run needs more than one wave of blocks");
}

// Tiles of 64 rows and 128 columns: n = 128 is one block of pivots, n = 192 two, n = 1024 eight,
// none with more than 132 tiles. n = 8192 has 64 blocks of pivots and 128 x 64 tiles, of which 126
// x 63 = 7938 lie beside a cross of 254, less than two on an SM.
TEST(ApspForecast, BlockedConstantsComeOutOfFourRuns) {
  const ApspKernel tiled = {ApspAlgorithm::Blocked, 128, 128, "f32", false};
  const ApspForecast forecast = cantFail(ApspForecast::fit(
      h200(), tiled,
      {{tiled, 128, 30e-6},
       {tiled, 192, 1.1e-6 + 10e-6 + 3 * 40e-6},
       {tiled, 1024, 1.1e-6 + 10e-6 + 15 * 40e-6},
       {tiled, 8192,
        1.1e-6 + 10e-6 + 63 * (40e-6 + 7938 / 132.0 * 20e-6) + 8192 / 132.0 * 20e-6}}));
  const auto &form = std::get<BlockedForm>(forecast.form);
  EXPECT_NEAR(form.opening, 10e-6, 1e-15);
  EXPECT_NEAR(form.latency, 40e-6, 1e-15);
  EXPECT_NEAR(form.tileThroughput, 20e-6, 1e-15);
  EXPECT_EQ(form.improvement, 0);
  EXPECT_EQ(forecast.seconds(100), 30e-6);
  EXPECT_NEAR(forecast.seconds(300), 1.1e-6 + 10e-6 + 5 * 40e-6, 1e-12);
  // 128 blocks of pivots, each with 256 x 128 tiles; a cross of 510 takes longer than a latency.
  EXPECT_NEAR(forecast.seconds(16384), 1.1e-6 + 10e-6 + 128 * (32768 / 132.0 * 20e-6), 1e-12);
}

// Tiles 64 words wide have 128 columns of u16. With blocks of 64 pivots n = 128 has two blocks of
// pivots and 2 tiles, n = 1024 has 16 and 16 x 8, n = 8192 has 128 and 128 x 64, of which 127 x 63
// = 8001 lie beside a cross of 191, and n = 16384 has 256 and 256 x 128.
TEST(ApspForecast, AWordHoldsTwoEntriesOfU16) {
  const ApspKernel packed = {ApspAlgorithm::Blocked, 64, 64, "u16", false};
  const ApspForecast forecast = cantFail(ApspForecast::fit(
      h200(), packed,
      {{packed, 128, 1.1e-6 + 10e-6 + 3 * 40e-6},
       {packed, 1024, 1.1e-6 + 10e-6 + 31 * 40e-6},
       {packed, 8192,
        1.1e-6 + 10e-6 + 127 * (40e-6 + 8001 / 132.0 * 20e-6) + 8192 / 132.0 * 20e-6}}));
  const auto &form = std::get<BlockedForm>(forecast.form);
  EXPECT_NEAR(form.opening, 10e-6, 1e-15);
  EXPECT_NEAR(form.latency, 40e-6, 1e-15);
  EXPECT_NEAR(form.tileThroughput, 20e-6, 1e-15);
  EXPECT_NEAR(forecast.seconds(16384), 1.1e-6 + 10e-6 + 256 * (32768 / 132.0 * 20e-6), 1e-12);
}

TEST(ApspForecast, OfOneSmallRunTheOpeningIsAStage) {
  const ApspKernel tiled = {ApspAlgorithm::Blocked, 128, 128, "f32", false};
  const ApspForecast forecast = cantFail(
      ApspForecast::fit(h200(), tiled, {{tiled, 192, 1.1e-6 + 4 * 40e-6}, {tiled, 8192, 1.0}}));
  EXPECT_NEAR(std::get<BlockedForm>(forecast.form).latency, 40e-6, 1e-15);
  EXPECT_NEAR(std::get<BlockedForm>(forecast.form).opening, 40e-6, 1e-15);
  EXPECT_NEAR(forecast.seconds(128), 1.1e-6 + 2 * 40e-6, 1e-12);
}

// With paths a tile of the b-th block of pivots takes 40 + 60 / b us, a latency of 100 us at most.
// w blocks of pivots have 2 w x w tiles, 2 (w - 1) x (w - 1) of them beside the cross: 94 tiles of
// a cross at n = 3072, 126 at n = 4096, less than one on an SM. At n = 8192 there are 254, and 1.92
// on an SM take longer than a latency as long as b <= 5, at n = 16384 always.
TEST(ApspForecast, TilesThatImproveLessTakeLess) {
  const ApspKernel tiled = {ApspAlgorithm::Blocked, 128, 128, "f32", true};
  const auto run = [](int64_t pivots) {
    const auto tile = [](int64_t b) { return (40 + 60.0 / b) / 132; };
    const double all = 2 * pivots * pivots, others = 2 * (pivots - 1) * (pivots - 1);
    double sum = 1.1 + 100 + all * tile(pivots);
    for (int64_t b = 1; b < pivots; ++b)
      sum += std::max(100.0, (all - others) * tile(b)) + others * tile(b);
    return sum * 1e-6;
  };
  const ApspForecast forecast = cantFail(ApspForecast::fit(
      h200(), tiled,
      {{tiled, 192, 1.1e-6 + 4 * 100e-6}, {tiled, 3072, run(24)}, {tiled, 4096, run(32)}}));
  const auto &form = std::get<BlockedForm>(forecast.form);
  EXPECT_NEAR(form.tileThroughput, 40e-6, 1e-12);
  EXPECT_NEAR(form.improvement, 60e-6, 1e-12);
  EXPECT_NEAR(forecast.seconds(8192), run(64), 1e-9);
  EXPECT_NEAR(forecast.seconds(16384), run(128), 1e-9);
}

// n = 2048 took a fifth longer than the form says: 16 blocks of pivots, 32 x 16 = 512 tiles, 30 x
// 15 = 450 of them beside the cross. n = 2896 has 23 blocks, 1058 tiles and 968, n = 4096 has 32,
// 2048 and 1922, n = 8192 has 64, 8192 and 7938.
TEST(ApspForecast, WhatTheBlockedFormLeavesOutIsInterpolated) {
  const ApspKernel tiled = {ApspAlgorithm::Blocked, 128, 128, "f32", false};
  const auto run = [](int64_t pivots, double others, double all) {
    return (1.1 + 40 + (pivots - 1) * (40 + others / 132 * 20) + all / 132 * 20) * 1e-6;
  };
  const double middle = 1.2 * run(16, 450, 512);
  const ApspForecast forecast = cantFail(ApspForecast::fit(h200(), tiled,
                                                           {{tiled, 192, 1.1e-6 + 4 * 40e-6},
                                                            {tiled, 2048, middle},
                                                            {tiled, 4096, run(32, 1922, 2048)}}));
  EXPECT_NEAR(forecast.seconds(2048), middle, 1e-12);
  const double left = std::log(4096.0 / 2896) / std::log(2.0);
  EXPECT_NEAR(forecast.seconds(2896), std::pow(1.2, left) * run(23, 968, 1058), 1e-12);
  // Beyond the last run its error stays.
  EXPECT_NEAR(forecast.seconds(8192), run(64, 7938, 8192), 1e-12);
}

TEST(ApspForecast, RefusalsSayWhichRunIsMissing) {
  const ApspKernel wide = kernel(ApspAlgorithm::MinPlus, 32);
  EXPECT_EQ(refusal(wide, {}), "min-plus/32 f32 with paths: it was never measured on this device");
  EXPECT_EQ(refusal(wide, {{wide, 96, 1e-3}}),
            "min-plus/32 f32 with paths: no run needs more than one wave of blocks");
  EXPECT_EQ(refusal(wide, {{wide, 1000, 1e-3}}),
            "min-plus/32 f32 with paths: no run lies within "
            "one wave of blocks and above the cost of a launch");
  EXPECT_EQ(refusal(wide, {{wide, 96, 1e-3}, {wide, 1000, 1e-3}}),
            "min-plus/32 f32 with paths: a large run takes no longer than the small one");
  EXPECT_EQ(refusal(wide, {{wide, 96, 1e-3}}, cantFail(loadDeviceProfile("c2075"))),
            "min-plus/32 f32 with paths: what a launch costs on this device was never measured");
  const ApspKernel tiled = {ApspAlgorithm::Blocked, 128, 128, "f32", false};
  EXPECT_EQ(refusal(tiled, {{tiled, 128, 1e-4}, {tiled, 8192, 1}}),
            "blocked/128x128 f32 without paths: no run has a few blocks of pivots and one tile for "
            "each multiprocessor");
  EXPECT_EQ(refusal(tiled, {{tiled, 128, 1e-4}, {tiled, 192, 1e-3}}),
            "blocked/128x128 f32 without paths: no run has many tiles for each multiprocessor");
}

TEST(ApspForecast, TheFastestIsChosenForEachSize) {
  const ApspKernel small = {ApspAlgorithm::Blocked, 64, 64, "f32", false};
  const ApspKernel large = {ApspAlgorithm::Blocked, 128, 128, "f32", false};
  const ApspKernel other = {ApspAlgorithm::Blocked, 64, 64, "i32", false};
  const ApspForecasts forecasts = fitAll(h200(), {{small, 64, 12e-6},
                                                  {small, 128, 40e-6},
                                                  {small, 8192, 0.05},
                                                  {large, 128, 42e-6},
                                                  {large, 192, 160e-6},
                                                  {large, 8192, 0.04},
                                                  {other, 64, 1e-6},
                                                  {other, 128, 1e-6},
                                                  {other, 8192, 0.001}});
  ASSERT_EQ(forecasts.fitted.size(), 2u); // a run below the cost of a launch cannot be fitted
  ASSERT_EQ(forecasts.refusals.size(), 1u);
  EXPECT_EQ(fastest(forecasts.fitted, "f32", false, 64)->kernel, small);
  EXPECT_EQ(fastest(forecasts.fitted, "f32", false, 8192)->kernel, large);
  EXPECT_EQ(fastest(forecasts.fitted, "f32", true, 64), nullptr);
}

TEST(ApspForecast, ThePapersKernelsServeWeightsWithAnyPromise) {
  EXPECT_TRUE(serves(kernel(ApspAlgorithm::MinPlus, 32), "f32+", true));
  EXPECT_FALSE(serves(kernel(ApspAlgorithm::Blocked, 64), "f32+", true));
  EXPECT_TRUE(serves(kernel(ApspAlgorithm::Blocked, 64), "f32", true));
  EXPECT_FALSE(serves(kernel(ApspAlgorithm::MinPlus, 32), "f32", false));
}
