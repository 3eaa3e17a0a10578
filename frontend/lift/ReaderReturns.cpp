// The Reader on blocks and bodies of loops, which a `return` or `continue` under a condition may
// leave early.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// True if all that a statement does ends in a `return`.
static bool returns(const Stmt &statement) {
  if (const auto *block = dyn_cast<CompoundStmt>(&statement))
    return !block->body_empty() && returns(*block->body_back());
  const auto *choice = dyn_cast<IfStmt>(&statement);
  return isa<ReturnStmt>(statement) || (choice && choice->getElse() &&
                                        returns(*choice->getThen()) && returns(*choice->getElse()));
}

/// What is done before the block is left, of `if (condition) { ...; continue; }`; none of others.
template <class Leave>
static std::optional<std::vector<const Stmt *>> doneBefore(const Stmt &statement) {
  const auto *choice = dyn_cast<IfStmt>(&statement);
  if (!choice || choice->getInit() || choice->getConditionVariable())
    return std::nullopt;
  std::vector<const Stmt *> parts = {choice->getThen()};
  if (const auto *block = dyn_cast<CompoundStmt>(choice->getThen()))
    parts.assign(block->body_begin(), block->body_end());
  const auto *leave = parts.empty() ? nullptr : dyn_cast<Leave>(parts.back());
  if (!leave || !leave->children().empty())
    return std::nullopt;
  parts.pop_back();
  return parts;
}

bool Reader::runBody(llvm::ArrayRef<const Stmt *> statements) {
  for (const auto &[number, given] : llvm::enumerate(statements)) {
    const Stmt *statement = withoutSwitch(*given);
    if (!statement)
      return false;
    if (const auto instead = doneBefore<ContinueStmt>(*statement))
      return runLeaving(cast<IfStmt>(*statement), *instead, statements.drop_front(number + 1),
                        true);
    if (!run(*statement))
      return false;
  }
  return true;
}

bool Reader::runLeaving(const IfStmt &leaving, llvm::ArrayRef<const Stmt *> instead,
                        llvm::ArrayRef<const Stmt *> rest, bool isBody) {
  const clang::Expr &test = *leaving.getCond();
  std::vector<const Stmt *> others(rest.begin(), rest.end());
  if (leaving.getElse())
    others.insert(others.begin(), leaving.getElse());
  const auto runThen = [&] {
    return llvm::all_of(instead, [&](const Stmt *part) { return run(*part); });
  };
  const auto runElse = [&] { return isBody ? runBody(others) : runBlock(others); };
  if (const auto known = knownCondition(test))
    return *known ? runThen() : runElse();
  // What variables hold behind a function, or in the next one of few turns, hangs on it, too.
  const auto isSeenBehind = [&](const Variable &variable) {
    const auto *declared = dyn_cast<VarDecl>(variable.first);
    const bool isOfFunction = declared && declared->hasLocalStorage() && !variable.second &&
                              !declared->getType()->isReferenceType();
    return isBody ? isOneOfFew : !isOfFunction;
  };
  bool isSeen = llvm::any_of(assignedIn(others), isSeenBehind);
  for (const Stmt *part : others)
    forEachPart(*part, [&](const Stmt &inner) {
      const clang::Expr *target = writtenBy(inner);
      const auto *pointed = target ? dyn_cast<UnaryOperator>(&bare(*target)) : nullptr;
      isSeen |= pointed && pointed->getOpcode() == UO_Deref && namedVariable(*pointed);
    });
  if (!instead.empty() || isSeen) {
    std::vector<const Stmt *> all = others;
    llvm::append_range(all, instead);
    return runChoice(test, all, runThen, runElse);
  }
  // What follows is done where the condition does not hold.
  const Supposed supposed(*this);
  if (const auto limits = guardsAgainst(test); limits && areBounds(*limits)) {
    suppose(test, false);
    const size_t before = guards.size();
    guards.insert(guards.end(), limits->begin(), limits->end());
    const bool isRead = runElse();
    guards.resize(before);
    return isRead;
  }
  const auto isSkipped = condition(test);
  const auto holds = isSkipped ? unary(UnaryOp::Not, *isSkipped) : std::nullopt;
  if (!holds)
    return false;
  suppose(test, false);
  conditions.push_back(*holds);
  const bool isRead = runElse();
  conditions.pop_back();
  return isRead;
}

