// The Reader on `switch`: as the choices between its cases that it is, one after the other.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

namespace {
/// The statements behind one or several labels.
struct Group {
  std::vector<const CaseStmt *> cases;
  bool isDefault = false;
  std::vector<const Stmt *> done;

  bool isLeaving() const {
    return !done.empty() && isa<BreakStmt, ContinueStmt, ReturnStmt>(done.back());
  }
};
} // namespace

/// Blocks at the end of a case are taken apart: `case 1: { ...; break; }`.
static void addDone(Group &group, const Stmt &statement) {
  const auto *block = dyn_cast<CompoundStmt>(&statement);
  if (!block)
    return group.done.push_back(&statement);
  for (const Stmt *part : block->body())
    addDone(group, *part);
}

static std::vector<Group> groupsOf(const CompoundStmt &body) {
  std::vector<Group> groups;
  bool isLabelled = false; // by what stands just before
  for (const Stmt *statement : body.body()) {
    while (const auto *label = dyn_cast<SwitchCase>(statement)) {
      if (!isLabelled)
        groups.emplace_back();
      isLabelled = true;
      if (const auto *one = dyn_cast<CaseStmt>(label))
        groups.back().cases.push_back(one);
      else
        groups.back().isDefault = true;
      statement = label->getSubStmt();
    }
    isLabelled = false;
    if (groups.empty())
      groups.emplace_back(); // before all labels: nothing comes here
    addDone(groups.back(), *statement);
  }
  return groups;
}

/// True of a `break` that leaves the switch, which loops and switches within do not let through.
static bool breaks(const Stmt &statement) {
  if (isa<BreakStmt>(statement))
    return true;
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(statement))
    return false;
  return llvm::any_of(statement.children(), [](const Stmt *part) { return part && breaks(*part); });
}

const Stmt *Reader::withoutSwitch(const Stmt &statement) {
  const auto *several = dyn_cast<SwitchStmt>(&statement);
  return several ? asChoices(*several) : &statement;
}

const Stmt *Reader::asChoices(const SwitchStmt &statement) {
  const SourceLocation where = statement.getSwitchLoc();
  if (const auto known = choices.find(&statement); known != choices.end())
    return known->second;
  const auto refused = [&](SourceLocation place, const llvm::Twine &seen,
                           const llvm::Twine &wayOut) -> const Stmt * {
    refuse(place, seen, wayOut);
    return nullptr;
  };
  const clang::Expr &tested = *statement.getCond();
  const auto *body = dyn_cast<CompoundStmt>(statement.getBody());
  if (!body || statement.getInit() || statement.getConditionVariable() ||
      !changesIn(tested).empty())
    return refused(where, "a `switch` that is not plain",
                   "write `switch (number) { case 0: ...; break; }`");
  std::vector<Group> groups = groupsOf(*body);
  for (Group &group : groups) {
    if (group.cases.empty() && !group.isDefault)
      return refused(group.done[0]->getBeginLoc(), "a statement stands before all cases",
                     "leave it out, it is never done");
    if (!group.isLeaving() && &group != &groups.back())
      return refused(group.done.empty() ? where : group.done.back()->getBeginLoc(),
                     "a case goes on into the next one", "end each case with `break`");
    if (!group.done.empty() && isa<BreakStmt>(group.done.back()))
      group.done.pop_back();
    for (const Stmt *part : group.done)
      if (breaks(*part))
        return refused(part->getBeginLoc(), "a `break` in the middle of a case",
                       "write `if` and `else` within the case, and `break` at its end");
    for (const CaseStmt *one : group.cases)
      if (one->getRHS())
        return refused(one->getCaseLoc(), "a case of several numbers", "name each number");
  }
  // At most one of them is done, so that those that skip the rest can come first.
  std::stable_partition(groups.begin(), groups.end(),
                        [](const Group &group) { return !group.isDefault && group.isLeaving(); });
  const auto blockOf = [&](const Group &group) -> Stmt * {
    std::vector<Stmt *> parts;
    for (const Stmt *part : group.done)
      parts.push_back(const_cast<Stmt *>(part));
    return CompoundStmt::Create(context, parts, {}, where, where);
  };
  const auto joined = [&](BinaryOperatorKind op, clang::Expr *left, clang::Expr *right) {
    return BinaryOperator::Create(context, left, right, op,
                                  context.getLangOpts().CPlusPlus ? context.BoolTy : context.IntTy,
                                  VK_PRValue, OK_Ordinary, tested.getExprLoc(), {});
  };
  Stmt *rest = nullptr;
  for (const Group &group : groups)
    if (group.isDefault)
      rest = blockOf(group);
  for (const Group &group : llvm::reverse(groups)) {
    if (group.isDefault)
      continue;
    clang::Expr *test = nullptr;
    for (const CaseStmt *one : group.cases) {
      clang::Expr *is = joined(BO_EQ, const_cast<clang::Expr *>(&tested),
                               const_cast<clang::Expr *>(one->getLHS()));
      test = test ? joined(BO_LOr, test, is) : is;
    }
    rest = IfStmt::Create(context, where, IfStatementKind::Ordinary, nullptr, nullptr, test, where,
                          where, blockOf(group), where, rest);
  }
  return choices[&statement] = rest ? rest : new (context) NullStmt(where);
}

} // namespace stencilc::lift
