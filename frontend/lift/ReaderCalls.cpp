// The Reader on calls: the math library, and functions whose body is there.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

using namespace clang;

namespace stencilc::lift {

constexpr size_t kMaxCallers = 16;

/// C's name for a function of the language, without the suffix of float: "fabs" -> abs.
static std::optional<Builtin> mathBuiltin(StringRef name) {
  if (name == "fabs" || name == "abs")
    return Builtin::Abs;
  if (name == "fmin")
    return Builtin::Min;
  if (name == "fmax")
    return Builtin::Max;
  if (name == "nearbyint")
    return Builtin::Rint;
  if (name == "min" || name == "max" || name == "sign")
    return std::nullopt;
  return findBuiltin(name);
}

/// The powers that compilers of C make arithmetic of, so that their bits are those of this. By
/// other exponents `pow` is what the library has.
static std::optional<Formula> arithmeticPower(const Formula &base, const Formula &exponent) {
  const auto *literal = std::get_if<Literal>(&exponent[exponent.result].node);
  if (literal && literal->value == 2)
    return lift::binary(BinaryOp::Multiply, base, base);
  if (literal && literal->value == -1)
    return lift::binary(BinaryOp::Divide, lift::literal(typeOf(base), 1), base);
  return std::nullopt;
}

std::optional<Formula> Reader::mathFunction(const clang::CallExpr &call, StringRef name) {
  const SourceLocation where = call.getExprLoc();
  const auto type = scalarType(call.getType(), where);
  if (!type)
    return std::nullopt;
  name.consume_front("__builtin_");
  std::optional<Builtin> builtin = mathBuiltin(name);
  // sqrtf: of float alone.
  if (!builtin && name.ends_with("f") && *type == ScalarType::F32)
    builtin = mathBuiltin(name.drop_back());
  if (!builtin || arity(*builtin) != call.getNumArgs())
    return refuse(where, "`" + name + "` is not seen through: its body is not in this file",
                  "write what it computes, or make its body visible");
  llvm::SmallVector<Formula, 3> operands;
  for (const clang::Expr *argument : call.arguments()) {
    const bool isWhole = argument->getType()->isIntegralOrEnumerationType();
    auto operand = isWhole ? numberOfWhole(*argument, *type) : number(*argument);
    auto converted = operand ? cast(*type, *operand) : std::nullopt;
    if (!converted)
      return std::nullopt;
    operands.push_back(std::move(*converted));
  }
  if (*builtin == Builtin::Pow)
    if (auto power = arithmeticPower(operands[0], operands[1]))
      return power;
  return lift::call(*builtin, operands);
}

/// `isnan(x)`, `isinf(x)`, `isfinite(x)`, as comparisons.
std::optional<Formula> Reader::kindOfNumber(const clang::CallExpr &called) {
  const FunctionDecl *function = called.getDirectCallee();
  StringRef name = function && function->getIdentifier() ? function->getName() : "";
  name.consume_front("__builtin_");
  if ((name != "isnan" && name != "isinf" && name != "isinf_sign" && name != "isfinite") ||
      called.getNumArgs() != 1 || !called.getArg(0)->getType()->isRealFloatingType())
    return std::nullopt;
  const auto value = number(*called.getArg(0));
  if (!value)
    return std::nullopt;
  if (name == "isnan")
    return compare(CompareOp::NotEqual, *value, *value);
  const bool isFloat = typeOf(*value) == ScalarType::F32;
  const Formula most = literal(isFloat ? ScalarType::F32 : ScalarType::F64,
                               isFloat ? double(std::numeric_limits<float>::max())
                                       : std::numeric_limits<double>::max());
  return compare(name != "isfinite" ? CompareOp::Greater : CompareOp::LessEqual,
                 lift::call(Builtin::Abs, {*value}), most);
}

static bool isInSystem(const FunctionDecl &function, const ASTContext &context) {
  return context.getSourceManager().isInSystemHeader(function.getLocation()) ||
         function.getBuiltinID() != 0;
}

std::optional<Value> Reader::call(const clang::CallExpr &call) {
  const SourceLocation where = call.getExprLoc();
  llvm::SmallVector<const clang::Expr *, 8> arguments(call.arguments());
  const FunctionDecl *function = call.getDirectCallee();
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
  const clang::Expr *self = nullptr;
  if (const auto *operation = dyn_cast<CXXOperatorCallExpr>(&call);
      operation && method && !method->isStatic()) {
    self = operation->getArg(0);
    arguments.erase(arguments.begin());
    const auto variable = namedVariable(*self);
    const auto known = variable ? environment.find(*variable) : environment.end();
    if (known != environment.end())
      if (const auto *callable = std::get_if<Callable>(&known->second))
        return callFunction(*callable->function, arguments, where);
  }
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call))
    self = member->getImplicitObjectArgument();
  if (!function)
    return refuse(where, "`" + textOf(call) + "` calls what is known only during a run",
                  "call the function by its name");
  if (self) {
    const auto *holder = self->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (holder && holder->isInStdNamespace() && holder->getName() == "function")
      return refuse(where,
                    "`" + textOf(call) + "` calls a std::function: which one it holds is known " +
                        "only during a run",
                    "call the function by its name, or let a template take it");
    const ValueDecl *called = objectOf(*self);
    if (!called || isInSystem(*function, context))
      return refuse(where, "`" + textOf(call) + "` calls a member function, which is not followed",
                    "name the object before the loops, or write what the function does");
    return callFunction(*function, arguments, where, called);
  }
  if (function->getIdentifier() && isInSystem(*function, context)) {
    const StringRef name = function->getName();
    // `a < b ? b : a`, as the standard has it: of equal ones the first.
    if ((name == "min" || name == "max") && function->isInStdNamespace() && arguments.size() == 2 &&
        call.getType()->isRealFloatingType()) {
      const auto left = number(*arguments[0]);
      const auto right = left ? number(*arguments[1]) : std::nullopt;
      if (!right)
        return std::nullopt;
      const auto test = name == "min" ? compare(CompareOp::Less, *right, *left)
                                      : compare(CompareOp::Less, *left, *right);
      return test ? std::optional<Value>(select(*test, *right, *left)) : std::nullopt;
    }
    if ((name == "min" || name == "max") && arguments.size() == 2 &&
        call.getType()->isIntegralOrEnumerationType()) {
      const auto left = whole(*arguments[0]);
      const auto right = left ? whole(*arguments[1]) : std::nullopt;
      if (!right)
        return std::nullopt;
      if (const auto result = limited(name == "min", *left, *right, call))
        return *result;
    }
    if (name == "abs" && arguments.size() == 1 && call.getType()->isIntegralOrEnumerationType()) {
      const auto operand = whole(*arguments[0]);
      const auto known = operand ? operand->number() : std::nullopt;
      if (!operand || known)
        return known ? std::optional<Value>(Polynomial(std::abs(*known))) : std::nullopt;
    }
    if (name == "clamp" && function->isInStdNamespace() && arguments.size() == 3 &&
        call.getType()->isRealFloatingType()) {
      const auto value = number(*arguments[0]);
      const auto least = value ? number(*arguments[1]) : std::nullopt;
      const auto most = least ? number(*arguments[2]) : std::nullopt;
      const auto isBelow = most ? compare(CompareOp::Less, *value, *least) : std::nullopt;
      const auto isAbove = isBelow ? compare(CompareOp::Less, *most, *value) : std::nullopt;
      return isAbove
                 ? std::optional<Value>(select(*isBelow, *least, select(*isAbove, *most, *value)))
                 : std::nullopt;
    }
    if (name == "clamp" && function->isInStdNamespace() && arguments.size() == 3 &&
        call.getType()->isIntegralOrEnumerationType()) {
      const auto position = whole(*arguments[0]);
      const auto least = position ? whole(*arguments[1]) : std::nullopt;
      const auto most = least ? whole(*arguments[2]) : std::nullopt;
      const auto above = most ? limited(false, *position, *least, call) : std::nullopt;
      const auto kept = above ? limited(true, *above, *most, call) : std::nullopt;
      if (!most)
        return std::nullopt;
      if (kept)
        return *kept;
    }
    if (call.getType()->isRealFloatingType()) {
      auto result = mathFunction(call, name);
      return result ? std::optional<Value>(std::move(*result)) : std::nullopt;
    }
  }
  return callFunction(*function, arguments, where);
}

