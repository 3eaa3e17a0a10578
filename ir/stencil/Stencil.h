// Stencil: what is to be computed, with every name resolved and every type known.
//
// It is what Sema makes of a .stn file and what the StencilInterpreter runs: the meaning of the
// language. Nothing here knows of threads, blocks or buffers. All axes, arrays and params are
// numbered in the order of their declaration; axis 0 is the slowest, axis rank()-1 is contiguous.
//
// `let`s are gone: a formula holds each distinct value once (structurally equal values share one
// Expr), in an order where operands come before their users. `sum`, `laplace`, `diff` and `diff2`
// are expanded to plain reads. Literal-only subexpressions are folded exactly and rounded once.
#pragma once

#include "ir/stencil/Scalar.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace stencilc {

constexpr unsigned kMaxRank = 3;

/// One integer per axis of the stencil, slowest first; entries from rank() on are 0.
using Offset = std::array<int, kMaxRank>;
/// Lower (`Low`, the `-` side of the language) and upper (`High`, `+`) end of an axis.
enum Side : unsigned { Low, High };

/// Position in the source text, counted from 1; line 0 means "none".
struct SourcePosition {
  unsigned line = 0, column = 0;
};

// ---- formulas ---------------------------------------------------------------------------------

/// Number of an Expr in its Formula.
using ExprId = unsigned;

/// Which state of a field is read: `u`, `u[t-1]` or `u'`.
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
/// The index of the point along an axis, as a number of the Expr's type; only in `init` formulas.
struct AxisValue {
  unsigned axis;
  bool operator==(const AxisValue &) const = default;
};
/// A read of an array relative to the point. Offsets on axes the array lacks are 0.
struct Read {
  unsigned array;
  TimeLevel level;
  Offset offset;
  bool operator==(const Read &) const = default;
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
/// Conversion between f32 and f64.
struct CastExpr {
  ExprId operand;
  bool operator==(const CastExpr &) const = default;
};

struct Expr {
  using Node = std::variant<Literal, ParamValue, AxisValue, Read, UnaryExpr, BinaryExpr,
                            CompareExpr, SelectExpr, CallExpr, CastExpr>;
  ScalarType type;
  Node node;
  /// The `let` this value stands for ("lap"), empty for an unnamed value. A hint for names in the
  /// output; two Exprs that differ only in it are the same value.
  std::string name;
  /// How far that `let` was moved, so that `lap[x+1]` can be named after where it is.
  Offset shift = {};
};

/// A value as a straight-line list: operands before users, no two Exprs equal in type and node.
struct Formula {
  std::vector<Expr> exprs; ///< appended to by add() alone
  ExprId result = 0;
  /// What add() finds equal Exprs with: their numbers by hash of type and node.
  std::unordered_multimap<size_t, ExprId> numbers = {};

  bool empty() const { return exprs.empty(); }
  /// Adds the Expr, or finds the equal one; keeps the first name given.
  ExprId add(ScalarType type, Expr::Node node);
  const Expr &operator[](ExprId id) const { return exprs[id]; }
};

/// The operands of a node, in order.
llvm::SmallVector<ExprId, 3> operands(const Expr::Node &node);

// ---- declarations -----------------------------------------------------------------------------

enum class BoundaryKind { None, Fixed, Halo, Clamp, Periodic, Value };

struct Boundary {
  BoundaryKind kind = BoundaryKind::None;
  Formula value; ///< `Value` only: literals and params, in the array's type
};

/// A field is advanced by every step, a const array is read only.
enum class ArrayKind { Field, Const };
/// "field", "const".
llvm::StringRef spelling(ArrayKind kind);

struct Array {
  std::string name;
  ArrayKind kind = ArrayKind::Field;
  ScalarType type = ScalarType::F64;
  llvm::SmallVector<unsigned, 3> axes; ///< the stencil's axes this array has, slowest first
  std::array<std::array<Boundary, 2>, kMaxRank> boundary; ///< [axis][side]
  Formula init;         ///< starting values; empty: none were given
  Formula initPrevious; ///< of `u[t-1]`; empty: `u[t-1]` starts as `u`
  SourcePosition position;

  bool hasAxis(unsigned axis) const;
};

struct Param {
  std::string name;
  ScalarType type = ScalarType::F64;
  std::optional<double> defaultValue;
  SourcePosition position;
};

/// `array' = formula`.
struct Update {
  unsigned array;
  Formula formula;  ///< of the array's type
  std::string text; ///< the assignment as written, blanks made single, without the `;`
  SourcePosition position;
};

struct Stage {
  std::vector<Update> updates;
};

struct Stencil {
  std::string name;
  std::string file;              ///< base name of the source, for banners
  std::vector<std::string> axes; ///< slowest first
  std::vector<Array> arrays;
  std::vector<Param> params;
  std::vector<Stage> stages; ///< one when the source has no `stage`

  unsigned rank() const { return axes.size(); }
};

/// The `--emit=stencil` text: declarations, boundaries, each formula one value a line, then the
/// derived facts of ir/stencil/StencilFacts.h.
void print(llvm::raw_ostream &out, const Stencil &stencil);

} // namespace stencilc
