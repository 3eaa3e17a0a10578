// The Reader on statements.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "clang/AST/Attr.h"
#include "clang/Lex/Lexer.h"

#include <fmt/format.h>

using namespace clang;

namespace stencilc::lift {

std::optional<LoopTree> read(ASTContext &context, const FunctionDecl &function,
                             std::optional<Marked> marked, bool takesWeights, Refusals &refusals) {
  return Reader(context, refusals, takesWeights).read(function, marked);
}

bool isSame(const Value &left, const Value &right) {
  return std::visit(
      [&](const auto &value) {
        using T = std::decay_t<decltype(value)>;
        const T *other = std::get_if<T>(&right);
        if constexpr (std::is_same_v<T, Formula>)
          return other && isSameValue(value, *other);
        else
          return other && value == *other;
      },
      left);
}

std::string Reader::textOf(const Stmt &statement) const {
  const SourceManager &sources = context.getSourceManager();
  CharSourceRange range = CharSourceRange::getTokenRange(statement.getSourceRange());
  std::string text = Lexer::getSourceText(range, sources, context.getLangOpts()).str();
  if (text.empty()) { // a part of a macro
    range = sources.getExpansionRange(range);
    text = Lexer::getSourceText(range, sources, context.getLangOpts()).str();
  }
  std::string line;
  for (char letter : text)
    if (!isspace(static_cast<unsigned char>(letter)))
      line += letter;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  return line.size() > 60 ? fmt::format("{:.57}...", line) : line;
}

std::optional<LoopTree> Reader::read(const FunctionDecl &function, std::optional<Marked> marked) {
  tree.name = function.getNameAsString();
  tree.where = function.getLocation();
  tree.isProgram = function.isMain();
  mayLeaveOut = tree.isProgram && !marked;
  callers.push_back(&function);
  // Parameters in their order, so that they are declared in it.
  for (const ParmVarDecl *parameter : function.parameters()) {
    const QualType type = parameter->getType().getNonReferenceType();
    if (type->isIntegralOrEnumerationType() || type->isRealFloatingType())
      if (!makeValue({parameter, nullptr}, parameter->getLocation()))
        return std::nullopt;
  }
  // What a fragment declares and does not set is given to it.
  if (function.hasAttr<AnnotateAttr>())
    for (const Stmt *statement : cast<CompoundStmt>(function.getBody())->body())
      if (const auto *declaration = dyn_cast<DeclStmt>(statement))
        for (const Decl *declared : declaration->decls())
          if (const auto *variable = dyn_cast<VarDecl>(declared); variable && !variable->hasInit())
            given.insert(variable);
  if (!marked) {
    const SourceLocation end = function.getBody()->getEndLoc();
    if (!run(*function.getBody()) || !endStep(end) || !endRows(end))
      return std::nullopt;
    return std::move(tree);
  }
  if (!runMarked(*function.getBody(), *marked))
    return std::nullopt;
  return std::move(tree);
}

/// Only declarations and arrays of neighbours count before the region, nothing does after it.
bool Reader::runMarked(const Stmt &block, const Marked &marked) {
  const SourceManager &sources = context.getSourceManager();
  const auto isBefore = [&](SourceLocation left, SourceLocation right) {
    return sources.isBeforeInTranslationUnit(sources.getExpansionLoc(left),
                                             sources.getExpansionLoc(right));
  };
  for (const Stmt *statement : block.children()) {
    if (!statement || isBefore(marked.end, statement->getBeginLoc()))
      continue;
    if (!isBefore(statement->getBeginLoc(), marked.begin)) {
      if (!run(*statement))
        return false;
    } else if (isBefore(marked.end, statement->getEndLoc())) {
      if (!runMarked(*statement, marked))
        return false;
    } else if (const auto *declaration = dyn_cast<DeclStmt>(statement))
      declareGiven(*declaration);
    else if (setsNeighbours(*statement) && !run(*statement))
      return false;
  }
  return true;
}

bool takesMemory(const clang::Expr &given) {
  const clang::Expr &start = bare(given);
  const auto *cast = dyn_cast<clang::CastExpr>(&start);
  const auto *called = dyn_cast<clang::CallExpr>(cast ? &bare(*cast->getSubExpr()) : &start);
  const FunctionDecl *function = called ? called->getDirectCallee() : nullptr;
  const auto *construct = dyn_cast<CXXConstructExpr>(&start);
  // A copy of a container is one, not another name for it.
  if (construct && !elementOfContainer(given.getType()).isNull())
    return true;
  return isa<CXXNewExpr>(start) || (function && function->getReturnType()->isVoidPointerType()) ||
         (construct && construct->getNumArgs() != 1 && given.getType()->isRecordType());
}

/// What a region finds: variables with a value that is understood have it, others are given.
void Reader::declareGiven(const DeclStmt &declaration) {
  for (const Decl *declared : declaration.decls()) {
    const auto *variable = dyn_cast<VarDecl>(declared);
    if (!variable)
      continue;
    const Refusals::Trial trial(refusals);
    // What memory holds that is taken before the region is set there too.
    const bool isMemory = variable->getInit() && takesMemory(*variable->getInit());
    if (!variable->hasInit() || isMemory || !declare(*variable))
      given.insert(variable);
  }
}

/// `assert(n > 2)`, which stops the program or does nothing.
bool Reader::isAssertion(const Stmt &statement) const {
  const SourceLocation where = statement.getBeginLoc();
  return where.isMacroID() && assignedIn(&statement).empty() &&
         Lexer::getImmediateMacroName(where, context.getSourceManager(), context.getLangOpts()) ==
             "assert";
}

/// `return next;`: an array that the function has made is a result, as if it had been given.
bool Reader::returnsArray(const clang::Expr &value) {
  const QualType type = value.getType();
  if (!type->isPointerType() && elementOfContainer(type).isNull())
    return false;
  const Refusals::Trial trial(refusals);
  const auto *construct = dyn_cast<CXXConstructExpr>(&bare(value)); // a move
  const auto made =
      place(construct && construct->getNumArgs() == 1 ? *construct->getArg(0) : value);
  if (!made || !made->subscripts.empty())
    return false;
  Buffer &buffer = tree.buffers[made->buffer];
  if (std::exchange(buffer.isLocal, false))
    buffer.isReturned = true;
  return true;
}

bool Reader::run(const Stmt &statement) {
  const SourceLocation where = statement.getBeginLoc();
  if (++depth > 1000)
    return refuse(where, "the statements are nested too deeply"), false;
  struct Leave {
    unsigned &depth;
    ~Leave() { --depth; }
  } leave{depth};
  if (hasReturned && !isa<NullStmt>(statement))
    return refuse(where, "a statement stands behind a `return`"), false;

  if (const auto *block = dyn_cast<CompoundStmt>(&statement))
    return runBlock({block->body_begin(), block->body_end()});
  if (isOnlyPrinting(statement) || isAssertion(statement) || runTiming(statement) ||
      isLeftOut(statement))
    return true;
  if (const auto *declaration = dyn_cast<DeclStmt>(&statement))
    return runWithSteps(statement, [&] {
      return llvm::all_of(declaration->decls(), [&](const Decl *declared) {
        const auto *variable = dyn_cast<VarDecl>(declared);
        return !variable || declare(*variable);
      });
    });
  if (isa<ForStmt, WhileStmt, DoStmt>(statement))
    return isFilling(statement) || runLoop(statement);
  if (const auto isRead = runReduction(statement))
    return *isRead;
  if (const auto *choice = dyn_cast<IfStmt>(&statement))
    return runIf(*choice);
  if (const auto *several = dyn_cast<SwitchStmt>(&statement)) {
    const Stmt *plain = asChoices(*several);
    return plain && run(*plain);
  }
  if (const auto *attributed = dyn_cast<AttributedStmt>(&statement))
    return run(*attributed->getSubStmt());
  if (isa<NullStmt>(statement))
    return true;
  if (const auto *result = dyn_cast<ReturnStmt>(&statement)) {
    if (loops.size() > outerLoops)
      return refuse(where, "`return` leaves a loop before its end"), false;
    if (conditions.size() > outerConditions || guards.size() > outerGuards)
      return refuse(where, "a `return` under a condition",
                    "write the choice as `condition ? a : b`"),
             false;
    hasReturned = true;
    if (result->getRetValue() && callers.size() == 1 && !returnsArray(*result->getRetValue()))
      noteResult(*result->getRetValue(), "return");
    if (!result->getRetValue() || callers.size() == 1)
      return true;
    if (namesReduced(*result->getRetValue())) {
      returned = Value(Reduced{true});
      return true;
    }
    const QualType type = callers.back()->getReturnType();
    if (isStructOfNumbers(type)) {
      const auto numbers = numbersOfStruct(*result->getRetValue());
      if (!numbers)
        return false;
      setStruct(*callers.back(), *numbers);
      returned = Value(Reference{{callers.back(), nullptr}});
      return true;
    }
    // A reference to an element is that element, not its value.
    if (type->isReferenceType() && !type->getPointeeType()->isRecordType()) {
      const auto element = place(*result->getRetValue());
      returned = element ? std::optional<Value>(*element) : std::nullopt;
    } else
      returned = evaluate(*result->getRetValue());
    return returned.has_value();
  }
  if (const auto *expression = dyn_cast<clang::Expr>(&statement))
    return runWithSteps(statement, [&] { return runExpression(*expression); });
  if (isa<GotoStmt, IndirectGotoStmt, LabelStmt>(statement))
    return refuse(where, "`goto`: the order of what is done here is not followed",
                  "write loops as `for`"),
           false;
  if (isa<CXXForRangeStmt>(statement))
    return refuse(where, "a loop over the elements of a container, which have no places there",
                  "count them: `for (size_t i = 0; i < u.size(); i++)`"),
           false;
  if (isa<BreakStmt, ContinueStmt>(statement))
    return refuse(where,
                  "a loop is left or a point skipped where the data says so: a stencil updates "
                  "all points of a box",
                  "write `if (condition)` around what is done"),
           false;
  return refuse(where, "this statement is not understood"), false;
}

bool Reader::declare(const VarDecl &variable) {
  const QualType type = variable.getType();
  const Variable key{&variable, nullptr};
  if (given.contains(&variable))
    return true;
  if (type->isReferenceType() && variable.getInit())
    if (const auto other = namedVariable(*variable.getInit())) {
      environment.insert_or_assign(key, Value(Reference{*other}));
      return true;
    }
  if (variable.getInit() && !type->isArrayType() && isText(*variable.getInit())) {
    environment.insert_or_assign(key, Value(Unknown()));
    return true;
  }
  if (type->isRealFloatingType() && variable.getInit() && namesReduced(*variable.getInit())) {
    environment.insert_or_assign(key, Value(Reduced{true}));
    return true;
  }
  if (variable.getInit() && type->isRecordType() && isOwnRecord(type)) {
    if (makesStruct(*variable.getInit())) {
      const auto numbers = numbersOfStruct(*variable.getInit());
      if (numbers)
        setStruct(variable, *numbers);
      return numbers.has_value();
    }
    if (const clang::Expr *element = elementCopied(*variable.getInit()))
      return copyElement(variable, *element, variable.getLocation());
    return declareObject(variable, *variable.getInit());
  }
  if (variable.getInit() && readsText(*variable.getInit()))
    if (const auto value = saidByUser(key)) {
      environment.insert_or_assign(key, *value);
      return true;
    }
  if (const clang::Expr *start = variable.getInit();
      start && !isArray(type) && (!variable.isStaticLocal() || type.isConstQualified())) {
    if (type->isPointerType() &&
        start->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNull)) {
      environment.insert_or_assign(key, Value(Unknown()));
      return true;
    }
    if (!takesMemory(*start)) {
      const size_t before = tree.buffers.size();
      auto value = evaluate(*start);
      if (!value)
        return false;
      nameTaken(*value, before, key);
      environment.insert_or_assign(key, std::move(*value));
      return true;
    }
  }
  if (type->isArrayType() || type->isPointerType() || type->isRecordType()) {
    if (!isArray(type) && !variable.getInit()) {
      environment.insert_or_assign(key, Value(Unknown()));
      return true;
    }
    if (isArray(type) && isListed(variable))
      return type->isArrayType() && type->getArrayElementTypeNoTypeQual()->isPointerType()
                 ? declareLevels(variable)
                 : declareTable(variable);
    // A function gives an array of its own.
    if (const clang::Expr *start = variable.getInit(); start && isArray(type) &&
                                                       isa<clang::CallExpr>(bare(*start)) &&
                                                       !elementParts(bare(*start)).first) {
      const auto made = place(*start);
      if (made)
        environment.insert_or_assign(key, Value(*made));
      return made.has_value();
    }
    const auto *construct =
        variable.getInit() ? dyn_cast<CXXConstructExpr>(&bare(*variable.getInit())) : nullptr;
    if (construct && construct->getConstructor()->isCopyConstructor() && !isView(type))
      return declareCopy(variable, *construct);
    const auto made = makeBuffer(variable.getNameAsString(), type, !variable.isStaticLocal(),
                                 variable.getLocation());
    if (!made)
      return false;
    if (!variable.isStaticLocal())
      declaredUnder[made->buffer] = conditions.size();
    if (construct)
      addExtents(made->buffer, *construct);
    environment.insert_or_assign(key, Value(*made));
    if (takesWeights && isWeights(variable, *made))
      return true;
    const bool isAnew = construct && !loops.empty() && conditions.empty() && guards.empty();
    return !isAnew || fillAnew(*made, *construct);
  }
  environment.insert_or_assign(key, Value(Unknown()));
  lost[key] = Lost::Unset;
  return true;
}

