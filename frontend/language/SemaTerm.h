// Term: an expression with every name resolved and every type known, before it is moved and
// expanded into a Formula.
//
// A term without a type is made of literals, whole numbers and functions of them: it takes the type
// of what it meets, or of the array or param it is stored in.
#pragma once

#include "frontend/language/Rational.h"
#include "ir/stencil/Stencil.h"

#include "llvm/Support/SMLoc.h"

#include <memory>

namespace stencilc {

struct Term;
using TermPtr = std::unique_ptr<Term>;

/// How far an access goes from the point.
struct Move {
  Offset along = {};
  bool isPrevious = false; ///< by `t-1`
  int time = 0;            ///< of an array over time: from the step under way
};

/// A literal, an index of a range, or what is made of them alone.
struct ExactTerm {
  Rational value;
  bool isWhole = false; ///< of literals without point and exponent by `+ - *`
};
struct ParamTerm {
  unsigned param;
};
struct AxisTerm {
  unsigned axis;
};
struct StepTerm {};
struct ReadTerm {
  unsigned array;
  bool isNext;
  Move move;
};
/// Of an array over time.
struct TimeReadTerm {
  unsigned array;
  int offset;
};
struct LetTerm {
  unsigned let;
  Move move;
};
/// A parameter in the body of a function: the argument of the call under way, moved.
struct ArgumentTerm {
  unsigned number;
  std::string name;
  Move move;
};
/// The body of a function, resolved for these arguments.
struct FunctionTerm {
  std::string name;
  std::vector<TermPtr> arguments;
  TermPtr body;
};
struct UnaryTerm {
  UnaryOp op;
  TermPtr operand;
};
struct BinaryTerm {
  BinaryOp op;
  TermPtr left, right;
};
struct CompareTerm {
  CompareOp op;
  std::optional<ScalarType> operandType;
  TermPtr left, right;
};
struct SelectTerm {
  TermPtr condition, then, otherwise;
};
struct CallTerm {
  Builtin function;
  std::vector<TermPtr> operands;
};
/// `f32(e)`, `0.5f`: the operand as a number of the term's type.
struct CastTerm {
  TermPtr operand;
};
/// 1, -1, or the operand itself where it is neither above nor below zero.
struct SignTerm {
  TermPtr operand;
};
/// Terms added left to right, or each taken together with those before it by `min` or `max`.
struct SumTerm {
  std::optional<Builtin> extreme = {}; ///< none: they are added
  std::vector<TermPtr> terms = {};
};
/// centre * operand, then for each axis in turn and each distance d from 1 the weighted sum (or,
/// for an odd derivative, difference) of the operand at -d and +d, added left to right.
struct DifferenceTerm {
  bool isOdd;
  std::vector<unsigned> axes;
  Rational centre;               ///< not used by an odd derivative
  std::vector<Rational> weights; ///< of distance 1, 2, ...
  TermPtr operand;
};

/// What a term takes its value from, lets looked through.
struct Uses {
  bool arrays = false, params = false, positions = false, step = false, overTime = false;
  Uses &operator|=(const Uses &other) {
    arrays |= other.arrays;
    params |= other.params;
    positions |= other.positions;
    step |= other.step;
    overTime |= other.overTime;
    return *this;
  }
};

struct Term {
  using Node = std::variant<ExactTerm, ParamTerm, AxisTerm, StepTerm, ReadTerm, TimeReadTerm,
                            LetTerm, ArgumentTerm, FunctionTerm, UnaryTerm, BinaryTerm, CompareTerm,
                            SelectTerm, CallTerm, CastTerm, SignTerm, SumTerm, DifferenceTerm>;
  Node node;
  std::optional<ScalarType> type; ///< none: that of its partner
  Uses uses;
  unsigned depth; ///< of nesting, through lets
  llvm::SMRange range;
  /// What a truth value is that depends on whole literals and indices of ranges alone.
  std::optional<bool> decided = {};

  bool isBool() const { return type == ScalarType::Bool; }
  /// The literal-only number; null if the term is none, or has a type of its own.
  const ExactTerm *exact() const { return type ? nullptr : std::get_if<ExactTerm>(&node); }
};

/// What a `let` stands for.
struct NamedTerm {
  std::string name;
  TermPtr value; ///< null: it was faulty, and what uses it is too
};

} // namespace stencilc
