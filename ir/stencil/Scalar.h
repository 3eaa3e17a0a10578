// Scalar arithmetic: the one thing that the two interpreters share.
//
// A value of the language is a truth value, a whole number, an f32 or an f64. Every operation on
// numbers of the last two rounds once to its type, as IEEE 754 says and as CUDA's unfused
// instructions do; nothing here fuses or reassociates (the library is built with
// -ffp-contract=off). An f32 travels in a double, which holds it exactly. Whole numbers (positions,
// the step number, `param int`) have 64 bits and wrap around; nothing is stored as one.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace stencilc {

enum class ScalarType { Bool, Int, F32, F64 };

enum class UnaryOp { Negate, Not };
/// Remainder is C's `%`, which has the sign of the dividend; it is of whole numbers alone.
enum class BinaryOp { Add, Subtract, Multiply, Divide, And, Or, Remainder };
enum class CompareOp { Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual };
/// The functions of C's <math.h> on one type of number; min, max and abs are those of the language.
enum class Builtin {
  Min,
  Max,
  Abs,
  Sqrt,
  Exp,
  Log,
  Sin,
  Cos,
  Tanh,
  Pow,
  Floor,
  Tan,
  Asin,
  Acos,
  Atan,
  Atan2,
  Sinh,
  Cosh,
  Asinh,
  Acosh,
  Atanh,
  Exp2,
  Expm1,
  Log2,
  Log10,
  Log1p,
  Cbrt,
  Hypot,
  Erf,
  Erfc,
  Tgamma,
  Lgamma,
  Ceil,
  Round,
  Trunc,
  Rint,
  Fmod,
  Remainder,
  Fdim,
  Copysign,
  Fma
};
inline constexpr unsigned kBuiltins = unsigned(Builtin::Fma) + 1;

/// "bool", "int", "f32", "f64": the language's word for a type.
llvm::StringRef spelling(ScalarType type);
/// The C operator: "-", "!", "+", "&&", "<=", ...
llvm::StringRef spelling(UnaryOp op);
llvm::StringRef spelling(BinaryOp op);
llvm::StringRef spelling(CompareOp op);
/// The language's name of a function: "min", "sqrt", ...
llvm::StringRef spelling(Builtin function);

/// Every function, in the order of the enum.
llvm::ArrayRef<Builtin> allBuiltins();
/// The function that the language calls so.
std::optional<Builtin> findBuiltin(llvm::StringRef name);

/// True for the types that arrays have: f32 and f64.
bool isFloat(ScalarType type);
/// Size in memory, in bytes: 4 or 8. Other types are not stored.
unsigned sizeInBytes(ScalarType type);
/// Number of operands a function takes: 1, 2 or 3.
unsigned arity(Builtin function);
/// True for the functions whose last bits differ between libraries, such as exp, sin and pow.
bool isTranscendental(Builtin function);
/// True for the functions that the language works out exactly of literals alone.
bool isExactOfLiterals(Builtin function);
/// True for the exponents by which the language has no `pow`, but products, a root, or 1 over them.
bool isSimplePower(double exponent);

/// `value` rounded once to `type` (f32: to nearest even, kept in a double).
double roundTo(ScalarType type, double value);

/// Operations on operands of type `type`. Truth values are 0.0 and 1.0.
/// `Min` and `Max` ignore a NaN and put -0 below +0 (IEEE 754-2019 minimumNumber), as CUDA's fmin
/// and fmax do on the device.
double apply(ScalarType type, UnaryOp op, double operand);
double apply(ScalarType type, BinaryOp op, double left, double right);
bool apply(CompareOp op, double left, double right);
double apply(ScalarType type, Builtin function, llvm::ArrayRef<double> operands);

/// Whole numbers up to here, of either sign, are doubles: literals and params of type Int.
constexpr double kMaxWholeNumber = 0x1p53;

/// A value of any type: `whole` of an Int, else `number`.
struct ScalarValue {
  double number = 0;
  int64_t whole = 0;
};
/// The value of type `type` that a literal stands for.
ScalarValue literalOf(ScalarType type, double value);
/// Operations on operands of type `type`, which may be Int: `+ - * %` and comparisons. Nothing is
/// divided by 0 or -1.
ScalarValue apply(ScalarType type, UnaryOp op, ScalarValue operand);
ScalarValue apply(ScalarType type, BinaryOp op, ScalarValue left, ScalarValue right);
bool apply(ScalarType type, CompareOp op, ScalarValue left, ScalarValue right);
/// Conversion to f32 or f64, rounded once.
ScalarValue convert(ScalarType from, ScalarType to, ScalarValue value);

} // namespace stencilc
