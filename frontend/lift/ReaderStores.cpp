// The Reader on expressions with an effect: assignments to variables and to arrays.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

using namespace clang;

namespace stencilc::lift {

/// The pointers and subscripts that a statement moves where it uses them: `*d++ = *s++`, `a[k++]`.
static std::vector<const UnaryOperator *> stepsWithin(const Stmt &statement) {
  std::vector<const UnaryOperator *> steps;
  forEachPart(statement, [&](const Stmt &part) {
    const auto *element = dyn_cast<ArraySubscriptExpr>(&part);
    const auto *step = dyn_cast<UnaryOperator>(element ? &bare(*element->getIdx()) : &part);
    if (step && step->isIncrementDecrementOp() && (element || step->getType()->isPointerType()) &&
        step != &statement)
      steps.push_back(step);
  });
  return steps;
}

bool Reader::runWithSteps(const Stmt &statement, llvm::function_ref<bool()> runIt) {
  const std::vector<const UnaryOperator *> within = stepsWithin(statement);
  if (within.empty())
    return runIt();
  // Where parts of a statement have an order, or may be left out, it is more than one step.
  bool isPlain = true;
  forEachPart(statement, [&](const Stmt &part) {
    const auto *operation = dyn_cast<BinaryOperator>(&part);
    isPlain &= !isa<ConditionalOperator, clang::CallExpr>(part) &&
               !(operation && (operation->isLogicalOp() || operation->isCommaOp()));
  });
  if (!isPlain)
    return refuse(statement.getBeginLoc(),
                  "`" + textOf(*within[0]) + "` stands within a choice or a call",
                  "move it in a statement of its own"),
           false;
  const auto step = [&](const UnaryOperator &moved) { return runExpression(moved); };
  for (const UnaryOperator *moved : within)
    if (moved->isPrefix() && !step(*moved))
      return false;
  steps.insert(within.begin(), within.end());
  const bool isRead = runIt();
  for (const UnaryOperator *moved : within)
    steps.erase(moved);
  for (const UnaryOperator *moved : within)
    if (isRead && moved->isPostfix() && !step(*moved))
      return false;
  return isRead;
}

/// True of a variable that the caller sees: a global, a member of an object of the caller.
static bool isSeenOutside(const Variable &variable) {
  const auto *declared = dyn_cast<VarDecl>(variable.first);
  const QualType object = variable.first->getType();
  const bool isBehind = object->isPointerType() || object->isReferenceType();
  // References to what is the function's own stand for that.
  if (!variable.second && object->isReferenceType())
    return true;
  const bool isOurs =
      !variable.second ||
      (declared && !isBehind && (!isa<ParmVarDecl>(declared) || isStructOfNumbers(object)));
  return !isOurs || !declared || !declared->hasLocalStorage();
}

/// A time or a count that the caller finds changed afterwards: the stencil leaves it alone, which
/// is said. False of a number that arrays hold or loops over points make.
bool Reader::leavesBehind(const Variable &variable, const Value &value) {
  const auto *formula = std::get_if<Formula>(&value);
  if (loops.size() > 1 || !conditions.empty() ||
      (formula && llvm::any_of(formula->exprs, [](const Expr &expr) {
         return std::holds_alternative<Read>(expr.node) ||
                std::holds_alternative<AxisValue>(expr.node);
       })))
    return false;
  const std::string name = nameOf(variable);
  if (!llvm::is_contained(tree.leftBehind, name))
    tree.leftBehind.push_back(name);
  return true;
}

bool Reader::runExpression(const clang::Expr &given) {
  const clang::Expr &expression = bare(given);
  const SourceLocation where = expression.getExprLoc();
  if (const auto *operation = dyn_cast<BinaryOperator>(&expression)) {
    if (operation->isCommaOp())
      return runExpression(*operation->getLHS()) && runExpression(*operation->getRHS());
    if (const auto *compound = dyn_cast<CompoundAssignOperator>(operation)) {
      const clang::Expr &target = *compound->getLHS();
      if (target.getType()->isIntegralOrEnumerationType()) {
        // What is counted over all points is a number of no point.
        const auto counted = namedVariable(target);
        const auto known = counted ? environment.find(*counted) : environment.end();
        const bool isCount =
            known != environment.end() && std::holds_alternative<Unknown>(known->second);
        if (!isCount && (namesData(target) || namesData(*compound->getRHS())))
          return changeDatum(*compound);
        const auto variable = variableOf(target);
        if (!variable)
          return false;
        const Refusals::Trial trial(refusals);
        const auto old = whole(target);
        const auto by = old ? whole(*compound->getRHS()) : std::nullopt;
        const auto value = by ? wholeOperation(compound->getOpcode(), *old, *by, *compound) : by;
        if (isSeenOutside(*variable))
          leavesBehind(*variable, Unknown());
        environment.insert_or_assign(*variable, value ? Value(*value) : Value(Unknown()));
        return true;
      }
      if (target.getType()->isPointerType()) {
        auto pointed = place(target);
        if (pointed && !namedVariable(target) && isRow(*pointed))
          return moveRow(*pointed, where);
        auto by = pointed ? whole(*compound->getRHS()) : std::nullopt;
        if (by && compound->getOpcode() == BO_SubAssign)
          by = product(*by, -1);
        const auto result = by ? moved(std::move(*pointed), *by, where) : std::nullopt;
        return result && assign(target, *result, where);
      }
      const auto type = scalarType(compound->getComputationLHSType(), where);
      // What is being added up has no name before it is complete.
      const auto variable = namedVariable(target);
      const auto held = type && variable ? valueOf(*variable, where) : std::nullopt;
      std::optional<Formula> old;
      if (held && std::holds_alternative<Formula>(*held))
        old = std::get<Formula>(*held);
      else if (type && !refusals.any())
        old = number(target);
      const auto left = old ? cast(*type, *old) : std::nullopt;
      const auto right = left ? number(*compound->getRHS()) : std::nullopt;
      const auto result =
          right ? numberBinary(*compound, compound->getOpcode(), *left, *right) : std::nullopt;
      return result && assign(target, *result, where);
    }
    if (operation->getOpcode() == BO_Assign &&
        setsNeighbour(*operation->getLHS(), *operation->getRHS()))
      return true;
    if (operation->getOpcode() == BO_Assign)
      if (const auto isRead = runElement(*operation->getLHS(), *operation->getRHS(), where))
        return *isRead;
    if (operation->getOpcode() == BO_Assign) {
      // An array of whole numbers is refused by its name, not by what it is set to.
      const bool isVariable = namedVariable(*operation->getLHS()).has_value();
      const auto element = isVariable ? std::nullopt : place(*operation->getLHS());
      if (!isVariable && !element)
        return false;
      // A row of an array of the function's own.
      if (element && isRow(*element) && operation->getType()->isPointerType())
        return setRow(*element, *operation->getRHS(), where);
      if (readsText(*operation->getRHS()))
        if (const auto variable = namedVariable(*operation->getLHS()))
          if (const auto value = saidByUser(*variable)) {
            environment.insert_or_assign(*variable, *value);
            return true;
          }
      if (const auto variable = namedVariable(*operation->getLHS());
          variable && loops.empty() && takesMemory(*operation->getRHS())) {
        // Others see memory that a global or a member of the caller's names.
        const auto *declared = dyn_cast<VarDecl>(variable->first);
        const bool isOwn = declared && declared->hasLocalStorage() &&
                           !(isa<ParmVarDecl>(declared) && variable->second);
        const auto made =
            makeBuffer(nameOf(*variable), operation->getLHS()->getType(), isOwn, where);
        if (made)
          environment.insert_or_assign(*variable, Value(*made));
        return made.has_value();
      }
      // `a = b = 0`: the inner one first.
      const auto *inner = dyn_cast<BinaryOperator>(&bare(*operation->getRHS()));
      const bool isChain = inner && inner->getOpcode() == BO_Assign;
      if (isChain && !runExpression(*inner))
        return false;
      const size_t before = tree.buffers.size();
      auto value = evaluate(isChain ? *inner->getLHS() : *operation->getRHS());
      if (const auto variable = namedVariable(*operation->getLHS()); value && variable)
        nameTaken(*value, before, *variable);
      return value && assign(*operation->getLHS(), *value, where);
    }
  }
  if (const auto *operation = dyn_cast<UnaryOperator>(&expression);
      operation && operation->isIncrementDecrementOp()) {
    const clang::Expr &target = *operation->getSubExpr();
    if (target.getType()->isRealFloatingType()) {
      const auto old = number(target);
      const auto next = old ? numberBinary(target, operation->isIncrementOp() ? BO_Add : BO_Sub,
                                           *old, literal(typeOf(*old), 1))
                            : std::nullopt;
      return next && assign(target, *next, where);
    }
    if (target.getType()->isIntegralOrEnumerationType() && namesData(target)) {
      auto value = datum(target);
      auto next = value ? datumBinary(target, operation->isIncrementOp() ? BO_Add : BO_Sub,
                                      std::move(*value), literal(ScalarType::F32, 1))
                        : std::nullopt;
      return next && assign(target, *next, where);
    }
    if (target.getType()->isIntegralOrEnumerationType()) {
      // What counts turns without choosing points matters to nobody.
      if (const auto variable = namedVariable(target))
        if (const auto known = environment.find(*variable);
            known != environment.end() && std::holds_alternative<Unknown>(known->second)) {
          if (isSeenOutside(*variable))
            leavesBehind(*variable, Unknown());
          return true;
        }
      const auto old = whole(target);
      const auto next = old ? sum(*old, operation->isIncrementOp() ? 1 : -1) : std::nullopt;
      return next && assign(target, *next, where);
    }
    if (target.getType()->isPointerType()) {
      auto pointed = place(target);
      const auto next = pointed
                            ? moved(std::move(*pointed), operation->isIncrementOp() ? 1 : -1, where)
                            : std::nullopt;
      return next && assign(target, *next, where);
    }
  }
  if (const auto *called = dyn_cast<clang::CallExpr>(&expression)) {
    const FunctionDecl *function = called->getDirectCallee();
    if (function && function->getNameAsString() == "swap" && function->isInStdNamespace() &&
        called->getNumArgs() == 2)
      return swap(*called->getArg(0), *called->getArg(1), where);
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(called);
        member && function && function->getNameAsString() == "swap" &&
        cast<CXXMethodDecl>(function)->getParent()->isInStdNamespace() && called->getNumArgs() == 1)
      return swap(*member->getImplicitObjectArgument(), *called->getArg(0), where);
    const StringRef name = function && function->getIdentifier() ? function->getName() : "";
    if (name == "memcpy" || name == "memmove" || name == "memset")
      return copyWhole(*called, name == "memset");
    if (const auto isRead = runAlgorithm(*called))
      return *isRead;
    if (const clang::Expr *bit = writtenBy(*called)) {
      const clang::Expr &source = *called->getArg(1);
      const auto other = isBitReference(source.getType()) ? place(source) : std::nullopt;
      const auto value = other            ? load(*other, where)
                         : refusals.any() ? std::nullopt
                                          : datum(source);
      return value && assign(*bit, *value, where);
    }
    if (const auto *operation = dyn_cast<CXXOperatorCallExpr>(called);
        operation && operation->getOperator() == OO_Equal &&
        !elementOfContainer(operation->getArg(0)->getType()).isNull())
      return copyContainer(*operation);
    // `u = un` of objects
    const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
    if (const auto *operation = dyn_cast<CXXOperatorCallExpr>(called);
        operation && method && method->isImplicit() &&
        (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) &&
        isOwnRecord(operation->getArg(0)->getType())) {
      if (const auto isRead = runElement(*operation->getArg(0), *operation->getArg(1), where))
        return *isRead;
      const ValueDecl *to = objectOf(*operation->getArg(0));
      const ValueDecl *from = to ? objectOf(*operation->getArg(1)) : nullptr;
      if (from)
        return to == from || setObjects(*to, *from, called, where);
    }
    if (name == "free" || name == "printf" || name == "fprintf" || name == "fflush")
      return true;
    return call(*called).has_value();
  }
  if (isa<CXXDeleteExpr>(expression))
    return true;
  if (!expression.HasSideEffects(context))
    return true;
  return refuse(where, "`" + textOf(expression) + "` is not understood"), false;
}