bool endsProgram(const Stmt &statement) {
  const Stmt *last = &statement;
  if (const auto *block = dyn_cast<CompoundStmt>(last); block && !block->body_empty())
    last = block->body_back();
  if (const auto *whole = dyn_cast<ExprWithCleanups>(last))
    last = whole->getSubExpr();
  const auto *called = dyn_cast<clang::CallExpr>(last);
  const FunctionDecl *function = called ? called->getDirectCallee() : nullptr;
  const StringRef name = function && function->getIdentifier() ? function->getName() : "";
  return isa<ReturnStmt, CXXThrowExpr>(last) || name == "exit" || name == "abort";
}

bool Reader::givesUp(const IfStmt &choice) {
  const clang::Expr &test = *choice.getCond();
  if (tree.isProgram || callers.size() > 1 || !loops.empty() || choice.getElse() ||
      !tree.assignments.empty() || !tree.reductions.empty() || !endsProgram(*choice.getThen()) ||
      knownCondition(test))
    return false;
  bool isPlain = true, isOfArguments = true;
  forEachPart(test, [&](const Stmt &part) {
    const auto *step = dyn_cast<UnaryOperator>(&part);
    // What arrays hold is not known before a run.
    isPlain &= !isa<ArraySubscriptExpr, CXXOperatorCallExpr>(part) &&
               !(step && step->getOpcode() == UO_Deref);
    const auto *call = dyn_cast<clang::CallExpr>(&part);
    const auto *member = dyn_cast_or_null<CXXMemberCallExpr>(call);
    const auto *method = member ? member->getMethodDecl() : nullptr;
    isPlain &= (!call || (method && method->isConst())) && !writtenBy(part);
    const auto *reference = dyn_cast<DeclRefExpr>(&part);
    isOfArguments &= (!reference || isa<ParmVarDecl>(reference->getDecl())) && !call &&
                     !part.getBeginLoc().isMacroID();
  });
  if (!isPlain)
    return false;
  const std::string text = textOf(test);
  tree.assumptions.push_back("`" + text + "` does not hold: then the function does nothing");
  tree.givesUpWhen.push_back({text, isOfArguments});
  return true;
}

bool Reader::runBlock(llvm::ArrayRef<const Stmt *> parts) {
  const bool isCalled = callers.size() > 1 && loops.size() == outerLoops &&
                        !callers.back()->getReturnType()->isVoidType() &&
                        !callers.back()->getReturnType()->isReferenceType();
  // The function's own block: what leaves one within leaves those around, too.
  const auto *whole = dyn_cast_or_null<CompoundStmt>(callers.back()->getBody());
  const bool isWhole = callers.size() > 1 && loops.size() == outerLoops && whole &&
                       callers.back()->getReturnType()->isVoidType() && !parts.empty() &&
                       !whole->body_empty() && parts.back() == whole->body_back();
  for (const auto &[number, given] : llvm::enumerate(parts)) {
    const Stmt *part = withoutSwitch(*given);
    if (!part)
      return false;
    if (const auto instead = isWhole ? doneBefore<ReturnStmt>(*part) : std::nullopt)
      return runLeaving(cast<IfStmt>(*part), *instead, parts.drop_front(number + 1), false);
    const auto *choice = dyn_cast<IfStmt>(part);
    if (choice && isCalled && !hasReturned && returns(*choice->getThen()))
      return runReturning(*choice, parts.drop_front(number + 1));
    if (!run(*part))
      return false;
  }
  return true;
}

