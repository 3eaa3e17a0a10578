// ReaderValues.h: what the Reader knows of variables and loops while it runs a function.
#pragma once

#include "frontend/lift/LoopTree.h"
#include "frontend/lift/ReaderSyntax.h"

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

} // namespace stencilc::lift