bool Reader::changeDatum(const CompoundAssignOperator &change) {
  const clang::Expr &target = *change.getLHS();
  const QualType within = change.getComputationLHSType();
  const SourceLocation where = change.getExprLoc();
  if (within->isRealFloatingType()) { // of float, and rounded to a whole number at the end
    auto old = datum(target);
    const auto type = old ? scalarType(within, where) : std::nullopt;
    const auto left = type ? cast(*type, withoutMinusZero(*old)) : std::nullopt;
    const auto right = left ? number(*change.getRHS()) : std::nullopt;
    const auto made =
        right ? numberBinary(change, change.getOpcode(), *left, *right) : std::nullopt;
    auto whole = made
                     ? datumAs(target.getType(), lift::call(Builtin::Trunc, {*made}), within, where)
                     : std::nullopt;
    tree.roundsToWhole = true;
    return whole && assign(target, *whole, where);
  }
  auto old = datum(target);
  auto left = old ? datumAs(within, std::move(*old), target.getType(), where) : std::nullopt;
  auto right = left ? datum(*change.getRHS()) : std::nullopt;
  auto made = right ? datumBinary(change, change.getOpcode(), std::move(*left), std::move(*right))
                    : std::nullopt;
  auto kept =
      made ? datumAs(target.getType(), std::move(*made), change.getComputationResultType(), where)
           : std::nullopt;
  return kept && assign(target, *kept, where);
}

