// A piece of a row that is sent to a tile, whole or each element clamped, is a call.
#include "codegen/print/ClampedCopies.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace clamped_copies {
namespace {

constexpr unsigned kX = 0, kLane = 1, kAt = 2, kOther = 3; // locals

Index local(unsigned number) { return coordinate(CoordinateKind::Local, number); }

/// Four elements from x on of a row that has ghost points at -1 and nx.
struct Branch {
  Index column = local(kX), first = constant(-1), end = add(extent(0), -2);
  Index to = add(local(kX), local(kLane));
  Index at = minimum(maximum(add(local(kX), local(kLane)), constant(-1)), extent(0));
  Index from = local(kAt);
  int64_t turns = 4;
  unsigned tile = 0, array = 0, lanes = 1;
  Body more;

  std::optional<ClampedCopy> found() const {
    If branch{{{column, first, end}}, {}, more};
    branch.then.push_back({CopyAsync{0, {local(kX)}, 0, {local(kX)}, 4}});
    For loop{LoopKind::Unroll, kLane, constant(0), constant(turns), 1, {}};
    loop.body.push_back({LetIndex{kAt, at}});
    loop.body.push_back({CopyAsync{tile, {to}, array, {from}, lanes}});
    branch.otherwise.push_back({std::move(loop)});
    return clampedCopy(branch);
  }
};

TEST(ClampedCopies, SayWhichElementIsTheLast) {
  const std::optional<ClampedCopy> copy = Branch().found();
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->row.lanes, 4u);
  EXPECT_TRUE(equal(copy->column, local(kX)));
  EXPECT_TRUE(equal(copy->first, constant(-1)));
  EXPECT_TRUE(equal(copy->last, extent(0)));
}

TEST(ClampedCopies, AreNoneWhereAnythingElseIsSent) {
  const auto isNone = [](auto change) {
    Branch branch;
    change(branch);
    return !branch.found();
  };
  EXPECT_TRUE(isNone([](Branch &own) { own.tile = 1; }));
  EXPECT_TRUE(isNone([](Branch &own) { own.array = 1; }));
  EXPECT_TRUE(isNone([](Branch &own) { own.lanes = 2; }));
  EXPECT_TRUE(isNone([](Branch &own) { own.turns = 3; }));
  EXPECT_TRUE(isNone([](Branch &own) { own.first = nullptr; }));
  EXPECT_TRUE(isNone([](Branch &own) { own.first = constant(0); }));
  EXPECT_TRUE(isNone([](Branch &own) { own.end = add(extent(0), -3); }));
  EXPECT_TRUE(isNone([](Branch &own) { own.column = local(kOther); }));
  EXPECT_TRUE(isNone([](Branch &own) { own.to = local(kLane); }));
  EXPECT_TRUE(isNone([](Branch &own) { own.from = local(kOther); }));
  EXPECT_TRUE(isNone([](Branch &own) { own.at = add(local(kX), local(kLane)); }));
  EXPECT_TRUE(isNone([](Branch &own) { own.more = {{Barrier{}}}; }));
}

} // namespace
} // namespace clamped_copies
