// ReaderSyntax.h: what can be seen of C's syntax alone, before anything is read.
#pragma once

#include "ir/stencil/Stencil.h"

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

namespace stencilc::lift {

/// A variable, or a member of one.
using Variable = std::pair<const clang::ValueDecl *, const clang::ValueDecl *>;
/// A value that is gathered in a variable: `v += term`.
struct Accumulation {
  Reduction::Op op;
  const clang::Expr *term;
  bool seesNaN = false; ///< what it makes of one is not what `min` and `max` make of it
};

/// Variables that a statement gives a value to, those that it declares left out.
std::vector<Variable> assignedIn(llvm::ArrayRef<const clang::Stmt *> statements);
/// The parts of an expression that write to something: `i--` of `i-- > 0`.
std::vector<const clang::Expr *> changesIn(const clang::Expr &expression);
/// What an assignment or `++` writes to; null for other statements.
const clang::Expr *writtenBy(const clang::Stmt &statement);
/// The variable that an expression is, or the address of; none for others.
std::optional<Variable> plainVariable(const clang::Expr &expression);
void forEachPart(const clang::Stmt &statement, llvm::function_ref<void(const clang::Stmt &)> visit);
std::optional<Accumulation> accumulationOf(const clang::Stmt &statement, const Variable &variable);
/// True if the statements gather values in the variable, and do nothing else to it.
bool isGathered(llvm::ArrayRef<const clang::Stmt *> statements, const Variable &variable);
/// True if the statements give the variable other values by `=` or `^=` alone.
bool isTurnedOver(llvm::ArrayRef<const clang::Stmt *> statements, const Variable &variable);
/// True if the variable chooses points that take turns: `(i + j) % 2 == variable`.
bool choosesPoints(llvm::ArrayRef<const clang::Stmt *> body, const Variable &variable);
bool isAdvanced(llvm::ArrayRef<const clang::Stmt *> statements, const Variable &variable);
/// The element type of std::vector and its like; null for others.
clang::QualType elementOfContainer(clang::QualType type);
/// How many elements a std::array has; none of other containers.
std::optional<int64_t> extentOfContainer(clang::QualType type);
/// True of a container that owns no elements, or hands them on: std::span, std::unique_ptr.
bool isView(clang::QualType type);
/// True of an expression that is memory of its own: `malloc(n)`, `new double[n]`.
bool takesMemory(const clang::Expr &expression);
/// True of what makes a number of a text: `atoi(argv[1])`.
bool readsText(const clang::Expr &expression);
/// True if the last thing that is done is to return or to end the program.
bool endsProgram(const clang::Stmt &statement);
/// A type of what lies in memory: a pointer, an array, a struct.
bool isPlace(clang::QualType type);
bool changesCopy(const clang::FunctionDecl &function, const clang::ParmVarDecl &parameter);
/// An array, or a std::array.
bool isArray(clang::QualType type);
/// An array whose elements the source gives values.
bool isListed(const clang::VarDecl &array);
/// Of `a[i]` the array and the place, of containers too; nulls for others.
std::pair<const clang::Expr *, const clang::Expr *> elementParts(const clang::Expr &expression);
/// A class or struct that is not the library's.
bool isOwnRecord(clang::QualType type);
/// One whose members are all float or double.
bool isStructOfNumbers(clang::QualType type);
/// The parts of `a && b && c`.
std::vector<const clang::Expr *> conjuncts(const clang::Expr &expression);
/// A literal of letters, or a std::string.
bool isText(const clang::Expr &expression);
/// True of a function of the library that takes and gives numbers, `isnan(error)`, and of elements.
bool isOfNumbers(const clang::CallExpr &call);
/// True of what prints, or writes to a file.
bool isPrinting(const clang::CallExpr &call);
/// True of a statement that does so, and sets nothing but variables of its own.
bool isOnlyPrinting(const clang::Stmt &statement);
/// True if the loop only adds terms up: no array is written at a place that one of its own loops
/// moves.
bool isAccumulation(const clang::ForStmt &loop);
/// What stands for an element of a std::vector<bool>.
bool isBitReference(clang::QualType type);
/// What an expression is without parentheses and what only Clang sees; conversions stay.
const clang::Expr &bare(const clang::Expr &expression);

} // namespace stencilc::lift