void Reader::nameTaken(const Value &value, size_t before, const Variable &variable) {
  if (const auto *made = std::get_if<Place>(&value); made && made->buffer >= before)
    if (Buffer &buffer = tree.buffers[made->buffer]; buffer.isLocal)
      buffer.name = nameOf(variable);
}

bool Reader::assign(const clang::Expr &target, const Value &value, SourceLocation where) {
  if (const auto variable = namedVariable(target)) {
    if (isSeenOutside(*variable) && !std::holds_alternative<Place>(value) &&
        !leavesBehind(*variable, value))
      return refuse(where, "`" + textOf(target) +
                               "` is a number that outlives the call: only arrays are "
                               "results of a stencil"),
             false;
    Value stored = value;
    if (auto *formula = std::get_if<Formula>(&stored)) {
      const QualType plain = target.getType().getNonReferenceType();
      const bool isWhole = plain->isIntegralOrEnumerationType();
      const auto type = isWhole ? std::nullopt : scalarType(plain, where);
      auto converted = isWhole ? datumAs(plain, *formula, {}, where)
                       : type  ? cast(*type, *formula)
                               : std::nullopt;
      if (!converted)
        return refuse(where, "`" + textOf(target) + "` takes no such number"), false;
      *formula = std::move(*converted);
    }
    environment.insert_or_assign(*variable, std::move(stored));
    return true;
  }
  const auto to = place(target);
  if (!to)
    return false;
  const auto &whole = tree.buffers[to->buffer].whole;
  const auto datum = whole ? datumIn(value) : std::nullopt;
  const auto *formula = datum ? &*datum : std::get_if<Formula>(&value);
  if (!formula)
    return refuse(where, "`" + textOf(target) + "` takes no number of a grid"), false;
  return store(*to, *formula, where);
}