bool isOwnRecord(QualType type) {
  const RecordDecl *record = type.isNull() ? nullptr : type->getAsRecordDecl();
  return record && !record->isInStdNamespace() &&
         !(isa<CXXRecordDecl>(record) && cast<CXXRecordDecl>(record)->isLambda());
}

/// True if the body sets members of the object.
static bool changes(const Stmt &body, const ValueDecl &object) {
  return llvm::any_of(assignedIn(&body),
                      [&](const Variable &variable) { return variable.first == &object; });
}

std::optional<Value> Reader::callFunction(const FunctionDecl &called,
                                          llvm::ArrayRef<const clang::Expr *> arguments,
                                          SourceLocation where, const ValueDecl *self) {
  const FunctionDecl *function = nullptr;
  if (!called.hasBody(function) || isInSystem(called, context))
    return refuse(
        where,
        "`" + called.getNameAsString() + "` is not seen through: its body is not in this file",
        "leave the call out, or mark the loops with `#pragma scop` and `#pragma endscop`");
  if (callers.size() >= kMaxCallers || llvm::is_contained(callers, function))
    return refuse(where, "`" + called.getNameAsString() + "` calls itself");
  if (function->getNumParams() != arguments.size())
    return refuse(where, "`" + called.getNameAsString() +
                             "` is called with a number of arguments "
                             "that it does not name");
  std::vector<Value> values;
  std::vector<std::pair<const ValueDecl *, std::vector<Formula>>> structs;
  std::vector<std::pair<const ParmVarDecl *, const clang::Expr *>> listed;
  for (auto [parameter, argument] : llvm::zip(function->parameters(), arguments)) {
    std::optional<Value> value;
    const clang::QualType plain = parameter->getType().getNonReferenceType();
    const bool isObject = isOwnRecord(plain) || isOwnRecord(plain->getPointeeType());
    const ValueDecl *known = isObject ? objectOf(*argument) : nullptr;
    const bool isCopied = parameter->getType()->isRecordType();
    if ((isCopied && isStructOfNumbers(plain)) || makesStruct(*argument)) {
      if (const auto numbers = numbersOfStruct(*argument)) {
        structs.push_back({parameter, *numbers});
        value = Unknown();
      }
    } else if (const clang::Expr *element = isCopied ? elementCopied(*argument) : nullptr)
      value =
          copyElement(*parameter, *element, where) ? std::optional<Value>(Unknown()) : std::nullopt;
    else if (changesCopy(*function, *parameter) ||
             (known && isCopied && changes(*function->getBody(), *parameter)))
      refuse(where, "`" + parameter->getName() + "` is a copy that the function changes",
             "hand it over as a pointer, or give its members names of their own");
    else if (known)
      value = Reference{{known, nullptr}};
    else if (isCopied && isOwnRecord(plain) && isa<InitListExpr>(bare(*argument))) {
      listed.push_back({parameter, argument});
      value = Unknown();
    } else if (const auto variable = namedVariable(*argument);
               variable && parameter->getType()->isLValueReferenceType())
      value = Reference{*variable};
    else if (const auto variable = namedVariable(*argument);
             variable && plain->isVoidPointerType() && !environment.count(*variable))
      value = Reference{*variable}; // whose type a cast says
    else if (isText(*argument))     // a name
      value = Unknown();
    else
      value = evaluate(*argument);
    if (!value)
      return std::nullopt;
    values.push_back(std::move(*value));
  }
  for (auto [parameter, value] : llvm::zip(function->parameters(), values)) {
    const Variable variable{parameter, nullptr};
    // Members are those of the last call.
    std::erase_if(environment, [&](const auto &known) {
      return known.first.first == parameter && known.first.second;
    });
    environment.insert_or_assign(variable, std::move(value));
  }
  for (const auto &[parameter, numbers] : structs)
    setStruct(*parameter, numbers);
  for (const auto &[parameter, list] : listed)
    if (!declareObject(*parameter, *list))
      return std::nullopt;
  // Arguments were read as the caller sees them.
  const ValueDecl *outerObject = std::exchange(object, self ? self : object);
  callers.push_back(function);
  const size_t loopsBefore = std::exchange(outerLoops, loops.size());
  const size_t conditionsBefore = std::exchange(outerConditions, conditions.size());
  const size_t guardsBefore = std::exchange(outerGuards, guards.size());
  const auto outer = std::exchange(returned, std::nullopt);
  const bool hadReturned = std::exchange(hasReturned, false);
  const auto *constructor = dyn_cast<CXXConstructorDecl>(function);
  const bool isStarted =
      !constructor || llvm::all_of(constructor->inits(), [&](const CXXCtorInitializer *start) {
        return !start->isMemberInitializer() ||
               setMember({object, start->getMember()}, *start->getInit());
      });
  const bool isRead = isStarted && run(*function->getBody());
  std::optional<Value> result = std::exchange(returned, outer);
  hasReturned = hadReturned;
  callers.pop_back();
  object = outerObject;
  outerLoops = loopsBefore;
  outerConditions = conditionsBefore;
  outerGuards = guardsBefore;
  if (!isRead)
    return std::nullopt;
  if (!result)
    result = Unknown();
  return result;
}

} // namespace stencilc::lift