bool Reader::runReturning(const IfStmt &choice, llvm::ArrayRef<const Stmt *> rest) {
  const SourceLocation where = choice.getIfLoc();
  if (choice.getInit() || choice.getConditionVariable())
    return refuse(where, "a declaration stands in the condition"), false;
  const clang::Expr &test = *choice.getCond();
  std::vector<const Stmt *> others(rest.begin(), rest.end());
  if (choice.getElse())
    others = returns(*choice.getElse()) ? std::vector{choice.getElse()} : others;
  if (choice.getElse() && !returns(*choice.getElse()))
    others.insert(others.begin(), choice.getElse());
  if (const auto known = knownCondition(test))
    return *known ? run(*choice.getThen()) : runBlock(others);
  const auto value = condition(test);
  const auto opposite = value ? unary(UnaryOp::Not, *value) : std::nullopt;
  if (!opposite)
    return false;
  std::vector<const Stmt *> all = others;
  all.push_back(choice.getThen());
  for (const Variable &variable : assignedIn(all))
    if (!environment.count(variable) && !makeValue(variable, where))
      return false;
  const auto valueIn = [&](llvm::ArrayRef<const Stmt *> parts, const Formula &holds,
                           bool isTrue) -> std::optional<Value> {
    const Supposed supposed(*this);
    suppose(test, isTrue);
    conditions.push_back(holds);
    const size_t outside = std::exchange(outerConditions, conditions.size());
    const bool isRead = runBlock(parts);
    outerConditions = outside;
    conditions.pop_back();
    hasReturned = false;
    auto result = std::exchange(returned, std::nullopt);
    if (isRead && !result)
      return refuse(where, "a `return` under a condition",
                    "write the choice as `condition ? a : b`");
    return isRead ? result : std::nullopt;
  };
  const Environment before = environment;
  const auto first = valueIn({choice.getThen()}, *value, true);
  if (!first)
    return false;
  const Environment then = std::exchange(environment, before);
  environment.insert(then.begin(), then.end());
  const auto second = valueIn(others, *opposite, false);
  const Environment otherwise = environment;
  if (!second || !join(&*value, &test, then, otherwise, test.getExprLoc()))
    return false;
  const auto *left = std::get_if<Formula>(&*first), *right = std::get_if<Formula>(&*second);
  const auto *place = std::get_if<Polynomial>(&*first);
  const auto *other = std::get_if<Polynomial>(&*second);
  if (isSame(*first, *second))
    returned = *first;
  else if (left && right)
    returned = select(*value, *left, *right);
  else if (const auto kept =
               place && other ? this->choice(test, *place, *other, test) : std::nullopt)
    returned = *kept;
  else if (auto chosen = datumChosen(*value, *first, *second))
    returned = std::move(*chosen);
  else
    return refuse(where, "a `return` under a condition", "write the choice as `condition ? a : b`"),
           false;
  hasReturned = true;
  return true;
}

bool Reader::keepsPosition(const IfStmt &statement) {
  const Stmt *taken = statement.getThen();
  if (const auto *block = dyn_cast<CompoundStmt>(taken); block && block->size() == 1)
    taken = block->body_front();
  const auto *set = dyn_cast<BinaryOperator>(taken);
  const auto variable = set && set->getOpcode() == BO_Assign && !statement.getElse()
                            ? plainVariable(*set->getLHS())
                            : std::nullopt;
  const auto known = variable ? environment.find(*variable) : environment.end();
  const auto *old = known == environment.end() ? nullptr : std::get_if<Polynomial>(&known->second);
  if (!old)
    return false;
  const Refusals::Trial trial(refusals);
  const auto place = whole(*set->getRHS());
  const auto kept =
      place ? choice(*statement.getCond(), *place, *old, *statement.getCond()) : std::nullopt;
  if (kept)
    known->second = *kept;
  return kept.has_value();
}

} // namespace stencilc::lift
