// The Reader on the turns of loops: all at once, or one after the other.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// From `before` to `now`, where both are whole numbers or places in the same array.
static std::optional<Polynomial> distance(const Value &now, const Value &before) {
  const auto *number = std::get_if<Polynomial>(&now), *first = std::get_if<Polynomial>(&before);
  if (number && first)
    return difference(*number, *first);
  const auto *place = std::get_if<Place>(&now), *start = std::get_if<Place>(&before);
  if (!place || !start || place->buffer != start->buffer || !place->isOpen)
    return std::nullopt;
  // A pointer that was not moved yet has no subscript of its own.
  llvm::ArrayRef<Polynomial> here = place->subscripts, there = start->subscripts;
  if (here.size() != there.size() + (start->isOpen ? 0 : 1) || here.empty() ||
      here.drop_back() != (start->isOpen ? there.drop_back() : there))
    return std::nullopt;
  return difference(here.back(), start->isOpen ? there.back() : Polynomial());
}

bool Reader::runLoop(const Stmt &statement) {
  const LoopParts loop = partsOf(statement);
  if (loops.empty())
    outermost = loop;
  for (const clang::Expr *change :
       loop.test ? changesIn(*loop.test) : std::vector<const clang::Expr *>())
    if (change != loop.step)
      return refuse(change->getExprLoc(),
                    "the test of a loop changes `" + textOf(*writtenBy(*change)) + "`",
                    "change it in the body of the loop"),
             false;
  if (!loop.step && loops.empty() && loop.test)
    return runTurnsOf(loop, {}, openEnded(loop));
  // `for (double t = 0; t < end; t += dt)`: rounding decides how often.
  const clang::Expr *moved = loop.step ? writtenBy(bare(*loop.step)) : nullptr;
  if (moved && moved->getType()->isRealFloatingType() && loops.empty() && loop.test) {
    LoopParts open = loop;
    open.body.push_back(loop.step);
    return (!loop.start || run(*loop.start)) && runTurnsOf(open, {}, openEnded(open));
  }
  Variable variable;
  const auto bounds = boundsOf(loop, variable);
  if (!bounds)
    return false;
  if (llvm::is_contained(assignedIn(loop.body), variable))
    return refuse(loop.where, "the loop changes its own variable"), false;

  const auto first = bounds->begin.number(), last = bounds->end.number();
  const auto *counted = dyn_cast<ForStmt>(&statement);
  const int64_t stride = bounds->stride.number().value_or(0);
  const auto turnsOver = [&](std::optional<int64_t> length) {
    return !length || stride == 0 ? INT64_MAX : *length > 0 ? (*length + stride - 1) / stride : 0;
  };
  const int64_t turns = turnsOver(first && last ? std::optional(*last - *first) : std::nullopt);
  // `for (int near = x - 1; near <= x + 1; near++)`
  const int64_t turnsHere = turnsOver(distance(bounds->end, bounds->begin));
  if (turnsHere <= 64 && counted && isAccumulation(*counted) && !isOverGrid(*counted))
    return runTurns(loop, variable, *bounds, turnsHere);
  if (const auto window = windowOf(*bounds);
      window && counted && isAccumulation(*counted) && !isOverGrid(*counted))
    return runWindow(loop, variable, *window);
  if (turns <= 512 && takesWeights && loops.empty() && setsWeights(statement))
    return runTurns(loop, variable, *bounds, turns);
  if (turns <= 64 && takesWeights && !loops.empty() && setsPrivates(statement)) {
    tree.hasWeights = true;
    return runTurns(loop, variable, *bounds, turns);
  }
  if (first && last && bounds->stride == Polynomial(1) && *last - *first <= 32 &&
      (choosesArrays(loop.body, variable, *last - *first) ||
       (*last - *first <= 8 && countsLayers(loop.body, variable))))
    return runTurns(loop, variable, *bounds, std::max<int64_t>(*last - *first, 0));
  if (turns <= 4 && choosesPoints(loop.body, variable))
    return runTurns(loop, variable, *bounds, turns);
  if (bounds->stride == Polynomial(2) && !bounds->isDownward)
    return runEveryOther(loop, variable, *bounds);
  if (counted && isAccumulation(*counted) && !isOverGrid(*counted))
    noteOpenSum(loop, *bounds);
  return runTurnsOf(loop, variable, *bounds, flatLoops(loop, variable, *bounds));
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

/// True if the statements move the variable by `++`, `+=` and their like, and do nothing else to
/// it.
bool isAdvanced(llvm::ArrayRef<const Stmt *> statements, const Variable &variable) {
  bool isPlain = true;
  for (const Stmt *statement : statements)
    forEachPart(*statement, [&](const Stmt &part) {
      const clang::Expr *target = writtenBy(part);
      const auto *set = dyn_cast<BinaryOperator>(&part);
      if (target && plainVariable(*target) == variable)
        isPlain &= !set || set->getOpcode() == BO_AddAssign || set->getOpcode() == BO_SubAssign;
    });
  return isPlain;
}

/// `by` further on.
std::optional<Value> Reader::further(const Value &value, const Polynomial &by,
                                     SourceLocation where) {
  if (const auto *place = std::get_if<Place>(&value)) {
    const auto result = moved(*place, by, where);
    return result ? std::optional<Value>(*result) : std::nullopt;
  }
  const auto result = sum(std::get<Polynomial>(value), by);
  return result ? std::optional<Value>(*result) : std::nullopt;
}

/// How far a turn moves pointers and counters, found by reading one; those that each turn moves as
/// far get their value in the turn of the loop's variable. Other counters are unknown from here on.
std::vector<Advance> Reader::advancesIn(const LoopParts &loop, const Loop &bounds,
                                        const Polynomial &turn,
                                        const std::vector<Variable> &moving) {
  constexpr size_t kDeepest = 6; // each loop is read twice for every one around it
  std::vector<Advance> advances;
  if (moving.empty())
    return advances;
  Reader once(*this);
  const Refusals::Trial trial(refusals);
  const bool isRead = loops.size() <= kDeepest && once.runBody(loop.body);
  const auto turns = difference(bounds.end, bounds.begin);
  const auto count =
      bounds.isDownward ? difference(bounds.end, *sum(turn, 1)) : difference(turn, bounds.begin);
  for (const Variable &variable : moving) {
    Value &value = environment[variable];
    const auto by = isRead ? distance(once.environment[variable], value) : std::nullopt;
    const auto far = by && !moves(*by) && count ? product(*by, *count) : std::nullopt;
    const auto whole = far && turns ? product(*by, *turns) : std::nullopt;
    const auto inTurn = whole ? further(value, *far, loop.where) : std::nullopt;
    const auto after = inTurn ? further(value, *whole, loop.where) : std::nullopt;
    if (after && bounds.stride == Polynomial(1)) {
      advances.push_back({variable, *after});
      value = *inTurn;
    } else if (std::holds_alternative<Polynomial>(value))
      value = Unknown();
  }
  return advances;
}

/// The variables that are left.
std::vector<Variable> Reader::endAdvances(const std::vector<Advance> &advances,
                                          std::vector<Variable> assigned) {
  for (const Advance &advance : advances) {
    environment.insert_or_assign(advance.variable, advance.after);
    llvm::erase(assigned, advance.variable);
  }
  return assigned;
}

/// All turns of a loop at once. `variable` is none where nothing counts them; `flat` are loops that
/// it stands for, if it does.
bool Reader::runTurnsOf(const LoopParts &loop, const Variable &variable, const Loop &bounds,
                        std::vector<Loop> flat) {
  const std::vector<Variable> assigned = assignedIn(loop.body);
  const Loop made = bounds;
  const auto turn = flat.empty() ? Polynomial::of(made.variable) : turnOf(flat);
  if (!turn)
    return refuse(loop.where, "the bounds are too large"), false;
  if (flat.empty())
    flat = {made};
  std::vector<Variable> turned, moving;
  std::vector<Variable> ring = ringIn(loop, made, assigned);
  if (variable.first)
    environment.insert_or_assign(variable, Value(*turn));
  for (const Variable &other : assigned) {
    // Where a pointer points to before the loop is known from here on.
    const ValueDecl *named = other.second ? other.second : other.first;
    const clang::QualType type = named->getType().getNonReferenceType();
    // An object has members; of structs that are elements the pointer counts.
    if (isOwnRecord(type) ||
        (isOwnRecord(type->getPointeeType()) && !numbersOf(type->getPointeeType())))
      continue;
    if ((type->isPointerType() || type->isRecordType()) && !environment.count(other) &&
        !makeValue(other, made.where))
      return false;
    const auto known = environment.find(other);
    // Another name for a container is none of its elements.
    if (known != environment.end() && std::holds_alternative<Reference>(known->second) &&
        !elementOfContainer(type).isNull())
      continue;
    const bool isPlace = known != environment.end() && std::holds_alternative<Place>(known->second);
    if (known != environment.end() && variable.first &&
        (isPlace || std::holds_alternative<Polynomial>(known->second)) &&
        isAdvanced(loop.body, other)) {
      moving.push_back(other);
      continue;
    }
    if (isPlace)
      continue;
    if (llvm::is_contained(ring, other))
      continue;
    // `other = 1 - other` chooses a level, turn by turn.
    const auto *number =
        known == environment.end() ? nullptr : std::get_if<Polynomial>(&known->second);
    if (number && (*number == Polynomial(0) || *number == Polynomial(1)) && loops.empty() &&
        made.stride == Polynomial(1) && !made.isDownward && made.begin.number() &&
        isTurnedOver(loop.body, other) && llvm::any_of(loop.body, [&](const Stmt *part) {
          return llvm::is_contained(assignedIn(part), other) && !isOnlyPrinting(*part);
        })) {
      const auto rest = modulo(*difference(Polynomial::of(made.variable), made.begin), 2);
      known->second = *number == Polynomial(0) ? *rest : *difference(1, *rest);
      turned.push_back(other);
      continue;
    }
    const bool isReduced = type->isRealFloatingType() && isGathered(loop.body, other);
    if (isReduced && !this->isReduced(other)) {
      const auto *start =
          known == environment.end() ? nullptr : std::get_if<Formula>(&known->second);
      starts[other] = {start ? std::optional(*start) : std::nullopt, unsigned(loops.size()),
                       unsigned(tree.loops.size())};
    }
    lost[other] = Lost::Carried;
    environment.insert_or_assign(other, isReduced ? Value(Reduced()) : Value(Unknown()));
  }
  const size_t around = loops.size();
  if (loops.empty())
    named.clear();
  for (const Loop &each : flat) {
    loops.push_back(tree.loops.size());
    tree.loops.push_back(each);
  }
  takeRing(loop, made, ring);
  const std::vector<Advance> advances = advancesIn(loop, made, *turn, moving);
  const Environment start = environment;
  const bool isOneOfFewOutside = std::exchange(isOneOfFew, false);
  const bool isRead = runBody(loop.body);
  isOneOfFew = isOneOfFewOutside;
  const unsigned number = loops.back();
  loops.resize(around);
  if (!isRead)
    return false;
  for (const Variable &variable : turned) {
    const auto *now = std::get_if<Polynomial>(&environment[variable]);
    if (!now || difference(1, *now) != std::get<Polynomial>(start.at(variable)))
      return refuse(loop.where, "`" + variable.first->getNameAsString() +
                                    "` does not change between 0 and 1 in each turn"),
             false;
  }
  const std::vector<Variable> others = endAdvances(advances, assigned);
  if (!endLoop(tree.loops[number], start, others) ||
      !endCalls(tree.loops[number], loop, start, assigned))
    return false;
  if (variable.first)
    environment.insert_or_assign(variable, valueAfter(made));
  return true;
}

/// What a loop leaves its variable at.
Value Reader::valueAfter(const Loop &loop) {
  if (loop.stride.number().value_or(1) < 2 || loop.isDownward)
    return Unknown();
  SymbolInfo info;
  info.kind = SymbolInfo::Kind::Stopped;
  info.name = tree.symbols[loop.variable].name;
  info.dividend = Polynomial::of(loop.variable);
  info.where = loop.where;
  return Polynomial::of(addSymbol(info));
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
  if (!endLoop(loop, before, changed))
    return false;
  // An array stays where it is while pointers to it change places.
  for (const auto &[variable, where] : named) {
    const auto old = before.find(variable);
    const auto *place = old == before.end() ? nullptr : std::get_if<Place>(&old->second);
    const Buffer *meant = place ? &tree.buffers[place->buffer] : nullptr;
    if (place && loop.becomes.count(place->buffer) && !meant->keepsName && !meant->isByTurn &&
        isSame(old->second, environment.at(variable)) && !startsAnew(*variable.first))
      return refuse(where,
                    "`" + variable.first->getNameAsString() +
                        "` is named here, and pointers to it change places from turn to turn",
                    "use the pointers to the old level and to the new one alone"),
             false;
  }
  return true;
}

/// Pointers that change places are noted; what else a turn leaves behind is unknown.
bool Reader::endLoop(Loop &loop, const Environment &start, const std::vector<Variable> &assigned) {
  for (const Variable &variable : assigned) {
    Value &now = environment[variable];
    const auto before = start.find(variable);
    if (std::holds_alternative<Reference>(now) && before != start.end() &&
        isSame(before->second, now))
      continue;
    const Place *old = before == start.end() ? nullptr : std::get_if<Place>(&before->second);
    const Place *place = std::get_if<Place>(&now);
    if (place && before != start.end() && (!old || place->isByTurn))
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
      // Objects and arrays that change places are found under their old names, unlike pointers.
      const ValueDecl *named = variable.second ? variable.second : variable.first;
      tree.buffers[old->buffer].keepsName =
          !named->getType().getNonReferenceType()->isPointerType();
    } else if (!place && !std::holds_alternative<Reduced>(now)) {
      now = Unknown();
      lost[variable] = Lost::Left;
    }
  }
  return true;
}

