// What indices, conditions and values look like as C.
#include "codegen/print/Expressions.h"
#include "codegen/print/Layout.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace stencilc;

namespace printer_expression {
namespace {

constexpr ScalarType f32 = ScalarType::F32, f64 = ScalarType::F64;

Value reg(unsigned number, ScalarType type = f64) { return makeValue(type, RegisterValue{number}); }
Value number(double value, ScalarType type = f64) { return makeValue(type, LiteralValue{value}); }
Value binary(BinaryOp op, Value left, Value right) {
  return makeValue(left->type, BinaryValue{op, left, right});
}
Value plus(Value left, Value right) { return binary(BinaryOp::Add, left, right); }
Value minus(Value left, Value right) { return binary(BinaryOp::Subtract, left, right); }
Value times(Value left, Value right) { return binary(BinaryOp::Multiply, left, right); }
Value over(Value left, Value right) { return binary(BinaryOp::Divide, left, right); }
Value negated(Value value) { return makeValue(value->type, UnaryValue{UnaryOp::Negate, value}); }
Value less(Value left, Value right) {
  return makeValue(ScalarType::Bool, CompareValue{CompareOp::Less, left, right});
}
Value either(Value left, Value right) {
  return makeValue(ScalarType::Bool, BinaryValue{BinaryOp::Or, left, right});
}
Value both(Value left, Value right) {
  return makeValue(ScalarType::Bool, BinaryValue{BinaryOp::And, left, right});
}
Value select(Value condition, Value then, Value otherwise) {
  return makeValue(then->type, SelectValue{condition, then, otherwise});
}
Value call(Builtin function, std::vector<Value> operands) {
  const ScalarType type = operands.front()->type;
  return makeValue(type, CallValue{function, std::move(operands)});
}

/// A printer for a kernel with registers a to d, locals x y z and an array u of three axes.
class Printer {
public:
  explicit Printer(Target code = Target::Device, FloatMode mode = FloatMode::Contract)
      : helpers(code, taken), printer(code, mode, 3, names(), helpers, &kernel) {
    kernel.constants = {{"kBlockX", 32, ""}, {"kBlockY", 8, ""}};
    kernel.sides = {0, 1};
  }

  std::string text(const Value &value) { return flat(printer.value(value).text); }
  std::string text(const Index &index) { return printer.index(index); }

