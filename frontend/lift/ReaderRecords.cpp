// The Reader on arrays of structs, whose members are numbers of one type: `u[c].rho`.
//
// Such memory is one of numbers that take turns: each element is so many of them, and a member says
// which. Places of elements count elements; that of a member counts numbers.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// Adds what numbers a struct is made of, in order of memory. False if they are not all of one type
/// or not all that it is made of.
static bool addNumbers(const RecordDecl &record, const std::string &prefix, QualType &number,
                       std::vector<std::string> &names) {
  const auto *derived = dyn_cast<CXXRecordDecl>(&record);
  if (!record.isCompleteDefinition() || record.isUnion() ||
      (derived && (derived->getNumBases() > 0 || derived->isDynamicClass())))
    return false;
  const ASTContext &context = record.getASTContext();
  for (const FieldDecl *field : record.fields()) {
    const std::string name = prefix + field->getNameAsString();
    QualType type = field->getType();
    if (isOwnRecord(type)) {
      if (!addNumbers(*type->getAsRecordDecl(), name + "_", number, names))
        return false;
      continue;
    }
    int64_t count = 1;
    const auto *array = context.getAsConstantArrayType(type);
    if (array) {
      count = array->getSize().getLimitedValue(1 << 10);
      type = array->getElementType();
    }
    if (number.isNull())
      number = type;
    if (!type->isArithmeticType() || !context.hasSameUnqualifiedType(type, number) ||
        names.size() + count > 1 << 10)
      return false;
    for (int64_t place = 0; place < count; ++place)
      names.push_back(array ? name + "_" + std::to_string(place) : name);
  }
  return !names.empty();
}

std::optional<Reader::Numbers> Reader::numbersOf(QualType type) const {
  Numbers numbers;
  if (!isOwnRecord(type) ||
      !addNumbers(*type->getAsRecordDecl(), "", numbers.type, numbers.names) ||
      context.getTypeSizeInChars(type) !=
          int64_t(numbers.names.size()) * context.getTypeSizeInChars(numbers.type))
    return std::nullopt;
  return numbers;
}

/// True of a variable that is, or points to, an element of such an array.
bool Reader::isElement(const ValueDecl &variable) const {
  const auto known = environment.find(Variable{&variable, nullptr});
  const auto *place = known == environment.end() ? nullptr : std::get_if<Place>(&known->second);
  return place && !tree.buffers[place->buffer].members.empty();
}

/// A function is handed a pointer to structs, which may be one or many.
bool Reader::isOfStructs(const Value &value) const {
  const auto *other = std::get_if<Reference>(&value);
  return other && !other->variable.second &&
         numbersOf(other->variable.first->getType()->getPointeeType());
}

/// Refuses an array whose first element has been taken for a struct of its own.
bool Reader::isNoStruct(const ValueDecl &variable, unsigned buffer, SourceLocation where) {
  const auto isMember = [&](const auto &known) {
    return known.first.first == &variable && known.first.second;
  };
  if (tree.buffers[buffer].members.empty() || llvm::none_of(environment, isMember))
    return true;
  const std::string name = variable.getNameAsString();
  return refuse(where, "`" + name + "` is taken for a struct before, and for an array here",
                "name its first element `" + name + "[0]`"),
         false;
}

/// The first number of an element, of which `place` counts whole ones.
std::optional<Place> Reader::firstNumber(Place place, SourceLocation where) {
  const Buffer &buffer = tree.buffers[place.buffer];
  const bool isFlat = buffer.extents.size() == 1;
  if (place.subscripts.size() + (isFlat ? 0 : 1) != buffer.extents.size() || buffer.members.empty())
    return refuse(where, "what is meant here is no element of an array of structs");
  place.isOpen = false;
  if (!isFlat)
    place.subscripts.push_back(Polynomial());
  else if (const auto first = product(place.subscripts.back(), int64_t(buffer.members.size())))
    place.subscripts.back() = *first;
  else
    return refuse(where, "the subscript is too large");
  return place;
}

std::optional<Place> Reader::placeOfMember(const MemberExpr &member) {
  const SourceLocation where = member.getExprLoc();
  const auto *field = dyn_cast<FieldDecl>(member.getMemberDecl());
  const clang::Expr &base = bare(*member.getBase());
  const auto *outer = dyn_cast<MemberExpr>(&base);
  const QualType record =
      base.getType()->isPointerType() ? base.getType()->getPointeeType() : base.getType();
  if (!field || !numbersOf(record))
    return refuse(where, "`" + textOf(member) + "` is no array element that is understood",
                  "arrays of structs are followed whose members are all of one type of numbers");
  std::optional<Place> found;
  if (outer && !member.isArrow())
    found = placeOfMember(*outer);
  else {
    auto element = place(base);
    if (element && member.isArrow())
      element = moved(std::move(*element), 0, where);
    found = element ? firstNumber(std::move(*element), where) : std::nullopt;
  }
  if (!found)
    return std::nullopt;
  const int64_t size = tree.buffers[found->buffer].elementSize();
  const auto further =
      sum(found->subscripts.back(), int64_t(context.getFieldOffset(field) / 8) / size);
  if (!further)
    return refuse(where, "the subscript is too large");
  found->subscripts.back() = *further;
  found->isOpen = field->getType()->isArrayType();
  return found;
}