// ---- conditions

bool Reader::runIf(const IfStmt &statement) {
  const SourceLocation where = statement.getIfLoc();
  // A program that gives up makes no step.
  if (tree.isProgram && callers.size() == 1 && loops.empty() && !statement.getElse() &&
      endsProgram(*statement.getThen()))
    return true;
  if (statement.getInit() || statement.getConditionVariable())
    return refuse(where, "a declaration stands in the condition"), false;
  if (givesUp(statement))
    return true;
  const clang::Expr &test = *statement.getCond();
  if (const auto known = knownCondition(test)) {
    const Stmt *taken = *known ? statement.getThen() : statement.getElse();
    return !taken || run(*taken);
  }
  if (!statement.getElse() && assignedIn(statement.getThen()).empty())
    if (auto limits = guardsOf(test); limits && areBounds(*limits)) {
      const Supposed supposed(*this);
      suppose(test, true);
      return runGuarded(*statement.getThen(), *limits);
    }
  if (!loops.empty())
    if (const auto parity = parityOf(test); parity &&
                                            tree.hidesIn(*parity, tree.loops[loops[0]].variable) &&
                                            !isOfPoints(*parity, statement))
      return runInTurns(statement);
  if (keepsPosition(statement))
    return true;
  return runChoice(
      test, &statement, [&] { return run(*statement.getThen()); },
      [&] { return !statement.getElse() || run(*statement.getElse()); });
}

