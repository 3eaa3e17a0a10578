// Ast: a .stn file as written: the shape of the grammar, no name resolved, nothing checked.
//
// Names and numbers are slices of the source text, which outlives the tree. Parentheses leave no
// trace but the shape of the tree; the printer puts back those it needs.
#pragma once

#include "ir/stencil/Stencil.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/SMLoc.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace stencilc::ast {

/// The place of a slice of the source text.
inline llvm::SMRange rangeOf(llvm::StringRef text) {
  return {llvm::SMLoc::getFromPointer(text.begin()), llvm::SMLoc::getFromPointer(text.end())};
}

struct Name {
  llvm::StringRef text;
  llvm::SMRange range() const { return rangeOf(text); }
};

/// A whole number with its place.
struct Integer {
  int value;
  llvm::SMRange range;
};

// ---- expressions ------------------------------------------------------------------------------

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct Number {
  llvm::StringRef text;  ///< without the suffix
  bool isSingle = false; ///< `0.5f`
};
/// `+2`, `-i`, `+2*i`.
struct Step {
  bool isNegative;
  int factor = 1;
  std::optional<Name> index = {}; ///< of a range around: the factor is one of it
};
/// One entry of an access's brackets: `x+2`, `x-i`, `x+2*i-1`, `x`, `t-1`.
struct Shift {
  Name axis;
  std::vector<Step> steps; ///< none: as `+0`
  llvm::SMRange range;
  /// Of all steps, where no index takes part.
  std::optional<int64_t> amount() const;
};
/// `u`, `u'`, `u[x+1]`; also params, lets and axes.
struct Access {
  Name name;
  bool isNext = false;
  std::vector<Shift> shifts;
};
struct Unary {
  UnaryOp op;
  ExprPtr operand;
};
struct Binary {
  std::variant<BinaryOp, CompareOp> op;
  llvm::SMRange opRange;
  ExprPtr left, right;
};
/// `order=8`, `i=-1:1`.
struct Option {
  Name name;
  Integer first;
  std::optional<Integer> last;
};
using Argument = std::variant<ExprPtr, Option>;
struct Call {
  Name function;
  std::vector<Argument> arguments;
};

struct Expr {
  using Node = std::variant<Number, Access, Unary, Binary, Call>;
  Node node;
  llvm::SMRange range; ///< with the parentheses round it, if any
  unsigned depth;      ///< of the tree below, a leaf having 1
};

// ---- items ------------------------------------------------------------------------------------

enum class TypeWord { F32, F64, Real, Int };

/// Arrays that a step makes.
struct FieldDecl {
  ArrayKind kind; ///< `Field` or `Temp`
  TypeWord type;
  std::vector<Name> names;
};
struct ArrayDecl {
  Name name;
  std::vector<Name> axes; ///< empty: all axes of the stencil; `t` alone: a value a step
};
struct ConstDecl {
  TypeWord type;
  std::vector<ArrayDecl> arrays;
};
struct ParamDecl {
  Name name;
  ExprPtr defaultValue; ///< null: none
};
struct ParamsDecl {
  TypeWord type;
  std::vector<ParamDecl> params;
};
/// `periodic`, `y- value(T0)`, `symmetric(-1)`.
struct BoundaryClause {
  std::optional<Name> axis; ///< none: every side not named
  char side = 0;            ///< '-', '+', or 0 for both
  BoundaryKind kind;        ///< not `None`
  ExprPtr value;            ///< of `value`, or the factor of a mirror, if one is given
  llvm::SMRange range;      ///< of axis and side, or of the kind
};
struct BoundaryDecl {
  llvm::SMRange keyword;
  std::vector<Name> arrays; ///< empty: all other arrays
  std::vector<BoundaryClause> clauses;
};
struct LetDecl {
  Name name;
  std::vector<Name> parameters; ///< of a function; empty: none
  ExprPtr value;
};
struct InitDecl {
  Name array;
  bool isPrevious; ///< `init u[t-1]`
  ExprPtr value;
};
/// `3`, `-2`, `n`, `n-1`.
struct Bound {
  std::optional<Name> param;
  bool isFromEnd = false; ///< of a number: a `-` stands before it
  int offset = 0;         ///< never negative without a param
};
/// `x[2:-2]`, `y[0]`, `z[n:]`.
struct SliceOf {
  Name axis;
  bool isPoint = false; ///< `from` alone
  std::optional<Bound> from, to;
};
using Region = std::vector<SliceOf>;
struct UpdateDecl {
  Name field;
  Region region; ///< empty: the whole grid
  ExprPtr value;
  llvm::StringRef text; ///< of the whole assignment, without the `;`
};
struct ReduceDecl {
  Reduction::Op op;
  Name name;
  Region region;
  ExprPtr value;
  llvm::StringRef text;
};
struct StageDecl {
  llvm::SMRange keyword;
  std::vector<std::variant<LetDecl, UpdateDecl>> items;
};

using Item = std::variant<FieldDecl, ConstDecl, ParamsDecl, BoundaryDecl, LetDecl, InitDecl,
                          UpdateDecl, StageDecl, ReduceDecl>;

/// What the items that could not be read were about: their faults are reported, and what misses
/// them is no further fault.
struct FaultyItems {
  std::vector<llvm::StringRef> declared; ///< every name of a declaration, a let or a reduction
  std::vector<llvm::StringRef> made;     ///< by updates
  bool hasBoundary = false;
};

struct File {
  Name name;
  std::vector<Name> axes;
  std::vector<Item> items;
  FaultyItems faulty;
};

/// The language's word: "f32", "f64", "real", "int".
llvm::StringRef spelling(TypeWord type);
/// The C operator of a Binary.
llvm::StringRef spelling(const std::variant<BinaryOp, CompareOp> &op);

/// C precedence: 1 for `||` up to 6 for `*` and `/`; all associate to the left.
unsigned precedence(const std::variant<BinaryOp, CompareOp> &op);

/// Prints a .stn text that parses to the same tree.
void print(llvm::raw_ostream &out, const File &file);

} // namespace stencilc::ast
