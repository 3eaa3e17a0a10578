// The Reader on loops: their bounds, and what their bodies write.
#include "frontend/lift/ReaderState.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace stencilc::lift {

/// The variable that `i++`, `i += 2`, `i = i - 1` moves, and how far.
static std::optional<std::pair<const clang::Expr *, int64_t>> stepOf(const clang::Expr &given,
                                                                     const ASTContext &context) {
  const clang::Expr &expression = bare(given);
  const auto numberIn = [&](const clang::Expr &part) -> std::optional<int64_t> {
    clang::Expr::EvalResult known;
    if (!part.getType()->isIntegralOrEnumerationType() || !part.EvaluateAsInt(known, context) ||
        known.Val.getInt().getSignificantBits() > 30)
      return std::nullopt;
    return known.Val.getInt().getExtValue();
  };
  if (const auto *operation = dyn_cast<UnaryOperator>(&expression);
      operation && operation->isIncrementDecrementOp())
    return {{operation->getSubExpr(), operation->isIncrementOp() ? 1 : -1}};
  const auto *operation = dyn_cast<BinaryOperator>(&expression);
  if (!operation)
    return std::nullopt;
  const BinaryOperatorKind kind = operation->getOpcode();
  if (kind == BO_AddAssign || kind == BO_SubAssign) {
    const auto size = numberIn(*operation->getRHS());
    return size ? std::optional(std::pair(static_cast<const clang::Expr *>(operation->getLHS()),
                                          kind == BO_AddAssign ? *size : -*size))
                : std::nullopt;
  }
  const auto *change =
      kind == BO_Assign ? dyn_cast<BinaryOperator>(&bare(*operation->getRHS())) : nullptr;
  if (!change || !change->isAdditiveOp())
    return std::nullopt;
  const auto *from = dyn_cast<DeclRefExpr>(&bare(*change->getLHS()));
  const auto *to = dyn_cast<DeclRefExpr>(&bare(*operation->getLHS()));
  const auto size = numberIn(*change->getRHS());
  if (!from || !to || from->getDecl() != to->getDecl() || !size)
    return std::nullopt;
  return {{operation->getLHS(), change->getOpcode() == BO_Add ? *size : -*size}};
}

std::optional<Loop> Reader::boundsOf(const ForStmt &loop, Variable &variable) {
  const SourceLocation where = loop.getForLoc();
  const auto refuseForm = [&] {
    return refuse(
        where, "this loop is not of the form `for (i = first; i < end; i++)`",
        "bounds are sums of numbers and whole params; the variable moves by a fixed step");
  };
  const auto step = loop.getInc() ? stepOf(*loop.getInc(), context) : std::nullopt;
  const auto *test = loop.getCond() ? dyn_cast<BinaryOperator>(&bare(*loop.getCond())) : nullptr;
  if (!step || step->second == 0 || !test || !test->isComparisonOp())
    return refuseForm();
  const auto moved = namedVariable(*step->first);
  if (!moved || !step->first->getType()->isIntegerType())
    return refuseForm();
  variable = *moved;
  const bool isDeclaredHere = isa_and_nonnull<DeclStmt>(loop.getInit());
  if (isDeclaredHere)
    environment.insert_or_assign(variable, Value(Unknown()));

  const clang::Expr *start = nullptr;
  if (const auto *declaration = dyn_cast_or_null<DeclStmt>(loop.getInit())) {
    if (declaration->isSingleDecl())
      if (const auto *declared = dyn_cast<VarDecl>(declaration->getSingleDecl());
          declared && declared == variable.first)
        start = declared->getInit();
  } else if (const auto *assignment = dyn_cast_or_null<BinaryOperator>(loop.getInit());
             assignment && assignment->getOpcode() == BO_Assign) {
    if (namedVariable(*assignment->getLHS()) == variable)
      start = assignment->getRHS();
  }
  if (!start)
    return refuseForm();

  // variable `op` limit
  const auto isVariable = [&](const clang::Expr &side) {
    const clang::Expr &inner = bare(*side.IgnoreParenImpCasts());
    return isa<DeclRefExpr>(inner) && namedVariable(inner) == variable;
  };
  BinaryOperatorKind op = test->getOpcode();
  const clang::Expr *limit = test->getRHS();
  if (!isVariable(*test->getLHS())) {
    if (!isVariable(*test->getRHS()))
      return refuseForm();
    limit = test->getLHS();
    op = BinaryOperator::reverseComparisonOp(op);
  }
  const auto first = whole(*start);
  const auto last = first ? whole(*limit) : std::nullopt;
  if (!last)
    return std::nullopt;

  const bool isDownward = step->second < 0;
  const bool isInclusive = op == BO_LE || op == BO_GE;
  const bool isTowards = isDownward ? op == BO_GT || op == BO_GE : op == BO_LT || op == BO_LE;
  const bool isUnequal = op == BO_NE && std::abs(step->second) == 1;
  if (!isTowards && !isUnequal)
    return refuseForm();
  const auto begin = isDownward ? sum(*last, isInclusive ? 0 : 1) : first;
  const auto end = isDownward ? sum(*first, 1) : sum(*last, isInclusive ? 1 : 0);
  if (!begin || !end)
    return refuseForm();
  SymbolInfo info;
  info.kind = SymbolInfo::Kind::Loop;
  info.name = variable.first->getNameAsString();
  info.where = where;
  Loop result{addSymbol(info), *begin, *end};
  result.isDownward = isDownward;
  result.stride = std::abs(step->second);
  result.where = where;
  return result;
}

