// The Reader on `main`: what a program reads, and what it fills its arrays with before the loops.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// True of what makes a number of a text, such as an argument of the program.
bool readsText(const clang::Expr &given) {
  if (const auto *choice = dyn_cast<ConditionalOperator>(given.IgnoreParenCasts()))
    return readsText(*choice->getTrueExpr()) || readsText(*choice->getFalseExpr());
  const auto *called = dyn_cast<clang::CallExpr>(given.IgnoreParenCasts());
  const FunctionDecl *function = called ? called->getDirectCallee() : nullptr;
  const StringRef name = function && function->getIdentifier() ? function->getName() : "";
  return name == "atoi" || name == "atol" || name == "atoll" || name == "strtol" ||
         name == "strtoll" || name == "atof" || name == "strtod";
}

std::optional<Value> Reader::saidByUser(const Variable &variable) {
  const QualType type = variable.first->getType();
  const bool isWhole = type->isIntegralOrEnumerationType();
  if (!tree.isProgram || !loops.empty() || variable.second ||
      !(isWhole || type->isRealFloatingType()))
    return std::nullopt;
  const auto scalar = isWhole ? ScalarType::Int : scalarType(type, variable.first->getLocation());
  if (!scalar)
    return std::nullopt;
  SymbolInfo info;
  info.name = nameOf(variable);
  info.type = *scalar;
  info.where = variable.first->getLocation();
  const Symbol symbol = addSymbol(info);
  return isWhole ? Value(Polynomial::of(symbol)) : Value(leaf(*scalar, ParamValue{symbol}));
}

/// Gives numbers which nobody knows before a run.
static bool isInput(const Stmt &part) {
  const auto *called = dyn_cast<clang::CallExpr>(&part);
  const FunctionDecl *function = called ? called->getDirectCallee() : nullptr;
  const StringRef name = function && function->getIdentifier() ? function->getName() : "";
  return llvm::is_contained({"rand", "random", "drand48", "scanf", "fscanf", "fread"}, name);
}

/// Sets elements of arrays and local variables, and reads no element, not even in a function.
static bool onlySetsElements(const Stmt &loop) {
  bool result = true;
  unsigned elements = 0, targets = 0;
  forEachPart(loop, [&](const Stmt &part) {
    const clang::Expr *target = writtenBy(part);
    targets += target && isa<ArraySubscriptExpr>(bare(*target));
    result &= !target || target->getType()->isArithmeticType();
    const auto *subscript = dyn_cast<ArraySubscriptExpr>(&part);
    elements += subscript && subscript->getType()->isArithmeticType();
    const auto *operation = dyn_cast<BinaryOperator>(&part);
    result &= !operation || !operation->isCompoundAssignmentOp() ||
              isa<DeclRefExpr>(bare(*operation->getLHS()));
    if (const auto *called = dyn_cast<clang::CallExpr>(&part))
      result &= !isa<CXXOperatorCallExpr>(called) && called->getDirectCallee() &&
                llvm::all_of(called->arguments(), [](const clang::Expr *argument) {
                  return argument->getType()->isArithmeticType();
                });
    const auto *dereference = dyn_cast<UnaryOperator>(&part);
    result &= !dereference || dereference->getOpcode() != UO_Deref;
  });
  return result && targets > 0 && elements == targets;
}

/// True of a loop of the program itself that fills arrays: with numbers which nobody knows before a
/// run, or with any before all other loops. What it leaves behind is left to whoever runs the
/// stencil.
bool Reader::isFilling(const Stmt &loop) {
  if (!tree.isProgram || callers.size() > 1 || !loops.empty())
    return false;
  bool result = tree.assignments.empty() && tree.reductions.empty() && onlySetsElements(loop) &&
                !setsNeighbours(loop);
  forEachPart(loop, [&](const Stmt &part) { result |= isInput(part); });
  for (const Variable &variable : result ? assignedIn(&loop) : std::vector<Variable>())
    environment.insert_or_assign(variable, Value(Unknown()));
  const std::string note = "what the program sets outside of its loop over time is left to whoever "
                           "runs the stencil";
  if (result && !llvm::is_contained(tree.assumptions, note))
    tree.assumptions.push_back(note);
  return result;
}

} // namespace stencilc::lift