  UniqueNames taken;
  Kernel kernel;
  HelperSet helpers;
  ExpressionPrinter printer;

private:
  static LeafNames names() {
    LeafNames names;
    names.extents = {"nz", "ny", "nx"};
    names.strides = {"stride_z", "stride_y", "stride_x"};
    names.rows = {"row_z", "row_y", "row_x"};
    names.registers = {"a", "b", "c", "d"};
    names.locals = {"z", "y", "x"};
    names.constants = {"kBlockX", "kBlockY"};
    names.numbers = {{{f64, 0.1875}, "kWeight"}};
    names.arrays = {"u"};
    names.tiles = {"tile"};
    names.integers = {"steps"};
    return names;
  }
};

const Value a = reg(0), b = reg(1), c = reg(2), d = reg(3);
const Index z = coordinate(CoordinateKind::Local, 0), y = coordinate(CoordinateKind::Local, 1),
            x = coordinate(CoordinateKind::Local, 2);
const Index threadX = coordinate(CoordinateKind::Thread, 0),
            blockX = coordinate(CoordinateKind::Block, 0);

TEST(PrinterExpression, KeepsAssociationWithTheFewestParentheses) {
  Printer print;
  EXPECT_EQ(print.text(minus(minus(a, minus(b, c)), d)), "a - (b - c) - d");
  EXPECT_EQ(print.text(plus(a, plus(b, c))), "a + (b + c)");
  EXPECT_EQ(print.text(plus(plus(a, b), c)), "a + b + c");
  Printer host(Target::Host);
  EXPECT_EQ(host.text(over(a, times(b, c))), "a / (b * c)");
  EXPECT_EQ(host.text(over(times(a, b), c)), "a * b / c");
  EXPECT_EQ(host.text(times(a, over(b, c))), "a * (b / c)");
  EXPECT_EQ(print.text(plus(times(a, b), times(c, d))), "a * b + c * d");
  EXPECT_EQ(print.text(times(plus(a, b), minus(c, d))), "(a + b) * (c - d)");
}

TEST(PrinterExpression, TheDeviceDividesWhatMayBeZeroByAFunction) {
  Printer print;
  EXPECT_EQ(print.text(over(a, times(b, c))), "quotient(a, b * c)");
  EXPECT_EQ(print.text(over(times(a, b), c)), "quotient(a * b, c)");
  EXPECT_EQ(print.text(times(a, over(b, c))), "a * quotient(b, c)");
  EXPECT_EQ(print.text(over(over(a, b), number(3))), "quotient(quotient(a, b), 3.0)");
  EXPECT_EQ(print.text(over(number(1), times(b, c))), "1.0 / (b * c)");
  EXPECT_EQ(print.text(over(plus(a, b), number(-4))), "(a + b) / -4.0"); // which is a product
}

TEST(PrinterExpression, SignsNeverRunTogether) {
  Printer print;
  EXPECT_EQ(print.text(negated(negated(a))), "-(-a)");
  EXPECT_EQ(print.text(negated(number(-2))), "-(-2.0)");
  EXPECT_EQ(print.text(negated(plus(a, b))), "-(a + b)");
  EXPECT_EQ(print.text(negated(times(a, b))), "-(a * b)");
  EXPECT_EQ(print.text(times(negated(a), b)), "-a * b");
  EXPECT_EQ(print.text(minus(a, negated(b))), "a - -b");
  EXPECT_EQ(print.text(minus(a, number(-2))), "a - -2.0");
}

TEST(PrinterExpression, ANegativeWeightIsSubtracted) {
  Printer print;
  EXPECT_EQ(print.text(plus(a, times(number(-0.25), plus(b, c)))), "a - 0.25 * (b + c)");
  const Value quotient = over(times(number(-2), b), c);
  EXPECT_EQ(Printer(Target::Host).text(plus(a, quotient)), "a - 2.0 * b / c");
  EXPECT_EQ(print.text(plus(a, quotient)), "a + quotient(-2.0 * b, c)");
  EXPECT_EQ(print.text(plus(a, times(quotient, d))), "a + quotient(-2.0 * b, c) * d");
  EXPECT_EQ(print.text(plus(a, number(-0.0))), "a - 0.0");
  EXPECT_EQ(print.text(plus(times(number(-0.25), a), b)), "-0.25 * a + b");
  EXPECT_EQ(print.text(plus(a, times(plus(number(-2), b), c))), "a + (-2.0 + b) * c");
  Printer strict(Target::Device, FloatMode::Strict);
  EXPECT_EQ(strict.text(plus(a, times(number(-2), b))), "__dadd_rn(a, __dmul_rn(-2.0, b))");
}

TEST(PrinterExpression, ComparesAndChooses) {
  Printer print;
  const Value first = less(plus(a, b), c), second = less(c, d);
  EXPECT_EQ(print.text(select(first, a, times(b, c))), "a + b < c ? a : b * c");
  EXPECT_EQ(print.text(plus(select(second, a, b), c)), "(c < d ? a : b) + c");
  EXPECT_EQ(print.text(select(second, select(first, a, b), select(first, c, d))),
            "c < d ? (a + b < c ? a : b) : (a + b < c ? c : d)");
  EXPECT_EQ(print.text(both(either(first, second), second)), "(a + b < c || c < d) && c < d");
  EXPECT_EQ(print.text(either(both(first, second), second)), "(a + b < c && c < d) || c < d");
  EXPECT_EQ(print.text(makeValue(ScalarType::Bool, UnaryValue{UnaryOp::Not, second})), "!(c < d)");
}

TEST(PrinterExpression, LiteralsReadBackAsTheyWere) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(literalText(f64, 0.1), "0.1");
  EXPECT_EQ(literalText(f64, 2), "2.0");
  EXPECT_EQ(literalText(f64, 1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(literalText(f64, 1e300), "1e+300");
  EXPECT_EQ(literalText(f64, -0.0), "-0.0");
  EXPECT_EQ(literalText(f32, 0.1f), "0.1f");
  EXPECT_EQ(literalText(f32, 1.0f / 3), "0.33333334f");
  EXPECT_EQ(literalText(f32, 16777216), "16777216.0f");
  EXPECT_EQ(literalText(f64, infinity), "1.0 / 0.0");
  EXPECT_EQ(literalText(f32, -infinity), "-1.0f / 0.0f");
  EXPECT_EQ(literalText(f64, std::nan("")), "0.0 / 0.0");
  for (double value : {0.1, 1.0 / 3, 1e-310, 123456789.125, 5e-324, 1.7976931348623157e308})
    EXPECT_EQ(std::strtod(literalText(f64, value).c_str(), nullptr), value);
  for (float value : {0.1f, 1.0f / 3, 1e-40f, 3.4028235e38f})
    EXPECT_EQ(std::strtof(literalText(f32, value).c_str(), nullptr), value);
}

TEST(PrinterExpression, FunctionsAreNamedByType) {
  Printer print;
  EXPECT_EQ(print.text(call(Builtin::Exp, {a})), "exp(a)");
  EXPECT_EQ(print.text(call(Builtin::Exp, {reg(0, f32)})), "expf(a)");
  Printer host(Target::Host);
  EXPECT_EQ(host.text(call(Builtin::Sqrt, {a})), "sqrt(a)");
  EXPECT_EQ(host.text(call(Builtin::Sqrt, {reg(0, f32)})), "sqrtf(a)");
  EXPECT_EQ(print.text(call(Builtin::Sqrt, {a})), "root(a)"); // by a function for 0
  EXPECT_EQ(print.text(call(Builtin::Sqrt, {reg(0, f32)})), "root(a)");
  EXPECT_EQ(print.text(call(Builtin::Abs, {reg(0, f32)})), "fabsf(a)");
  EXPECT_EQ(print.text(call(Builtin::Min, {a, plus(b, c)})), "fmin(a, b + c)");
  EXPECT_EQ(print.text(makeValue(f32, CastValue{plus(a, b)})), "float(a + b)");
}

TEST(PrinterExpression, HostOrdersZerosByItself) {
  Printer print(Target::Host);
  EXPECT_EQ(print.text(call(Builtin::Min, {a, b})), "minimum(a, b)");
  EXPECT_EQ(print.text(call(Builtin::Max, {a, b})), "maximum(a, b)");
  EXPECT_NE(print.helpers.definitions().find("T maximum(T a, T b)"), std::string::npos);
}

TEST(PrinterExpression, StrictRoundsEveryOperation) {
  Printer print(Target::Device, FloatMode::Strict);
  EXPECT_EQ(print.text(minus(a, times(b, c))), "__dsub_rn(a, __dmul_rn(b, c))");
  EXPECT_EQ(print.text(over(reg(0, f32), reg(1, f32))), "__fdiv_rn(a, b)");
  EXPECT_EQ(print.text(plus(reg(0, f32), number(0.1f, f32))), "__fadd_rn(a, 0.1f)");
  EXPECT_EQ(print.text(call(Builtin::Sqrt, {a})), "__dsqrt_rn(a)");
  EXPECT_EQ(print.text(call(Builtin::Sqrt, {reg(0, f32)})), "__fsqrt_rn(a)");
  EXPECT_EQ(print.text(makeValue(f32, CastValue{a})), "__double2float_rn(a)");
  EXPECT_EQ(print.text(makeValue(f64, CastValue{reg(0, f32)})), "double(a)");
  EXPECT_EQ(print.text(negated(a)), "-a");
  EXPECT_EQ(print.text(both(less(a, b), less(b, c))), "a < b && b < c");
}

TEST(PrinterExpression, StrictHostIsPlain) {
  Printer print(Target::Host, FloatMode::Strict);
  EXPECT_EQ(print.text(plus(a, times(b, c))), "a + b * c");
}

TEST(PrinterExpression, Indices) {
  Printer print;
  EXPECT_EQ(print.text(add(x, 1)), "x + 1");
  EXPECT_EQ(print.text(add(extent(2), -2)), "nx - 2");
  EXPECT_EQ(print.text(add(x, scale(y, -2))), "x - 2 * y");
  EXPECT_EQ(print.text(scale(add(x, y), 3)), "3 * (x + y)");
  EXPECT_EQ(print.text(minimum(add(z, 8), extent(0))), "min(z + 8, nz)");
  EXPECT_EQ(print.text(map(BoundaryKind::Clamp, 2, add(x, -1))), "clamp(x - 1, nx)");
  EXPECT_EQ(print.text(map(BoundaryKind::Periodic, 2, add(x, -1))), "wrap(x - 1, nx)");
}

TEST(PrinterExpression, HostHasItsOwnMinimum) {
  Printer print(Target::Host);
  EXPECT_EQ(print.text(minimum(constant(1), extent(0))), "lesser(1, nz)");
}

TEST(PrinterExpression, DivisionRoundsDownWhateverTheSign) {
  Printer print;
  EXPECT_EQ(print.text(quotient(threadX, 34)), "int(threadIdx.x) / 34");
  EXPECT_EQ(print.text(remainder(add(x, -1), 4)), "floor_mod(x - 1, 4)");
  print.printer.nonNegativeLocals = {false, false, true};
  EXPECT_EQ(print.text(remainder(x, 4)), "x % 4");
  EXPECT_EQ(print.text(quotient(add(x, -1), 4)), "floor_div(x - 1, 4)");
  EXPECT_EQ(print.text(scale(remainder(x, 4), 3)), "3 * (x % 4)");
  EXPECT_EQ(print.text(scale(quotient(x, 4), -1)), "-(x / 4)");
  EXPECT_EQ(print.text(quotient(scale(x, 3), 4)), "3 * x / 4");
}

TEST(PrinterExpression, CoordinatesNameTheBlockShape) {
  Printer print;
  EXPECT_EQ(print.printer.coordinateValue(add(scale(blockX, 32), threadX)),
            "blockIdx.x * kBlockX + threadIdx.x");
  EXPECT_EQ(print.printer.coordinateValue(scale(blockX, 16)), "16 * blockIdx.x");
}

TEST(PrinterExpression, UnsignedCoordinatesAreCastWhereWrappingWouldShow) {
  Printer print;
  const auto holds = [&](Range range) { return flat(print.printer.holds({range}).text); };
  EXPECT_EQ(holds({threadX, nullptr, constant(2)}), "threadIdx.x < 2");
  EXPECT_EQ(holds({threadX, nullptr, extent(2)}), "int(threadIdx.x) < nx");
  EXPECT_EQ(holds({add(threadX, x), constant(0), nullptr}), "int(threadIdx.x) + x >= 0");
}

TEST(PrinterExpression, BoxesAndTheirNegation) {
  Printer print;
  const Box box = {{x, constant(1), add(extent(2), -1)}, {y, nullptr, extent(1)}};
  EXPECT_EQ(flat(print.printer.holds(box).text), "x >= 1 && x < nx - 1 && y < ny");
  EXPECT_EQ(flat(print.printer.fails(box).text), "x < 1 || x >= nx - 1 || y >= ny");
  EXPECT_EQ(flat(print.printer.holds({{add(x, -2), constant(0), nullptr}}).text), "x >= 2");
}

TEST(PrinterExpression, AddressesAreRelativeToTheNearestName) {
  Printer print;
  const ArrayArgument u = {"u", f64, {0, 1, 2}};
  const auto at = [&](std::vector<Index> where) { return print.printer.subscript(u, where); };
  EXPECT_EQ(at({z, y, x}), "z * stride_z + y * stride_y + x");
  EXPECT_EQ(at({add(z, 1), constant(2), constant(0)}), "(z + 1) * stride_z + 2 * stride_y");
  EXPECT_EQ(at({constant(0), constant(0), constant(0)}), "0");
  print.printer.pointers.push_back({0, "here", {z, y, x}});
  EXPECT_EQ(at({z, y, x}), "here");
  EXPECT_EQ(at({z, y, add(x, -1)}), "here - 1");
  EXPECT_EQ(at({add(z, 1), add(y, -2), add(x, 3)}), "here + stride_z - 2 * stride_y + 3");
  EXPECT_EQ(at({z, constant(0), x}), "z * stride_z + x");
  print.printer.pointers.push_back({0, "above", {add(z, 1), y, x}});
  EXPECT_EQ(at({add(z, 1), y, add(x, 1)}), "above + 1");
  EXPECT_EQ(at({add(z, -1), y, x}), "here - stride_z");
}

TEST(PrinterExpression, RowsHaveStridesAndNamesOfTheirOwn) {
  Printer print;
  ArrayArgument temp = {"temp", f64, {0, 1, 2}};
  temp.layout = Layout::Rows;
  const auto at = [&](std::vector<Index> where) { return print.printer.subscript(temp, where); };
  print.printer.pointers.push_back({0, "here", {z, y, x}});
  EXPECT_EQ(at({z, y, add(x, 1)}), "z * row_z + y * row_y + x + 1");
  print.printer.pointers.push_back({1, "row_here", {z, y, x}, Layout::Rows});
  EXPECT_EQ(at({add(z, 2), y, add(x, 1)}), "row_here + 2 * row_z + 1");
  EXPECT_EQ(print.printer.usedStrides, (std::array{false, false, false}));
  EXPECT_EQ(print.printer.usedRows, (std::array{true, true, false}));
}

TEST(PrinterExpression, ArraysWithFewerAxesAreDense) {
  Printer print;
  ArrayArgument strip = {"strip", f64, {2}}, plane = {"plane", f64, {0, 2}};
  strip.layout = plane.layout = Layout::Dense;
  ArrayArgument ghosted = plane;
  ghosted.ghost[2] = {1, 2};
  EXPECT_EQ(print.printer.subscript(strip, {add(x, 1)}), "x + 1");
  EXPECT_EQ(print.printer.subscript(plane, {add(z, 1), x}), "int64_t(z + 1) * nx + x");
  EXPECT_EQ(print.printer.subscript(ghosted, {z, x}), "int64_t(z) * (nx + 3) + x");
  Printer host(Target::Host);
  EXPECT_EQ(host.printer.subscript(plane, {add(z, 1), x}), "(z + 1) * nx + x");
}

TEST(PrinterExpression, BothEndsOfAnAxisAreOneQuestionAboutANeighbour) {
  Printer print;
  const auto holds = [](Printer &print, const Index &index) {
    return flat(print.printer.holds({{index, constant(0), extent(2)}}).text);
  };
  EXPECT_EQ(holds(print, add(x, 1)), "on_grid(x + 1, nx)");
  EXPECT_EQ(holds(print, x), "x >= 0 && x < nx");
  Printer host(Target::Host);
  EXPECT_EQ(holds(host, add(x, 1)), "x >= -1 && x + 1 < nx");
  // A number of 64 bits is not shortened to one of 32.
  print.kernel.integers.push_back({"steps", nullptr, nullptr, /*isWide=*/true});
  const Index wide = coordinate(CoordinateKind::Argument, 0);
  EXPECT_EQ(holds(print, add(wide, 1)), "steps >= -1 && steps + 1 < nx");
}

TEST(PrinterExpression, GuardsChooseBetweenALoadAndANumber) {
  Printer print;
  print.kernel.arrays = {{"u", f64, {0, 1, 2}}};
  const Value load = makeValue(f64, LoadGlobal{0, {z, y, add(x, -1)}});
  const Value guarded =
      makeValue(f64, GuardedValue{{{add(x, -1), constant(0), nullptr}}, load, number(0)});
  print.printer.pointers.push_back({0, "here", {z, y, x}});
  EXPECT_EQ(print.text(guarded), "x >= 1 ? u[here - 1] : 0.0");
  EXPECT_EQ(print.text(plus(guarded, a)), "(x >= 1 ? u[here - 1] : 0.0) + a");
}

TEST(PrinterExpression, NumbersStandByTheirNames) {
  Printer print;
  EXPECT_EQ(print.text(times(number(0.1875), a)), "kWeight * a");
  EXPECT_EQ(print.text(times(number(-0.1875), a)), "-kWeight * a");
  EXPECT_EQ(print.text(plus(b, times(number(-0.1875), a))), "b - kWeight * a");
  EXPECT_EQ(print.text(negated(number(-0.1875))), "-(-kWeight)");
  EXPECT_EQ(print.text(number(0.1875, f32)), "0.1875f");
}

TEST(PrinterExpression, GuardsOfOneNumberAskAtOnce) {
  Printer print;
  const auto above = [](const Index &index, Value inside, double outside) {
    return makeValue(f64, GuardedValue{{{index, constant(1), nullptr}}, inside, number(outside)});
  };
  EXPECT_EQ(print.text(above(z, above(y, above(x, a, 2), 2), 2)),
            "z >= 1 && y >= 1 && x >= 1 ? a : 2.0");
  EXPECT_EQ(print.text(above(z, above(y, above(x, a, 2), 3), 3)),
            "z >= 1 && y >= 1 ? (x >= 1 ? a : 2.0) : 3.0");
}

} // namespace
} // namespace printer_expression
