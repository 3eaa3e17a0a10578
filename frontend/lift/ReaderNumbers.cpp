// The Reader on numbers of float and double.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

using namespace clang;

namespace stencilc::lift {

std::optional<ScalarType> Reader::scalarType(QualType type, SourceLocation where) {
  if (const auto *builtin = type.getCanonicalType()->getAs<BuiltinType>()) {
    if (builtin->getKind() == BuiltinType::Float)
      return ScalarType::F32;
    if (builtin->getKind() == BuiltinType::Double)
      return ScalarType::F64;
  }
  return refuse(where, "`" + type.getAsString() + "` is no number of the language",
                "numbers are float or double");
}

std::optional<Formula>
Reader::choiceOf(const ConditionalOperator &choice,
                 llvm::function_ref<std::optional<Formula>(const clang::Expr &)> read,
                 llvm::function_ref<bool(Formula &, Formula &)> alike) {
  if (const auto known = knownCondition(*choice.getCond()))
    return read(*known ? *choice.getTrueExpr() : *choice.getFalseExpr());
  const auto test = condition(*choice.getCond());
  const auto side = [&](const clang::Expr &value, bool isTrue) {
    const Supposed supposed(*this);
    suppose(*choice.getCond(), isTrue);
    std::optional<Formula> result;
    return readOptional(value, [&] { return (result = read(value)).has_value(); }) ? result
                                                                                   : std::nullopt;
  };
  auto then = test ? side(*choice.getTrueExpr(), true) : std::nullopt;
  auto otherwise = then ? side(*choice.getFalseExpr(), false) : std::nullopt;
  return otherwise && alike(*then, *otherwise) ? std::optional(select(*test, *then, *otherwise))
                                               : std::nullopt;
}

std::optional<Formula> Reader::number(const clang::Expr &given) {
  const clang::Expr &expression = bare(given);
  const SourceLocation where = expression.getExprLoc();
  if (++depth > 1000)
    return refuse(where, "the expression is nested too deeply");
  struct Leave {
    unsigned &depth;
    ~Leave() { --depth; }
  } leave{depth};

  if (const auto *known = dyn_cast<FloatingLiteral>(&expression)) {
    const auto type = scalarType(expression.getType(), where);
    if (!type)
      return std::nullopt;
    return literal(*type, *type == ScalarType::F32 ? known->getValue().convertToFloat()
                                                   : known->getValue().convertToDouble());
  }
  // `double s{}`, `double()`
  if (const auto *list = dyn_cast<InitListExpr>(&expression);
      (list && list->getNumInits() == 0) ||
      isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(expression)) {
    const auto type = scalarType(expression.getType(), where);
    return type ? std::optional(literal(*type, 0)) : std::nullopt;
  }
  if (const auto *cast = dyn_cast<clang::CastExpr>(&expression))
    return numberCast(*cast);
  if (const auto *operation = dyn_cast<BinaryOperator>(&expression)) {
    // `a = b = 0`: the value of what is set goes on.
    if (operation->isAssignmentOp())
      return runExpression(expression) ? number(*operation->getLHS()) : std::nullopt;
    if (operation->isCommaOp())
      return refuse(where, "`" + textOf(expression) + "` does one thing after the other",
                    "give each a statement of its own");
    const auto left = number(*operation->getLHS());
    const auto right = left ? number(*operation->getRHS()) : std::nullopt;
    return right ? numberBinary(expression, operation->getOpcode(), *left, *right) : std::nullopt;
  }
  if (const auto *operation = dyn_cast<UnaryOperator>(&expression)) {
    if (operation->getOpcode() == UO_Plus)
      return number(*operation->getSubExpr());
    if (operation->getOpcode() == UO_Minus) {
      const auto operand = number(*operation->getSubExpr());
      return operand ? unary(UnaryOp::Negate, *operand) : std::nullopt;
    }
  }
  if (const auto *choice = dyn_cast<ConditionalOperator>(&expression))
    return choiceOf(
        *choice, [&](const clang::Expr &side) { return number(side); },
        [](Formula &, Formula &) { return true; });
  if (const auto variable = namedVariable(expression)) {
    const auto value = valueOf(*variable, where);
    if (!value)
      return std::nullopt;
    if (const auto *formula = std::get_if<Formula>(&*value)) {
      Formula named = *formula;
      if (!isa<ParmVarDecl>(variable->first))
        name(named, (variable->second ? variable->second : variable->first)->getName());
      return named;
    }
    if (const auto *place = std::get_if<Place>(&*value))
      return load(*place, where);
  }
  const auto *called = dyn_cast<clang::CallExpr>(&expression);
  const bool isElement =
      isa<ArraySubscriptExpr, MemberExpr>(expression) ||
      (isa<CXXOperatorCallExpr>(expression) &&
       cast<CXXOperatorCallExpr>(expression).getOperator() == OO_Subscript) ||
      (isa<UnaryOperator>(expression) && cast<UnaryOperator>(expression).getOpcode() == UO_Deref) ||
      (isa<CXXMemberCallExpr>(expression) && expression.isGLValue());
  if (called && !isElement) {
    const auto value = call(*called);
    if (!value)
      return std::nullopt;
    if (const auto *formula = std::get_if<Formula>(&*value))
      return *formula;
    if (const auto *place = std::get_if<Place>(&*value))
      return load(*place, where);
    return refuse(where, "`" + textOf(expression) + "` gives no number");
  }
  if (isElement) {
    const auto source = place(expression);
    return source ? load(*source, where) : std::nullopt;
  }
  return refuse(where, "`" + textOf(expression) + "` is no formula that is understood");
}

bool Reader::readOptional(const clang::Expr &part, llvm::function_ref<bool()> readIt) {
  bool isPlain = true;
  forEachPart(part, [&](const Stmt &inner) {
    const auto *called = dyn_cast<clang::CallExpr>(&inner);
    const FunctionDecl *function = called ? called->getDirectCallee() : nullptr;
    isPlain &= !writtenBy(inner) && (!called || (function && function->getBuiltinID() != 0));
  });
  if (isPlain)
    return readIt();
  const Environment before = environment;
  const clang::Expr *outer = std::exchange(optional, &part);
  const bool isRead = readIt();
  optional = outer;
  if (!isRead)
    return false;
  return llvm::all_of(before, [&](const auto &entry) {
    const auto &[variable, old] = entry;
    const auto *declared = dyn_cast<VarDecl>(variable.first);
    const auto *owner = declared && declared->hasLocalStorage()
                            ? dyn_cast_or_null<FunctionDecl>(declared->getParentFunctionOrMethod())
                            : nullptr;
    const bool isOfCalled = owner && !llvm::is_contained(callers, owner);
    if (isOfCalled || isSame(environment.at(variable), old))
      return true;
    refuse(part.getExprLoc(),
           "`" + variable.first->getName() +
               "` is set within a part of an expression that may be "
               "left out: `" +
               textOf(part) + "`",
           "set it by a statement of its own, under `if`");
    return false;
  });
}

/// A comparison, `&&`, `||` or `!`, which C counts among the whole numbers.
static bool isTruth(const clang::Expr &expression) {
  if (expression.getType()->isBooleanType())
    return true;
  if (const auto *operation = dyn_cast<BinaryOperator>(&expression))
    return operation->isComparisonOp() || operation->isLogicalOp();
  const auto *operation = dyn_cast<UnaryOperator>(&expression);
  return operation && operation->getOpcode() == UO_LNot;
}

std::optional<Formula> Reader::numberOfWhole(const clang::Expr &expression, ScalarType to) {
  const SourceLocation where = expression.getExprLoc();
  if (namesData(expression)) {
    const auto value = datum(expression);
    return value ? lift::cast(to, withoutMinusZero(*value)) : std::nullopt;
  }
  if (const auto *choice = dyn_cast<ConditionalOperator>(&bare(expression));
      choice && !knownCondition(*choice->getCond())) {
    std::optional<Formula> test; // of numbers of the grid; other choices are whole themselves
    {
      const Refusals::Trial trial(refusals);
      if (!whole(expression))
        test = condition(*choice->getCond());
    }
    const auto branch = [&](const clang::Expr &value) {
      std::optional<Formula> result;
      return readOptional(value, [&] { return (result = numberOfWhole(value, to)).has_value(); })
                 ? result
                 : std::nullopt;
    };
    const auto then = test ? branch(*choice->getTrueExpr()) : std::nullopt;
    const auto otherwise = then ? branch(*choice->getFalseExpr()) : std::nullopt;
    if (otherwise)
      return select(*test, *then, *otherwise);
  }
  const auto count = whole(expression);
  if (count && mayWrap(expression, *count))
    return refuse(where, "`" + textOf(expression) + "` is unsigned and may fall below 0",
                  "count with int");
  const auto value = count ? formulaOf(*count, where) : std::nullopt;
  if (!value)
    return std::nullopt;
  if (auto result = lift::cast(to, *value))
    return result;
  return refuse(where, "`" + textOf(expression) + "` is too large for its type");
}

std::optional<Formula> Reader::numberCast(const clang::CastExpr &cast) {
  const clang::Expr &operand = *cast.getSubExpr();
  const auto to = scalarType(cast.getType(), cast.getExprLoc());
  if (!to)
    return std::nullopt;
  if (isTruth(bare(operand))) {
    if (const auto known = knownCondition(operand))
      return literal(*to, *known ? 1 : 0);
    const auto test = condition(operand);
    return test ? std::optional(select(*test, literal(*to, 1), literal(*to, 0))) : std::nullopt;
  }
  if (operand.getType()->isIntegralOrEnumerationType())
    return numberOfWhole(operand, *to);
  if (!operand.getType()->isRealFloatingType())
    return refuse(cast.getExprLoc(), "`" + textOf(operand) + "` is no number");
  const auto value = number(operand);
  if (!value)
    return std::nullopt;
  if (auto result = lift::cast(*to, *value))
    return result;
  return refuse(cast.getExprLoc(), "`" + textOf(operand) + "` is too large for its type");
}

std::optional<Formula> Reader::numberBinary(const clang::Expr &where, BinaryOperatorKind op,
                                            const Formula &left, const Formula &right) {
  std::optional<BinaryOp> operation;
  switch (op) {
  case BO_Add:
  case BO_AddAssign:
    operation = BinaryOp::Add;
    break;
  case BO_Sub:
  case BO_SubAssign:
    operation = BinaryOp::Subtract;
    break;
  case BO_Mul:
  case BO_MulAssign:
    operation = BinaryOp::Multiply;
    break;
  case BO_Div:
  case BO_DivAssign:
    operation = BinaryOp::Divide;
    break;
  default:
    return refuse(where.getExprLoc(), "`" + BinaryOperator::getOpcodeStr(op).str() +
                                          "` is no operation on numbers of a grid");
  }
  if (left.exprs.size() + right.exprs.size() > 15'000)
    return refuse(where.getExprLoc(), "the formula is too long");
  if (auto result = binary(*operation, left, right))
    return result;
  return refuse(where.getExprLoc(), "`" + textOf(where) + "` is no finite number");
}

std::optional<Formula> Reader::formulaOf(const Polynomial &value, SourceLocation where) {
  const auto tooLarge = [&] { return refuse(where, "the whole number is too large"); };
  std::optional<Formula> result;
  for (const auto &[monomial, coefficient] : llvm::reverse(value.terms())) {
    if (std::abs(double(coefficient)) > kMaxWholeNumber)
      return tooLarge();
    std::optional<Formula> term;
    for (Symbol symbol : monomial) {
      const SymbolInfo &info = tree.symbols[symbol];
      if (info.kind != SymbolInfo::Kind::Loop && info.kind != SymbolInfo::Kind::Param)
        return refuse(where, "`" + info.name + "` stands in a formula",
                      "remainders and choices of whole numbers are understood in subscripts");
      const Formula factor = info.kind == SymbolInfo::Kind::Loop
                                 ? leaf(ScalarType::Int, AxisValue{symbol})
                                 : leaf(ScalarType::Int, ParamValue{symbol});
      term = term ? binary(BinaryOp::Multiply, *term, factor) : factor;
    }
    const double size = std::abs(double(coefficient));
    if (!term)
      term = literal(ScalarType::Int, result ? size : double(coefficient));
    else if (size != 1)
      term = binary(BinaryOp::Multiply, literal(ScalarType::Int, size), *term);
    if (!result && coefficient < 0 && !monomial.empty())
      term = unary(UnaryOp::Negate, *term);
    if (result)
      term = binary(coefficient < 0 ? BinaryOp::Subtract : BinaryOp::Add, *result, *term);
    result = term;
    if (!result)
      return tooLarge();
  }
  return result ? result : literal(ScalarType::Int, 0);
}

// ---- memory

bool isAnother(llvm::ArrayRef<Polynomial> left, llvm::ArrayRef<Polynomial> right) {
  return llvm::any_of(llvm::zip(left, right), [](const auto &both) {
    return distance(std::get<0>(both), std::get<1>(both)).value_or(0) != 0;
  });
}

std::optional<Formula> Reader::load(const Place &place, SourceLocation where) {
  const Buffer &buffer = tree.buffers[place.buffer];
  if (place.subscripts.size() != buffer.extents.size()) {
    return refuse(where, "`" + buffer.name + "` is read with " +
                             llvm::Twine(place.subscripts.size()) + " subscripts but has " +
                             llvm::Twine(buffer.extents.size()) + " dimensions");
  }
  if (neighbours.count(place.buffer))
    return refuse(where, "which number of `" + buffer.name + "` is meant is not known");
  if (const auto table = tables.find(place.buffer); table != tables.end()) {
    const auto index = indexIn(place);
    if (index && !table->second.values[*index].empty()) {
      Formula value = table->second.values[*index];
      if (table->second.isSet)
        name(value, buffer.name + std::to_string(*index));
      return value;
    }
    const bool isKnown = llvm::all_of(place.subscripts, [](const Polynomial &subscript) {
      return subscript.number().has_value();
    });
    if (isKnown || buffer.isLocal)
      return refuse(where, "which number of `" + buffer.name + "` is meant is not known");
  }
  // What was stored to this very element in the same turn.
  for (const Assignment &earlier : llvm::reverse(tree.assignments)) {
    if (earlier.target.buffer != place.buffer)
      continue;
    const bool sameTurn = earlier.loops == loops && earlier.guards.empty() &&
                          earlier.target.isByTurn == place.isByTurn;
    if (sameTurn && earlier.target.subscripts == place.subscripts)
      return earlier.value;
    if (!sameTurn || !isAnother(earlier.target.subscripts, place.subscripts))
      break;
  }
  const unsigned time = tree.assignments.size();
  const std::vector<Guard> turns = turnsHere();
  for (auto [number, access] : llvm::enumerate(tree.accesses))
    if (access.time == time && access.buffer == place.buffer &&
        access.subscripts == place.subscripts && access.turns == turns &&
        access.isByTurn == place.isByTurn)
      return leaf(buffer.type, Read{unsigned(number), TimeLevel::Current, {}});
  tree.accesses.push_back({place.buffer, place.subscripts, time, where, turns, place.isByTurn});
  return leaf(buffer.type, Read{unsigned(tree.accesses.size() - 1), TimeLevel::Current, {}});
}

} // namespace stencilc::lift
