// The Reader on numbers over all points: sums, largest and smallest values, and what hangs on them.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

static bool isVariable(const clang::Expr &expression, const Variable &variable) {
  return plainVariable(*expression.IgnoreParenImpCasts()) == variable;
}

/// Of `v = std::max(v, term)`, whose term is kept until the end of the statement: the assignment.
static const Stmt &withoutCleanups(const Stmt &statement) {
  const auto *whole = dyn_cast<ExprWithCleanups>(&statement);
  return whole ? *whole->getSubExpr() : statement;
}

/// `fmax(v, term)`, `v > term ? v : term` and their like.
static std::optional<Accumulation> extremumOf(const clang::Expr &value, const Variable &variable) {
  using Op = Reduction::Op;
  if (const auto *call = dyn_cast<clang::CallExpr>(&value); call && call->getNumArgs() == 2) {
    const FunctionDecl *function = call->getDirectCallee();
    const StringRef name = function && function->getIdentifier() ? function->getName() : "";
    const bool isLargest = name == "fmax" || name == "fmaxf" || name == "max";
    if (!isLargest && name != "fmin" && name != "fminf" && name != "min")
      return std::nullopt;
    const bool isFirst = isVariable(*call->getArg(0), variable);
    if (!isFirst && !isVariable(*call->getArg(1), variable))
      return std::nullopt;
    return Accumulation{isLargest ? Op::Max : Op::Min, call->getArg(isFirst ? 1 : 0),
                        name == "max" || name == "min"};
  }
  const auto *choice = dyn_cast<ConditionalOperator>(&value);
  const auto *test =
      choice ? dyn_cast<BinaryOperator>(choice->getCond()->IgnoreParenImpCasts()) : nullptr;
  if (!test || !test->isRelationalOp())
    return std::nullopt;
  const bool isKept = isVariable(*choice->getTrueExpr(), variable);
  if (isKept == isVariable(*choice->getFalseExpr(), variable))
    return std::nullopt;
  const bool isLeft = isVariable(*test->getLHS(), variable);
  if (!isLeft && !isVariable(*test->getRHS(), variable))
    return std::nullopt;
  const bool isGreater = test->getOpcode() == BO_GT || test->getOpcode() == BO_GE;
  // `v > term ? v : term`: what is larger is kept.
  const bool isLargest = (isGreater == isLeft) == isKept;
  return Accumulation{isLargest ? Op::Max : Op::Min,
                      isKept ? choice->getFalseExpr() : choice->getTrueExpr(), true};
}

std::optional<Accumulation> accumulationOf(const Stmt &statement, const Variable &variable) {
  using Op = Reduction::Op;
  if (const auto *choice = dyn_cast<IfStmt>(&statement)) {
    // `if (term > v) v = term;`
    const Stmt *then = choice->getThen();
    if (const auto *block = dyn_cast<CompoundStmt>(then); block && block->size() == 1)
      then = block->body_front();
    const auto *set = dyn_cast<BinaryOperator>(then);
    const auto *test = dyn_cast<BinaryOperator>(choice->getCond()->IgnoreParenImpCasts());
    if (choice->getElse() || !set || set->getOpcode() != BO_Assign || !test ||
        !test->isRelationalOp() || !isVariable(*set->getLHS(), variable))
      return std::nullopt;
    const bool isLeft = isVariable(*test->getLHS(), variable);
    if (!isLeft && !isVariable(*test->getRHS(), variable))
      return std::nullopt;
    const bool isLess = test->getOpcode() == BO_LT || test->getOpcode() == BO_LE;
    return Accumulation{isLess == isLeft ? Op::Max : Op::Min, set->getRHS()};
  }
  const auto *set = dyn_cast<BinaryOperator>(&withoutCleanups(statement));
  if (!set || !set->isAssignmentOp() || !isVariable(*set->getLHS(), variable))
    return std::nullopt;
  if (set->getOpcode() == BO_AddAssign)
    return Accumulation{Op::Sum, set->getRHS()};
  if (set->getOpcode() != BO_Assign)
    return std::nullopt;
  const clang::Expr &value = *set->getRHS()->IgnoreParenImpCasts();
  if (const auto *added = dyn_cast<BinaryOperator>(&value); added && added->getOpcode() == BO_Add) {
    if (isVariable(*added->getLHS(), variable))
      return Accumulation{Op::Sum, added->getRHS()};
    if (isVariable(*added->getRHS(), variable))
      return Accumulation{Op::Sum, added->getLHS()};
  }
  return extremumOf(value, variable);
}

/// True if the statement does nothing to the variable but gather values in it.
static bool onlyGathers(const Stmt &statement, const Variable &variable, bool &gathers) {
  if (accumulationOf(statement, variable))
    return gathers = true;
  if (const clang::Expr *target = writtenBy(statement);
      target && plainVariable(*target) == variable)
    return false;
  return llvm::all_of(statement.children(), [&](const Stmt *part) {
    return !part || onlyGathers(*part, variable, gathers);
  });
}

bool isGathered(llvm::ArrayRef<const Stmt *> statements, const Variable &variable) {
  bool gathers = false;
  return llvm::all_of(
             statements,
             [&](const Stmt *statement) { return onlyGathers(*statement, variable, gathers); }) &&
         gathers;
}

bool Reader::isReduced(const Variable &variable) const {
  const auto known = environment.find(variable);
  return known != environment.end() && std::holds_alternative<Reduced>(known->second);
}

