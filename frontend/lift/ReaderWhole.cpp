// The Reader on whole numbers (bounds, subscripts, extents) and on places in memory.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace stencilc::lift {

constexpr unsigned kMaxDepth = 1000;
const clang::Expr &bare(const clang::Expr &expression) {
  const clang::Expr *inner = expression.IgnoreParens();
  for (;;) {
    if (const auto *full = dyn_cast<FullExpr>(inner))
      inner = full->getSubExpr()->IgnoreParens();
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(inner))
      inner = temporary->getSubExpr()->IgnoreParens();
    else if (const auto *cast = dyn_cast<clang::CastExpr>(inner);
             cast && (cast->getCastKind() == CK_NoOp || cast->getCastKind() == CK_LValueToRValue))
      inner = cast->getSubExpr()->IgnoreParens();
    else if (const auto *parameter = dyn_cast<SubstNonTypeTemplateParmExpr>(inner))
      inner = parameter->getReplacement()->IgnoreParens();
    else if (const auto *usual = dyn_cast<CXXDefaultInitExpr>(inner))
      inner = usual->getExpr()->IgnoreParens();
    else if (const auto *usual = dyn_cast<CXXDefaultArgExpr>(inner))
      inner = usual->getExpr()->IgnoreParens();
    else if (const auto *list = dyn_cast<InitListExpr>(inner);
             list && list->getNumInits() == 1 && list->getType()->isScalarType()) // double s{0};
      inner = list->getInit(0)->IgnoreParens();
    else
      return *inner;
  }
}

static bool isPlace(QualType type) {
  type = type.getNonReferenceType();
  return type->isPointerType() || type->isArrayType() || type->isRecordType();
}

std::optional<Value> Reader::evaluate(const clang::Expr &expression) {
  const QualType type = expression.getType().getNonReferenceType();
  if (type->isRealFloatingType())
    return number(expression);
  if (type->isIntegralOrEnumerationType() && namesData(expression))
    return datum(expression);
  if (type->isIntegralOrEnumerationType())
    return whole(expression);
  const clang::Expr &inner = bare(expression);
  if (const auto *lambda = dyn_cast<LambdaExpr>(&inner))
    return Callable{lambda->getCallOperator()};
  if (const auto *construct = dyn_cast<CXXConstructExpr>(&inner);
      construct && construct->getNumArgs() == 1)
    return evaluate(*construct->getArg(0));
  if (const auto *address = dyn_cast<UnaryOperator>(&inner);
      address && address->getOpcode() == UO_AddrOf)
    if (const auto variable = namedVariable(*address->getSubExpr());
        variable && !address->getSubExpr()->getType()->isArrayType())
      return Reference{*variable};
  if (const auto variable = namedVariable(inner))
    return valueOf(*variable, inner.getExprLoc());
  if (isPlace(type))
    return place(expression);
  return refuse(expression.getExprLoc(),
                "a value of type `" + type.getAsString() + "` is not followed");
}

// ---- whole numbers