/// A value where that condition holds, by which it may have been chosen.
static Formula whereHolds(const Formula &value, const Formula &condition) {
  const auto *choice = std::get_if<SelectExpr>(&value[value.result].node);
  if (!choice)
    return value;
  const Formula test = part(value, choice->condition);
  if (isSameValue(test, condition))
    return part(value, choice->then);
  const auto opposite = unary(UnaryOp::Not, condition);
  return opposite && isSameValue(test, *opposite) ? part(value, choice->otherwise) : value;
}

/// `condition ? value : old`, where `old` may have been chosen by the condition or its opposite.
static Formula chosen(const Formula &condition, const Formula &value, const Formula &old) {
  const auto *negation = std::get_if<UnaryExpr>(&condition[condition.result].node);
  const auto *comparison = std::get_if<CompareExpr>(&condition[condition.result].node);
  const bool isOpposite = (negation && negation->op == UnaryOp::Not) ||
                          (comparison && comparison->op == CompareOp::NotEqual);
  const auto *choice = std::get_if<SelectExpr>(&old[old.result].node);
  const auto opposite = unary(UnaryOp::Not, condition);
  if (isOpposite && choice && opposite && isSameValue(part(old, choice->condition), *opposite))
    return select(*opposite, part(old, choice->then), value);
  return select(condition, value, opposite ? whereHolds(old, *opposite) : old);
}

