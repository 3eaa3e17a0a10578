// How a kernel's queues, loops and carried pointers look as C.
#include "codegen/print/KernelPrinter.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace {

constexpr ScalarType f64 = ScalarType::F64;
const Index x = coordinate(CoordinateKind::Local, 0), y = coordinate(CoordinateKind::Local, 1);

Value number(double value) { return makeValue(f64, LiteralValue{value}); }
Value slot(unsigned number) { return makeValue(f64, QueueSlotValue{0, number}); }
Statement store(Value value) { return {StoreGlobal{0, {y, x}, std::move(value)}}; }

/// A march of y from 0 by `step` below ny.
For march(Body body, int64_t step = 1) {
  return {LoopKind::Serial, 1, constant(0), extent(0), step, std::move(body)};
}

/// The statements of a kernel on axes (y, x) with a queue `low, high` and an array u, as printed.
std::string printed(Body body) {
  Program program;
  program.signature.axes = {"y", "x"};
  Kernel kernel;
  kernel.name = "step";
  kernel.axes = program.signature.axes;
  kernel.arrays = {{"u", f64, {0, 1}, {}, Access::Write, false}};
  kernel.locals = {"x", "y"};
  kernel.pointers = {"here"};
  kernel.queues = {{"q", f64, {"low", "high"}}};
  kernel.body = std::move(body);
  program.kernels = {kernel};
  FileNames file(program);
  HelperSet helpers(Target::Device, file.taken);
  const std::string text = printKernel(program, 0, file, FloatMode::Contract, helpers).text;
  const std::string head = ") {\n  await_previous();\n";
  return text.substr(text.find(head) + head.size());
}

TEST(PrinterBody, SlotsAreDeclaredByTheirFirstAssignments) {
  EXPECT_EQ(printed({{LetIndex{0, constant(0)}},
                     {AssignSlot{0, 0, number(1)}},
                     {march({{AssignSlot{0, 1, number(2)}}, store(slot(0)), {Rotate{0}}})}}),
            "  const int x = 0;\n"
            "  double low = 1.0;\n"
            "  for (int y = 0; y < ny; ++y) {\n"
            "    const double high = 2.0;\n"
            "    u[y * stride_y + x] = low;\n"
            "    low = high;\n"
            "  }\n"
            "}\n");
}

TEST(PrinterBody, ABranchThatIsTheOnlyAlternativeFollowsElse) {
  const auto before = [](int64_t end) { return Box{{y, nullptr, constant(end)}}; };
  const If second = {before(2), {store(number(2))}, {store(number(3))}};
  EXPECT_EQ(printed({{LetIndex{0, constant(0)}},
                     {LetIndex{1, constant(0)}},
                     {If{before(1), {store(number(1))}, {{second}}}},
                     {If{before(1), {store(number(1))}, {{second}, store(number(4))}}}}),
            "  const int x = 0;\n"
            "  const int y = 0;\n"
            "  if (y < 1) {\n"
            "    u[y * stride_y + x] = 1.0;\n"
            "  } else if (y < 2) {\n"
            "    u[y * stride_y + x] = 2.0;\n"
            "  } else {\n"
            "    u[y * stride_y + x] = 3.0;\n"
            "  }\n"
            "  if (y < 1) {\n"
            "    u[y * stride_y + x] = 1.0;\n"
            "  } else {\n"
            "    if (y < 2) {\n"
            "      u[y * stride_y + x] = 2.0;\n"
            "    } else {\n"
            "      u[y * stride_y + x] = 3.0;\n"
            "    }\n"
            "    u[y * stride_y + x] = 4.0;\n"
            "  }\n"
            "}\n");
}

TEST(PrinterBody, OneStatementHasNoBraces) {
  const Box first = {{y, nullptr, constant(1)}};
  EXPECT_EQ(printed({{LetIndex{0, constant(0)}}, {march({{If{first, {}, {store(number(1))}}}})}}),
            "  const int x = 0;\n"
            "  for (int y = 0; y < ny; ++y)\n"
            "    if (y >= 1)\n"
            "      u[y * stride_y + x] = 1.0;\n"
            "}\n");
}

