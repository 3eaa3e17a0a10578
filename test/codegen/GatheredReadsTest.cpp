// Neighbours as elements of a patch: which of them, and what keeps others apart.
#include "codegen/print/GatheredReads.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace {

constexpr ScalarType f32 = ScalarType::F32;
constexpr unsigned kY = 0, kX = 1;

Value loaded(int y, int x) {
  return makeValue(f32, LoadGlobal{0,
                                   {add(coordinate(CoordinateKind::Local, kY), y),
                                    add(coordinate(CoordinateKind::Local, kX), x)}});
}

/// A program of one kernel in two dimensions, whose queues have two slots each.
Program programOf(Body body, unsigned registers, unsigned queues = 0) {
  Program program;
  Kernel &kernel = program.kernels.emplace_back();
  kernel.axes = {"y", "x"};
  kernel.arrays = {{.name = "u", .type = f32, .axes = {0, 1}}};
  kernel.locals = {"y", "x"};
  for (unsigned number = 0; number < registers; ++number)
    kernel.registers.push_back({"u_" + std::to_string(number), f32});
  for (unsigned number = 0; number < queues; ++number) {
    const std::string name = "u_" + std::to_string(number);
    kernel.queues.push_back({name, f32, {name + "_here", name + "_above"}});
  }
  kernel.body = std::move(body);
  return program;
}

/// The loads of so many rows of 7 points, and the sum of the first and the last.
Body rows(unsigned count) {
  Body body;
  for (unsigned number = 0; number < 7 * count; ++number)
    body.push_back(Let{number, loaded(number / 7, number % 7)});
  body.push_back(
      StoreGlobal{0,
                  {},
                  makeValue(f32, BinaryValue{BinaryOp::Add, makeValue(f32, RegisterValue{0}),
                                             makeValue(f32, RegisterValue{7 * count - 1})})});
  return body;
}

std::string text(const Kernel &kernel) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  print(stream, kernel, {});
  return out;
}

TEST(GatheredReads, AreABoxThatLoopsFill) {
  const std::optional<Program> gathered = gatheredReads(programOf(rows(7), 49));
  ASSERT_TRUE(gathered);
  const Kernel &kernel = gathered->kernels.front();
  ASSERT_EQ(kernel.patches.size(), 1u);
  EXPECT_EQ(kernel.patches[0].name, "u_near");
  EXPECT_EQ(kernel.patches[0].shape, (std::vector<int>{7, 7}));
  EXPECT_EQ(kernel.body.size(), 3u) << text(kernel);
  EXPECT_NE(text(kernel).find("u_near[row, column] = u[y + row, x + column]"), std::string::npos)
      << text(kernel);
  EXPECT_NE(text(kernel).find("u_near[0, 0] + u_near[6, 6]"), std::string::npos) << text(kernel);
}

TEST(GatheredReads, AreMoreThanAFewDozen) { EXPECT_FALSE(gatheredReads(programOf(rows(6), 42))); }

/// A march of 49 columns, which keeps two planes and loads into slot 1.
Body march() {
  Body body;
  for (unsigned slot = 0; slot < 2; ++slot)
    for (unsigned queue = 0; queue < 49; ++queue)
      body.push_back(AssignSlot{queue, slot, loaded(queue / 7, queue % 7)});
  for (unsigned queue = 0; queue < 49; ++queue)
    body.push_back(Rotate{queue});
  return body;
}

TEST(GatheredReads, OfAMarchMoveOnAsOne) {
  const std::optional<Program> gathered = gatheredReads(programOf(march(), 0, 49));
  ASSERT_TRUE(gathered);
  const Kernel &kernel = gathered->kernels.front();
  ASSERT_EQ(kernel.patches.size(), 1u);
  EXPECT_EQ(kernel.patches[0].shape, (std::vector<int>{2, 7, 7}));
  ASSERT_EQ(kernel.body.size(), 5u) << text(kernel);
  EXPECT_TRUE(std::holds_alternative<ShiftPatch>(kernel.body.back().node));
}

TEST(GatheredReads, LeaveQueuesThatMoveOnApart) {
  Body body = march();
  body.push_back(Rotate{7});
  EXPECT_FALSE(gatheredReads(programOf(body, 0, 49)));
  body = march();
  body.pop_back();
  EXPECT_FALSE(gatheredReads(programOf(body, 0, 49)));
}

TEST(GatheredReads, LeaveQueuesThatGetOtherValues) {
  Body body = march();
  body.push_back(AssignSlot{7, 1, makeValue(f32, LiteralValue{0})});
  EXPECT_FALSE(gatheredReads(programOf(body, 0, 49)));
}

} // namespace
