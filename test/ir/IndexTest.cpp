// Indices: what the builders fold, what counts as equal, and what an index evaluates to.
#include "test/ir/KernelPrograms.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

const Index x = local(0), y = local(1);

int64_t valueAt(const Index &index, int64_t value, int64_t extent) {
  return evaluate(index, [&](const Coordinate &coordinate) {
    return coordinate.kind == CoordinateKind::Extent ? extent : value;
  });
}

TEST(Index, SumsKeepOneConstantOnTheRight) {
  Index sum = add(add(x, 2), add(y, 3));
  const auto &node = std::get<IndexSum>(sum->node);
  EXPECT_EQ(std::get<IndexConstant>(node.right->node).value, 5);
  EXPECT_TRUE(equal(node.left, add(x, y)));
}

TEST(Index, NeutralElementsVanish) {
  EXPECT_EQ(add(x, 0), x);
  EXPECT_EQ(add(add(x, 4), -4), x);
  EXPECT_EQ(scale(x, 1), x);
  EXPECT_EQ(quotient(x, 1), x);
  EXPECT_TRUE(equal(scale(x, 0), constant(0)));
  EXPECT_TRUE(equal(remainder(x, 1), constant(0)));
}

TEST(Index, ConstantsFold) {
  EXPECT_TRUE(equal(add(constant(2), constant(3)), constant(5)));
  EXPECT_TRUE(equal(scale(add(x, 2), 3), add(scale(x, 3), 6)));
  EXPECT_TRUE(equal(scale(scale(x, 2), 3), scale(x, 6)));
  EXPECT_TRUE(equal(minimum(constant(2), constant(3)), constant(2)));
  EXPECT_EQ(minimum(add(x, 1), x), x);
  EXPECT_EQ(maximum(add(x, -1), x), x);
}

TEST(Index, DivisionIsEuclidean) {
  EXPECT_TRUE(equal(quotient(constant(-7), 4), constant(-2)));
  EXPECT_TRUE(equal(remainder(constant(-7), 4), constant(1)));
  EXPECT_TRUE(equal(quotient(constant(-8), 4), constant(-2)));
  EXPECT_TRUE(equal(remainder(constant(7), 4), constant(3)));
}

TEST(Index, EqualityIsStructural) {
  EXPECT_TRUE(
      equal(map(BoundaryKind::Clamp, 0, add(x, 1)), map(BoundaryKind::Clamp, 0, add(x, 1))));
  EXPECT_FALSE(equal(map(BoundaryKind::Clamp, 0, x), map(BoundaryKind::Periodic, 0, x)));
  EXPECT_FALSE(equal(map(BoundaryKind::Clamp, 0, x), map(BoundaryKind::Clamp, 1, x)));
  EXPECT_FALSE(equal(minimum(x, y), maximum(x, y)));
  EXPECT_FALSE(equal(quotient(x, 2), quotient(x, 3)));
  EXPECT_FALSE(equal(local(0), argument(0)));
}

TEST(Index, ConstantDifferenceSeesThroughTheOrderOfSums) {
  EXPECT_EQ(constantDifference(add(add(x, y), 5), add(y, add(x, 2))), 3);
  EXPECT_EQ(constantDifference(scale(add(x, 1), 4), scale(x, 4)), 4);
  EXPECT_EQ(constantDifference(add(remainder(x, 4), 1), remainder(x, 4)), 1);
  EXPECT_EQ(constantDifference(x, y), std::nullopt);
  EXPECT_EQ(constantDifference(scale(x, 2), x), std::nullopt);
}

TEST(Index, MapsEvaluateToPointsOfTheAxis) {
  Index clamped = map(BoundaryKind::Clamp, 0, x), wrapped = map(BoundaryKind::Periodic, 0, x);
  EXPECT_EQ(valueAt(clamped, -3, 5), 0);
  EXPECT_EQ(valueAt(clamped, 2, 5), 2);
  EXPECT_EQ(valueAt(clamped, 7, 5), 4);
  EXPECT_EQ(valueAt(wrapped, -3, 5), 2);
  EXPECT_EQ(valueAt(wrapped, 2, 5), 2);
  EXPECT_EQ(valueAt(wrapped, 7, 5), 2);
}

} // namespace
