// The Reader on loops: their bounds, and what their bodies write.
#include "frontend/lift/ReaderState.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace clang;

namespace stencilc::lift {

/// The variable that `i++`, `i += 2`, `i = i - 1` moves, and how far.
std::optional<Reader::Step> Reader::stepOf(const clang::Expr &given) {
  const clang::Expr &expression = bare(given);
  const auto stepBy = [&](const clang::Expr &variable, const clang::Expr &size,
                          bool isDownward) -> std::optional<Step> {
    if (!variable.getType()->isIntegerType())
      return std::nullopt;
    const Refusals::Trial trial(refusals);
    const auto amount = whole(size);
    if (!amount || moves(*amount) || *amount == Polynomial())
      return std::nullopt;
    const bool isNegative = amount->number().value_or(1) < 0;
    const auto positive = isNegative ? product(*amount, -1) : amount;
    return positive ? std::optional(Step{&variable, *positive, isDownward != isNegative})
                    : std::nullopt;
  };
  if (const auto *operation = dyn_cast<UnaryOperator>(&expression);
      operation && operation->isIncrementDecrementOp())
    return Step{operation->getSubExpr(), 1, operation->isDecrementOp()};
  const auto *operation = dyn_cast<BinaryOperator>(&expression);
  if (!operation)
    return std::nullopt;
  const BinaryOperatorKind kind = operation->getOpcode();
  if (kind == BO_AddAssign || kind == BO_SubAssign)
    return stepBy(*operation->getLHS(), *operation->getRHS(), kind == BO_SubAssign);
  const auto *change =
      kind == BO_Assign ? dyn_cast<BinaryOperator>(&bare(*operation->getRHS())) : nullptr;
  if (!change || !change->isAdditiveOp())
    return std::nullopt;
  const auto *from = dyn_cast<DeclRefExpr>(&bare(*change->getLHS()));
  const auto *to = dyn_cast<DeclRefExpr>(&bare(*operation->getLHS()));
  if (!from || !to || from->getDecl() != to->getDecl())
    return std::nullopt;
  return stepBy(*operation->getLHS(), *change->getRHS(), change->getOpcode() == BO_Sub);
}

static std::vector<const Stmt *> statementsOf(const Stmt &body) {
  if (const auto *block = dyn_cast<CompoundStmt>(&body))
    return {block->body_begin(), block->body_end()};
  return {&body};
}

static bool names(const Stmt &statement, const Variable &variable) {
  bool result = false;
  forEachPart(statement, [&](const Stmt &part) {
    if (const auto *reference = dyn_cast<DeclRefExpr>(&part))
      result |= plainVariable(*reference) == variable;
  });
  return result;
}

/// The parts of `a, b, c`.
static std::vector<const clang::Expr *> commaParts(const clang::Expr *expression) {
  const auto *both = expression ? dyn_cast<BinaryOperator>(&bare(*expression)) : nullptr;
  if (!expression || !both || !both->isCommaOp())
    return expression ? std::vector{expression} : std::vector<const clang::Expr *>();
  std::vector<const clang::Expr *> parts = commaParts(both->getLHS());
  for (const clang::Expr *part : commaParts(both->getRHS()))
    parts.push_back(part);
  return parts;
}

/// True if the loop declares a variable with the value that `step` gives it again.
bool Reader::startsAlike(const Stmt *start, const clang::Expr &step) const {
  const auto *declaration = dyn_cast_or_null<DeclStmt>(start);
  const auto *assignment = dyn_cast<BinaryOperator>(&bare(step));
  if (!declaration || !assignment || assignment->getOpcode() != BO_Assign)
    return false;
  const auto variable = plainVariable(*assignment->getLHS());
  return variable && llvm::any_of(declaration->decls(), [&](const Decl *declared) {
           const auto *value = dyn_cast<VarDecl>(declared);
           return value == variable->first && value->getInit() &&
                  textOf(*value->getInit()) == textOf(*assignment->getRHS());
         });
}

std::vector<const clang::Expr *> changesIn(const clang::Expr &expression) {
  std::vector<const clang::Expr *> result;
  forEachPart(expression, [&](const Stmt &part) {
    if (writtenBy(part))
      result.push_back(cast<clang::Expr>(&part));
  });
  return result;
}

LoopParts Reader::partsOf(const Stmt &statement) {
  LoopParts parts;
  parts.where = statement.getBeginLoc();
  const auto *counted = dyn_cast<ForStmt>(&statement);
  if (counted) {
    parts.start = counted->getInit();
    parts.test = counted->getCond();
    parts.step = counted->getInc();
    parts.body = statementsOf(*counted->getBody());
    // `i++, a = b`: what does not count the turns is done at the end of each.
    for (const clang::Expr *part : commaParts(parts.step)) {
      const auto step = parts.test ? stepOf(*part) : std::nullopt;
      const auto variable = step ? plainVariable(*step->variable) : std::nullopt;
      if (part == parts.step || (variable && names(*parts.test, *variable)))
        parts.step = part;
      else // what starts as it goes on, `t0 = t % 2`, does so in each turn
        parts.body.insert(startsAlike(parts.start, *part) ? parts.body.begin() : parts.body.end(),
                          part);
    }
    if (parts.step || !parts.test)
      return parts;
  } else if (const auto *early = dyn_cast<WhileStmt>(&statement)) {
    parts.test = early->getCond();
    parts.body = statementsOf(*early->getBody());
  } else {
    parts.isTestLast = true;
    parts.test = cast<DoStmt>(statement).getCond();
    parts.body = statementsOf(*cast<DoStmt>(statement).getBody());
  }
  if (const auto changes = changesIn(*parts.test); changes.size() == 1) {
    parts.step = changes[0];
    parts.isStepFirst = !isa<DoStmt>(statement);
    return parts;
  }
  // What counts the turns stands at the end, or nothing but it names the variable.
  for (size_t number = parts.body.size(); number-- > 0;) {
    const auto *last = dyn_cast<clang::Expr>(parts.body[number]);
    const auto step = last ? stepOf(*last) : std::nullopt;
    const auto variable = step ? plainVariable(*step->variable) : std::nullopt;
    if (!variable || !names(*parts.test, *variable))
      continue;
    const bool isFree = llvm::all_of(llvm::enumerate(parts.body), [&](const auto &entry) {
      const auto &[place, part] = entry;
      return place <= number || !names(*part, *variable) || isOnlyPrinting(*part);
    });
    if (!isFree)
      break;
    parts.step = last;
    parts.body.erase(parts.body.begin() + number);
    break;
  }
  return parts;
}

/// What counts the turns that are left, as the test of the loop over time.
std::string Reader::countedTurns() const {
  return fmt::format("({}{}) > 0", kTurnsLeft, outermost->isTestLast ? " -= 1" : "--");
}

Symbol Reader::turnsLeft() {
  for (Symbol symbol = 0; symbol < tree.symbols.size(); ++symbol)
    if (tree.symbols[symbol].name == kTurnsLeft)
      return symbol;
  SymbolInfo info;
  info.name = kTurnsLeft;
  return addSymbol(info);
}

/// The data ends the loop over time; a check puts the text in the place of what says so.
void Reader::endTurns(const clang::Expr &condition, const std::string &instead) {
  tree.endsWhen = textOf(condition);
  tree.endings.push_back({condition.getSourceRange(), instead});
  turnsLeft();
}

/// A loop that goes on while the data says so: what it does is a step, how often is not known.
Loop Reader::openEnded(const LoopParts &parts) {
  endTurns(*parts.test, countedTurns());
  SymbolInfo turn;
  turn.kind = SymbolInfo::Kind::Loop;
  turn.name = "turn";
  const Symbol variable = addSymbol(turn);
  Loop loop{variable, 0, Polynomial::of(turnsLeft())};
  loop.where = parts.where;
  return loop;
}

/// Where the variable starts; none if the loop does not say.
std::optional<Polynomial> Reader::startOf(const LoopParts &loop, const Variable &variable) {
  if (!loop.start) {
    const Refusals::Trial trial(refusals);
    const auto value = valueOf(variable, loop.where);
    const auto *known = value ? std::get_if<Polynomial>(&*value) : nullptr;
    return known ? std::optional(*known) : std::nullopt;
  }
  if (const auto *declaration = dyn_cast<DeclStmt>(loop.start)) {
    std::optional<Polynomial> start;
    for (const Decl *part : declaration->decls()) {
      const auto *declared = dyn_cast<VarDecl>(part);
      if (declared && declared == variable.first && declared->getInit())
        start = whole(*declared->getInit());
      else if (const Refusals::Trial trial(refusals); declared && !declare(*declared))
        environment.insert_or_assign(Variable{declared, nullptr}, Value(Unknown()));
    }
    return start;
  }
  const auto *assignment = dyn_cast<BinaryOperator>(loop.start);
  return assignment && assignment->getOpcode() == BO_Assign &&
                 namedVariable(*assignment->getLHS()) == variable
             ? whole(*assignment->getRHS())
             : std::nullopt;
}

std::optional<Loop> Reader::boundsOf(const LoopParts &loop, Variable &variable) {
  const auto refuseForm = [&] {
    return refuse(
        loop.where, "this loop is not of the form `for (i = first; i < end; i++)`",
        "bounds are sums of numbers and whole params; the variable moves by a fixed step");
  };
  const auto step = loop.step ? stepOf(*loop.step) : std::nullopt;
  const auto moved = step ? namedVariable(*step->variable) : std::nullopt;
  if (!moved || !loop.test || !step->variable->getType()->isIntegerType())
    return refuseForm();
  variable = *moved;
  if (isa_and_nonnull<DeclStmt>(loop.start))
    environment.insert_or_assign(variable, Value(Unknown()));
  auto first = startOf(loop, variable);
  if (first && loop.isStepFirst)
    first = step->isDownward ? difference(*first, step->size) : sum(*first, step->size);
  if (!first)
    return refuseForm();
  SymbolInfo info;
  info.kind = SymbolInfo::Kind::Loop;
  info.name = variable.first->getNameAsString();
  info.where = loop.where;
  const Symbol symbol = addSymbol(info);
  environment.insert_or_assign(variable, Value(Polynomial::of(symbol)));

  Loop result{symbol, *first, *first};
  result.isDownward = step->isDownward;
  result.stride = step->size;
  result.where = loop.where;
  bool isBounded = false, isCounted = false;
  for (const clang::Expr *part : conjuncts(*loop.test)) {
    const auto *test = dyn_cast<BinaryOperator>(part);
    // A count of the turn before may end the loop: `while (changes > 0 && step < steps)`.
    const bool isOfTurn = part != loop.step && !names(*part, variable) &&
                          llvm::any_of(assignedIn(loop.body), [&](const Variable &assigned) {
                            return names(*part, assigned);
                          });
    const bool isComparison = test && test->isComparisonOp() && !isOfTurn &&
                              test->getLHS()->getType()->isIntegralOrEnumerationType();
    // `while (n--)`
    if (!isComparison && part != loop.step) {
      // The data may end a loop over time, not one over points.
      if (!loops.empty())
        return refuseForm();
      endTurns(*part, isCounted ? "1" : countedTurns());
      isCounted = true;
      continue;
    }
    const clang::Expr *outer = std::exchange(tested, loop.step);
    const auto left = isComparison ? whole(*test->getLHS()) : whole(*part);
    const auto right = !left ? std::nullopt : isComparison ? whole(*test->getRHS()) : Polynomial();
    tested = outer;
    if (!right)
      return std::nullopt;
    const auto between = difference(*left, *right);
    const auto factor = between ? between->factorOf(symbol) : std::nullopt;
    const auto sign = factor ? factor->number() : std::nullopt;
    const auto rest = sign ? between->with(symbol, 0) : std::nullopt;
    const auto limit = rest && sign == 1 ? product(*rest, -1) : rest;
    if (isBounded || !limit || (sign != 1 && sign != -1))
      return refuseForm();
    isBounded = true;
    // variable `op` limit
    const BinaryOperatorKind given = isComparison ? test->getOpcode() : BO_NE;
    const BinaryOperatorKind op = sign == 1 ? given : BinaryOperator::reverseComparisonOp(given);
    const bool isInclusive = op == BO_LE || op == BO_GE;
    const bool isTowards =
        step->isDownward ? op == BO_GT || op == BO_GE : op == BO_LT || op == BO_LE;
    const bool isUnequal = op == BO_NE && step->size == Polynomial(1);
    const auto begin = step->isDownward ? sum(*limit, isInclusive ? 0 : 1) : first;
    const auto end = step->isDownward ? sum(*first, 1) : sum(*limit, isInclusive ? 1 : 0);
    if ((!isTowards && !isUnequal) || !begin || !end)
      return refuseForm();
    result.begin = *begin;
    result.end = *end;
  }
  return isBounded ? std::optional(result) : refuseForm();
}

// ---- what a body writes

void forEachPart(const Stmt &statement, llvm::function_ref<void(const Stmt &)> visit) {
  visit(statement);
  for (const Stmt *part : statement.children())
    if (part)
      forEachPart(*part, visit);
}

const clang::Expr *writtenBy(const Stmt &statement) {
  if (const auto *operation = dyn_cast<BinaryOperator>(&statement);
      operation && operation->isAssignmentOp())
    return operation->getLHS();
  if (const auto *operation = dyn_cast<UnaryOperator>(&statement);
      operation && operation->isIncrementDecrementOp())
    return operation->getSubExpr();
  const auto *called = dyn_cast<CXXOperatorCallExpr>(&statement);
  return called && called->getOperator() == OO_Equal && isBitReference(called->getArg(0)->getType())
             ? called->getArg(0)
             : nullptr;
}

std::optional<Variable> plainVariable(const clang::Expr &expression) {
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

bool isTurnedOver(llvm::ArrayRef<const Stmt *> statements, const Variable &variable) {
  bool isTurned = true;
  for (const Stmt *statement : statements)
    forEachPart(*statement, [&](const Stmt &part) {
      const clang::Expr *target = writtenBy(part);
      const auto *set = dyn_cast<BinaryOperator>(&part);
      if (target && plainVariable(*target) == variable)
        isTurned &= set && (set->getOpcode() == BO_Assign || set->getOpcode() == BO_XorAssign);
    });
  return isTurned;
}

std::vector<Variable> assignedIn(llvm::ArrayRef<const Stmt *> statements) {
  std::vector<Variable> result;
  llvm::SmallPtrSet<const ValueDecl *, 8> declared;
  const auto add = [&](const std::optional<Variable> &variable) {
    if (variable && !llvm::is_contained(result, *variable))
      result.push_back(*variable);
  };
  const auto visit = [&](const Stmt &part) {
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
        const auto *record = argument->getType()->getAsCXXRecordDecl();
        if (record && record->isInStdNamespace() && record->getName() == "basic_ostream")
          continue; // what is printed
        if (isAddress || (argument->isGLValue() && !argument->getType().isConstQualified() &&
                          !argument->getType()->isArrayType()))
          add(plainVariable(*argument));
      }
  };
  for (const Stmt *statement : statements)
    forEachPart(*statement, visit);
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