// ---- what a body writes

static void forEachPart(const Stmt &statement, llvm::function_ref<void(const Stmt &)> visit) {
  visit(statement);
  for (const Stmt *part : statement.children())
    if (part)
      forEachPart(*part, visit);
}

/// What an assignment or `++` writes to; null for other statements.
static const clang::Expr *writtenBy(const Stmt &statement) {
  if (const auto *operation = dyn_cast<BinaryOperator>(&statement);
      operation && operation->isAssignmentOp())
    return operation->getLHS();
  if (const auto *operation = dyn_cast<UnaryOperator>(&statement);
      operation && operation->isIncrementDecrementOp())
    return operation->getSubExpr();
  return nullptr;
}

static std::optional<Variable> plainVariable(const clang::Expr &expression) {
  const clang::Expr &inner = bare(expression);
  if (const auto *reference = dyn_cast<DeclRefExpr>(&inner))
    return Variable{reference->getDecl(), nullptr};
  if (const auto *member = dyn_cast<MemberExpr>(&inner))
    if (const auto *base = dyn_cast<DeclRefExpr>(&bare(*member->getBase())))
      return Variable{base->getDecl(), member->getMemberDecl()};
  if (const auto *address = dyn_cast<UnaryOperator>(&inner);
      address && address->getOpcode() == UO_AddrOf)
    return plainVariable(*address->getSubExpr());
  return std::nullopt;
}

std::vector<Variable> assignedIn(const Stmt &statement) {
  std::vector<Variable> result;
  llvm::SmallPtrSet<const ValueDecl *, 8> declared;
  const auto add = [&](const std::optional<Variable> &variable) {
    if (variable && !llvm::is_contained(result, *variable))
      result.push_back(*variable);
  };
  forEachPart(statement, [&](const Stmt &part) {
    if (const auto *declaration = dyn_cast<DeclStmt>(&part))
      for (const Decl *decl : declaration->decls())
        if (const auto *value = dyn_cast<ValueDecl>(decl))
          declared.insert(value);
    if (const clang::Expr *target = writtenBy(part))
      add(plainVariable(*target));
    // What a function may write through.
    if (const auto *call = dyn_cast<clang::CallExpr>(&part))
      for (const clang::Expr *argument : call->arguments()) {
        const auto *address = dyn_cast<UnaryOperator>(&bare(*argument));
        const bool isAddress = address && address->getOpcode() == UO_AddrOf;
        if (isAddress || (argument->isGLValue() && !argument->getType().isConstQualified() &&
                          !argument->getType()->isArrayType()))
          add(plainVariable(*argument));
      }
  });
  llvm::erase_if(result,
                 [&](const Variable &variable) { return declared.contains(variable.first); });
  return result;
}

bool isAccumulation(const ForStmt &loop) {
  llvm::SmallPtrSet<const ValueDecl *, 4> variables;
  std::vector<const clang::Expr *> targets;
  bool isPlain = true;
  forEachPart(loop, [&](const Stmt &part) {
    if (const auto *inner = dyn_cast<ForStmt>(&part))
      if (const Stmt *step = inner->getInc())
        if (const clang::Expr *moved = writtenBy(*step))
          if (const auto variable = plainVariable(*moved))
            variables.insert(variable->first);
    if (const clang::Expr *target = writtenBy(part); target && !plainVariable(*target))
      targets.push_back(target);
    if (const auto *call = dyn_cast<clang::CallExpr>(&part); call && call->getType()->isVoidType())
      isPlain = false;
  });
  for (const clang::Expr *target : targets)
    forEachPart(*target, [&](const Stmt &part) {
      if (const auto *reference = dyn_cast<DeclRefExpr>(&part))
        isPlain &= !variables.contains(reference->getDecl());
    });
  return isPlain;
}

} // namespace stencilc::lift
