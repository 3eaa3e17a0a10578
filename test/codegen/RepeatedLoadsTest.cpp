// Loads that stand ahead of a march and in its turns: which are one function of the planes.
#include "codegen/print/RepeatedLoads.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace repeated_loads {
namespace {

constexpr ScalarType f32 = ScalarType::F32;
constexpr unsigned kBegin = 0, kPlane = 1, kMarch = 2, kX = 3, kName = 4, kFirst = 5, kEnd = 6;

Index local(unsigned number) { return coordinate(CoordinateKind::Local, number); }

/// Element `slice` of the patch takes u[z, x].
Statement load(Index slice, Index z) {
  return AssignElement{
      0, {std::move(slice)}, makeValue(f32, LoadGlobal{0, {std::move(z), local(kX)}})};
}
Statement branch(int bound, Statement then, Statement otherwise) {
  return If{{{local(kX), nullptr, constant(bound)}}, {std::move(then)}, {std::move(otherwise)}};
}

/// Loads of planes -1 and 0, whichever way they go at the bound.
Statement ahead(int bound) {
  const Statement side = For{
      LoopKind::Unroll, kPlane, constant(-1),
      constant(1),      1,      {load(add(local(kPlane), 1), add(local(kBegin), local(kPlane)))}};
  return branch(bound, side, side);
}
/// Those of one plane.
Statement inTurn(int bound, int plane = 1) {
  const Statement each = load(constant(plane + 1), add(local(kMarch), plane));
  return branch(bound, each, each);
}

/// The statements that the function stands for; 0 if there is none.
size_t repeated(Body loads, Body turn, bool *asksPlane = nullptr) {
  Kernel kernel;
  kernel.axes = {"z", "x"};
  kernel.locals = {"z_begin", "plane", "z", "x", "z_above"};
  kernel.pointers = {"here"};
  kernel.arrays = {{.name = "u", .type = f32, .axes = {0, 1}}};
  kernel.patches = {{"u_near", f32, {3}}};
  kernel.body = {LetPointer{0, {local(kBegin), local(kX)}, true}};
  kernel.body.insert(kernel.body.end(), loads.begin(), loads.end());
  kernel.body.push_back(Phase{"Up through the chunk."});
  turn.push_back(Barrier{});
  For march{LoopKind::Serial, kMarch, local(kBegin), extent(0), 1, std::move(turn)};
  march.carries = {{0, 0}};
  kernel.body.push_back(std::move(march));
  const std::optional<RepeatedLoads> found = repeatedLoads(kernel, kFirst, kEnd);
  if (!found)
    return 0;
  EXPECT_EQ(found->ahead, &kernel.body[1]);
  EXPECT_EQ(found->first, -1);
  EXPECT_EQ(found->end, 1);
  const If &first = std::get<If>(found->body.front().node);
  EXPECT_TRUE(equal(std::get<For>(first.then.front().node).begin, local(kFirst)));
  EXPECT_TRUE(equal(std::get<For>(first.otherwise.front().node).end, local(kEnd)));
  EXPECT_EQ(found->countInTurn - found->countAhead,
            size_t(std::holds_alternative<LetIndex>(found->inTurn->node)));
  EXPECT_EQ(found->march, kMarch);
  EXPECT_EQ(found->begin, kBegin);
  if (asksPlane)
    *asksPlane = found->asksPlane;
  return found->countAhead;
}

TEST(RepeatedLoads, AreThoseOfTheNextPlane) {
  EXPECT_EQ(repeated({ahead(1), ahead(2), ahead(3)}, {inTurn(1), inTurn(2), inTurn(3)}), 3u);
}

TEST(RepeatedLoads, AreLong) {
  EXPECT_EQ(repeated({ahead(1), ahead(2)}, {inTurn(1), inTurn(2)}), 2u);
  EXPECT_EQ(repeated({ahead(1)}, {inTurn(1)}), 0u);
}

TEST(RepeatedLoads, AreTheSameAndOfTheSamePlane) {
  EXPECT_EQ(repeated({ahead(1), ahead(2), ahead(3)}, {inTurn(1), inTurn(2), inTurn(4)}), 0u);
  EXPECT_EQ(repeated({ahead(1), ahead(2), ahead(3)}, {inTurn(1), inTurn(2), inTurn(3, 2)}), 0u);
  EXPECT_EQ(repeated({ahead(1), ahead(2), ahead(3)}, {inTurn(1), inTurn(2)}), 0u);
}

TEST(RepeatedLoads, AreToldThePlaneThatTheyAskFor) {
  bool asksPlane = true;
  EXPECT_EQ(repeated({ahead(1), ahead(2)}, {inTurn(1), inTurn(2)}, &asksPlane), 2u);
  EXPECT_FALSE(asksPlane);

  const Statement each = load(constant(2), add(local(kMarch), 1));
  const Statement turn = If{{{local(kMarch), nullptr, constant(9)}}, {each}, {each}};
  Statement first = ahead(0);
  std::get<If>(first.node).box.front().index = local(kBegin);
  std::get<If>(first.node).box.front().upper = constant(9);
  EXPECT_EQ(repeated({first, ahead(2)}, {turn, inTurn(2)}, &asksPlane), 2u);
  EXPECT_TRUE(asksPlane);
}

/// What an end makes of a plane may have a name in a turn, if nothing else there calls it so.
TEST(RepeatedLoads, CallPlanesAsTheyLike) {
  const auto bent = [](Index index) { return map(BoundaryKind::Clamp, 0, std::move(index)); };
  const auto side = [&](Index slice, Index plane) {
    const Statement each = load(std::move(slice), std::move(plane));
    return Body{each, each, each, each};
  };
  const Statement loop = For{LoopKind::Unroll,
                             kPlane,
                             constant(-1),
                             constant(1),
                             1,
                             side(add(local(kPlane), 1), bent(add(local(kBegin), local(kPlane))))};
  const Body ahead = {If{{{local(kX), nullptr, constant(1)}}, {loop}, {loop}}};
  const Body named = side(constant(2), local(kName));
  Body turn = {LetIndex{kName, bent(add(local(kMarch), 1))},
               If{{{local(kX), nullptr, constant(1)}}, named, named}};
  bool asksPlane = false;
  EXPECT_EQ(repeated(ahead, turn, &asksPlane), 1u);
  EXPECT_TRUE(asksPlane);
  turn.push_back(load(constant(0), local(kName)));
  EXPECT_EQ(repeated(ahead, turn), 0u);
}

} // namespace
} // namespace repeated_loads
