// Scalar arithmetic: the one thing that the two interpreters share.
//
// A value of the language is a truth value, an f32 or an f64. Every operation rounds once to its
// type, as IEEE 754 says and as CUDA's unfused instructions do; nothing here fuses or reassociates
// (the library is built with -ffp-contract=off). An f32 travels in a double, which holds it
// exactly.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace stencilc {

enum class ScalarType { Bool, F32, F64 };

enum class UnaryOp { Negate, Not };
enum class BinaryOp { Add, Subtract, Multiply, Divide, And, Or };
enum class CompareOp { Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual };
enum class Builtin { Min, Max, Abs, Sqrt, Exp, Log, Sin, Cos, Tanh, Pow, Floor };

/// "bool", "f32", "f64": the language's word for a type.
llvm::StringRef spelling(ScalarType type);
/// The C operator: "-", "!", "+", "&&", "<=", ...
llvm::StringRef spelling(UnaryOp op);
llvm::StringRef spelling(BinaryOp op);
llvm::StringRef spelling(CompareOp op);
/// The language's name of a function: "min", "sqrt", ...
llvm::StringRef spelling(Builtin function);

/// Size in memory, in bytes: 4 or 8. Truth values have none.
unsigned sizeInBytes(ScalarType type);
/// Number of operands a function takes: 1 or 2.
unsigned arity(Builtin function);
/// True for the functions whose last bits differ between libraries: exp log sin cos tanh pow.
bool isTranscendental(Builtin function);

/// `value` rounded once to `type` (f32: to nearest even, kept in a double).
double roundTo(ScalarType type, double value);

/// Operations on operands of type `type`. Truth values are 0.0 and 1.0.
/// `Min` and `Max` ignore a NaN and put -0 below +0 (IEEE 754-2019 minimumNumber), as CUDA's fmin
/// and fmax do on the device.
double apply(ScalarType type, UnaryOp op, double operand);
double apply(ScalarType type, BinaryOp op, double left, double right);
bool apply(CompareOp op, double left, double right);
double apply(ScalarType type, Builtin function, llvm::ArrayRef<double> operands);

} // namespace stencilc
