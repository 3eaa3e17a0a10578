#include "ir/stencil/Scalar.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace stencilc;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double call(ScalarType type, Builtin function, double left, double right) {
  return apply(type, function, {left, right});
}

TEST(Scalar, MinAndMaxIgnoreNaN) {
  for (ScalarType type : {ScalarType::F32, ScalarType::F64})
    for (Builtin function : {Builtin::Min, Builtin::Max}) {
      EXPECT_EQ(call(type, function, kNaN, 2.0), 2.0);
      EXPECT_EQ(call(type, function, 2.0, kNaN), 2.0);
      EXPECT_TRUE(std::isnan(call(type, function, kNaN, kNaN)));
    }
}

TEST(Scalar, MinAndMaxPutNegativeZeroFirst) {
  for (ScalarType type : {ScalarType::F32, ScalarType::F64}) {
    EXPECT_TRUE(std::signbit(call(type, Builtin::Min, 0.0, -0.0)));
    EXPECT_TRUE(std::signbit(call(type, Builtin::Min, -0.0, 0.0)));
    EXPECT_FALSE(std::signbit(call(type, Builtin::Max, 0.0, -0.0)));
    EXPECT_FALSE(std::signbit(call(type, Builtin::Max, -0.0, 0.0)));
  }
}

TEST(Scalar, EachF32OperationRoundsOnce) {
  // 2^24 + 1 lies between two floats; the tie goes to the even one.
  EXPECT_EQ(apply(ScalarType::F32, BinaryOp::Add, 0x1p24, 1.0), 0x1p24);
  EXPECT_EQ(apply(ScalarType::F64, BinaryOp::Add, 0x1p24, 1.0), 0x1p24 + 1.0);
  EXPECT_EQ(apply(ScalarType::F32, BinaryOp::Divide, 1.0, 3.0), 1.0f / 3.0f);
  EXPECT_EQ(apply(ScalarType::F32, Builtin::Sqrt, {2.0}), std::sqrt(2.0f));
  EXPECT_EQ(roundTo(ScalarType::F32, 0.1), 0.1f);
  EXPECT_EQ(roundTo(ScalarType::F64, 0.1), 0.1);
}

TEST(Scalar, RemaindersOfWholeNumbersHaveTheSignOfTheDividend) {
  const auto rest = [](int64_t whole, int64_t by) {
    return apply(ScalarType::Int, BinaryOp::Remainder, {.whole = whole}, {.whole = by}).whole;
  };
  EXPECT_EQ(rest(7, 3), 1);
  EXPECT_EQ(rest(-7, 3), -1);
  EXPECT_EQ(rest((int64_t(1) << 53) + 1, 2), 1); // which no f64 is
}

TEST(Scalar, F32Overflows) {
  EXPECT_TRUE(std::isinf(apply(ScalarType::F32, BinaryOp::Multiply, 0x1p100, 0x1p100)));
  EXPECT_EQ(apply(ScalarType::F64, BinaryOp::Multiply, 0x1p100, 0x1p100), 0x1p200);
}

TEST(Scalar, ComparisonsWithNaNFailButNotEqual) {
  for (CompareOp op : {CompareOp::Less, CompareOp::LessEqual, CompareOp::Greater,
                       CompareOp::GreaterEqual, CompareOp::Equal})
    EXPECT_FALSE(apply(op, kNaN, 1.0)) << spelling(op).str();
  EXPECT_TRUE(apply(CompareOp::NotEqual, kNaN, kNaN));
}

TEST(Scalar, TruthValues) {
  EXPECT_EQ(apply(ScalarType::Bool, BinaryOp::And, 1.0, 0.0), 0.0);
  EXPECT_EQ(apply(ScalarType::Bool, BinaryOp::Or, 1.0, 0.0), 1.0);
  EXPECT_EQ(apply(ScalarType::Bool, UnaryOp::Not, 1.0), 0.0);
  EXPECT_EQ(apply(ScalarType::Bool, UnaryOp::Not, 0.0), 1.0);
}

TEST(Scalar, NegationFlipsTheSignOfZero) {
  EXPECT_TRUE(std::signbit(apply(ScalarType::F64, UnaryOp::Negate, 0.0)));
}

} // namespace
