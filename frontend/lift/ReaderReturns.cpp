// The Reader on blocks, which a `return` under a condition may leave early.
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

bool Reader::runBlock(llvm::ArrayRef<const Stmt *> parts) {
  const bool isCalled = callers.size() > 1 && loops.size() == outerLoops &&
                        !callers.back()->getReturnType()->isVoidType() &&
                        !callers.back()->getReturnType()->isReferenceType();
  for (const auto &[number, part] : llvm::enumerate(parts)) {
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
  if (!second || !join(&*value, test, then, otherwise))
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