/// Both branches of a choice on data, which `all` stands for.
bool Reader::runChoice(const clang::Expr &test, llvm::ArrayRef<const Stmt *> all,
                       llvm::function_ref<bool()> runThen, llvm::function_ref<bool()> runElse) {
  const auto value = condition(test);
  if (!value)
    return false;
  const auto opposite = unary(UnaryOp::Not, *value);
  for (const Variable &variable : assignedIn(all))
    if (!environment.count(variable) && !makeValue(variable, test.getExprLoc()))
      return false;
  const Environment before = environment;
  const auto branch = [&](llvm::function_ref<bool()> runIt, const Formula &holds, bool isTrue) {
    const Supposed supposed(*this);
    suppose(test, isTrue);
    conditions.push_back(holds);
    const bool isRead = runIt();
    conditions.pop_back();
    return isRead;
  };
  if (!branch(runThen, *value, true))
    return false;
  const Environment then = std::exchange(environment, before);
  // What was first seen in one branch is the same in the other: no branch has changed it.
  environment.insert(then.begin(), then.end());
  if (!branch(runElse, *opposite, false))
    return false;
  const Environment otherwise = environment;
  return join(&*value, &test, then, otherwise, test.getExprLoc());
}

const Loop &Reader::loopOf(Symbol variable) const {
  return tree.loops[*llvm::find_if(
      loops, [&](unsigned number) { return tree.loops[number].variable == variable; })];
}

