#include "frontend/lift/LoopWork.h"

#include "frontend/lift/ReaderSyntax.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace stencilc::lift {

using Variables = llvm::SmallPtrSet<const ValueDecl *, 8>;

// ---- functions that are handed a body

static bool isBody(QualType type) {
  type = type.getNonReferenceType();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return type->isFunctionPointerType() ||
         (record &&
          (record->isLambda() || (record->isInStdNamespace() && record->getName() == "function")));
}

static bool hasLoops(const Stmt &body) {
  bool result = false;
  forEachPart(body, [&](const Stmt &part) { result |= isa<ForStmt, WhileStmt, DoStmt>(part); });
  return result;
}

bool takesLoopBody(const FunctionDecl &function) {
  return llvm::any_of(function.parameters(),
                      [](const ParmVarDecl *parameter) { return isBody(parameter->getType()); });
}

static const FunctionDecl *calledBy(const Stmt &statement) {
  const auto *call = dyn_cast<clang::CallExpr>(&statement);
  const FunctionDecl *function = call ? call->getDirectCallee() : nullptr;
  return function && function->hasBody(function) ? function : nullptr;
}

bool handsLoopBody(const Stmt &statement) {
  const FunctionDecl *function = calledBy(statement);
  return function && takesLoopBody(*function) && hasLoops(*function->getBody());
}

bool isLoop(const Stmt &statement) {
  return isa<ForStmt, WhileStmt, DoStmt>(statement) || handsLoopBody(statement);
}

// ---- elements of arrays

static bool isElement(const clang::Expr &given) {
  const clang::Expr &expression = bare(given);
  if (const auto *member = dyn_cast<MemberExpr>(&expression))
    return isElement(*member->getBase());
  if (const auto *dereference = dyn_cast<UnaryOperator>(&expression))
    return dereference->getOpcode() == UO_Deref &&
           !isa<CXXThisExpr>(bare(*dereference->getSubExpr()));
  if (const auto *call = dyn_cast<CXXMemberCallExpr>(&expression)) {
    const CXXMethodDecl *method = call->getMethodDecl();
    return method && method->getIdentifier() && method->getName() == "at";
  }
  const auto *call = dyn_cast<CXXOperatorCallExpr>(&expression);
  return isa<ArraySubscriptExpr>(expression) ||
         (call && (call->getOperator() == OO_Subscript ||
                   (call->getOperator() == OO_Call && call->isGLValue())));
}

namespace {
struct Elements {
  std::vector<const clang::Expr *> read, written;
};
} // namespace

static void collect(const Stmt &statement, Elements &elements, unsigned depth = 0) {
  const auto *call = dyn_cast<CXXOperatorCallExpr>(&statement);
  const clang::Expr *target =
      call && call->isAssignmentOp() ? call->getArg(0) : writtenBy(statement);
  if (target && isElement(*target)) {
    elements.written.push_back(target);
    const auto *set = dyn_cast<BinaryOperator>(&statement);
    if (set ? set->isCompoundAssignmentOp() : !call)
      elements.read.push_back(target);
    if (set || call)
      collect(set ? *set->getRHS() : *call->getArg(1), elements, depth);
    return;
  }
  const auto *expression = dyn_cast<clang::Expr>(&statement);
  if (expression && isElement(*expression))
    return void(elements.read.push_back(expression));
  // What a function does that is called, not too deeply.
  const FunctionDecl *function = depth < 4 ? calledBy(statement) : nullptr;
  if (function && !handsLoopBody(statement)) {
    Elements inner;
    collect(*function->getBody(), inner, depth + 1);
    if (!inner.read.empty())
      elements.read.push_back(expression);
    if (!inner.written.empty())
      elements.written.push_back(expression);
  }
  for (const Stmt *part : statement.children())
    if (part)
      collect(*part, elements, depth);
}

bool computes(const Stmt &loop) {
  Elements elements;
  collect(loop, elements);
  return !elements.read.empty() && !elements.written.empty();
}

// ---- what moves in a loop

/// True if the expression names such a variable. What the number of a turn chooses by a remainder
/// is a level of an array.
static bool namesAny(const Stmt &statement, const Variables &variables) {
  if (const auto *operation = dyn_cast<BinaryOperator>(&statement);
      operation && (operation->getOpcode() == BO_Rem || operation->getOpcode() == BO_And))
    return false;
  if (const auto *reference = dyn_cast<DeclRefExpr>(&statement))
    return variables.contains(reference->getDecl());
  return llvm::any_of(statement.children(),
                      [&](const Stmt *part) { return part && namesAny(*part, variables); });
}

/// With what is made of the variables in the statement.
static Variables withMade(Variables variables, const Stmt &statement) {
  const auto add = [&](const ValueDecl &variable, const clang::Expr &value) {
    if (!variable.getType()->isRealFloatingType() && namesAny(value, variables))
      variables.insert(&variable);
  };
  for (size_t before = 0; before != variables.size();) {
    before = variables.size();
    forEachPart(statement, [&](const Stmt &part) {
      if (const auto *declaration = dyn_cast<DeclStmt>(&part))
        for (const Decl *declared : declaration->decls())
          if (const auto *variable = dyn_cast<VarDecl>(declared); variable && variable->getInit())
            add(*variable, *variable->getInit());
      if (const auto *set = dyn_cast<BinaryOperator>(&part); set && set->isAssignmentOp())
        if (const auto variable = plainVariable(*set->getLHS()))
          add(*variable->first, *set->getRHS());
    });
  }
  return variables;
}

