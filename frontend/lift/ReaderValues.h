// ReaderValues.h: what variables hold while a function is read, and the parts of its loops.
#pragma once

#include "frontend/lift/LoopTree.h"
#include "frontend/lift/ReaderSyntax.h"

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

#include <variant>

namespace stencilc::lift {

/// Memory that an expression names: a buffer, some of its subscripts.
struct Place {
  unsigned buffer;
  std::vector<Polynomial> subscripts;
  /// It is a pointer to elements, so that the next subscript counts from the last one.
  bool isOpen = false;
  bool isByTurn = false; ///< the number of the turn chooses it; `buffer` is that of the first one
  bool operator==(const Place &) const = default;
};
/// A value from an earlier turn of a loop, or none at all.
struct Unknown {
  bool operator==(const Unknown &) const = default;
};
/// A number over all points, or one made of such.
struct Reduced {
  bool isMade = false; ///< of others: a root, a mean
  bool operator==(const Reduced &) const = default;
};
/// A function object whose body is there.
struct Callable {
  const clang::FunctionDecl *function;
  bool operator==(const Callable &) const = default;
};
/// The address of a variable, or a C++ reference to it.
struct Reference {
  Variable variable;
  bool operator==(const Reference &) const = default;
};
using Value = std::variant<Unknown, Reduced, Polynomial, Formula, Place, Callable, Reference>;

/// A `for`, `while` or `do`, without the statement that moves its variable.
struct LoopParts {
  clang::SourceLocation where;
  const clang::Stmt *start = nullptr;
  const clang::Expr *test = nullptr;
  const clang::Expr *step = nullptr; ///< none where nothing counts
  bool isStepFirst = false;          ///< the first turn comes after a step
  bool isTestLast = false;           ///< the first turn comes before the test
  std::vector<const clang::Stmt *> body;
};
/// What a number over all points is gathered from, how many loops begin it anew, and in which.
struct Start {
  std::optional<Formula> value;
  unsigned outside = 0, loop = 0;
};
/// Why nothing is known of a variable: it was not set, or by a turn before, or by a loop before.
enum class Lost { Unset, Carried, Left };
/// `for (k = max(i - 1, 0); k <= min(i + 1, n - 1); k++)`: from one place to before another, but
/// not below or above those that no loop moves.
struct Window {
  Polynomial from, to;
  std::optional<Polynomial> least, end;
  int64_t turns;
  Symbol variable; ///< of the loop around that moves it
};
struct Limited {
  Polynomial inner;
  std::optional<Polynomial> limit;
};
/// A variable that each turn moves as far, and what it holds after the loop.
struct Advance {
  Variable variable;
  Value after;
};
/// An array of numbers that are known, row by row.
struct Table {
  std::vector<Formula> values; ///< empty ones have not been set yet
  bool isSet = false;          ///< by the function, before its loops over points
};
using Environment = std::map<Variable, Value>;
/// What the elements of an array of whole numbers were set to.
struct Neighbours {
  const clang::Expr *value;                               ///< in a loop
  Variable variable;                                      ///< of that loop
  Environment environment;                                ///< there
  std::vector<std::pair<Polynomial, Polynomial>> instead; ///< afterwards: where, and to what
};
/// The same whole number, place or function; of formulas, the same value by the same operations.
bool isSame(const Value &left, const Value &right);

} // namespace stencilc::lift
