#include "costmodel/model/Rank.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace stencilc;

namespace {

/// The numbers of the candidates, best first, for these times in seconds.
std::vector<int> ranked(const std::vector<double> &times) {
  std::vector<Candidate> candidates;
  for (double time : times) {
    Candidate candidate;
    candidate.schedule.chunk = candidates.size();
    candidate.predicted.total = time;
    candidates.push_back(candidate);
  }
  stencilc::rank(candidates);
  std::vector<int> order;
  for (const Candidate &candidate : candidates)
    order.push_back(candidate.schedule.chunk);
  return order;
}

} // namespace

TEST(Rank, TheFastestComesFirst) {
  EXPECT_EQ(ranked({3, 1, 2}), (std::vector<int>{1, 2, 0}));
  EXPECT_EQ(ranked({}), std::vector<int>{});
}

TEST(Rank, OfATieTheEarlierComesFirst) {
  EXPECT_EQ(ranked({1.014, 1}), (std::vector<int>{0, 1}));
  EXPECT_EQ(ranked({1.016, 1}), (std::vector<int>{1, 0}));
  EXPECT_EQ(ranked({2, 2, 2}), (std::vector<int>{0, 1, 2}));
}

// 0 ties with 1 and 1 with 2, but 0 does not tie with 2: the chain must not put 0 first.
TEST(Rank, TiesDoNotChain) { EXPECT_EQ(ranked({1.02, 1.01, 1}), (std::vector<int>{1, 2, 0})); }

TEST(Rank, AnInfiniteTimeComesLast) {
  EXPECT_EQ(ranked({HUGE_VAL, 1, HUGE_VAL}), (std::vector<int>{1, 0, 2}));
}

TEST(Rank, OfATieThoseThatMaySpillComeLast) {
  std::vector<Candidate> candidates(3);
  for (int i = 0; i < 3; ++i) {
    candidates[i].schedule.chunk = i;
    candidates[i].predicted.total = i < 2 ? 1 : 2;
    candidates[i].isTight = i == 0;
  }
  stencilc::rank(candidates);
  EXPECT_EQ(candidates[0].schedule.chunk, 1);
  EXPECT_EQ(candidates[1].schedule.chunk, 0);
  EXPECT_EQ(candidates[2].schedule.chunk, 2);
}

// Each is within kTie of the least that was left when its turn came, and the earliest of these.
TEST(Rank, FollowsTheRuleOnRandomTimes) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> draw(1, 1.2);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> times(200);
    for (double &time : times)
      time = draw(random);
    std::vector<int> left(times.size());
    for (size_t i = 0; i < left.size(); ++i)
      left[i] = i;
    for (int next : ranked(times)) {
      double least = HUGE_VAL;
      for (int i : left)
        least = std::min(least, times[i]);
      const auto expected = std::find_if(left.begin(), left.end(),
                                         [&](int i) { return times[i] <= least * (1 + kTie); });
      ASSERT_EQ(next, *expected);
      left.erase(expected);
    }
    ASSERT_TRUE(left.empty());
  }
}