bool Reader::namesReduced(const Stmt &statement) const {
  bool result = false;
  forEachPart(statement, [&](const Stmt &part) {
    if (const auto *expression = dyn_cast<clang::Expr>(&part))
      if (const auto variable = plainVariable(*expression))
        result |= isReduced(*variable);
  });
  return result;
}

static bool hasLoops(const FunctionDecl *called) {
  bool result = false;
  if (called && called->hasBody() && called->getReturnType()->isRealFloatingType())
    forEachPart(*called->getBody(), [&](const Stmt &part) { result |= isa<ForStmt>(part); });
  return result;
}

std::optional<bool> Reader::runReduction(const Stmt &statement) {
  // `v = ...`, or that under a condition.
  const Stmt *set = &statement;
  if (const auto *choice = dyn_cast<IfStmt>(set)) {
    set = choice->getThen();
    if (const auto *block = dyn_cast<CompoundStmt>(set); block && block->size() == 1)
      set = block->body_front();
  }
  const clang::Expr *target = writtenBy(withoutCleanups(*set));
  const auto variable = target ? plainVariable(*target) : std::nullopt;
  if (variable && isReduced(*variable))
    if (const auto found = accumulationOf(statement, *variable)) {
      if (!isAlwaysDone())
        return false;
      const auto value = number(*found->term);
      if (!value)
        return false;
      const auto type = scalarType(target->getType(), statement.getBeginLoc());
      if (!type)
        return false;
      const Start &start = starts[*variable];
      tree.reductions.push_back({variable->first->getNameAsString(), found->op, loops, guards,
                                 !conditions.empty(), *value, unsigned(tree.assignments.size()),
                                 statement.getBeginLoc(), *type, start.value, start.outside,
                                 found->seesNaN});
      return true;
    }
  if (const auto *choice = dyn_cast<IfStmt>(&statement)) {
    if ((!namesReduced(*choice->getCond()) && !givesUpTurns(*choice)) || !endsOrPrints(*choice))
      return std::nullopt;
    if (tree.endings.empty() && outermost && outermost->test)
      tree.endings.push_back({outermost->test->getSourceRange(), countedTurns(), true});
    endTurns(*choice->getCond(), "0");
    return true;
  }
  const auto *operation = dyn_cast<BinaryOperator>(&statement);
  // A function that gathers it in loops of its own.
  const auto *called = operation && operation->getOpcode() == BO_Assign && conditions.empty()
                           ? dyn_cast<clang::CallExpr>(&bare(*operation->getRHS()))
                           : nullptr;
  if (called && variable && !variable->second && hasLoops(called->getDirectCallee()) &&
      context.hasSameType(called->getType(), operation->getLHS()->getType())) {
    const auto value = call(*called);
    if (value && !std::holds_alternative<Reduced>(*value) &&
        !std::holds_alternative<Formula>(*value))
      return refuse(called->getExprLoc(), "`" + textOf(*called) + "` gives no number"), false;
    if (value)
      environment.insert_or_assign(*variable, *value);
    return value.has_value();
  }
  // What is made of it is known after a run only, as it is itself.
  if (!operation || !operation->isAssignmentOp() || !namesReduced(*operation->getRHS()) ||
      !operation->getLHS()->getType()->isRealFloatingType())
    return std::nullopt;
  const bool isPointed = isa<UnaryOperator>(bare(*operation->getLHS()));
  if (isPointed && operation->getOpcode() == BO_Assign)
    noteResult(*operation->getRHS(), textOf(*operation->getLHS()));
  if (!variable || isPointed)
    return isPointed ? std::optional(true) : std::nullopt;
  environment.insert_or_assign(*variable, Value(Reduced{true}));
  return true;
}

void Reader::noteResult(const clang::Expr &value, const std::string &place) {
  const auto variable = plainVariable(*value.IgnoreParenImpCasts());
  if (!variable || !isReduced(*variable) || std::get<Reduced>(environment[*variable]).isMade)
    return;
  for (Gathered &gathered : tree.reductions)
    if (gathered.name == variable->first->getNameAsString())
      gathered.result = place;
}

// ---- leaving

/// `if (++turns > most) break;` in a loop over time that the data ends, too.
bool Reader::givesUpTurns(const IfStmt &choice) const {
  const Stmt *last = choice.getThen();
  if (const auto *block = dyn_cast<CompoundStmt>(last); block && !block->body_empty())
    last = block->body_back();
  bool isCount = loops.size() == 1 && !tree.endsWhen.empty() && !choice.getElse() &&
                 (isa<BreakStmt>(last) || endsProgram(*last));
  forEachPart(*choice.getCond(), [&](const Stmt &part) {
    const auto *expression = dyn_cast<clang::Expr>(&part);
    isCount &= !expression || (expression->getType()->isIntegralOrEnumerationType() &&
                               !isa<clang::CallExpr>(part) && !elementParts(*expression).first);
  });
  return isCount;
}

bool Reader::endsOrPrints(const IfStmt &choice) const {
  bool does = false;
  forEachPart(choice, [&](const Stmt &part) {
    const clang::Expr *target = writtenBy(part);
    does |= target && !plainVariable(*target);
    if (const auto *call = dyn_cast<clang::CallExpr>(&part))
      does |= !isPrinting(*call) && !endsProgram(*call) && !isOfNumbers(*call);
  });
  return !does;
}

} // namespace stencilc::lift
