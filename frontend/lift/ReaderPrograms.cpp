// The Reader on `main`: what a program reads, and what it fills its arrays with before the loops.
#include "frontend/lift/LoopWork.h"
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
  if (result)
    noteSettings();
  return result;
}

void Reader::noteSettings() {
  const std::string note = "what the program sets outside of its loop over time is left to whoever "
                           "runs the stencil";
  if (!llvm::is_contained(tree.assumptions, note))
    tree.assumptions.push_back(note);
}

// ---- what is not understood

static void addLoopsOverTime(const Stmt &statement, std::vector<const Stmt *> &loops) {
  if (const auto *block = dyn_cast<CompoundStmt>(&statement))
    for (const Stmt *part : block->body())
      addLoopsOverTime(*part, loops);
  else if (isLoop(statement) && (isOverTime(statement) || !repeatedBy(statement).empty()))
    loops.push_back(&statement);
}

/// The variables that loops of the statement count with.
static std::vector<Variable> countersIn(const Stmt &statement) {
  std::vector<Variable> result;
  forEachPart(statement, [&](const Stmt &part) {
    const auto *loop = dyn_cast<ForStmt>(&part);
    const auto *start = loop && loop->getInit() ? dyn_cast<clang::Expr>(loop->getInit()) : nullptr;
    const clang::Expr *target = start ? writtenBy(bare(*start)) : nullptr;
    if (const auto variable = target ? plainVariable(*target) : std::nullopt)
      result.push_back(*variable);
  });
  return result;
}

/// With what functions set that are called, of globals.
static std::vector<Variable> changedBy(const Stmt &statement, unsigned depth = 0) {
  constexpr unsigned kMostCalls = 6;
  std::vector<Variable> result = assignedIn(&statement);
  forEachPart(statement, [&](const Stmt &part) {
    const auto *call = dyn_cast<clang::CallExpr>(&part);
    const FunctionDecl *function = call ? call->getDirectCallee() : nullptr;
    if (!function || !function->hasBody(function) || depth > kMostCalls)
      return;
    for (const Variable &variable : changedBy(*function->getBody(), depth + 1))
      if (const auto *global = dyn_cast<VarDecl>(variable.first);
          global && global->hasGlobalStorage())
        result.push_back(variable);
  });
  return result;
}

/// A number, or memory of numbers.
static bool isGivable(QualType type) {
  while (type->isPointerType() || type->isArrayType())
    type = type->isPointerType() ? type->getPointeeType()
                                 : QualType(type->getPointeeOrArrayElementType(), 0);
  return type->isArithmeticType();
}

bool Reader::isUnderstood(const Stmt &statement) const {
  const Refusals::Trial trial(refusals);
  Reader copy(*this);
  copy.mayLeaveOut = false;
  return copy.run(statement);
}

bool Reader::isLeftOut(const Stmt &statement) {
  if (!mayLeaveOut || callers.size() > 1 || !loops.empty() || !conditions.empty() ||
      isa<CompoundStmt, NullStmt, ReturnStmt>(statement))
    return false;
  std::vector<const Stmt *> steps;
  addLoopsOverTime(*callers[0]->getBody(), steps);
  if (steps.size() != 1 || steps[0] == &statement)
    return false;
  // What is made of a number that was left out is that number still.
  const auto *expression = dyn_cast<clang::Expr>(&statement);
  const auto *set = expression ? dyn_cast<BinaryOperator>(&bare(*expression)) : nullptr;
  const std::vector<Variable> counters = countersIn(statement);
  const bool isStill = llvm::any_of(assignedIn(&statement), [&](const Variable &variable) {
    const auto *declared = dyn_cast<VarDecl>(variable.first);
    bool isMadeOf = !set || set->getOpcode() != BO_Assign;
    if (set)
      forEachPart(*set->getRHS(), [&](const Stmt &part) {
        const auto *named = dyn_cast<clang::Expr>(&part);
        isMadeOf |= named && plainVariable(*named) == variable;
      });
    return declared && given.contains(declared) && isMadeOf &&
           !llvm::is_contained(counters, variable);
  });
  return (isStill || !isUnderstood(statement)) && leaveOut(statement);
}

/// The numbers that the statement sets, and memory that it takes, are given from here on. False of
/// one that changes other things.
bool Reader::leaveOut(const Stmt &statement) {
  std::vector<Variable> changed = changedBy(statement);
  if (const auto *declaration = dyn_cast<DeclStmt>(&statement))
    for (const Decl *declared : declaration->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declared))
        changed.push_back({variable, nullptr});
  const std::vector<Variable> counters = countersIn(statement);
  for (const auto &[variable, member] : changed)
    if (!isGivable((member ? member : variable)->getType().getNonReferenceType()))
      return false;
  for (const Variable &variable : changed) {
    environment.erase(variable);
    if (llvm::is_contained(counters, variable))
      environment.insert_or_assign(variable, Value(Unknown()));
    else if (const auto *declared = dyn_cast<VarDecl>(variable.first); declared && !variable.second)
      given.insert(declared);
  }
  noteSettings();
  return true;
}

} // namespace stencilc::lift