std::optional<Polynomial> Reader::whole(const clang::Expr &given) {
  const clang::Expr &expression = bare(given);
  const SourceLocation where = expression.getExprLoc();
  if (++depth > kMaxDepth)
    return refuse(where, "the expression is nested too deeply");
  struct Leave {
    unsigned &depth;
    ~Leave() { --depth; }
  } leave{depth};

  // The loop's variable is what it is in the turn that follows.
  if (&expression == tested) {
    const auto now = whole(*writtenBy(expression));
    const auto *step = dyn_cast<UnaryOperator>(&expression);
    return !now || !step || step->isPrefix() ? now : sum(*now, step->isIncrementOp() ? -1 : 1);
  }
  clang::Expr::EvalResult known;
  if (!expression.isValueDependent() && expression.isPRValue() &&
      expression.getType()->isIntegralOrEnumerationType() &&
      expression.EvaluateAsInt(known, context) && known.Val.getInt().isRepresentableByInt64() &&
      known.Val.getInt().getSignificantBits() <= 62)
    return Polynomial(known.Val.getInt().getExtValue());

  if (const auto *cast = dyn_cast<clang::CastExpr>(&expression)) {
    if (cast->getSubExpr()->getType()->isIntegralOrEnumerationType())
      return whole(*cast->getSubExpr());
    return refuse(where, "`" + textOf(expression) +
                             "` is made a whole number of data: which points are meant is known "
                             "only during a run");
  }
  if (const auto variable = namedVariable(expression)) {
    const auto value = valueOf(*variable, where);
    if (!value)
      return std::nullopt;
    if (const auto *polynomial = std::get_if<Polynomial>(&*value))
      return *polynomial;
    if (std::holds_alternative<Formula>(*value))
      return refuse(where, "`" + textOf(expression) +
                               "` is a whole number of data: which points are meant is known only "
                               "during a run");
    return refuse(where,
                  "the value of `" + textOf(expression) +
                      "` changes from turn to turn in a way that is not followed",
                  "bounds and subscripts are made of loop variables and of numbers that no loop "
                  "changes");
  }
  if (const auto *operation = dyn_cast<BinaryOperator>(&expression))
    return wholeBinary(*operation);
  if (const auto listed = listedWhole(expression))
    return listed;
  if (const auto given = givenWhole(expression))
    return given;
  if (const auto *operation = dyn_cast<UnaryOperator>(&expression)) {
    const auto operand = whole(*operation->getSubExpr());
    if (!operand || steps.contains(operation))
      return operand;
    std::optional<Polynomial> result;
    if (operation->getOpcode() == UO_Minus)
      result = product(*operand, -1);
    else if (operation->getOpcode() == UO_Plus)
      result = *operand;
    else if (operation->getOpcode() == UO_LNot)
      result = opposite(*operand);
    if (result)
      return result;
  }
  if (const auto *choice = dyn_cast<ConditionalOperator>(&expression)) {
    if (const auto known = knownCondition(*choice->getCond()))
      return whole(*known ? *choice->getTrueExpr() : *choice->getFalseExpr());
    const auto then = whole(*choice->getTrueExpr());
    const auto otherwise = then ? whole(*choice->getFalseExpr()) : std::nullopt;
    if (!otherwise)
      return std::nullopt;
    if (const auto result = this->choice(*choice->getCond(), *then, *otherwise, expression))
      return result;
  }
  if (const auto *called = dyn_cast<CXXMemberCallExpr>(&expression))
    if (const auto size = sizeOfContainer(*called))
      return size;
  const bool isElement = elementParts(expression).first;
  if (const auto *called = dyn_cast<clang::CallExpr>(&expression); called && !isElement) {
    const auto value = call(*called);
    if (!value)
      return std::nullopt;
    if (const auto *polynomial = std::get_if<Polynomial>(&*value))
      return *polynomial;
    return refuse(where, "`" + textOf(expression) + "` gives no whole number that is followed");
  }
  if (const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(&expression);
      size && size->getKind() == UETT_SizeOf)
    return sizeOf(size->getTypeOfArgument(), where);
  if (isElement)
    return refuse(where,
                  "`" + textOf(expression) +
                      "` is looked up in an array of whole numbers: which points are meant "
                      "is known only during a run",
                  "a stencil reads at fixed distances from the point; neighbours at the ends are "
                  "written as `i > 0 ? i - 1 : 0`");
  return refuse(where,
                "`" + textOf(expression) + "` is no sum of loop variables and whole numbers");
}

std::optional<Polynomial> Reader::wholeBinary(const BinaryOperator &operation) {
  const SourceLocation where = operation.getOperatorLoc();
  if (operation.isEqualityOp())
    if (const auto parity = parityOf(operation))
      return parity;
  if (operation.isComparisonOp() || operation.isLogicalOp() || operation.isAssignmentOp() ||
      operation.isCommaOp())
    return refuse(where,
                  "`" + textOf(operation) + "` is no sum of loop variables and whole numbers");
  const auto left = whole(*operation.getLHS());
  const auto right = left ? whole(*operation.getRHS()) : std::nullopt;
  if (!right)
    return std::nullopt;
  if (const auto result = wholeOperation(operation.getOpcode(), *left, *right, operation))
    return result;
  return refuse(where, "`" + textOf(operation) + "` is no sum of loop variables and whole numbers",
                "bounds and subscripts are made of loop variables, numbers and +, -, *");
}

