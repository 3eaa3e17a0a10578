// The listing of a Program: names, and only the parentheses that are needed.
#include "test/ir/KernelPrograms.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace kernel_text {
namespace {

const Index x = local(0);

std::string listing(const Program &program) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(out, program);
  return text;
}

std::string inNames(const Index &index) { return toString(index, fivePoint().kernels[0]); }

/// The line that stores `value`.
std::string stored(Value value) {
  std::string text = listing(onePoint({{StoreGlobal{1, {x}, std::move(value)}}}));
  std::string before = "store u_next[x] = ";
  size_t start = text.find(before) + before.size();
  return text.substr(start, text.find('\n', start) - start);
}

TEST(KernelText, NamesCoordinates) {
  EXPECT_EQ(inNames(add(add(argument(1), scale(block(0), 4)), thread(0))),
            "first_x + block.x * 4 + thread.x");
  EXPECT_EQ(inNames(minimum(add(local(1), 8), add(extent(0), -1))), "min(y + 8, ny - 1)");
  EXPECT_EQ(inNames(map(BoundaryKind::Clamp, 1, add(local(0), 1))), "clamp(x + 1, nx)");
  EXPECT_EQ(inNames(map(BoundaryKind::Periodic, 0, local(1))), "wrap(y, ny)");
  EXPECT_EQ(inNames(scale(add(local(0), local(1)), 2)), "(x + y) * 2");
  EXPECT_EQ(inNames(add(local(0), scale(local(1), -2))), "x - y * 2");
  EXPECT_EQ(inNames(quotient(thread(0), 3)), "quotient(thread.x, 3)");
}

TEST(KernelText, KeepsTheAssociationOfValues) {
  auto minus = [](Value left, Value right) { return binary(BinaryOp::Subtract, left, right); };
  Value a = load(0, {x}), b = number(2), c = number(-3);
  EXPECT_EQ(stored(minus(minus(a, b), b)), "u[x] - 2 - 2");
  EXPECT_EQ(stored(minus(a, minus(b, b))), "u[x] - (2 - 2)");
  EXPECT_EQ(stored(binary(BinaryOp::Multiply, sum(a, b), b)), "(u[x] + 2) * 2");
  EXPECT_EQ(stored(sum(a, c)), "u[x] + -3");
  EXPECT_EQ(stored(makeValue(ScalarType::F64, UnaryValue{UnaryOp::Negate, c})), "-(-3)");
}

TEST(KernelText, ListsAProgram) {
  std::string text = listing(fivePoint());
  for (const char *line :
       {"program five(y, x)", "  field f64 u[y, x] with next\n", "  param f64 k = 0.25\n",
        "buffers\n  f64 u[y, x], of the caller\n  f64 u_next[y, x], of the caller\n",
        "plan\n  pass of 1 step\n", "    owes u: y from 1 below ny - 1, x from 1 below nx - 1\n",
        "    launch step(u: u, u_next: u_next)\n",
        "      x from 1 below nx - 1 by 4, first as first_x\n",
        "      aligned to a line of u_next\n", "    when in the first pass\n",
        "      launch copy_frame(u: u, u_next: u_next)\n", "    rename u = u_next, u_next = u\n",
        "kernel step, block 4x2x1\n", "  integer 1 <= first_y\n", "  integer end_x <= nx\n",
        "  array f64 u[0 .. ny - 1, 0 .. nx - 1] read through the read-only path\n",
        "  return unless 1 <= x < nx - 1, y < ny - 1\n", "  f64 u_west = u[y, x - 1]\n",
        "  store u_next[y, x] = u[y, x] + k * (u_west + u_east + u_south + u_north)\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nis not in\n" << text;
}

TEST(KernelText, TellsWhichConstantsAreSidesOfABlock) {
  Program program = fivePoint();
  program.kernels[0].constants = {{"kWidth", 4, ""}, {"kMargin", 1, ""}};
  program.kernels[0].sides = {0u};
  const std::string text = listing(program);
  EXPECT_NE(text.find("  constant kWidth = 4, the side of a block along x\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  constant kMargin = 1\n"), std::string::npos) << text;
}

TEST(KernelText, ShowsWhatALoopCarries) {
  Program program = onePoint({{LetPointer{0, {constant(0)}, /*isCarried=*/true}},
                              {For{LoopKind::Serial, 1, constant(0), x, 1, {}, {{0, 0}}}}});
  program.kernels[0].locals = {"x", "i"};
  program.kernels[0].pointers = {"here"};
  const std::string text = listing(program);
  EXPECT_NE(text.find("carried pointer here = [0]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("i from 0 below x, carrying here\n"), std::string::npos) << text;
}

} // namespace
} // namespace kernel_text