TEST(PrinterBody, BracesSayWhatAnElseBelongsTo) {
  const Box first = {{x, nullptr, constant(1)}};
  const If either{{{y, nullptr, constant(2)}}, {store(number(1))}, {store(number(2))}};
  EXPECT_EQ(printed({{LetIndex{0, constant(0)}}, {If{first, {{march({{either}})}}, {}}}}),
            "  const int x = 0;\n"
            "  if (x < 1) {\n"
            "    for (int y = 0; y < ny; ++y)\n"
            "      if (y < 2) {\n"
            "        u[y * stride_y + x] = 1.0;\n"
            "      } else {\n"
            "        u[y * stride_y + x] = 2.0;\n"
            "      }\n"
            "  }\n"
            "}\n");
}

TEST(PrinterBody, ANamedPartStandsWithItsStatementInBraces) {
  Value deep = slot(0);
  for (int depth = 0; depth < 100; ++depth)
    deep = makeValue(f64, BinaryValue{BinaryOp::Divide, number(depth), deep});
  const std::string text = printed({{LetIndex{0, constant(0)}}, {march({store(deep)})}});
  EXPECT_NE(text.find("  for (int y = 0; y < ny; ++y) {\n    const double part"), std::string::npos)
      << text;
}

TEST(PrinterBody, SlotsOfSeveralBodiesAreDeclaredInEach) {
  const Box first = {{y, nullptr, constant(1)}};
  EXPECT_EQ(printed({{LetIndex{0, constant(0)}},
                     {LetIndex{1, constant(0)}},
                     {If{first, {{AssignSlot{0, 1, number(1)}}, store(slot(1))}, {}}},
                     {AssignSlot{0, 1, number(2)}},
                     store(slot(1))}),
            "  const int x = 0;\n"
            "  const int y = 0;\n"
            "  if (y < 1) {\n"
            "    const double high = 1.0;\n"
            "    u[y * stride_y + x] = high;\n"
            "  }\n"
            "  const double high = 2.0;\n"
            "  u[y * stride_y + x] = high;\n"
            "}\n");
}

TEST(PrinterBody, SlotsSeenOutsideAreDeclaredAtTheTop) {
  // Assigned on both branches, or first on one of them.
  const Box first = {{y, nullptr, constant(1)}};
  EXPECT_EQ(printed({{LetIndex{0, constant(0)}},
                     {LetIndex{1, constant(0)}},
                     {If{first, {{AssignSlot{0, 0, number(1)}}}, {{AssignSlot{0, 0, number(2)}}}}},
                     {AssignSlot{0, 1, slot(0)}},
                     store(slot(1))}),
            "  double low;\n"
            "  const int x = 0;\n"
            "  const int y = 0;\n"
            "  if (y < 1) {\n"
            "    low = 1.0;\n"
            "  } else {\n"
            "    low = 2.0;\n"
            "  }\n"
            "  const double high = low;\n"
            "  u[y * stride_y + x] = high;\n"
            "}\n");
  EXPECT_EQ(printed({{LetIndex{0, constant(0)}},
                     {LetIndex{1, constant(0)}},
                     {If{first, {{AssignSlot{0, 1, number(1)}}}, {}}},
                     {AssignSlot{0, 1, number(2)}},
                     store(slot(1))}),
            "  double high;\n"
            "  const int x = 0;\n"
            "  const int y = 0;\n"
            "  if (y < 1)\n"
            "    high = 1.0;\n"
            "  high = 2.0;\n"
            "  u[y * stride_y + x] = high;\n"
            "}\n");
}

TEST(PrinterBody, LoopsCarryAnAddress) {
  For loop = march({store(number(1))}, /*step=*/2);
  loop.carries = {{0, 0}};
  const Statement after = {StoreGlobal{0, {constant(0), x}, number(2)}};
  EXPECT_EQ(printed({{LetIndex{0, constant(0)}},
                     {LetPointer{0, {constant(0), x}, /*isCarried=*/true}},
                     after,
                     {loop},
                     after}),
            "  const int x = 0;\n"
            "  int64_t here = x;\n"
            "  u[here] = 2.0;\n"
            "  for (int y = 0; y < ny; y += 2, here += 2 * stride_y)\n"
            "    u[here] = 1.0;\n"
            "  u[x] = 2.0;\n"
            "}\n");
}

} // namespace
