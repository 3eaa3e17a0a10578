#include "ir/stencil/Scalar.h"

#include "llvm/Support/ErrorHandling.h"

#include <cassert>
#include <cmath>

namespace stencilc {

llvm::StringRef spelling(ScalarType type) {
  switch (type) {
  case ScalarType::Bool:
    return "bool";
  case ScalarType::Int:
    return "int";
  case ScalarType::F32:
    return "f32";
  case ScalarType::F64:
    return "f64";
  }
  llvm_unreachable("unknown scalar type");
}

llvm::StringRef spelling(UnaryOp op) {
  switch (op) {
  case UnaryOp::Negate:
    return "-";
  case UnaryOp::Not:
    return "!";
  }
  llvm_unreachable("unknown unary operator");
}

llvm::StringRef spelling(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return "+";
  case BinaryOp::Subtract:
    return "-";
  case BinaryOp::Multiply:
    return "*";
  case BinaryOp::Divide:
    return "/";
  case BinaryOp::And:
    return "&&";
  case BinaryOp::Or:
    return "||";
  case BinaryOp::Remainder:
    return "%";
  }
  llvm_unreachable("unknown binary operator");
}

llvm::StringRef spelling(CompareOp op) {
  switch (op) {
  case CompareOp::Less:
    return "<";
  case CompareOp::LessEqual:
    return "<=";
  case CompareOp::Greater:
    return ">";
  case CompareOp::GreaterEqual:
    return ">=";
  case CompareOp::Equal:
    return "==";
  case CompareOp::NotEqual:
    return "!=";
  }
  llvm_unreachable("unknown comparison");
}

bool isFloat(ScalarType type) { return type == ScalarType::F32 || type == ScalarType::F64; }

unsigned sizeInBytes(ScalarType type) {
  assert(isFloat(type) && "arrays hold no other type");
  return type == ScalarType::F32 ? 4 : 8;
}

double roundTo(ScalarType type, double value) {
  return type == ScalarType::F32 ? static_cast<float>(value) : value;
}

double apply([[maybe_unused]] ScalarType type, UnaryOp op, double operand) {
  switch (op) {
  case UnaryOp::Negate:
    assert(type != ScalarType::Bool && "a truth value has no sign");
    return -operand; // exact in either type
  case UnaryOp::Not:
    assert(type == ScalarType::Bool && "`!` is for truth values");
    return operand == 0.0;
  }
  llvm_unreachable("unknown unary operator");
}

// T is float or double, so that C++ itself rounds each result once.
template <class T> static T arithmetic(BinaryOp op, T left, T right) {
  switch (op) {
  case BinaryOp::Add:
    return left + right;
  case BinaryOp::Subtract:
    return left - right;
  case BinaryOp::Multiply:
    return left * right;
  case BinaryOp::Divide:
    return left / right;
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::Remainder:
    break;
  }
  llvm_unreachable("`&&` and `||` are for truth values, `%` for whole numbers");
}

double apply(ScalarType type, BinaryOp op, double left, double right) {
  switch (type) {
  case ScalarType::Bool:
    assert((op == BinaryOp::And || op == BinaryOp::Or) && "no arithmetic on truth values");
    return op == BinaryOp::And ? left != 0.0 && right != 0.0 : left != 0.0 || right != 0.0;
  case ScalarType::Int:
    llvm_unreachable("whole numbers are combined exactly");
  case ScalarType::F32:
    return arithmetic<float>(op, left, right);
  case ScalarType::F64:
    return arithmetic<double>(op, left, right);
  }
  llvm_unreachable("unknown scalar type");
}

template <class T> static bool compare(CompareOp op, T left, T right) {
  switch (op) {
  case CompareOp::Less:
    return left < right;
  case CompareOp::LessEqual:
    return left <= right;
  case CompareOp::Greater:
    return left > right;
  case CompareOp::GreaterEqual:
    return left >= right;
  case CompareOp::Equal:
    return left == right;
  case CompareOp::NotEqual:
    return left != right;
  }
  llvm_unreachable("unknown comparison");
}

bool apply(CompareOp op, double left, double right) { return compare(op, left, right); }

// ---- values of any type -----------------------------------------------------------------------

ScalarValue literalOf(ScalarType type, double value) {
  if (type == ScalarType::Int)
    return {.whole = static_cast<int64_t>(value)};
  return {.number = value};
}

ScalarValue apply(ScalarType type, UnaryOp op, ScalarValue operand) {
  if (type != ScalarType::Int)
    return {.number = apply(type, op, operand.number)};
  assert(op == UnaryOp::Negate && "a whole number is no truth value");
  return apply(type, BinaryOp::Subtract, ScalarValue(), operand);
}

ScalarValue apply(ScalarType type, BinaryOp op, ScalarValue left, ScalarValue right) {
  if (type != ScalarType::Int)
    return {.number = apply(type, op, left.number, right.number)};
  // Unsigned numbers wrap around where signed ones must not overflow.
  const uint64_t a = left.whole, b = right.whole;
  switch (op) {
  case BinaryOp::Add:
    return {.whole = static_cast<int64_t>(a + b)};
  case BinaryOp::Subtract:
    return {.whole = static_cast<int64_t>(a - b)};
  case BinaryOp::Multiply:
    return {.whole = static_cast<int64_t>(a * b)};
  case BinaryOp::Remainder:
    return {.whole = left.whole % right.whole};
  case BinaryOp::Divide:
  case BinaryOp::And:
  case BinaryOp::Or:
    break;
  }
  llvm_unreachable("whole numbers have + - * % alone");
}

bool apply(ScalarType type, CompareOp op, ScalarValue left, ScalarValue right) {
  return type == ScalarType::Int ? compare(op, left.whole, right.whole)
                                 : compare(op, left.number, right.number);
}

ScalarValue convert(ScalarType from, ScalarType to, ScalarValue value) {
  assert(isFloat(to) && "conversions give numbers that arrays can hold");
  if (from != ScalarType::Int)
    return {.number = roundTo(to, value.number)};
  return {.number = to == ScalarType::F32 ? static_cast<float>(value.whole)
                                          : static_cast<double>(value.whole)};
}

} // namespace stencilc
