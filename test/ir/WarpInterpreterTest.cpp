// What the interpreter makes of the statements and values that warps work together by, in every
// order of warps; and the faults that only running them shows.
#include "ir/run/KernelInterpreter.h"

#include "ir/verify/KernelVerifier.h"
#include "test/ir/UncheckedProgramFactory.h"
#include "test/ir/WarpPrograms.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace warp_interpreter {
namespace warp_interpreter {
namespace {

using Values = std::vector<double>;

constexpr unsigned kFront = 0, kBoth = 2;
constexpr int64_t kPoints = 64;
const Index x = local(0), i = local(1), j = local(2), t = thread(0);
const Index pair = scale(t, 2);

Statement at(unsigned group) { return {Barrier{group}}; }
Value position(Index index) { return makeValue(ScalarType::F64, IndexValue{std::move(index)}); }
Statement store(Value value) { return {StoreGlobal{1, {x}, std::move(value)}}; }
Statement inside(Body body) { return {If{{{x, nullptr, extent(0)}}, std::move(body), {}}}; }
PatchRow row(int64_t slice, int64_t first) { return {0, {c(slice), c(first)}, 2}; }

State start() {
  return stateOf(twoWarps({}), {kPoints}, {}, [](size_t element) { return 100.0 + element; });
}

/// The new level after one step over 64 points, which is the same in every order of warps.
Values run(const Program &program) {
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(program);
  if (!verified) {
    ADD_FAILURE() << toString(verified.takeError());
    return {};
  }
  std::optional<Values> first;
  for (WarpOrder order : {WarpOrder{}, {WarpOrder::Descending}, {WarpOrder::Shuffled, 7}}) {
    State state = start();
    if (llvm::Error error = interpret(*verified, state, 1, {.order = order}))
      ADD_FAILURE() << toString(std::move(error));
    if (!first)
      first = state.current[0].values;
    EXPECT_EQ(state.current[0].values, *first) << "order " << order.kind;
  }
  return *first;
}

std::string errorOf(Body body, WarpOrder order = {}) {
  State state = start();
  return toString(interpret(UncheckedProgramFactory::make(twoWarps(std::move(body))), state, 1,
                            {.order = order}));
}

Values expected(double (*value)(int64_t)) {
  Values values;
  for (int64_t x = 0; x < kPoints; ++x)
    values.push_back(value(x));
  return values;
}

// ---- values -----------------------------------------------------------------------------------

TEST(WarpInterpreter, KnowsWarpsAndLanes) {
  EXPECT_EQ(run(twoWarps({inside({store(position(add(scale(warp, 100), lane)))})})),
            expected([](int64_t x) { return double(x / 32 * 100 + x % 32); }));
}

TEST(WarpInterpreter, RoundsPositionsOnce) {
  const Value single = makeValue(ScalarType::F32, IndexValue{add(x, 16777217)});
  EXPECT_EQ(run(twoWarps({inside({store(makeValue(ScalarType::F64, CastValue{single}))})})),
            expected([](int64_t x) { return double(float(x + 16777217)); }));
}

TEST(WarpInterpreter, ShufflesWithinAWarp) {
  const auto shuffled = [](ShuffleFrom from, unsigned distance) {
    return run(twoWarps({{Let{0, shuffle(from, distance, position(x))}}, inside({store(reg(0))})}));
  };
  EXPECT_EQ(shuffled(ShuffleFrom::LowerLane, 1),
            expected([](int64_t x) { return double(x % 32 < 1 ? x : x - 1); }));
  EXPECT_EQ(shuffled(ShuffleFrom::HigherLane, 5),
            expected([](int64_t x) { return double(x % 32 >= 27 ? x : x + 5); }));
}

TEST(WarpInterpreter, KeepsPatchesPerThread) {
  // p[i][j] = 100 x + 10 i + j, moved up by one slice; p[2] stays.
  const Value value = position(add(add(scale(x, 100), scale(i, 10)), j));
  const Body inner = {{AssignElement{0, {i, j}, value}}};
  const Body outer = {{loop(LoopKind::Unroll, 2, c(0), c(4), inner)}};
  EXPECT_EQ(run(twoWarps({{loop(LoopKind::Unroll, 1, c(0), c(3), outer)},
                          {ShiftPatch{0}},
                          inside({store(sum(element({c(0), c(3)}), element({c(2), c(1)})))})})),
            expected([](int64_t x) { return double(100 * x + 13 + 100 * x + 21); }));
}

TEST(WarpInterpreter, MovesVectors) {
  // The first 32 threads swap the two points of each pair.
  const Body swap = {{LoadVector{row(0, 1), 0, {pair}}},
                     {AssignElement{0, {c(1), c(0)}, element({c(0), c(2)})}},
                     {AssignElement{0, {c(1), c(1)}, element({c(0), c(1)})}},
                     {StoreVector{1, {pair}, row(1, 0)}}};
  Program program = twoWarps({{If{{{pair, nullptr, add(extent(0), -1)}}, swap, {}}}});
  for (ArrayArgument &array : program.kernels[0].arrays)
    array.alignment = Alignment{2, c(0)};
  EXPECT_EQ(run(program), expected([](int64_t x) { return 100.0 + (x ^ 1); }));
}

TEST(WarpInterpreter, MovesVectorsOfTiles) {
  // Warp 0 leaves pairs of 2 lane, 2 lane + 1 in the tile and reads those of the lane 31 - lane.
  const Index even = scale(lane, 2), mirrored = add(c(62), scale(lane, -2));
  const Body body = {{AssignElement{0, {c(0), c(0)}, position(even)}},
                     {AssignElement{0, {c(0), c(1)}, position(add(even, 1))}},
                     {StoreSharedVector{0, {c(1), even}, row(0, 0)}},
                     at(kFront),
                     {LoadSharedVector{row(2, 2), 0, {c(1), mirrored}}},
                     inside({store(sum(element({c(2), c(2)}), element({c(2), c(3)})))})};
  EXPECT_EQ(run(twoWarps({{roles(body, {inside({store(number(0))})})}})),
            expected([](int64_t x) { return x < 32 ? double(2 * (62 - 2 * x) + 1) : 0; }));
}

TEST(WarpInterpreter, DeliversCopiesInBatches) {
  // Two batches are under way; the first has arrived when one may be pending.
  const Index clamped = map(BoundaryKind::Clamp, 0, x);
  const Value other = loadShared(0, {c(0), add(c(63), scale(t, -1))});
  const Value second = loadShared(1, {c(1), t});
  Program program = twoWarps({{CopyAsync{0, {c(0), t}, 0, {clamped}, 1}},
                              {CommitCopies{}},
                              {CopyAsync{1, {c(1), t}, 0, {clamped}, 1}},
                              {CommitCopies{}},
                              {WaitCopies{1}},
                              {Barrier{}},
                              {Let{0, other}},
                              {WaitCopies{0}},
                              inside({store(sum(reg(0), second))})});
  program.kernels[0].minimumExtent = {1};
  EXPECT_EQ(run(program), expected([](int64_t x) { return 100.0 + 63 - x + 100.0 + x; }));
}

TEST(WarpInterpreter, PlaysRolesThatMeet) {
  // Warp 0 fills what warp 1 sums up, turn by turn.
  const Body fill = {{StoreShared{0, {c(0), lane}, position(add(lane, i))}}, at(kBoth), at(kBoth)};
  const Body use = {at(kBoth),
                    {Assign{0, sum(reg(0), loadShared(0, {c(0), add(c(31), scale(lane, -1))}))}},
                    at(kBoth)};
  const Body front = {{loop(LoopKind::Serial, 1, c(0), c(3), fill)}, inside({store(number(0))})};
  const Body back = {{LetMutable{0, number(0)}},
                     {loop(LoopKind::Serial, 1, c(0), c(3), use)},
                     inside({store(reg(0))})};
  EXPECT_EQ(run(twoWarps({{roles(front, back)}})),
            expected([](int64_t x) { return x < 32 ? 0.0 : 3 * (31 - x % 32) + 0.0 + 1 + 2; }));
}

TEST(WarpInterpreter, LeavesOutWarpsWithoutARole) {
  EXPECT_EQ(run(twoWarps({inside({{Roles{{{"back", 1, 1, {store(number(1))}}}}}}),
                          {Roles{{{"front", 0, 1, {inside({store(number(2))})}}}}}})),
            expected([](int64_t x) { return x < 32 ? 2.0 : 1.0; }));
}

// ---- faults -----------------------------------------------------------------------------------

const Statement copy = {CopyAsync{0, {c(0), t}, 0, {x}, 1}};
const Statement use = {Let{0, loadShared(0, {c(0), t})}};

TEST(WarpInterpreter, SeesReadsOfCopiesThatHaveNotArrived) {
  const char *fault = "one: element 0 of tile `tile` is read before its copy has arrived";
  EXPECT_EQ(errorOf({copy, {CommitCopies{}}, use}), fault);
  EXPECT_EQ(errorOf({copy, {WaitCopies{0}}, {CommitCopies{}}, use}), fault);
  EXPECT_EQ(errorOf({copy, {CommitCopies{}}, {WaitCopies{1}}, use}), fault);
  EXPECT_EQ(errorOf({copy, {CommitCopies{}}, {WaitCopies{0}}, use}), "");
}

TEST(WarpInterpreter, SeesStoresUnderACopy) {
  EXPECT_EQ(errorOf({copy, {StoreShared{0, {c(0), t}, number(0)}}}),
            "one: element 0 of tile `tile` is stored while a copy to it is under way");
  EXPECT_EQ(errorOf({copy, copy}),
            "one: element 0 of tile `tile` is copied to while a copy to it is under way");
}

TEST(WarpInterpreter, SeesWarpsThatWaitForEver) {
  const std::vector<WarpOrder> orders = {{}, {WarpOrder::Descending}, {WarpOrder::Shuffled, 3}};
  for (const WarpOrder &order : orders) {
    EXPECT_EQ(errorOf({{roles({at(kBoth)}, {})}}, order),
              "one: warps [0] wait at a barrier of group `both`, which warps [1] do not reach");
    EXPECT_EQ(errorOf({{roles({{Barrier{}}, at(kBoth)}, {at(kBoth), {Barrier{}}})}}, order),
              "one: warps [0] wait at a barrier of the block, which warps [1] do not reach");
  }
}

TEST(WarpInterpreter, SeesWarpsAtBarriersOfOthers) {
  EXPECT_EQ(errorOf({at(kFront)}),
            "one: warp 1 reaches a barrier of group `front`, which it is not in");
}

TEST(WarpInterpreter, SeesLanesThatMissAShuffle) {
  const Value west = shuffle(ShuffleFrom::LowerLane, 1, number(0));
  EXPECT_EQ(errorOf({{If{{{lane, c(2), nullptr}}, {{Let{0, west}}}, {}}}}),
            "one: 30 of 32 lanes of warp 0 reach a shuffle");
}

TEST(WarpInterpreter, SeesPatchesReadBeforeTheyHaveAValue) {
  const char *fault = "one: `p` is read before it has a value";
  EXPECT_EQ(errorOf({{Let{0, element({c(0), c(0)})}}}), fault);
  EXPECT_EQ(
      errorOf({{AssignElement{0, {c(0), c(0)}, number(1)}}, {StoreVector{1, {c(0)}, row(0, 0)}}}),
      fault);
  EXPECT_EQ(
      errorOf({{If{{{lane, nullptr, c(31)}}, {{AssignElement{0, {c(0), c(0)}, number(1)}}}, {}}},
               {Let{0, element({c(0), c(0)})}}}),
      fault);
}

TEST(WarpInterpreter, SeesAccessesOutsideAPatch) {
  EXPECT_EQ(errorOf({{AssignElement{0, {c(3), c(0)}, number(1)}}}),
            "one: patch `p` is accessed at 3 of an axis of 3");
  EXPECT_EQ(errorOf({{LoadVector{row(0, 3), 0, {c(0)}}}}),
            "one: patch `p` is accessed at 3 of an axis of 4");
}

TEST(WarpInterpreter, SeesVectorsThatPassTheEnd) {
  EXPECT_EQ(errorOf({{LoadVector{row(0, 0), 0, {add(extent(0), -1)}}}}),
            "one: `u` is accessed at [63], outside its box");
  EXPECT_EQ(errorOf({{LoadSharedVector{row(0, 0), 0, {c(0), c(63)}}}}),
            "one: tile `tile` is accessed at 63 of an axis of 64");
}

} // namespace
} // namespace warp_interpreter

} // namespace warp_interpreter
