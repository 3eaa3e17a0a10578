// Fits give back what points were made of, noise or not, and refuse points that say nothing.
#include "costmodel/calibrate/Fit.h"

#include "costmodel/model/GeometricTraffic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace stencilc;

namespace {

/// 1 more or less a share that is rarely above `noise`.
class Noise {
public:
  explicit Noise(double noise) : normal(1, noise / 2) {}
  double operator()() { return normal(generator); }

private:
  std::mt19937 generator{12345};
  std::normal_distribution<double> normal;
};

TEST(Fit, MedianAndSpreadOfFewNumbers) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(spread({5, 5, 5}), 0);
  EXPECT_DOUBLE_EQ(spread({1, 2, 3, 4, 5}), 2.0 / 3);
  // One repeat that something disturbed does not count.
  EXPECT_LT(spread({1.00, 1.01, 1.02, 1.01, 1.00, 1.01, 9.0}), 0.02);
}

TEST(Fit, LinearFactorsAreFoundThroughNoise) {
  Noise noise(0.02);
  std::vector<std::vector<double>> rows;
  std::vector<double> values;
  for (double x : {1, 2, 4, 8, 16, 32}) {
    rows.push_back({1, x});
    values.push_back((0.34 + 0.97 * x) * noise());
  }
  const auto fit = fitLinear(rows, values);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->factors[0], 0.34, 0.05);
  EXPECT_NEAR(fit->factors[1], 0.97, 0.02);
  EXPECT_LT(fit->residual, 0.02);
  EXPECT_GT(fit->residual, 0.001);
}

TEST(Fit, LinearFactorsThatRowsDoNotTellApartAreRefused) {
  EXPECT_FALSE(fitLinear({{1, 2}, {2, 4}, {3, 6}}, {1, 2, 3}));
  EXPECT_FALSE(fitLinear({{1, 2}}, {1}));
  EXPECT_FALSE(fitLinear({}, {}));
  EXPECT_FALSE(fitLinear({{1}, {1}}, {1, 0}));
  EXPECT_FALSE(fitLinear({{1}, {1}}, {1, NAN}));
}

std::vector<StreamPoint> streams(std::vector<double> sizes, double noiseShare) {
  Noise noise(noiseShare);
  std::vector<StreamPoint> points;
  for (double size : sizes)
    for (double turns : {1, 16, 512})
      points.push_back(
          {size, turns,
           (1 + 0.0107 * std::log2(turns)) / (4276e9 * (1 - std::exp(-size / 11264))) * noise()});
  return points;
}

TEST(Fit, BandwidthAndBytesInFlightAreFoundTogether) {
  const auto exact = fitSaturation(streams({2048, 8192, 16384, 65536}, 0));
  ASSERT_TRUE(exact);
  EXPECT_NEAR(exact->bandwidth, 4276e9, 1e9);
  EXPECT_NEAR(exact->scale, 11264, 11);
  EXPECT_NEAR(exact->marchLoss, 0.0107, 1e-5);
  const auto noisy = fitSaturation(streams({2048, 4096, 8192, 16384, 32768, 65536}, 0.03));
  ASSERT_TRUE(noisy);
  EXPECT_NEAR(noisy->bandwidth, 4276e9, 60e9);
  EXPECT_NEAR(noisy->scale, 11264, 500);
  EXPECT_NEAR(noisy->marchLoss, 0.0107, 0.003);
  EXPECT_NEAR(noisy->residual, 0.015, 0.008);
}

TEST(Fit, StreamsOnOneSideOfSaturationAreRefused) {
  EXPECT_FALSE(fitSaturation(streams({262144, 524288, 1048576}, 0.01)));
  EXPECT_FALSE(fitSaturation(streams({100, 200, 400}, 0)));
  EXPECT_FALSE(fitSaturation({}));
}

std::vector<WindowPoint> windows(double capacity, double softness, double lostShare,
                                 double noiseShare) {
  Noise noise(noiseShare);
  std::vector<WindowPoint> points;
  for (unsigned kind : {0, 1})
    for (double window = 6; window <= 96; window *= 1.15)
      points.push_back(
          {window,
           (1 + kind) * (1 + lostShare * (1 - keptReuse(window, capacity, softness))) * noise(),
           kind});
  return points;
}

TEST(Fit, CapacityAndSoftnessAreFoundThroughNoise) {
  const auto exact = fitCapacity(windows(41.6, 0.6, 1.5, 0));
  ASSERT_TRUE(exact);
  EXPECT_NEAR(exact->capacity, 41.6, 0.05);
  EXPECT_NEAR(exact->softness, 0.6, 0.005);
  const auto noisy = fitCapacity(windows(41.6, 0.6, 1.5, 0.03));
  ASSERT_TRUE(noisy);
  EXPECT_NEAR(noisy->capacity, 41.6, 1.5);
  EXPECT_NEAR(noisy->softness, 0.6, 0.1);
  EXPECT_LT(noisy->residual, 0.02);
}

TEST(Fit, WindowsThatLoseNothingAreRefused) {
  EXPECT_FALSE(fitCapacity(windows(400, 0.6, 1.5, 0.01)));
  EXPECT_FALSE(fitCapacity(windows(41.6, 0.6, 0.02, 0.005)));
  EXPECT_FALSE(fitCapacity({}));
}

TEST(Fit, ALevelEndsWhereTheCurveLeavesIt) {
  EXPECT_NEAR(*plateau({9.2, 9.0, 9.1, 9.0, 8.9, 7.0, 5.0, 4.0}, 0.05), 9.0, 0.01);
  EXPECT_EQ(*plateau({5, 5, 5}, 0.01), 5);
  EXPECT_FALSE(plateau({9, 7, 5, 3}, 0.05));
  EXPECT_FALSE(plateau({9, 9}, 0.05));
}

TEST(Fit, TheNormOfMixedWork) {
  const auto mixed = [](double p, double noiseShare) {
    Noise noise(noiseShare);
    std::vector<MixedPoint> points;
    for (double other : {0.25, 0.5, 1.0, 2.0, 4.0, 100.0})
      points.push_back({1, other, std::pow(1 + std::pow(other, p), 1 / p) * noise()});
    return points;
  };
  EXPECT_NEAR(fitNorm(mixed(2.9, 0))->norm, 2.9, 0.005);
  EXPECT_NEAR(fitNorm(mixed(2.9, 0.02))->norm, 2.9, 0.25);
  // Where one kind of work is hardly any, both together say nothing of the norm.
  EXPECT_FALSE(fitNorm({{1, 100, 100}, {1, 50, 50}}));
}

TEST(Fit, WaitingGivesWayToThroughput) {
  const auto shared = [](double busy, double alone, double noiseShare) {
    Noise noise(noiseShare);
    std::vector<SharePoint> points;
    for (double blocks : {1, 2, 4, 8})
      points.push_back(
          {blocks, std::pow(std::pow(busy, 3) + std::pow(alone / blocks, 3), 1.0 / 3) * noise()});
    return points;
  };
  const auto exact = fitWaiting(shared(50, 300, 0));
  ASSERT_TRUE(exact);
  EXPECT_NEAR(exact->busy, 50, 0.1);
  EXPECT_NEAR(exact->alone, 300, 0.5);
  EXPECT_NEAR(exact->norm, 3, 0.02);
  const auto noisy = fitWaiting(shared(50, 300, 0.02));
  ASSERT_TRUE(noisy);
  EXPECT_NEAR(noisy->busy, 50, 2);
  EXPECT_NEAR(noisy->alone, 300, 10);
  EXPECT_FALSE(fitWaiting(shared(50, 10, 0)));
}

} // namespace