/// A container that has changed places with one of the function's own holds at the end what that
/// one held.
void Reader::takeOver(const Variable &variable, SourceLocation where) {
  const unsigned to = std::get<Place>(firstValues.at(variable)).buffer;
  const unsigned from = std::get<Place>(environment.at(variable)).buffer;
  const Buffer &theirs = tree.buffers[to], &own = tree.buffers[from];
  if (!own.isLocal || !own.isObject || !theirs.isObject || own.type != theirs.type ||
      own.whole != theirs.whole)
    return;
  const unsigned time = tree.assignments.size();
  tree.accesses.push_back({from, {}, time, where});
  Assignment copy{{}, {}, {to, {}, time, where}, {}, where};
  copy.value = leaf(own.type, Read{unsigned(tree.accesses.size() - 1), TimeLevel::Current, {}});
  copy.isWhole = true;
  tree.assignments.push_back(std::move(copy));
}

bool Reader::endStep(SourceLocation where) {
  if (llvm::any_of(tree.loops, [](const Loop &loop) { return !loop.becomes.empty(); }))
    return true;
  std::vector<Variable> exchanged;
  for (const auto &[variable, first] : firstValues) {
    const auto now = environment.find(variable);
    const auto *old = std::get_if<Place>(&first);
    const auto *place = now == environment.end() ? nullptr : std::get_if<Place>(&now->second);
    const auto *declared = dyn_cast<VarDecl>(variable.first);
    const QualType type = variable.first->getType();
    const bool isOurs = declared && declared->hasLocalStorage() && !type->isReferenceType() &&
                        !(variable.second && type->isPointerType());
    if (!isOurs && old && place && old->buffer != place->buffer && place->subscripts.empty() &&
        old->subscripts.empty())
      exchanged.push_back(variable);
  }
  if (exchanged.size() == 1)
    takeOver(exchanged[0], where);
  if (exchanged.size() < 2)
    return true;
  SymbolInfo turn;
  turn.kind = SymbolInfo::Kind::Loop;
  turn.name = "turn";
  Loop loop{addSymbol(turn), 0, 1};
  loop.where = where;
  if (!endLoop(loop, firstValues, exchanged))
    return false;
  const unsigned number = tree.loops.size();
  tree.loops.push_back(std::move(loop));
  for (Assignment &assignment : tree.assignments)
    assignment.loops.insert(assignment.loops.begin(), number);
  for (Gathered &gathered : tree.reductions) {
    gathered.loops.insert(gathered.loops.begin(), number);
    ++gathered.outside;
  }
  return true;
}

} // namespace stencilc::lift
