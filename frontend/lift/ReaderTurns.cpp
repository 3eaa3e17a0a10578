// The Reader on the turns of loops: all at once, or one after the other.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

bool Reader::runLoop(const Stmt &statement) {
  const LoopParts loop = partsOf(statement);
  if (!loop.step && loops.empty() && loop.test)
    return runTurnsOf(loop, {}, openEnded(loop));
  Variable variable;
  const auto bounds = boundsOf(loop, variable);
  if (!bounds)
    return false;
  if (llvm::is_contained(assignedIn(loop.body), variable))
    return refuse(loop.where, "the loop changes its own variable"), false;

  const auto first = bounds->begin.number(), last = bounds->end.number();
  const auto *counted = dyn_cast<ForStmt>(&statement);
  if (first && last && counted && isAccumulation(*counted) && !isOverGrid(*counted)) {
    const int64_t stride = bounds->stride.number().value_or(0);
    const int64_t turns = stride == 0      ? INT64_MAX
                          : *last > *first ? (*last - *first + stride - 1) / stride
                                           : 0;
    if (turns <= 64)
      return runTurns(loop, variable, *bounds, turns);
  }
  return runTurnsOf(loop, variable, *bounds);
}

/// True if what the loop adds up is a number of the whole grid, not one of a point: no loop around
/// it but that over time moves what it reads.
bool Reader::isOverGrid(const ForStmt &loop) const {
  bool isPartOfSuch = false, isOfPoint = false;
  const auto movesHere = [&](const Polynomial &place) {
    return place.namesAny([&](Symbol symbol) {
      const SymbolInfo &info = tree.symbols[symbol];
      return info.kind == SymbolInfo::Kind::Folded ||
             (info.kind == SymbolInfo::Kind::Modulo && info.modulus > 3) ||
             llvm::any_of(loops,
                          [&](unsigned number) { return tree.loops[number].variable == symbol; });
    });
  };
  const std::function<void(const Stmt &)> look = [&](const Stmt &part) {
    if (const clang::Expr *target = writtenBy(part))
      if (const auto variable = plainVariable(*target))
        isPartOfSuch |= isReduced(*variable);
    // A level of time: `a[t % 2]`.
    if (const auto *rest = dyn_cast<BinaryOperator>(&part);
        rest && rest->getOpcode() == BO_Rem && loops.size() == 1)
      if (const auto *modulus = dyn_cast<IntegerLiteral>(&bare(*rest->getRHS()));
          modulus && modulus->getValue().ult(4))
        return;
    if (const auto *reference = dyn_cast<DeclRefExpr>(&part))
      if (const auto known = environment.find(Variable{reference->getDecl(), nullptr});
          known != environment.end()) {
        const auto *place = std::get_if<Place>(&known->second);
        const auto *number = std::get_if<Polynomial>(&known->second);
        isOfPoint |=
            (number && movesHere(*number)) || (place && llvm::any_of(place->subscripts, movesHere));
      }
    for (const Stmt *child : part.children())
      if (child)
        look(*child);
  };
  look(loop);
  return loops.empty() || isPartOfSuch || !isOfPoint;
}

/// All turns of a loop at once. `variable` is none where nothing counts them.
bool Reader::runTurnsOf(const LoopParts &loop, const Variable &variable, const Loop &bounds) {
  const std::vector<Variable> assigned = assignedIn(loop.body);
  const Loop made = bounds;
  std::vector<Variable> turned;
  if (variable.first)
    environment.insert_or_assign(variable, Value(Polynomial::of(made.variable)));
  for (const Variable &other : assigned) {
    // Where a pointer points to before the loop is known from here on.
    const ValueDecl *named = other.second ? other.second : other.first;
    const clang::QualType type = named->getType().getNonReferenceType();
    if (isOwnRecord(type) || isOwnRecord(type->getPointeeType()))
      continue;
    if ((type->isPointerType() || type->isRecordType()) && !environment.count(other) &&
        !makeValue(other, made.where))
      return false;
    const auto known = environment.find(other);
    if (known != environment.end() && std::holds_alternative<Place>(known->second))
      continue;
    // `other = 1 - other` chooses a level, turn by turn.
    const auto *number =
        known == environment.end() ? nullptr : std::get_if<Polynomial>(&known->second);
    if (number && (*number == Polynomial(0) || *number == Polynomial(1)) && loops.empty() &&
        made.stride == Polynomial(1) && !made.isDownward && made.begin.number() &&
        isTurnedOver(loop.body, other)) {
      const auto rest = modulo(*difference(Polynomial::of(made.variable), made.begin), 2);
      known->second = *number == Polynomial(0) ? *rest : *difference(1, *rest);
      turned.push_back(other);
      continue;
    }
    const bool isReduced = type->isRealFloatingType() && isGathered(loop.body, other);
    if (isReduced && !this->isReduced(other)) {
      const auto *start =
          known == environment.end() ? nullptr : std::get_if<Formula>(&known->second);
      starts[other] = {start ? std::optional(*start) : std::nullopt, unsigned(loops.size())};
    }
    environment.insert_or_assign(other, isReduced ? Value(Reduced()) : Value(Unknown()));
  }
  const Environment start = environment;
  tree.loops.push_back(made);
  loops.push_back(tree.loops.size() - 1);
  const bool isRead = runBody(loop.body);
  const unsigned number = loops.back();
  loops.pop_back();
  if (!isRead)
    return false;
  for (const Variable &variable : turned) {
    const auto *now = std::get_if<Polynomial>(&environment[variable]);
    if (!now || difference(1, *now) != std::get<Polynomial>(start.at(variable)))
      return refuse(loop.where, "`" + variable.first->getNameAsString() +
                                    "` does not change between 0 and 1 in each turn"),
             false;
  }
  if (!endLoop(tree.loops[number], start, assigned) ||
      !endCalls(tree.loops[number], loop, start, assigned))
    return false;
  if (variable.first)
    environment.insert_or_assign(variable, Value(Unknown()));
  return true;
}

