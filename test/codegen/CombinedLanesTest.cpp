// Which statements are a call of a function that makes one number of those of all lanes.
#include "codegen/print/CombinedLanes.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace {

Kernel kernelOf(const LaneTree &tree) {
  Kernel kernel;
  kernel.target = tree.target;
  kernel.registers = {{"other", ScalarType::F64}, {"number", ScalarType::F64}};
  kernel.tiles = {{"others", ScalarType::F64, {7}}, {"lanes", ScalarType::F64, {tree.lanes}}};
  return kernel;
}

Body bodyOf(const LaneTree &tree) {
  unsigned local = 0;
  return tree.body([&] { return local++; });
}

class CombinedLanesOf : public ::testing::TestWithParam<Target> {
protected:
  const LaneTree sum{GetParam(), Reduction::Op::Sum, 64, 1, 1};
  const Kernel kernel = kernelOf(sum);
};

TEST_P(CombinedLanesOf, AreAllThatATreeDoes) {
  for (Reduction::Op op : {Reduction::Op::Min, Reduction::Op::Max, Reduction::Op::Sum}) {
    LaneTree tree = sum;
    tree.op = op;
    Body body = bodyOf(tree);
    const size_t statements = body.size();
    body.push_back({Barrier{}});
    const std::optional<CombinedLanes> found = combinedLanes(body, kernel);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->tree.op, op);
    EXPECT_EQ(found->tree.lanes, 64);
    EXPECT_EQ(found->tree.tile, 1u);
    EXPECT_EQ(found->statements, statements);
  }
}

TEST_P(CombinedLanesOf, AreNoneWhereAStatementIsMissingOrOfAnotherTree) {
  LaneTree least = sum;
  least.op = Reduction::Op::Min;
  const Body body = bodyOf(sum), other = bodyOf(least);
  for (size_t changed = 1; changed < body.size(); ++changed) {
    Body without = body;
    without.erase(without.begin() + changed);
    EXPECT_FALSE(combinedLanes(without, kernel).has_value()) << changed;
    if (std::holds_alternative<Barrier>(body[changed].node))
      continue;
    Body mixed = body;
    mixed[changed] = other[changed];
    EXPECT_FALSE(combinedLanes(mixed, kernel).has_value()) << changed;
  }
}

TEST_P(CombinedLanesOf, AreNoneOfAWarpsLanes) {
  LaneTree few = sum;
  few.lanes = 32;
  EXPECT_FALSE(combinedLanes(bodyOf(few), kernelOf(few)).has_value());
}

INSTANTIATE_TEST_SUITE_P(Targets, CombinedLanesOf, ::testing::Values(Target::Device, Target::Host));

} // namespace