bool Reader::store(const Place &place, Formula value, SourceLocation where) {
  if (!isAlwaysDone())
    return false;
  const Buffer &buffer = tree.buffers[place.buffer];
  if (place.subscripts.size() != buffer.extents.size())
    return refuse(where, "`" + buffer.name + "` is written with " +
                             llvm::Twine(place.subscripts.size()) + " subscripts but has " +
                             llvm::Twine(buffer.extents.size()) + " dimensions"),
           false;
  if (neighbours.count(place.buffer))
    return refuse(where,
                  "`" + buffer.name + "` says which points are neighbours, and is set anew here",
                  "set it once, before the loops that look points up in it"),
           false;
  const auto table = tables.find(place.buffer);
  if (table != tables.end() && !table->second.isSet)
    return refuse(where, "`" + buffer.name + "` is a table of numbers and is written here"), false;
  auto converted = buffer.whole ? datumHeld(buffer, value, where) : cast(buffer.type, value);
  if (!converted)
    return refuse(where, "the number is too large for `" + buffer.name + "`"), false;
  std::vector<Formula> old; // what stands there where the conditions around the last one hold
  // Where the conditions around its declaration do not hold, nobody sees a local array.
  const auto around = declaredUnder.find(place.buffer);
  const auto inside =
      llvm::ArrayRef(conditions).drop_front(around == declaredUnder.end() ? 0 : around->second);
  if (!inside.empty()) {
    const auto before = load(place, where);
    if (!before)
      return false;
    old.push_back(*before);
    for (const Formula &condition : inside.drop_back())
      old.push_back(whereHolds(old.back(), condition));
  }
  for (size_t number = inside.size(); number-- > 0;)
    converted = chosen(inside[number], *converted, old[number]);
  if (table != tables.end())
    return setWeight(table->second, place, *converted, where);
  // An earlier value of the same element is forgotten, unless somebody else has read it.
  for (unsigned number = tree.assignments.size(); number-- > 0;) {
    Assignment &earlier = tree.assignments[number];
    if (earlier.target.buffer != place.buffer)
      continue;
    const bool isRead = llvm::any_of(tree.accesses, [&](const Access &access) {
      return access.buffer == place.buffer && access.time > number;
    });
    if (earlier.loops == loops && earlier.guards.empty() && guards.empty() && !isRead &&
        earlier.target.subscripts == place.subscripts &&
        earlier.target.isByTurn == place.isByTurn) {
      earlier.value = std::move(*converted);
      earlier.where = where;
      return true;
    }
    if (earlier.loops != loops || !isAnother(earlier.target.subscripts, place.subscripts))
      break;
  }
  Assignment made{loops,
                  guards,
                  {place.buffer,
                   place.subscripts,
                   unsigned(tree.assignments.size()),
                   where,
                   {},
                   place.isByTurn},
                  std::move(*converted),
                  where};
  tree.assignments.push_back(std::move(made));
  return true;
}

} // namespace stencilc::lift