static void addStepped(const Stmt &statement, Variables &variables) {
  if (isa<ForStmt, WhileStmt, DoStmt>(statement))
    return;
  const auto *set = dyn_cast<BinaryOperator>(&statement);
  if (const clang::Expr *target = writtenBy(statement);
      target && (!set || set->getOpcode() != BO_Assign))
    if (const auto variable = plainVariable(*target))
      variables.insert(variable->first);
  for (const Stmt *part : statement.children())
    if (part)
      addStepped(*part, variables);
}

/// The variables that another turn has moved.
static Variables movedBy(const Stmt &loop) {
  Variables variables;
  if (const auto *counted = dyn_cast<ForStmt>(&loop)) {
    if (const auto *start = dyn_cast_or_null<DeclStmt>(counted->getInit()))
      for (const Decl *declared : start->decls())
        if (const auto *variable = dyn_cast<VarDecl>(declared))
          variables.insert(variable);
    if (counted->getInc())
      addStepped(*counted->getInc(), variables);
    if (variables.empty())
      addStepped(*counted->getBody(), variables);
  } else if (const auto *call = dyn_cast<clang::CallExpr>(&loop))
    forEachPart(*call, [&](const Stmt &part) {
      if (const auto *lambda = dyn_cast<LambdaExpr>(&part))
        for (const ParmVarDecl *parameter : lambda->getCallOperator()->parameters())
          variables.insert(parameter);
    });
  else
    for (const Stmt *part : loop.children())
      if (part)
        addStepped(*part, variables);
  return withMade(std::move(variables), loop);
}

/// The array that an element is one of, where a variable names it; null for others.
static const ValueDecl *arrayOf(const Stmt &element) {
  if (const auto *reference = dyn_cast<DeclRefExpr>(&element))
    return isa<FunctionDecl>(reference->getDecl()) ? nullptr : reference->getDecl();
  for (const Stmt *part : element.children())
    if (const ValueDecl *array = part ? arrayOf(*part) : nullptr)
      return array;
  return nullptr;
}

static Variables declaredIn(const Stmt &loop) {
  Variables result;
  forEachPart(loop, [&](const Stmt &part) {
    if (const auto *declaration = dyn_cast<DeclStmt>(&part))
      for (const Decl *declared : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(declared);
            variable && !variable->getType()->isPointerType())
          result.insert(variable);
  });
  return result;
}

bool isOverTime(const Stmt &loop) {
  if (handsLoopBody(loop))
    return false;
  const Variables own = declaredIn(loop); // such as what a point needs
  const Variables moved = movedBy(loop);
  bool result = false;
  forEachPart(loop, [&](const Stmt &inner) {
    if (&inner == &loop || !isLoop(inner) || result)
      return;
    Elements elements;
    collect(inner, elements);
    const Variables innerMoved = movedBy(inner);
    const auto isMoved = [&](const clang::Expr *element) { return namesAny(*element, innerMoved); };
    const auto isFixed = [&](const clang::Expr *element) {
      return !isMoved(element) || !namesAny(*element, moved);
    };
    llvm::erase_if(elements.written,
                   [&](const clang::Expr *element) { return own.contains(arrayOf(*element)); });
    result |= llvm::any_of(elements.written, isMoved) && llvm::any_of(elements.read, isMoved) &&
              llvm::all_of(elements.written, isFixed) && llvm::all_of(elements.read, isFixed);
  });
  return result;
}

/// True if the parameter says which elements the function names.
static bool choosesElements(const FunctionDecl &function, const ParmVarDecl &parameter) {
  Variables made;
  made.insert(&parameter);
  made = withMade(std::move(made), *function.getBody());
  Elements elements;
  collect(*function.getBody(), elements);
  const auto isNamed = [&](const clang::Expr *element) { return namesAny(*element, made); };
  return llvm::any_of(elements.written, isNamed) || llvm::any_of(elements.read, isNamed);
}

/// True if it computes, in loops of its own or in those of functions that it calls.
static bool computesInLoops(const FunctionDecl &function, unsigned depth) {
  bool result = false;
  forEachPart(*function.getBody(), [&](const Stmt &part) {
    if (result)
      return;
    const FunctionDecl *called = calledBy(part);
    result = (isLoop(part) && computes(part)) ||
             (called && depth < 4 && computesInLoops(*called, depth + 1));
  });
  return result;
}

std::vector<const FunctionDecl *> repeatedBy(const Stmt &loop) {
  const Variables moved = movedBy(loop);
  std::vector<const FunctionDecl *> result;
  forEachPart(loop, [&](const Stmt &part) {
    const FunctionDecl *function = calledBy(part);
    if (!function || handsLoopBody(part) || !computesInLoops(*function, 0))
      return;
    const auto *call = cast<clang::CallExpr>(&part);
    for (unsigned number = 0; number < call->getNumArgs(); ++number) {
      const clang::Expr &argument = *call->getArg(number);
      if (argument.getType()->isRealFloatingType() || !namesAny(argument, moved))
        continue;
      const ParmVarDecl *parameter =
          number < function->getNumParams() ? function->getParamDecl(number) : nullptr;
      if (!parameter || !argument.getType()->isIntegralOrEnumerationType() ||
          choosesElements(*function, *parameter))
        return;
    }
    result.push_back(function);
  });
  return result;
}

} // namespace stencilc::lift
