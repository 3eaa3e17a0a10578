// Branches that say nearly the same become one text, which says for each what it said.
#include "codegen/print/CommonText.h"

#include "ir/kernel/ValueTypes.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace {

constexpr unsigned kBranch = 90;

Index local(unsigned number) { return coordinate(CoordinateKind::Local, number); }

Statement assigned(int element, double value) {
  return {AssignElement{0, {constant(element)}, makeValue(ScalarType::F64, LiteralValue{value})}};
}

/// Twenty statements, that at `place` with a value of its own.
Body body(size_t place, double value) {
  Body body;
  for (size_t number = 0; number < 20; ++number)
    body.push_back(assigned(number, number == place ? value : 1));
  return body;
}

If chain(Body first, Body second, Body third) {
  If other{{{coordinate(CoordinateKind::Thread, 1), nullptr, constant(5)}},
           std::move(second),
           std::move(third)};
  return {{{coordinate(CoordinateKind::Thread, 0), nullptr, constant(5)}},
          std::move(first),
          {{std::move(other)}}};
}

/// What the text says for a branch.
Body saidFor(const Body &text, int branch) {
  Body said;
  for (Statement statement : text) {
    const auto *choice = std::get_if<If>(&statement.node);
    if (!choice || !equal(choice->box.front().index, local(kBranch))) {
      forEachBody(statement, [&](Body &inner) { inner = saidFor(inner, branch); });
      said.push_back(std::move(statement));
      continue;
    }
    const Range &range = choice->box.front();
    const auto value = [](const Index &bound) {
      return std::get<IndexConstant>(bound->node).value;
    };
    const bool holds = (!range.lower || branch >= value(range.lower)) &&
                       (!range.upper || branch < value(range.upper));
    llvm::append_range(said, saidFor(holds ? choice->then : choice->otherwise, branch));
  }
  return said;
}

void expectSame(const CommonText &common, std::vector<const Body *> branches) {
  ASSERT_EQ(common.comments.size(), branches.size());
  for (size_t number = 0; number < branches.size(); ++number) {
    const Body said = saidFor(common.body, number);
    ASSERT_EQ(said.size(), branches[number]->size()) << "branch " << number;
    SameText names = common.names;
    for (size_t statement = 0; statement < said.size(); ++statement)
      EXPECT_TRUE(names.same(said[statement], (*branches[number])[statement]))
          << "branch " << number << ", statement " << statement;
  }
}

} // namespace

TEST(CommonText, SaysForEachBranchWhatItSaid) {
  const Body one = body(3, 7), two = body(3, 8), three = body(12, 9);
  const std::optional<CommonText> common = commonText(chain(one, two, three), kBranch);
  ASSERT_TRUE(common);
  EXPECT_LT(common->body.size(), 24u);
  expectSame(*common, {&one, &two, &three});
}

TEST(CommonText, FoldsLoopsThatShareAPart) {
  const auto turns = [](unsigned number, Body body) {
    return Statement{For{LoopKind::Unroll, number, constant(0), constant(3), 1, std::move(body)}};
  };
  Body longer = body(20, 0);
  longer.push_back(assigned(30, 2));
  const Body one = {turns(1, body(20, 0))}, two = {turns(2, longer)}, three = {turns(3, longer)};
  const std::optional<CommonText> common = commonText(chain(one, two, three), kBranch);
  ASSERT_TRUE(common);
  EXPECT_EQ(common->body.size(), 1u);
  expectSame(*common, {&one, &two, &three});
}

TEST(CommonText, TakesWhatIsMadeAlikeForOneThing) {
  const auto named = [](unsigned number, int value) {
    Body all = body(20, 0);
    all.insert(all.begin(), {LetIndex{number, coordinate(CoordinateKind::Thread, 0)}});
    all.push_back({AssignElement{
        0, {local(number)}, makeValue(ScalarType::F64, LiteralValue{double(value)})}});
    return all;
  };
  const std::optional<CommonText> common =
      commonText(chain(named(1, 5), named(2, 5), named(3, 6)), kBranch);
  ASSERT_TRUE(common);
  EXPECT_EQ(common->names.local(2), 1u);
  EXPECT_EQ(common->names.local(3), 1u);
}

TEST(CommonText, MakesIntegersOfSomeBranchesForAllWhereTheyAreUsedAgain) {
  Body one = body(20, 0);
  one.insert(one.begin(), {LetIndex{1, coordinate(CoordinateKind::Thread, 0)}});
  one.push_back({AssignElement{0, {local(1)}, makeValue(ScalarType::F64, LiteralValue{3})}});
  const std::optional<CommonText> common =
      commonText(chain(one, body(20, 0), body(20, 0)), kBranch);
  ASSERT_TRUE(common);
  EXPECT_TRUE(std::holds_alternative<LetIndex>(common->body.front().node));
}

TEST(CommonText, LeavesBranchesAloneThatUseARegisterOfTheirsAgain) {
  Body one = body(20, 0);
  one.insert(one.begin(), {Let{4, makeValue(ScalarType::F64, LiteralValue{2})}});
  one.push_back({AssignElement{0, {constant(0)}, makeValue(ScalarType::F64, RegisterValue{4})}});
  EXPECT_FALSE(commonText(chain(one, body(20, 0), body(20, 0)), kBranch));
}

TEST(CommonText, LeavesBranchesAloneThatShareLittleOrAreShort) {
  Body other;
  for (int number = 0; number < 20; ++number)
    other.push_back(assigned(number, 5));
  EXPECT_FALSE(commonText(chain(body(20, 0), other, other), kBranch));
  const Body few = {assigned(1, 1), assigned(2, 2)};
  EXPECT_FALSE(commonText(chain(few, few, few), kBranch));
}
