// The audit of tiles: which accesses barriers of warps put in order, and whole Programs.
#include "ir/verify/SharedAudit.h"

#include "ir/verify/KernelAudit.h"
#include "test/ir/WarpPrograms.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace shared_audit {
namespace {

constexpr unsigned kBoth = 2;
const Index x = local(0), i = local(1), t = thread(0);

/// Three warps and a tile of two elements; thread 32 w is the first of warp w.
class SharedOrder : public ::testing::Test {
protected:
  SharedOrder() {
    kernel.block = {96, 1, 1};
    kernel.tiles = {{"tile", ScalarType::F64, {2}}};
    audit.beginBlock(kernel);
  }
  Kernel kernel;
  SharedAudit audit;
};

TEST_F(SharedOrder, LetsAThreadUseItsOwn) {
  EXPECT_EQ(audit.store(0, 0, 5), SharedAudit::None);
  EXPECT_EQ(audit.load(0, 0, 5), SharedAudit::None);
  EXPECT_EQ(audit.store(0, 0, 5), SharedAudit::None);
}

TEST_F(SharedOrder, LetsManyThreadsRead) {
  audit.store(0, 0, 7);
  audit.barrier(0, 3);
  EXPECT_EQ(audit.load(0, 0, 5), SharedAudit::None);
  EXPECT_EQ(audit.load(0, 0, 6), SharedAudit::None);
  EXPECT_EQ(audit.load(0, 0, 40), SharedAudit::None);
}

TEST_F(SharedOrder, AsksForABarrierAfterAStore) {
  audit.store(0, 0, 5);
  EXPECT_EQ(audit.load(0, 0, 6), SharedAudit::Race);
  EXPECT_EQ(audit.load(0, 0, 40), SharedAudit::Race);
  EXPECT_EQ(audit.store(0, 0, 40), SharedAudit::Race);
  EXPECT_EQ(audit.store(0, 1, 40), SharedAudit::None);
}

TEST_F(SharedOrder, AsksForABarrierAfterEveryLoad) {
  audit.store(0, 0, 5);
  audit.barrier(0, 3);
  audit.load(0, 0, 5);
  audit.barrier(0, 3);
  audit.load(0, 0, 6);
  EXPECT_EQ(audit.store(0, 0, 5), SharedAudit::Race);
  audit.barrier(0, 3);
  EXPECT_EQ(audit.store(0, 0, 40), SharedAudit::None);
}

TEST_F(SharedOrder, TakesOnlyBarriersThatBothPass) {
  audit.store(0, 0, 0);
  audit.barrier(1, 2);
  EXPECT_EQ(audit.load(0, 0, 32), SharedAudit::Race);
  audit.barrier(0, 2);
  EXPECT_EQ(audit.load(0, 0, 32), SharedAudit::None);
  EXPECT_EQ(audit.load(0, 0, 64), SharedAudit::Race);
}

TEST_F(SharedOrder, TakesBarriersThatFollowEachOther) {
  audit.store(0, 0, 0);
  audit.barrier(0, 2);
  audit.barrier(1, 2);
  EXPECT_EQ(audit.load(0, 0, 64), SharedAudit::None);
  // The way back is open: warp 0 does not know of the load.
  EXPECT_EQ(audit.store(0, 0, 0), SharedAudit::Race);
}

TEST_F(SharedOrder, TellsAccessesBeforeABarrierFromThoseAfter) {
  audit.barrier(0, 2);
  audit.store(0, 0, 0);
  EXPECT_EQ(audit.load(0, 0, 32), SharedAudit::Race);
}

TEST_F(SharedOrder, BeginsAnewWithEachBlock) {
  audit.store(0, 0, 0);
  audit.beginBlock(kernel);
  EXPECT_EQ(audit.load(0, 0, 5), SharedAudit::Undefined);
}

TEST_F(SharedOrder, LetsNobodyTouchWhatACopyIsOnItsWayTo) {
  EXPECT_EQ(audit.startCopy(0, 0, 5), SharedAudit::None);
  EXPECT_EQ(audit.load(0, 0, 5), SharedAudit::OnItsWay);
  EXPECT_EQ(audit.startCopy(0, 0, 5), SharedAudit::Overtaken);
  EXPECT_EQ(audit.endCopy(0, 0, 5), SharedAudit::None);
  EXPECT_EQ(audit.load(0, 0, 5), SharedAudit::None);
  EXPECT_EQ(audit.load(0, 2, 5), SharedAudit::Outside);
}

// ---- Programs ---------------------------------------------------------------------------------

Statement at(unsigned group) { return {Barrier{group}}; }
Value position(Index index) { return makeValue(ScalarType::F64, IndexValue{std::move(index)}); }

std::string faultOf(Body body) {
  // Each point keeps its value, so that only the tile can be at fault.
  body.push_back({If{{{x, nullptr, extent(0)}}, {{StoreGlobal{1, {x}, load(0, {x})}}}, {}}});
  const std::string text = toString(audit(twoWarps(std::move(body)), {100}));
  return text.substr(0, text.find(" (launch"));
}

/// Warp 0 fills a row of the tile in three turns, warp 1 reads it; `first` and `second` are left
/// out where a test asks for it.
std::string faultOfRoles(bool first, bool second) {
  Body fill = {{StoreShared{0, {c(0), lane}, position(i)}}}, use;
  const Statement read = {LetMutable{0, loadShared(0, {c(0), add(c(31), scale(lane, -1))})}};
  if (first) {
    fill.push_back(at(kBoth));
    use.push_back(at(kBoth));
  }
  use.push_back(read);
  if (second) {
    fill.push_back(at(kBoth));
    use.push_back(at(kBoth));
  }
  return faultOf({{roles({{loop(LoopKind::Serial, 1, c(0), c(3), fill)}},
                         {{loop(LoopKind::Serial, 1, c(0), c(3), use)}})}});
}

TEST(SharedAudit, PassesRolesThatMeet) { EXPECT_EQ(faultOfRoles(true, true), ""); }

TEST(SharedAudit, SeesRolesThatDoNotWaitForTheTile) {
  EXPECT_EQ(faultOfRoles(false, true),
            "one: two threads touch element 31 of tile `tile` with no barrier between");
}

TEST(SharedAudit, SeesRolesThatFillATileWhileItIsRead) {
  EXPECT_EQ(faultOfRoles(true, false),
            "one: two threads touch element 0 of tile `tile` with no barrier between");
}

/// Each warp copies its half of the tile and reads the other's.
std::string faultOfCopies(Body between) {
  Body body = {{CopyAsync{0, {c(0), t}, 0, {minimum(x, add(extent(0), -1))}, 1}}, {CommitCopies{}}};
  body.insert(body.end(), between.begin(), between.end());
  body.push_back({Let{0, loadShared(0, {c(0), add(c(63), scale(t, -1))})}});
  return faultOf(std::move(body));
}

TEST(SharedAudit, PassesCopiesThatAllWaitFor) {
  EXPECT_EQ(faultOfCopies({{WaitCopies{0}}, {Barrier{}}}), "");
}

TEST(SharedAudit, SeesCopiesOfOthersWithoutABarrier) {
  EXPECT_EQ(faultOfCopies({{WaitCopies{0}}}),
            "one: element 63 of tile `tile` is read before it is stored");
}

TEST(SharedAudit, SeesCopiesThatArriveAfterTheBarrier) {
  // Its own copy has arrived, that of the other warp may not have.
  EXPECT_EQ(faultOfCopies({{Barrier{}}, {WaitCopies{0}}}),
            "one: element 63 of tile `tile` is read before its copy has arrived");
}

TEST(SharedAudit, SeesCopiesIntoWhatOthersRead) {
  EXPECT_EQ(faultOf({{StoreShared{0, {c(0), t}, number(0)}},
                     {Barrier{}},
                     {Let{0, loadShared(0, {c(0), add(c(63), scale(t, -1))})}},
                     {CopyAsync{0, {c(0), t}, 0, {c(0)}, 1}},
                     {CommitCopies{}},
                     {WaitCopies{0}}}),
            "one: two threads touch element 31 of tile `tile` with no barrier between");
}

TEST(SharedAudit, SeesWhatOneOrderOfWarpsHides) {
  // In ascending order the second Program reads what was stored, though nothing makes it so.
  EXPECT_EQ(faultOf({{roles({{LetMutable{0, loadShared(0, {c(0), lane})}}},
                            {{StoreShared{0, {c(0), lane}, number(1)}}})}}),
            "one: element 0 of tile `tile` is read before it is stored");
  EXPECT_EQ(faultOf({{roles({{StoreShared{0, {c(0), lane}, number(1)}}},
                            {{LetMutable{0, loadShared(0, {c(0), lane})}}})}}),
            "one: two threads touch element 0 of tile `tile` with no barrier between");
}

// ---- meetings --------------------------------------------------------------------------------

TEST(SharedAudit, SeesWarpsThatWaitInVain) {
  EXPECT_EQ(faultOf({{roles({at(kBoth)}, {})}}),
            "one: warps [0] wait at a barrier of `both`, which warps [1] do not reach");
}

TEST(SharedAudit, SeesWarpsAtABarrierOfOthers) {
  EXPECT_EQ(faultOf({{roles({}, {at(0)})}}),
            "one: warp 1 reaches a barrier of `front`, which it is not in");
}

TEST(SharedAudit, SeesBarriersAndShufflesThatSomeThreadsMiss) {
  EXPECT_EQ(faultOf({{If{{{lane, nullptr, c(5)}}, {{Barrier{}}}, {}}}}),
            "one: 5 of 32 threads of warp 0 reach a barrier");
  const Value handed = shuffle(ShuffleFrom::LowerLane, 1, reg(0));
  EXPECT_EQ(faultOf({{LetMutable{0, number(0)}},
                     {If{{{lane, nullptr, c(5)}}, {{Assign{0, handed}}}, {}}}}),
            "one: 5 of 32 lanes of warp 0 reach a shuffle");
}

TEST(SharedAudit, TellsTheStatementOfAFault) {
  EXPECT_EQ(toString(audit(twoWarps({{Let{0, loadShared(0, {c(0), t})}}}), {100})),
            "one: element 0 of tile `tile` is read before it is stored (launch 1 of the run; "
            "f64 r = tile[0, thread.x]), in 2 steps on 100 points");
}

} // namespace
} // namespace shared_audit
