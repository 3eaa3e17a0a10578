// Planes go into a tile by one text, ahead of a march and in its turns.
#include "codegen/print/RepeatedFills.h"
#include "codegen/print/ChangedIndices.h"
#include "codegen/print/SameText.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace repeated_fills {
namespace {

constexpr ScalarType f64 = ScalarType::F64;
constexpr unsigned kBegin = 0, kZ = 1, kX = 2, kLane = 3, kFirst = 9; // locals

Index local(unsigned number) { return coordinate(CoordinateKind::Local, number); }

/// A copy of a row into a slot, whole where it is on the grid, else a number for each element.
/// `lane` is the local of the loop over these.
Body filled(const Index &slot, const Index &plane, unsigned lane, double outside = 0) {
  If piece{{{local(kX), constant(0), extent(1)}}, {}, {}};
  piece.then.push_back({CopyAsync{0, {slot, local(kX)}, 0, {plane, local(kX)}, 2}});
  const Value number = makeValue(f64, LiteralValue{outside});
  piece.otherwise.push_back({For{LoopKind::Unroll,
                                 lane,
                                 constant(0),
                                 constant(2),
                                 1,
                                 {{StoreShared{0, {slot, add(local(kX), local(lane))}, number}}}}});
  return {{std::move(piece)}};
}

/// A march over planes that sends the next one into the other of two slots, and a barrier.
Statement march(Body fill, unsigned pointers = 1) {
  For loop{LoopKind::Serial, kZ, local(kBegin), extent(0), 1, {}};
  for (unsigned pointer = 0; pointer < pointers; ++pointer)
    loop.carries.push_back({pointer, 0});
  loop.body.push_back({If{{{add(local(kZ), 1), nullptr, extent(0)}}, std::move(fill), {}}});
  loop.body.push_back({Barrier{}});
  return {std::move(loop)};
}

Index nextSlot() { return remainder(add(add(local(kZ), 1), scale(local(kBegin), -1)), 2); }
Body nextPlane() { return filled(nextSlot(), add(local(kZ), 1), kLane + 1); }

Kernel kernelOf(Body body) {
  Kernel kernel;
  kernel.axes = {"z", "x"};
  kernel.locals = {"z_begin", "z", "x_rim", "lane", "lane_2"};
  kernel.pointers = {"here"};
  kernel.tiles = {{"u_tile", f64, {2, 8}}};
  kernel.body = std::move(body);
  return kernel;
}

void append(Body &body, Body more) { body.insert(body.end(), more.begin(), more.end()); }

/// The first plane by `first`, and the march.
Kernel kernelOf(Body first, Statement march) {
  Body body = {{Phase{"The first plane."}}};
  append(body, std::move(first));
  body.push_back({CommitCopies{}});
  body.push_back(std::move(march));
  return kernelOf(std::move(body));
}

TEST(RepeatedFills, SayWithTheirArgumentsWhatAllPlacesSay) {
  const Kernel kernel = kernelOf(filled(constant(0), local(kBegin), kLane), march(nextPlane()));
  const RepeatedTexts found = repeatedFills(kernel, kFirst);
  ASSERT_EQ(found.texts.size(), 1u);
  const RepeatedText &text = found.texts.front();
  EXPECT_EQ(text.name, "fill_u_tile");
  ASSERT_EQ(text.parameters.size(), 2u);
  EXPECT_EQ(text.parameters[0].name, "slot");
  EXPECT_EQ(text.parameters[1].name, "ahead");

  // It is made before the phase, reads from where the march begins, and names what the first place
  // names.
  ASSERT_EQ(found.madeBefore.size(), 1u);
  EXPECT_EQ(found.madeBefore.begin()->first, &kernel.body.front());
  ASSERT_EQ(text.body.size(), 1u);
  EXPECT_TRUE(
      SameText().same(text.body.front(),
                      filled(local(kFirst), add(local(kBegin), local(kFirst + 1)), kLane).front()));
  const auto &piece = std::get<If>(text.body.front().node);
  EXPECT_EQ(std::get<For>(piece.otherwise.front().node).local, kLane);

  const auto &loop = std::get<For>(kernel.body.back().node);
  const auto &branch = std::get<If>(loop.body.front().node);
  ASSERT_EQ(found.calls.size(), 2u);
  const auto expectCall = [&](const Statement &first, const Index &slot, int ahead) {
    const auto &[number, statements, arguments] = found.calls.at(&first);
    EXPECT_EQ(statements, 1u);
    ASSERT_EQ(arguments.size(), 2u);
    EXPECT_TRUE(equal(arguments[0], slot));
    EXPECT_TRUE(equal(arguments[1], constant(ahead)));
  };
  expectCall(kernel.body[1], constant(0), 0);
  expectCall(branch.then.front(), nextSlot(), 1);
}

TEST(RepeatedFills, FindPlanesAheadUnderTheirConditions) {
  Body first = filled(constant(0), local(kBegin), kLane);
  const Index next = add(local(kBegin), 1);
  first.push_back({If{{{next, nullptr, extent(0)}}, filled(constant(1), next, kLane), {}}});
  EXPECT_EQ(repeatedFills(kernelOf(first, march(nextPlane())), kFirst).calls.size(), 3u);
}

TEST(RepeatedFills, LeavePlacesThatDoAnotherThing) {
  const Body other = filled(constant(0), local(kBegin), kLane, /*outside=*/1);
  EXPECT_TRUE(repeatedFills(kernelOf(other, march(nextPlane())), kFirst).texts.empty());
}

// There the text would read from where the march begins.
TEST(RepeatedFills, LeaveMarchesThatDoNotCarryThePointer) {
  const Body first = filled(constant(0), local(kBegin), kLane);
  EXPECT_TRUE(repeatedFills(kernelOf(first, march(nextPlane(), 0)), kFirst).texts.empty());
}

TEST(RepeatedFills, LeaveWhatElseKnowsTheTurn) {
  Body fill = nextPlane();
  std::get<If>(fill.front().node).box.push_back({local(kZ), constant(1), nullptr});
  Body first = filled(constant(0), local(kBegin), kLane);
  std::get<If>(first.front().node).box.push_back({local(kBegin), constant(1), nullptr});
  EXPECT_TRUE(repeatedFills(kernelOf(first, march(fill)), kFirst).texts.empty());
}

} // namespace
} // namespace repeated_fills