/// True if each limit is at a known distance from the bound that it narrows.
bool Reader::areBounds(llvm::ArrayRef<Guard> limits) const {
  return llvm::all_of(limits, [&](const Guard &guard) {
    const Loop &bounds = loopOf(guard.variable);
    return (!guard.from || distance(*guard.from, bounds.begin)) &&
           (!guard.to || distance(*guard.to, bounds.end));
  });
}

bool Reader::runGuarded(const Stmt &statement, std::vector<Guard> limits) {
  const size_t before = guards.size();
  guards.insert(guards.end(), limits.begin(), limits.end());
  const bool isRead = run(statement);
  guards.resize(before);
  return isRead;
}

/// What variables hold after both branches of an `if`; its condition, where that is on data.
bool Reader::join(const Formula *condition, const clang::Expr *test, const Environment &then,
                  const Environment &otherwise, SourceLocation where) {
  for (const auto &[variable, first] : then) {
    const auto other = otherwise.find(variable);
    if (other == otherwise.end()) {
      environment.insert_or_assign(variable, first);
      continue;
    }
    const Value &second = other->second;
    if (isSame(first, second))
      continue;
    if (const auto said = saidByUser(variable)) {
      environment.insert_or_assign(variable, *said);
      continue;
    }
    const auto *left = std::get_if<Formula>(&first), *right = std::get_if<Formula>(&second);
    if (left && right && condition) {
      Formula joined = lift::choice(*condition, *left, *right);
      name(joined, variable.first->getNameAsString());
      environment.insert_or_assign(variable, Value(std::move(joined)));
      continue;
    }
    const QualType type =
        (variable.second ? variable.second : variable.first)->getType().getNonReferenceType();
    if (condition && type->isIntegralOrEnumerationType() && (left || right))
      if (auto joined = datumChosen(*condition, first, second)) {
        name(*joined, variable.first->getNameAsString());
        environment.insert_or_assign(variable, Value(std::move(*joined)));
        continue;
      }
    const auto *wholeLeft = std::get_if<Polynomial>(&first);
    const auto *wholeRight = std::get_if<Polynomial>(&second);
    if (test && wholeLeft && wholeRight)
      if (const auto joined = choice(*test, *wholeLeft, *wholeRight, *test)) {
        environment.insert_or_assign(variable, Value(*joined));
        continue;
      }
    if (condition && wholeLeft && wholeRight && type->isIntegralOrEnumerationType())
      if (auto joined = datumChosen(*condition, first, second)) {
        environment.insert_or_assign(variable, Value(std::move(*joined)));
        continue;
      }
    const auto *placeThen = std::get_if<Place>(&first);
    const auto *placeElse = std::get_if<Place>(&second);
    const auto parity = test && placeThen && placeElse ? parityOf(*test) : std::nullopt;
    if (parity) {
      const auto joined = placeByTurn({*placeElse, *placeThen}, *parity, where);
      if (!joined)
        return false;
      environment.insert_or_assign(variable, Value(*joined));
      continue;
    }
    if (placeThen && placeElse)
      return refuse(where, "where `" + variable.first->getNameAsString() +
                               "` points to depends on a condition"),
             false;
    environment.insert_or_assign(variable, Value(Unknown()));
  }
  return true;
}

} // namespace stencilc::lift
