// The Reader on objects: those of a function's own, and those that change places or are copied.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

bool Reader::setMember(const Variable &member, const clang::Expr &start) {
  const QualType type = member.second->getType();
  const auto *construct = dyn_cast<CXXConstructExpr>(&bare(start));
  if (!elementOfContainer(type).isNull() && construct && takesMemory(start)) {
    const auto made = makeBuffer(nameOf(member), type, true, start.getExprLoc());
    if (!made)
      return false;
    addExtents(made->buffer, *construct);
    environment.insert_or_assign(member, Value(*made));
    return true;
  }
  // What is no number and no array is missed where it is used.
  const bool isFollowed = type->isArithmeticType() || type->isPointerType();
  const Refusals::Trial trial(refusals);
  const auto value = isFollowed ? evaluate(start) : std::nullopt;
  environment.insert_or_assign(member, value.value_or(Unknown()));
  return true;
}

bool Reader::declareObject(const VarDecl &variable, const clang::Expr &start) {
  const RecordDecl *record = variable.getType()->getAsRecordDecl();
  const clang::Expr &inner = bare(start);
  if (const auto *list = dyn_cast<InitListExpr>(&inner);
      list && !record->isUnion() && llvm::range_size(record->fields()) == list->getNumInits())
    return llvm::all_of(llvm::zip(record->fields(), list->inits()), [&](const auto &entry) {
      return setMember({&variable, std::get<0>(entry)}, *std::get<1>(entry));
    });
  const auto *construct = dyn_cast<CXXConstructExpr>(&inner);
  if (!construct)
    return refuse(start.getExprLoc(),
                  "`" + variable.getName() + "` is made by `" + textOf(start) +
                      "`, which is not followed",
                  "give its members their values one by one"),
           false;
  const CXXConstructorDecl &constructor = *construct->getConstructor();
  const ValueDecl *source = constructor.isCopyOrMoveConstructor() && construct->getNumArgs() == 1
                                ? objectOf(*construct->getArg(0))
                                : nullptr;
  if (source && constructor.isImplicit())
    return llvm::all_of(record->fields(), [&](const FieldDecl *field) {
      return copyMember({&variable, field}, {source, field}, *construct);
    });
  llvm::SmallVector<const clang::Expr *, 4> arguments(construct->arguments());
  return (constructor.isImplicit() && arguments.empty()) ||
         callFunction(constructor, arguments, start.getExprLoc(), &variable);
}

bool Reader::copyMember(const Variable &to, const Variable &from, const clang::Expr &copy) {
  const QualType type = to.second->getType();
  if (!type->isArithmeticType() && !type->isPointerType() && elementOfContainer(type).isNull())
    return environment.insert_or_assign(to, Value(Unknown())), true;
  const auto known = environment.find(from);
  if (known != environment.end() && std::holds_alternative<Unknown>(known->second))
    return environment.insert_or_assign(to, Value(Unknown())), true;
  const auto value = valueOf(from, copy.getExprLoc());
  const auto *elements = value ? std::get_if<Place>(&*value) : nullptr;
  if (!value)
    return false;
  if (!elements || type->isPointerType())
    return environment.insert_or_assign(to, *value), true;
  const auto made = makeBuffer(nameOf(to), type, true, copy.getExprLoc());
  if (!made)
    return false;
  environment.insert_or_assign(to, Value(*made));
  return setWhole(*made, *elements, {}, copy);
}

/// The symbol of a number that is there before the loops; none of other values.
static std::optional<Symbol> paramOf(const Value &value) {
  const auto *formula = std::get_if<Formula>(&value);
  const auto *param =
      formula ? std::get_if<ParamValue>(&(*formula)[formula->result].node) : nullptr;
  return param ? std::optional<Symbol>(param->param) : std::nullopt;
}

/// Objects change places, or one becomes a copy of the other: their arrays do, and their numbers
/// are taken to be the same.
bool Reader::setObjects(const ValueDecl &left, const ValueDecl &right, const clang::Expr *copy,
                        SourceLocation where) {
  const auto *record = left.getType().getNonReferenceType()->getAsCXXRecordDecl();
  const std::string done = copy ? "is copied" : "changes places";
  bool hasNumbers = false;
  for (const FieldDecl *field : record->fields()) {
    const QualType type = field->getType();
    if (isOwnRecord(type) || record->getNumBases() > 0)
      return refuse(where, "an object " + done + " that is made of others",
                    copy ? "copy its arrays" : "let their arrays change places"),
             false;
    const bool isWhole = type->isIntegralOrEnumerationType();
    const bool isNumber = isWhole || type->isRealFloatingType();
    if (!isNumber && !type->isPointerType() && elementOfContainer(type).isNull())
      continue;
    const Variable first{&left, field}, second{&right, field};
    const bool isSeen = environment.count(second);
    const auto one = valueOf(first, where);
    const auto other = one ? valueOf(second, where) : std::nullopt;
    if (!other)
      return false;
    if (!isNumber && copy && !type->isPointerType()) {
      const auto *to = std::get_if<Place>(&*one), *from = std::get_if<Place>(&*other);
      if (!to || !from || !setWhole(*to, *from, {}, *copy))
        return false;
      continue;
    }
    if (!isNumber) {
      environment.insert_or_assign(first, *other);
      if (!copy)
        environment.insert_or_assign(second, *one);
      continue;
    }
    hasNumbers = true;
    const auto *place = std::get_if<Polynomial>(&*one), *same = std::get_if<Polynomial>(&*other);
    if (isWhole && place && same && place->symbol() && same->symbol())
      tree.sameNumbers.push_back({*same->symbol(), *place->symbol()});
    else if (const auto from = paramOf(*other), to = paramOf(*one); from && to && !isSeen) {
      tree.symbols[*from].sameAs = to;
      environment.insert_or_assign(second, *one);
      firstValues.insert_or_assign(second, *one);
    } else if (!isSame(*one, *other))
      return refuse(where, "`" + field->getName() + "` " + done + " between objects",
                    copy ? "copy their arrays" : "let their arrays change places"),
             false;
  }
  if (hasNumbers)
    tree.assumptions.push_back(nameOf({&left, nullptr}) + " and " + nameOf({&right, nullptr}) +
                               " hold the same numbers beside their arrays");
  return true;
}

bool Reader::swap(const clang::Expr &left, const clang::Expr &right, SourceLocation where) {
  const ValueDecl *one = isOwnRecord(left.getType()) ? objectOf(left) : nullptr;
  const ValueDecl *other = one ? objectOf(right) : nullptr;
  if (other && context.hasSameUnqualifiedType(left.getType(), right.getType()))
    return one == other || setObjects(*one, *other, nullptr, where);
  // Elements of arrays: numbers that change places.
  if (left.getType()->isArithmeticType() && !(namedVariable(left) && namedVariable(right))) {
    const auto before = evaluate(left);
    const auto after = before ? evaluate(right) : std::nullopt;
    return after && assign(left, *after, where) && assign(right, *before, where);
  }
  const auto first = variableOf(left);
  const auto second = first ? variableOf(right) : std::nullopt;
  const auto firstValue = second ? valueOf(*first, where) : std::nullopt;
  const auto secondValue = firstValue ? valueOf(*second, where) : std::nullopt;
  if (!secondValue)
    return false;
  environment.insert_or_assign(*first, *secondValue);
  environment.insert_or_assign(*second, *firstValue);
  return true;
}

} // namespace stencilc::lift