const clang::Expr *Reader::elementCopied(const clang::Expr &start) {
  const clang::Expr *source = &bare(start);
  if (const auto *construct = dyn_cast<CXXConstructExpr>(source);
      construct && construct->getNumArgs() == 1 &&
      construct->getConstructor()->isCopyOrMoveConstructor() &&
      construct->getConstructor()->isImplicit())
    source = &bare(*construct->getArg(0));
  if (!numbersOf(source->getType()))
    return nullptr;
  if (const ValueDecl *object = objectOf(*source))
    return isElement(*object) ? source : nullptr;
  const bool isElement = isa<ArraySubscriptExpr, CXXOperatorCallExpr, UnaryOperator>(source);
  return isElement && source->isLValue() ? source : nullptr;
}

/// A copy of an element: a struct of the function's own.
bool Reader::copyElement(const VarDecl &variable, const clang::Expr &source, SourceLocation where) {
  const auto element = place(source);
  const auto first = element ? firstNumber(*element, where) : std::nullopt;
  if (!first)
    return false;
  int64_t number = 0;
  for (const FieldDecl *field : variable.getType()->getAsRecordDecl()->fields()) {
    if (!field->getType()->isArithmeticType())
      return refuse(where, "an element is copied whose members are not all numbers",
                    "name the element's members where they are used"),
             false;
    Place place = *first;
    place.subscripts.back() = *sum(place.subscripts.back(), number++);
    auto value = load(place, where);
    if (!value)
      return false;
    environment.insert_or_assign(Variable{&variable, field}, Value(std::move(*value)));
  }
  return true;
}

/// An assignment to or of an element; none for others.
std::optional<bool> Reader::runElement(const clang::Expr &target, const clang::Expr &source,
                                       SourceLocation where) {
  if (makesStruct(source)) {
    const auto numbers = numbersOfStruct(source);
    const auto to = numbers && elementCopied(target) ? place(target) : std::nullopt;
    auto first = to ? firstNumber(*to, where) : std::nullopt;
    const ValueDecl *object = numbers && !elementCopied(target) ? objectOf(target) : nullptr;
    if (object)
      setStruct(*object, *numbers);
    for (size_t number = 0; first && number < numbers->size(); ++number) {
      if (!store(*first, (*numbers)[number], where))
        return false;
      first->subscripts.back() = *sum(first->subscripts.back(), 1);
    }
    return object || first;
  }
  if (elementCopied(target))
    return setElement(target, source, where);
  const clang::Expr *element = elementCopied(source);
  const auto *reference = dyn_cast<DeclRefExpr>(&bare(target));
  const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (!element)
    return std::nullopt;
  if (!variable || !variable->hasLocalStorage() || !variable->getType()->isRecordType())
    return refuse(where, "`" + textOf(target) + "` is set to an element as a whole",
                  "set its members one by one"),
           false;
  return copyElement(*variable, *element, where);
}

/// `v[c] = u[c]`, `v[c] = cell`: number by number.
bool Reader::setElement(const clang::Expr &target, const clang::Expr &source,
                        SourceLocation where) {
  const auto to = place(target);
  const auto first = to ? firstNumber(*to, where) : std::nullopt;
  const ValueDecl *object = first ? objectOf(source) : nullptr;
  std::vector<Formula> values;
  if (object && !isElement(*object)) {
    for (const FieldDecl *field : target.getType()->getAsRecordDecl()->fields()) {
      if (!field->getType()->isArithmeticType())
        return refuse(where, "an element is copied whose members are not all numbers",
                      "copy its members one by one"),
               false;
      const auto held = valueOf({object, field}, where);
      auto value = held ? datumIn(*held) : std::nullopt;
      if (!value)
        return refuse(where, "`" + textOf(source) + "` is no element that is understood"), false;
      values.push_back(std::move(*value));
    }
  } else {
    const auto element = first ? place(source) : std::nullopt;
    auto from = element ? firstNumber(*element, where) : std::nullopt;
    for (size_t number = 0; from && number < tree.buffers[from->buffer].members.size(); ++number) {
      auto value = load(*from, where);
      if (!value)
        return false;
      values.push_back(std::move(*value));
      from->subscripts.back() = *sum(from->subscripts.back(), 1);
    }
    if (!from)
      return false;
  }
  for (auto [number, value] : llvm::enumerate(values)) {
    Place place = *first;
    place.subscripts.back() = *sum(place.subscripts.back(), int64_t(number));
    if (!store(place, std::move(value), where))
      return false;
  }
  return true;
}

} // namespace stencilc::lift
