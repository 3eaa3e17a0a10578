// Term: an expression with every name resolved and every type known, before it is moved and
// expanded into a Formula.
//
// A term without a type is made of literals and functions of them: it takes the type of what it
// meets, or of the array or param it is stored in.
#pragma once

#include "frontend/language/Rational.h"
#include "ir/stencil/Stencil.h"

#include "llvm/Support/SMLoc.h"

#include <memory>

namespace stencilc {

struct Term;
using TermPtr = std::unique_ptr<Term>;

/// How far an access goes from the point; along an axis by a number, or by an index of a sum.
struct Move {
  struct Along {
    int constant = 0;
    std::optional<unsigned> index; ///< counted from the outermost enclosing sum of the formula
    int factor = 1;                ///< of the index: 1 or -1
  };
  std::array<Along, kMaxRank> along;
  bool isPrevious = false; ///< by `t-1`
};

/// A literal-only subexpression, or a literal.
struct ExactTerm {
  Rational value;
};
struct ParamTerm {
  unsigned param;
};
struct AxisTerm {
  unsigned axis;
};
struct ReadTerm {
  unsigned array;
  bool isNext;
  Move move;
};
struct LetTerm {
  unsigned let;
  Move move;
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
/// Terms for all values of the indices, the first outermost, added left to right.
struct SumTerm {
  struct Range {
    int first, last;
  };
  std::vector<Range> indices;
  TermPtr term;
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
  bool arrays = false, params = false;
  Uses &operator|=(const Uses &other) {
    arrays |= other.arrays;
    params |= other.params;
    return *this;
  }
};

struct Term {
  using Node = std::variant<ExactTerm, ParamTerm, AxisTerm, ReadTerm, LetTerm, UnaryTerm,
                            BinaryTerm, CompareTerm, SelectTerm, CallTerm, SumTerm, DifferenceTerm>;
  Node node;
  std::optional<ScalarType> type; ///< none: that of its partner
  Uses uses;
  unsigned depth; ///< of nesting, through lets
  llvm::SMRange range;

  bool isBool() const { return type == ScalarType::Bool; }
};

/// What a `let` stands for.
struct NamedTerm {
  std::string name;
  TermPtr value; ///< null: it was faulty, and what uses it is too
};

} // namespace stencilc
