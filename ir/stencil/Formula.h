// Formula: a value at a point, as a straight-line list of operations.
//
// A formula holds each distinct value once (structurally equal values share one Expr), in an order
// where operands come before their users. Whoever walks a formula goes through that list; nothing
// recurses from users to operands, so the depth of a formula costs no stack.
#pragma once

#include "ir/stencil/Scalar.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace stencilc {

constexpr unsigned kMaxRank = 3;

/// One integer per axis of the stencil, slowest first; entries from rank() on are 0.
using Offset = std::array<int, kMaxRank>;

/// Number of an Expr in its Formula.
using ExprId = unsigned;

/// Which state of an array is read: `u`, `u[t-1]` or `u'`. A temp has `Next` alone.
enum class TimeLevel { Current, Previous, Next };

struct Literal {
  double value; ///< already rounded to the Expr's type
  /// By bits: -0 and +0 are two values.
  bool operator==(const Literal &other) const {
    return std::bit_cast<uint64_t>(value) == std::bit_cast<uint64_t>(other.value);
  }
};
struct ParamValue {
  unsigned param;
  bool operator==(const ParamValue &) const = default;
};
/// The index of the point along an axis: an Int, and in `init` a number of the Expr's type.
struct AxisValue {
  unsigned axis;
  bool operator==(const AxisValue &) const = default;
};
/// The number of steps completed before the one under way, an Int.
struct StepValue {
  bool operator==(const StepValue &) const = default;
};
/// A read of an array relative to the point. Offsets on axes the array lacks are 0.
struct Read {
  unsigned array;
  TimeLevel level;
  Offset offset;
  bool operator==(const Read &) const = default;
};
/// The value of an array over time for the step under way, or `offset` steps from it.
struct TimeRead {
  unsigned array;
  int offset;
  bool operator==(const TimeRead &) const = default;
};
struct UnaryExpr {
  UnaryOp op;
  ExprId operand;
  bool operator==(const UnaryExpr &) const = default;
};
struct BinaryExpr {
  BinaryOp op;
  ExprId left, right;
  bool operator==(const BinaryExpr &) const = default;
};
struct CompareExpr {
  CompareOp op;
  ExprId left, right;
  bool operator==(const CompareExpr &) const = default;
};
/// `where(condition, then, otherwise)`. Both sides are evaluated.
struct SelectExpr {
  ExprId condition, then, otherwise;
  bool operator==(const SelectExpr &) const = default;
};
struct CallExpr {
  Builtin function;
  llvm::SmallVector<ExprId, 2> operands;
  bool operator==(const CallExpr &) const = default;
};
/// Conversion between f32 and f64, or of an Int to one of them; it rounds once.
struct CastExpr {
  ExprId operand;
  bool operator==(const CastExpr &) const = default;
};

struct Expr {
  using Node = std::variant<Literal, ParamValue, AxisValue, StepValue, Read, TimeRead, UnaryExpr,
                            BinaryExpr, CompareExpr, SelectExpr, CallExpr, CastExpr>;
  ScalarType type;
  Node node;
  /// The `let` this value stands for ("lap"), empty for an unnamed value. A hint for names in the
  /// output; two Exprs that differ only in it are the same value.
  std::string name;
  /// How far that `let` was moved, so that `lap[x+1]` can be named after where it is.
  Offset shift = {};
};

/// A value: operands before users, no two Exprs equal in type and node. What copies, moves and
/// destroys it is compiled once, in Formula.cpp.
struct Formula {
  Formula();
  Formula(const Formula &);
  Formula(Formula &&) noexcept;
  Formula &operator=(const Formula &);
  Formula &operator=(Formula &&) noexcept;
  ~Formula();

  std::vector<Expr> exprs; ///< appended to by add() alone
  ExprId result = 0;
  /// What add() finds equal Exprs with: their numbers by hash of type and node.
  std::unordered_multimap<size_t, ExprId> numbers = {};

  bool empty() const { return exprs.empty(); }
  /// Adds the Expr, or finds the equal one; keeps the first name given.
  ExprId add(ScalarType type, Expr::Node node);
  /// Adds what the result of `part` is made of, with its names where they are new, and gives the
  /// number of that result here.
  ExprId merge(const Formula &part) { return merge(part, part.result); }
  /// The same of any of its values.
  ExprId merge(const Formula &part, ExprId value);
  const Expr &operator[](ExprId id) const { return exprs[id]; }
};

/// The operands of a node, in order.
llvm::SmallVector<ExprId, 3> operands(const Expr::Node &node);

/// The node with each operand replaced by its number in another formula.
Expr::Node withOperands(Expr::Node node, llvm::ArrayRef<ExprId> numbers);

/// What the leaves of a formula are worth, and then all values in order: the result's. The leaves
/// are literals (which `leaf` is not asked for), params, positions, the step number and reads.
ScalarValue evaluate(const Formula &formula, llvm::function_ref<ScalarValue(const Expr &)> leaf);

/// True if both formulas give the same value by the same operations, whatever the order of their
/// Exprs and the names of values.
bool isSameValue(const Formula &left, const Formula &right);

} // namespace stencilc