/// What functions that are called in a turn have changed: pointers may change places there too.
bool Reader::endCalls(Loop &loop, const LoopParts &parts, const Environment &start,
                      const std::vector<Variable> &assigned) {
  llvm::SmallPtrSet<const Decl *, 16> inside;
  for (const Stmt *statement : parts.body)
    forEachPart(*statement, [&](const Stmt &part) {
      if (const auto *declaration = dyn_cast<DeclStmt>(&part))
        inside.insert(declaration->decl_begin(), declaration->decl_end());
    });
  // Variables of what is called, and of the body, start anew in each turn.
  const auto startsAnew = [&](const ValueDecl &declared) {
    const auto *variable = dyn_cast<VarDecl>(&declared);
    if (!variable || !variable->hasLocalStorage())
      return false;
    const auto *owner = dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod());
    return inside.contains(variable) || !llvm::is_contained(callers, owner);
  };
  std::vector<Variable> changed;
  Environment before = start;
  before.insert(firstValues.begin(), firstValues.end());
  for (const auto &[variable, now] : environment) {
    const auto old = before.find(variable);
    if (old == before.end() || isSame(old->second, now) || startsAnew(*variable.first) ||
        llvm::is_contained(assigned, variable))
      continue;
    // Loops in what is called leave their variables behind.
    if (std::holds_alternative<Unknown>(now) && isa<VarDecl>(variable.first) && !variable.second &&
        variable.first->getType()->isIntegerType())
      continue;
    if (!std::holds_alternative<Place>(old->second) || !std::holds_alternative<Place>(now))
      return refuse(loop.where,
                    "`" + variable.first->getNameAsString() +
                        "` is changed by a function that is called in each turn",
                    "change it in the loop itself"),
             false;
    changed.push_back(variable);
  }
  return endLoop(loop, before, changed);
}

/// Pointers that change places are noted; what else a turn leaves behind is unknown.
bool Reader::endLoop(Loop &loop, const Environment &start, const std::vector<Variable> &assigned) {
  for (const Variable &variable : assigned) {
    Value &now = environment[variable];
    const auto before = start.find(variable);
    const Place *old = before == start.end() ? nullptr : std::get_if<Place>(&before->second);
    const Place *place = std::get_if<Place>(&now);
    if (place && before != start.end() && !old)
      now = Unknown();
    else if (old && place && *old != *place) {
      const auto [entry, isNew] = loop.becomes.try_emplace(old->buffer, place->buffer);
      if (!old->subscripts.empty() || !place->subscripts.empty() ||
          (!isNew && entry->second != place->buffer))
        return refuse(loop.where,
                      "`" + variable.first->getNameAsString() +
                          "` points to another part of an array after each turn",
                      "pointers may change places from turn to turn, not move through an array"),
               false;
    } else if (!place && !std::holds_alternative<Reduced>(now)) {
      now = Unknown();
    }
  }
  return true;
}

bool Reader::runTurns(const LoopParts &loop, const Variable &variable, const Loop &bounds,
                      int64_t turns) {
  for (int64_t turn = 0; turn < turns; ++turn) {
    const int64_t step = turn * *bounds.stride.number();
    const auto value =
        bounds.isDownward ? difference(bounds.end, step + 1) : sum(bounds.begin, step);
    if (!value)
      return refuse(loop.where, "the bounds are too large"), false;
    environment.insert_or_assign(variable, Value(*value));
    if (!runBody(loop.body))
      return false;
  }
  environment.insert_or_assign(variable, Value(Unknown()));
  return true;
}

} // namespace stencilc::lift
