// The Reader on whole numbers that arrays hold: cells of an automaton, pixels, masks.
//
// They are formulas of float or double, which hold such numbers exactly as long as they are not too
// large: of float where all that is worked out of an array of bytes stays small, else of double.
#include "frontend/lift/DataRange.h"
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace stencilc::lift {

WholeType Reader::wholeType(QualType type) const {
  type = type.getNonReferenceType().getUnqualifiedType();
  const bool isTruth = type->isBooleanType();
  if (const auto *listed = type->getAs<EnumType>())
    type = listed->getDecl()->getIntegerType();
  return {isTruth ? "bool" : type.getCanonicalType().getAsString(context.getPrintingPolicy()),
          isTruth ? 1u : unsigned(context.getTypeSize(type)),
          !isTruth && type->isSignedIntegerOrEnumerationType()};
}

static bool isWholeNumber(const clang::Expr &expression) {
  return expression.getType().getNonReferenceType()->isIntegralOrEnumerationType();
}

/// `sizes->n[1]`, of a struct that is no element: a number that is there before the loops.
static bool isNumberOfStruct(const clang::Expr &expression, const ASTContext &context) {
  const auto *element = dyn_cast<ArraySubscriptExpr>(&expression);
  const auto *array =
      element ? dyn_cast<MemberExpr>(element->getBase()->IgnoreParenImpCasts()) : nullptr;
  return array && array->getType()->isConstantArrayType() &&
         element->getIdx()->isEvaluatable(context) &&
         isa<DeclRefExpr>(array->getBase()->IgnoreParenImpCasts());
}

/// `a[i]`, `*p`, `u[c].flag`
static bool isElementOfArray(const clang::Expr &expression) {
  const auto *dereference = dyn_cast<UnaryOperator>(&expression);
  return elementParts(expression).first || (dereference && dereference->getOpcode() == UO_Deref);
}

bool Reader::returnsData(const FunctionDecl &function) const {
  const FunctionDecl *defined = nullptr;
  bool result = false;
  if (function.hasBody(defined) && !llvm::is_contained(callers, defined))
    forEachPart(*defined->getBody(), [&](const Stmt &part) {
      const auto *expression = dyn_cast<clang::Expr>(&part);
      result |= expression && (expression->getType()->isRealFloatingType() ||
                               (isWholeNumber(*expression) && isElementOfArray(*expression) &&
                                !isNumberOfStruct(*expression, context)));
      const auto *call = dyn_cast<clang::CallExpr>(&part);
      const FunctionDecl *inner = call ? call->getDirectCallee() : nullptr;
      result |= inner && inner != &function && returnsData(*inner);
    });
  return result;
}

bool Reader::namesData(const clang::Expr &given) {
  const clang::Expr &expression = bare(given);
  clang::Expr::EvalResult known;
  if (!expression.isValueDependent() && expression.isPRValue() && isWholeNumber(expression) &&
      expression.EvaluateAsInt(known, context))
    return false;
  if (expression.getType().getNonReferenceType()->isRealFloatingType())
    return !expression.isValueDependent() && !expression.isEvaluatable(context);
  if (isWholeNumber(expression)) {
    const Refusals::Trial trial(refusals);
    if (const auto variable = namedVariable(expression)) {
      const auto held = environment.find(*variable);
      if (held == environment.end())
        return false;
      const auto *place = std::get_if<Place>(&held->second);
      return std::holds_alternative<Formula>(held->second) ||
             (place && tree.buffers[place->buffer].whole);
    }
    if (isElementOfArray(expression))
      return !listedWhole(expression) && !givenWhole(expression);
    const auto *member = dyn_cast<MemberExpr>(&expression);
    if (member && !namedVariable(*member->getBase()))
      return true;
  }
  if (const auto *call = dyn_cast<clang::CallExpr>(&expression)) {
    const FunctionDecl *function = call->getDirectCallee();
    if (isWholeNumber(expression) && function && returnsData(*function))
      return true;
  }
  if (isa<UnaryExprOrTypeTraitExpr, LambdaExpr>(expression))
    return false;
  return llvm::any_of(expression.children(), [&](const Stmt *part) {
    const auto *inner = dyn_cast_or_null<clang::Expr>(part);
    return inner && namesData(*inner);
  });
}

/// The number as one of the other type, choices within by their sides.
static std::optional<Formula> held(ScalarType type, const Formula &value) {
  const auto *choice = std::get_if<SelectExpr>(&value[value.result].node);
  if (!choice || typeOf(value) == type)
    return lift::cast(type, value);
  const auto then = held(type, part(value, choice->then));
  const auto otherwise = then ? held(type, part(value, choice->otherwise)) : std::nullopt;
  return otherwise ? std::optional(select(part(value, choice->condition), *then, *otherwise))
                   : std::nullopt;
}

/// Both as double, if one of them is.
static bool holdAlike(Formula &left, Formula &right) {
  const bool isDouble = typeOf(left) == ScalarType::F64 || typeOf(right) == ScalarType::F64;
  const ScalarType type = isDouble ? ScalarType::F64 : ScalarType::F32;
  auto first = held(type, left), second = held(type, right);
  if (!first || !second)
    return false;
  left = std::move(*first);
  right = std::move(*second);
  return true;
}

Formula Reader::withoutMinusZero(Formula value) const {
  if (!rangeOf(value, tree).mayBeMinusZero)
    return value;
  const auto *known = std::get_if<Literal>(&value[value.result].node);
  if (known)
    return literal(typeOf(value), known->value + 0.0);
  const auto sum = binary(BinaryOp::Add, value, literal(typeOf(value), 0));
  return sum ? *sum : value;
}

/// What is left of it by a power of two, from 0 or, if signed, from half of that below 0.
static std::optional<Formula> remainder(const Formula &value, unsigned bits, bool isSigned) {
  const ScalarType type = bits > 16 ? ScalarType::F64 : typeOf(value);
  const auto dividend = held(type, value);
  const Formula size = literal(type, std::ldexp(1.0, bits));
  const auto from = dividend && isSigned
                        ? binary(BinaryOp::Add, *dividend, literal(type, std::ldexp(1.0, bits - 1)))
                        : dividend;
  const auto quotient = from ? binary(BinaryOp::Divide, *from, size) : std::nullopt;
  if (!quotient)
    return std::nullopt;
  const auto taken = binary(BinaryOp::Multiply, size, call(Builtin::Floor, {*quotient}));
  return taken ? binary(BinaryOp::Subtract, *dividend, *taken) : std::nullopt;
}

std::optional<Formula> Reader::datumAs(QualType type, Formula value, QualType from,
                                       SourceLocation where) {
  const WholeType to = wholeType(type);
  DataRange range = rangeOf(value, tree);
  // What C does not say of an int that overflows nobody relies on.
  if (!from.isNull() && from->isIntegralOrEnumerationType()) {
    const WholeType had = wholeType(from);
    if (had.isSigned && had.bits <= 32) {
      range.least = std::max(range.least, had.least());
      range.most = std::min(range.most, had.most());
    }
  }
  if (to.bits == 1) {
    if (range.isWithin(0, 1))
      return value;
    const auto test = compare(CompareOp::NotEqual, value, literal(typeOf(value), 0));
    return test ? std::optional(
                      select(*test, literal(ScalarType::F32, 1), literal(ScalarType::F32, 0)))
                : std::nullopt;
  }
  if (range.isWithin(to.least(), to.most()) && range.isWithin(-kMostInDouble, kMostInDouble))
    return value;
  const bool isOfNumber = from.isNull() || from->isRealFloatingType();
  if (isOfNumber && to.bits == 32 && to.isSigned)
    return value; // of others C says nothing
  if (to.bits > 32 || (!isOfNumber && !range.isWithin(-kMostInDouble, kMostInDouble)))
    return refuse(where,
                  "whole numbers of `" + type.getAsString() +
                      "` that arrays hold may be too large here for a double",
                  "count with int");
  return remainder(value, to.bits, to.isSigned);
}

std::optional<Formula> Reader::datumHeld(const Buffer &buffer, const Formula &value,
                                         SourceLocation where) {
  const DataRange range = rangeOf(value, tree);
  const auto fitting =
      buffer.whole->bits >= 32 || range.isWithin(buffer.whole->least(), buffer.whole->most())
          ? value
          : remainder(value, buffer.whole->bits, buffer.whole->isSigned);
  if (!fitting)
    return refuse(where, "`" + buffer.name + "` takes no such number");
  return held(buffer.type, withoutMinusZero(*fitting));
}

std::optional<Formula> Reader::datumIn(const Value &value) {
  if (const auto *formula = std::get_if<Formula>(&value))
    return *formula;
  const auto *whole = std::get_if<Polynomial>(&value);
  if (!whole)
    return std::nullopt;
  if (const auto number = whole->number())
    return literal(std::abs(double(*number)) <= kMostInFloat ? ScalarType::F32 : ScalarType::F64,
                   double(*number));
  const Refusals::Trial trial(refusals);
  const auto formula = formulaOf(*whole, {});
  return formula ? lift::cast(ScalarType::F64, *formula) : std::nullopt;
}

std::optional<Formula> Reader::datumChosen(const Formula &condition, const Value &then,
                                           const Value &otherwise) {
  auto left = datumIn(then), right = datumIn(otherwise);
  if (!left || !right || !holdAlike(*left, *right))
    return std::nullopt;
  return lift::choice(condition, *left, *right);
}

std::optional<Formula> Reader::datum(const clang::Expr &given) {
  const clang::Expr &expression = bare(given);
  const SourceLocation where = expression.getExprLoc();
  if (++depth > 1000)
    return refuse(where, "the expression is nested too deeply");
  struct Leave {
    unsigned &depth;
    ~Leave() { --depth; }
  } leave{depth};
  if (!namesData(expression)) {
    {
      const Refusals::Trial trial(refusals);
      const auto value = whole(expression);
      if (value && value->number())
        return datumIn(Value(*value));
    }
    return numberOfWhole(expression, ScalarType::F64);
  }
  const auto truth = [&](const clang::Expr &test) -> std::optional<Formula> {
    const auto holds = condition(test);
    return holds ? std::optional(
                       select(*holds, literal(ScalarType::F32, 1), literal(ScalarType::F32, 0)))
                 : std::nullopt;
  };
  if (const auto *cast = dyn_cast<clang::CastExpr>(&expression)) {
    const clang::Expr &operand = *cast->getSubExpr();
    const QualType from = operand.getType();
    if (from->isRealFloatingType() && !expression.getType()->isBooleanType()) {
      const auto value = number(operand);
      if (!value)
        return std::nullopt;
      tree.roundsToWhole = true;
      return datumAs(expression.getType(), lift::call(Builtin::Trunc, {*value}), from, where);
    }
    if (expression.getType()->isBooleanType())
      return truth(operand);
    auto value = datum(operand);
    return value ? datumAs(expression.getType(), std::move(*value), from, where) : std::nullopt;
  }
  if (const auto *operation = dyn_cast<BinaryOperator>(&expression)) {
    if (operation->isComparisonOp() || operation->isLogicalOp())
      return truth(expression);
    if (operation->isAssignmentOp())
      return runExpression(expression) ? datum(*operation->getLHS()) : std::nullopt;
    auto left = datum(*operation->getLHS());
    auto right = left ? datum(*operation->getRHS()) : std::nullopt;
    return right ? datumBinary(expression, operation->getOpcode(), std::move(*left),
                               std::move(*right))
                 : std::nullopt;
  }
  if (const auto *operation = dyn_cast<UnaryOperator>(&expression)) {
    switch (operation->getOpcode()) {
    case UO_LNot:
      return truth(expression);
    case UO_Plus:
      return datum(*operation->getSubExpr());
    case UO_Minus: {
      auto value = datum(*operation->getSubExpr());
      return value ? datumBinary(expression, BO_Sub, literal(ScalarType::F32, 0), std::move(*value))
                   : std::nullopt;
    }
    default:
      break;
    }
  }
  if (const auto *choice = dyn_cast<ConditionalOperator>(&expression))
    return choiceOf(*choice, [&](const clang::Expr &side) { return datum(side); }, holdAlike);
  if (const auto variable = namedVariable(expression)) {
    const auto value = valueOf(*variable, where);
    const auto *place = value ? std::get_if<Place>(&*value) : nullptr;
    if (place)
      return load(*place, where);
    auto formula = value ? datumIn(*value) : std::nullopt;
    if (formula && !isa<ParmVarDecl>(variable->first))
      name(*formula, (variable->second ? variable->second : variable->first)->getName());
    return formula;
  }
  if (isElementOfArray(expression) || isa<MemberExpr>(expression)) {
    const auto source = place(expression);
    return source ? load(*source, where) : std::nullopt;
  }
  if (const auto *called = dyn_cast<clang::CallExpr>(&expression))
    return datumOfCall(*called);
  return refuse(where, "`" + textOf(expression) + "` is no whole number that is understood");
}

std::optional<Formula> Reader::datumCompared(CompareOp op, const BinaryOperator &comparison) {
  auto left = datum(*comparison.getLHS());
  auto right = left ? datum(*comparison.getRHS()) : std::nullopt;
  return right && holdAlike(*left, *right) ? compare(op, *left, *right) : std::nullopt;
}

std::optional<Formula> Reader::holdsOf(const Formula &value) {
  // `condition ? 1 : 0` is the condition.
  if (const auto *choice = std::get_if<SelectExpr>(&value[value.result].node)) {
    const auto *then = std::get_if<Literal>(&value[choice->then].node);
    const auto *otherwise = std::get_if<Literal>(&value[choice->otherwise].node);
    if (then && otherwise && then->value != 0 && otherwise->value == 0)
      return part(value, choice->condition);
  }
  return compare(CompareOp::NotEqual, value, literal(typeOf(value), 0));
}

std::optional<Formula> Reader::datumOfCall(const clang::CallExpr &called) {
  const SourceLocation where = called.getExprLoc();
  const FunctionDecl *function = called.getDirectCallee();
  const StringRef name = function && function->getIdentifier() ? function->getName() : "";
  const bool isLibrary =
      function && (context.getSourceManager().isInSystemHeader(function->getLocation()) ||
                   function->getBuiltinID() != 0);
  if (isLibrary && name == "abs" && called.getNumArgs() == 1) {
    const auto value = datum(*called.getArg(0));
    return value ? std::optional(lift::call(Builtin::Abs, {*value})) : std::nullopt;
  }
  const bool isExtreme = (name == "min" || name == "max") && called.getNumArgs() == 2;
  if (isLibrary && (isExtreme || (name == "clamp" && called.getNumArgs() == 3))) {
    auto result = datum(*called.getArg(0));
    for (unsigned place = 1; result && place < called.getNumArgs(); ++place) {
      auto other = datum(*called.getArg(place));
      if (!other || !holdAlike(*result, *other))
        return std::nullopt;
      const bool isLeast = name == "min" || (name == "clamp" && place == 2);
      const auto test = compare(isLeast ? CompareOp::Greater : CompareOp::Less, *result, *other);
      result = test ? std::optional(select(*test, *other, *result)) : std::nullopt;
    }
    return result;
  }
  const auto value = call(called);
  if (!value)
    return std::nullopt;
  if (const auto *place = std::get_if<Place>(&*value))
    return load(*place, where);
  if (auto formula = datumIn(*value))
    return formula;
  return refuse(where, "`" + textOf(called) + "` gives no number");
}

std::optional<Formula> Reader::datumBinary(const clang::Expr &where, BinaryOperatorKind op,
                                           Formula left, Formula right) {
  const SourceLocation place = where.getExprLoc();
  if (left.exprs.size() + right.exprs.size() > 15'000)
    return refuse(place, "the formula is too long");
  if (!holdAlike(left, right))
    return refuse(place, "`" + textOf(where) + "` is too large");
  const auto *known = std::get_if<Literal>(&right[right.result].node);
  const DataRange first = rangeOf(left, tree), second = rangeOf(right, tree);
  const bool areTruths = first.isWithin(0, 1) && second.isWithin(0, 1);
  const auto *compound = dyn_cast<CompoundAssignOperator>(&where);
  const QualType type = compound ? compound->getComputationResultType() : where.getType();
  const auto made = [&](BinaryOp operation) -> std::optional<Formula> {
    auto result = binary(operation, left, right);
    if (result && typeOf(*result) == ScalarType::F32 &&
        !rangeOf(*result, tree).isWithin(-kMostInFloat, kMostInFloat)) {
      const auto wideLeft = held(ScalarType::F64, left), wideRight = held(ScalarType::F64, right);
      result = wideLeft && wideRight ? binary(operation, *wideLeft, *wideRight) : std::nullopt;
    }
    if (!result)
      return refuse(place, "`" + textOf(where) + "` is no number");
    const WholeType whole = wholeType(type);
    if (whole.isSigned && whole.bits <= 32)
      return result;
    return datumAs(type, std::move(*result), type, place);
  };
  // No quotient of numbers so small is rounded up to a whole number.
  const auto quotient = [&]() -> std::optional<Formula> {
    const bool areSmall = first.isWithin(-0x1p22, 0x1p22) && second.isWithin(-0x1p22, 0x1p22);
    const ScalarType wide = areSmall ? typeOf(left) : ScalarType::F64;
    const auto dividend = held(wide, left), divisor = held(wide, right);
    const auto exact =
        dividend && divisor ? binary(BinaryOp::Divide, *dividend, *divisor) : std::nullopt;
    if (!exact)
      return refuse(place, "`" + textOf(where) + "` is no number");
    const bool isCounted = first.least >= 0 && second.least >= 0;
    return lift::call(isCounted ? Builtin::Floor : Builtin::Trunc, {*exact});
  };
  switch (op) {
  case BO_Add:
  case BO_AddAssign:
    return made(BinaryOp::Add);
  case BO_Sub:
  case BO_SubAssign:
    return made(BinaryOp::Subtract);
  case BO_Mul:
  case BO_MulAssign:
    return made(BinaryOp::Multiply);
  case BO_Div:
  case BO_DivAssign:
    return quotient();
  case BO_Rem:
  case BO_RemAssign: {
    auto whole = quotient();
    const auto taken = whole && holdAlike(*whole, right) ? binary(BinaryOp::Multiply, right, *whole)
                                                         : std::nullopt;
    auto dividend = taken ? held(typeOf(*taken), left) : std::nullopt;
    return dividend ? binary(BinaryOp::Subtract, *dividend, *taken) : std::nullopt;
  }
  case BO_Shl:
  case BO_ShlAssign:
    if (known && known->value >= 0 && known->value < 31) {
      right = literal(typeOf(left), std::ldexp(1.0, int(known->value)));
      return made(BinaryOp::Multiply);
    }
    break;
  case BO_Shr:
  case BO_ShrAssign:
    if (known && known->value >= 0 && known->value < 31)
      if (const auto part = binary(BinaryOp::Divide, left,
                                   literal(typeOf(left), std::ldexp(1.0, int(known->value)))))
        return lift::call(Builtin::Floor, {*part});
    break;
  case BO_And:
  case BO_AndAssign:
    if (areTruths)
      return binary(BinaryOp::Multiply, left, right);
    if (known && known->value >= 1 && llvm::isPowerOf2_64(uint64_t(known->value) + 1))
      return remainder(left, llvm::Log2_64(uint64_t(known->value) + 1), false);
    break;
  case BO_Or:
  case BO_OrAssign:
    if (areTruths)
      return lift::call(Builtin::Max, {left, right});
    break;
  case BO_Xor:
  case BO_XorAssign:
    if (areTruths)
      if (const auto test = compare(CompareOp::NotEqual, left, right))
        return select(*test, literal(ScalarType::F32, 1), literal(ScalarType::F32, 0));
    break;
  default:
    break;
  }
  return refuse(place, "`" + textOf(where) + "` is of the bits of numbers that arrays hold",
                "write it with +, -, *, /, % and comparisons, or hold `bool`");
}

} // namespace stencilc::lift
