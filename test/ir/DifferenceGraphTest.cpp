// DifferenceGraph: what follows from facts and marks at random is what all paths say.
#include "ir/verify/DifferenceGraph.h"

#include "gtest/gtest.h"

#include <random>

using namespace stencilc;

namespace {

struct Fact {
  unsigned low, high;
  int64_t gap;
};

/// The longest paths between all variables, or nothing if one grows without end from or to zero.
std::optional<std::vector<std::vector<std::optional<int64_t>>>>
longestPaths(size_t variables, const std::vector<Fact> &facts) {
  std::vector<std::vector<std::optional<int64_t>>> paths(
      variables, std::vector<std::optional<int64_t>>(variables));
  for (size_t variable = 0; variable < variables; ++variable)
    paths[variable][variable] = 0;
  for (const auto &[low, high, gap] : facts)
    paths[low][high] = std::max(paths[low][high].value_or(gap), gap);
  for (size_t between = 0; between < variables; ++between)
    for (auto &from : paths)
      for (size_t to = 0; to < variables; ++to)
        if (from[between] && paths[between][to]) {
          const int64_t length = *from[between] + *paths[between][to];
          from[to] = std::max(from[to].value_or(length), length);
        }
  for (size_t variable = 0; variable < variables; ++variable)
    if (*paths[variable][variable] > 0)
      return std::nullopt;
  return paths;
}

TEST(DifferenceGraph, KnowsTheLongestPathsOfItsFacts) {
  std::mt19937 random(7);
  const auto below = [&](size_t end) { return unsigned(random() % end); };
  unsigned contradictions = 0, bounds = 0;
  for (unsigned trial = 0; trial < 600; ++trial) {
    DifferenceGraph graph;
    std::vector<Fact> facts;
    struct Place {
      DifferenceGraph::Mark mark;
      size_t variables, facts;
    };
    std::vector<Place> places;
    size_t variables = 1;
    for (unsigned step = 0; step < 60; ++step) {
      switch (below(8)) {
      case 0:
        EXPECT_EQ(graph.addVariable(), variables++);
        break;
      case 1:
        places.push_back({graph.mark(), variables, facts.size()});
        break;
      case 2:
        if (!places.empty()) {
          graph.restore(places.back().mark);
          variables = places.back().variables;
          facts.resize(places.back().facts);
          places.pop_back();
        }
        break;
      default:
        facts.push_back({below(variables), below(variables), int64_t(below(9)) - 6});
        graph.assume(facts.back().low, facts.back().high, facts.back().gap);
      }
      const auto paths = longestPaths(variables, facts);
      if (graph.isContradictory()) {
        ASSERT_FALSE(paths) << "in trial " << trial;
        ++contradictions;
        continue;
      }
      const unsigned high = below(variables), low = below(variables);
      const std::optional<int64_t> least = graph.leastDifference(high, low);
      if (paths) {
        ASSERT_EQ(least, (*paths)[low][high]) << "in trial " << trial << " after " << step;
        bounds += least && high != low;
      }
    }
  }
  EXPECT_GT(contradictions, 100u);
  EXPECT_GT(bounds, 1000u);
}

TEST(DifferenceGraph, SeesWhatFromZeroGrowsWithoutEnd) {
  DifferenceGraph graph;
  const unsigned a = graph.addVariable(), b = graph.addVariable();
  graph.assume(a, b, 1);
  graph.assume(b, a, 0); // nothing ties them to zero yet, and they are no use
  const DifferenceGraph::Mark mark = graph.mark();
  EXPECT_FALSE(graph.isContradictory());
  graph.assume(DifferenceGraph::kZero, a, 5);
  EXPECT_TRUE(graph.isContradictory());
  graph.restore(mark);
  EXPECT_FALSE(graph.isContradictory());
}

} // namespace