std::optional<Polynomial> Reader::wholeOperation(BinaryOperatorKind operation,
                                                 const Polynomial &left, const Polynomial &right,
                                                 const clang::Expr &where) {
  switch (operation) {
  case BO_Add:
  case BO_AddAssign:
    return sum(left, right);
  case BO_Sub:
  case BO_SubAssign:
    return difference(left, right);
  case BO_Mul:
  case BO_MulAssign:
    return product(left, right);
  case BO_Div:
  case BO_DivAssign:
    return quotient(left, right, where);
  case BO_Shl:
    if (const auto bits = right.number(); bits && *bits >= 0 && *bits < 32)
      return product(left, int64_t(1) << *bits);
    return std::nullopt;
  case BO_Rem:
    if (const auto rows = rowsOf(left, right))
      return rows->rest;
    if (const auto modulus = right.number(); modulus && *modulus > 0)
      return modulo(left, *modulus);
    return wrapped(left, right, where);
  case BO_And: // one less than a power of two: what is left of numbers below 0 is no less than 0
    if (const auto last = right.number(); last && *last > 0 && llvm::isPowerOf2_64(*last + 1)) {
      const auto counted = sum(left, left.constantTerm() < 0 && *last > 1 ? *last + 1 : 0);
      return counted ? modulo(*counted, *last + 1) : std::nullopt;
    }
    return std::nullopt;
  case BO_Xor:
  case BO_XorAssign:
    return right.number() == 1 ? opposite(left) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// 1 - t % 2 of t % 2, and the other way round.
std::optional<Polynomial> Reader::opposite(const Polynomial &value) const {
  const auto other = difference(1, value);
  const auto symbol = value.symbol() ? value.symbol() : other ? other->symbol() : std::nullopt;
  return symbol && tree.symbols[*symbol].kind == SymbolInfo::Kind::Modulo &&
                 tree.symbols[*symbol].modulus == 2
             ? other
             : std::nullopt;
}

// ---- places

std::optional<Place> Reader::moved(Place place, const Polynomial &by, SourceLocation where) {
  if (!place.isOpen) {
    place.subscripts.push_back(by);
    place.isOpen = true;
    return place;
  }
  const auto position = sum(place.subscripts.back(), by);
  if (!position)
    return refuse(where, "the subscript is too large");
  place.subscripts.back() = *position;
  return place;
}

std::optional<Place> Reader::element(const clang::Expr &base, const clang::Expr &index) {
  auto array = place(base);
  ++subscripts;
  const auto position = array ? whole(index) : std::nullopt;
  --subscripts;
  if (!position)
    return std::nullopt;
  auto result = moved(std::move(*array), *position, index.getExprLoc());
  if (result)
    result->isOpen = false;
  return result;
}

std::optional<Place> Reader::place(const clang::Expr &given) {
  const clang::Expr &expression = bare(given);
  const SourceLocation where = expression.getExprLoc();
  if (const auto variable = namedVariable(expression)) {
    auto value = valueOf(*variable, where);
    if (value && isOfStructs(*value))
      value = valueOf(std::get<Reference>(*value).variable, where);
    if (!value)
      return std::nullopt;
    if (const auto *known = std::get_if<Place>(&*value))
      return *known;
    return refuse(where, "where `" + textOf(expression) + "` points to is not known here");
  }
  if (const auto *choice = dyn_cast<ConditionalOperator>(&expression))
    return placeOf(*choice);
  if (const auto *member = dyn_cast<MemberExpr>(&expression);
      member && isOwnRecord(member->getType()))
    return refuse(where, "`" + textOf(expression) + "` is a struct within one, which gets a name",
                  "name its members where they are used");
  else if (member)
    return placeOfMember(*member);
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(&expression))
    return isLevel(*subscript) ? levelOf(*subscript)
                               : element(*subscript->getBase(), *subscript->getIdx());
  if (const auto *called = dyn_cast<CXXOperatorCallExpr>(&expression);
      called && called->getOperator() == OO_Subscript && called->getNumArgs() == 2 &&
      !elementOfContainer(called->getArg(0)->getType()).isNull())
    return element(*called->getArg(0), *called->getArg(1));
  if (const auto *called = dyn_cast<CXXMemberCallExpr>(&expression);
      called && called->getMethodDecl() && called->getMethodDecl()->getIdentifier() &&
      !elementOfContainer(called->getImplicitObjectArgument()->getType()).isNull()) {
    const StringRef name = called->getMethodDecl()->getName();
    if (name == "data" || name == "get")
      return place(*called->getImplicitObjectArgument());
    if (name == "at" && called->getNumArgs() == 1)
      return element(*called->getImplicitObjectArgument(), *called->getArg(0));
  }
  if (const auto *cast = dyn_cast<clang::CastExpr>(&expression)) {
    if (cast->getSubExpr()->getType()->isVoidPointerType())
      if (const auto given = givenMemory(*cast))
        return given;
    auto inner = place(*cast->getSubExpr());
    if (!inner)
      return std::nullopt;
    const QualType to = cast->getType();
    const QualType from = cast->getSubExpr()->getType();
    if (cast->getCastKind() != CK_BitCast || !to->isPointerType() || from->isVoidPointerType())
      return inner;
    // Rows taken as rows, of a length that another function calls by another name.
    const auto &known = tree.buffers[inner->buffer].extents;
    if (inner->subscripts.empty() && to->getPointeeType()->isVariableArrayType() &&
        from->getPointeeType()->isVariableArrayType() && known.size() > 1 && known.back())
      return inner;
    // A flat pointer taken as one to rows: the rows say the shape.
    if (inner->subscripts.empty() && to->getPointeeType()->isArrayType()) {
      const auto shaped = makeBuffer(tree.buffers[inner->buffer].name, to, false, where);
      if (!shaped)
        return std::nullopt;
      tree.buffers[inner->buffer].extents = tree.buffers[shaped->buffer].extents;
      tree.buffers.pop_back();
      return inner;
    }
    if (context.hasSameUnqualifiedType(to->getPointeeType(), from->getPointeeType()))
      return inner;
    return refuse(where,
                  "memory of one type is read as another here: `" + textOf(expression) + "`");
  }
  if (const auto *operation = dyn_cast<UnaryOperator>(&expression)) {
    if (operation->getOpcode() == UO_Deref) {
      auto inner = place(*operation->getSubExpr());
      auto result = inner ? moved(std::move(*inner), 0, where) : std::nullopt;
      if (result)
        result->isOpen = false;
      return result;
    }
    if (steps.contains(operation))
      return place(*operation->getSubExpr());
    if (operation->getOpcode() == UO_AddrOf) {
      auto inner = place(*operation->getSubExpr());
      if (inner && !inner->subscripts.empty())
        inner->isOpen = true;
      return inner;
    }
  }
  if (const auto *operation = dyn_cast<BinaryOperator>(&expression);
      operation && operation->isAdditiveOp()) {
    const bool pointerFirst = operation->getLHS()->getType()->isPointerType();
    auto base = place(pointerFirst ? *operation->getLHS() : *operation->getRHS());
    auto by =
        base ? whole(pointerFirst ? *operation->getRHS() : *operation->getLHS()) : std::nullopt;
    if (by && operation->getOpcode() == BO_Sub)
      by = product(*by, -1);
    return by ? moved(std::move(*base), *by, where) : std::nullopt;
  }
  if (const auto *called = dyn_cast<clang::CallExpr>(&expression)) {
    const auto value = call(*called);
    if (!value)
      return std::nullopt;
    if (const auto *known = std::get_if<Place>(&*value))
      return *known;
  }
  return refuse(where, "`" + textOf(expression) + "` is no array element that is understood");
}

// ---- variables

std::optional<Variable> Reader::namedVariable(const clang::Expr &given) {
  const clang::Expr &expression = bare(given);
  Variable variable;
  if (const auto *dereference = dyn_cast<UnaryOperator>(&expression);
      dereference && dereference->getOpcode() == UO_Deref) {
    const auto pointer = namedVariable(*dereference->getSubExpr());
    const auto known = pointer ? environment.find(*pointer) : environment.end();
    if (known != environment.end())
      if (const auto *reference = std::get_if<Reference>(&known->second))
        return reference->variable;
    return std::nullopt;
  }
  if (const auto *reference = dyn_cast<DeclRefExpr>(&expression)) {
    variable = {reference->getDecl(), nullptr};
  } else if (const auto *member = dyn_cast<MemberExpr>(&expression);
             member && isa<VarDecl>(member->getMemberDecl())) { // static, of the class
    variable = {member->getMemberDecl(), nullptr};
  } else if (member) {
    const auto object = objectOf(*member->getBase());
    if (!object || isElement(*object))
      return std::nullopt;
    variable = {object, member->getMemberDecl()};
  } else
    return std::nullopt;
  if (variable.first->getType()->isReferenceType())
    if (const auto known = environment.find(variable); known != environment.end())
      if (const auto *reference = std::get_if<Reference>(&known->second))
        return reference->variable;
  return variable;
}

/// The variable that is, or points to, an object with members; null for others.
const ValueDecl *Reader::objectOf(const clang::Expr &expression) {
  if (isa<CXXThisExpr>(bare(expression)))
    return object ? object : callers.front();
  const auto variable = namedVariable(expression);
  if (!variable || variable->second)
    return nullptr;
  const auto known = environment.find(*variable);
  const auto *reference =
      known == environment.end() ? nullptr : std::get_if<Reference>(&known->second);
  if (!reference)
    return variable->first;
  return reference->variable.second ? nullptr : reference->variable.first;
}

std::optional<Variable> Reader::variableOf(const clang::Expr &expression) {
  if (auto variable = namedVariable(expression))
    return variable;
  return refuse(expression.getExprLoc(),
                "`" + textOf(expression) + "` is no variable that is followed",
                "give it a name of its own before the loops");
}

std::optional<Value> Reader::valueOf(const Variable &variable, SourceLocation where) {
  const auto known = environment.find(variable);
  if (known == environment.end())
    return makeValue(variable, where);
  const bool isGathered = std::holds_alternative<Reduced>(known->second);
  if (!isGathered && !std::holds_alternative<Unknown>(known->second))
    return known->second;
  return refuse(where,
                "`" + variable.first->getNameAsString() +
                    (isGathered ? "` gathers a value over points, or is made of one that does"
                                : "` carries a value from one turn to the next, or has none yet"),
                "what a point needs is computed from the old state at that point; sums over all "
                "points are known after a run only; a time is made of the number of the step, "
                "`t = step * dt`");
}

std::optional<Value> Reader::makeValue(const Variable &variable, SourceLocation where) {
  const auto &[decl, member] = variable;
  const ValueDecl *named = member ? member : decl;
  const QualType type = named->getType().getNonReferenceType();
  const std::string name = nameOf(variable);

  const auto *declared = dyn_cast<VarDecl>(decl);
  if (declared && !member && type.isConstQualified() && declared->getAnyInitializer() &&
      (type->isIntegralOrEnumerationType() || type->isRealFloatingType())) {
    const auto value = evaluate(*declared->getAnyInitializer());
    if (value)
      environment[variable] = *value;
    return value;
  }
  std::optional<Value> value;
  if (type->isIntegralOrEnumerationType() || type->isRealFloatingType()) {
    const auto scalar = type->isRealFloatingType() ? scalarType(type, where) : ScalarType::Int;
    if (!scalar)
      return std::nullopt;
    SymbolInfo info;
    info.name = name;
    info.type = *scalar;
    info.where = named->getLocation();
    const Symbol symbol = addSymbol(info);
    if (*scalar == ScalarType::Int)
      value = Polynomial::of(symbol);
    else
      value = leaf(*scalar, ParamValue{symbol});
  } else if (isPlace(type)) {
    const auto *parameter = dyn_cast<ParmVarDecl>(decl);
    const QualType original =
        parameter && !member ? parameter->getOriginalType() : named->getType();
    const bool isLocal =
        declared && declared->hasLocalStorage() && !parameter && !given.contains(declared);
    const auto made = makeBuffer(name, original, isLocal, named->getLocation(), declared);
    if (made)
      value = *made;
    if (made && !member && !isNoStruct(*decl, made->buffer, where))
      return std::nullopt;
    if (made && !member && declared && declared->hasGlobalStorage() &&
        declared->getAnyInitializer() && context.getBaseElementType(type).isConstQualified()) {
      tree.buffers[made->buffer].isFixed = true;
      const Refusals::Trial trial(refusals);
      if (auto table = tableOf(*declared))
        tables.emplace(made->buffer, std::move(*table));
    }
  } else
    refuse(where, "`" + name + "` of type `" + type.getAsString() + "` is not followed");
  if (value) {
    environment[variable] = *value;
    firstValues[variable] = *value;
  }
  return value;
}

} // namespace stencilc::lift
