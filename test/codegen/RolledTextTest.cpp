// Statements that move one element after the other become loops, which say what they said.
#include "codegen/print/RolledText.h"
#include "codegen/print/ChangedIndices.h"
#include "codegen/print/SameText.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace rolled_text {
namespace {

constexpr ScalarType f64 = ScalarType::F64;
const Index x = coordinate(CoordinateKind::Local, 0);

Value element(Index at) { return makeValue(f64, PatchElement{0, {std::move(at)}}); }
Statement moved(int to, int from) {
  return {StoreGlobal{0, {add(x, to)}, element(constant(from))}};
}
Statement copied(Index from, unsigned lanes = 1) {
  return {CopyAsync{0, {from}, 0, {std::move(from)}, lanes}};
}

RolledText rolled(Body body, std::string name = "x") {
  Program program;
  program.uniforms = {{"beta", f64, nullptr}};
  Kernel kernel;
  kernel.axes = {"x"};
  kernel.uniforms = {0};
  kernel.locals = {std::move(name)};
  kernel.patches = {{"p", f64, {8}}, {"q", f64, {8}}};
  kernel.tiles = {{"t", f64, {64}}};
  kernel.body = std::move(body);
  return rolledText(program, kernel);
}

/// What a loop says, turn by turn.
Body turnsOf(const Statement &statement) {
  const auto &loop = std::get<For>(statement.node);
  Body turns;
  for (int64_t turn = 0; turn < std::get<IndexConstant>(loop.end->node).value; ++turn)
    for (const Statement &each : loop.body)
      turns.push_back(changedIndices(each, [&](const Index &index) {
        return replaced(index, {CoordinateKind::Local, loop.local}, constant(turn));
      }));
  return turns;
}

void expectSame(const Body &first, const Body &second) {
  ASSERT_EQ(first.size(), second.size());
  for (size_t number = 0; number < first.size(); ++number)
    EXPECT_TRUE(SameText().same(first[number], second[number])) << number;
}

TEST(RolledText, MovesByOneStepAreALoop) {
  const Body body = {moved(1, 0), moved(2, 2), moved(3, 4)};
  const RolledText text = rolled(body);
  ASSERT_EQ(text.kernel.body.size(), 1u);
  expectSame(turnsOf(text.kernel.body.front()), body);
  EXPECT_EQ(text.kernel.locals, (std::vector<std::string>{"x", "i"}));
  EXPECT_EQ(text.firstRolled, 1u);
  EXPECT_TRUE(text.writtenOut.empty());
}

TEST(RolledText, ALoopEndsWithItsStep) {
  const Body body = {moved(0, 0), moved(1, 1), moved(3, 2), moved(5, 3)};
  const RolledText text = rolled(body);
  ASSERT_EQ(text.kernel.body.size(), 2u);
  Body turns = turnsOf(text.kernel.body[0]);
  for (Statement &each : turnsOf(text.kernel.body[1]))
    turns.push_back(std::move(each));
  expectSame(turns, body);
}

TEST(RolledText, VectorsAndSumsStayAsTheyAre) {
  const Value sum = makeValue(f64, BinaryValue{BinaryOp::Add, element(constant(0)), element(x)});
  const Body body = {copied(x, 2),
                     copied(add(x, 2), 2),
                     {AssignElement{1, {constant(0)}, sum}},
                     {AssignElement{1, {constant(1)}, sum}}};
  expectSame(rolled(body).kernel.body, body);
}

TEST(RolledText, WhatClampsIsWrittenOut) {
  const auto clamped = [](int64_t at) { return minimum(add(x, at), extent(0)); };
  const Body body = {copied(clamped(0)), copied(clamped(1)), copied(clamped(2))};
  const RolledText text = rolled(body);
  ASSERT_EQ(text.kernel.body.size(), 1u);
  expectSame(turnsOf(text.kernel.body.front()), body);
  EXPECT_EQ(text.writtenOut, std::set<unsigned>{1});
}

TEST(RolledText, NoNameIsTakenThatTheKernelHas) {
  EXPECT_EQ(rolled({moved(0, 0), moved(1, 1)}, "i").kernel.locals.back(), "i_2");
}

TEST(RolledText, ALoopInOneOfThatNameHasAnother) {
  const Body moves = {moved(0, 0), moved(1, 1)};
  const RolledText text =
      rolled({{For{LoopKind::Unroll, 0, constant(0), constant(3), 1, moves}}}, "i");
  EXPECT_EQ(text.kernel.locals, (std::vector<std::string>{"i", "i_2"}));
}

} // namespace
} // namespace rolled_text
