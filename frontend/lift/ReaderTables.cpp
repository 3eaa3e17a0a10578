// The Reader on tables: arrays whose values stand in the source.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

bool isArray(QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  return type->isArrayType() ||
         (record && record->isInStdNamespace() && record->getName() == "array");
}

bool isListed(const VarDecl &array) {
  const clang::Expr *start = array.getAnyInitializer();
  return start && (array.getType()->isArrayType() || isa<InitListExpr>(bare(*start)));
}

std::pair<const clang::Expr *, const clang::Expr *> elementParts(const clang::Expr &expression) {
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(&expression))
    return {&bare(*element->getBase()->IgnoreParenImpCasts()), element->getIdx()};
  const auto *called = dyn_cast<CXXOperatorCallExpr>(&expression);
  return called && called->getOperator() == OO_Subscript && called->getNumArgs() == 2 &&
                 !elementOfContainer(called->getArg(0)->getType()).isNull()
             ? std::pair(&bare(*called->getArg(0)), called->getArg(1))
             : std::pair<const clang::Expr *, const clang::Expr *>();
}

/// What an array, or a std::array, is made of.
static QualType elementOf(QualType type, const ASTContext &context) {
  const auto *array = context.getAsArrayType(type);
  return array ? array->getElementType() : isArray(type) ? elementOfContainer(type) : QualType();
}

/// A local array with values: a table of numbers.
bool Reader::declareTable(const VarDecl &variable) {
  if (wholeTable(variable)) {
    environment.insert_or_assign(Variable{&variable, nullptr}, Value(Unknown()));
    return true;
  }
  auto table = tableOf(variable);
  if (!table)
    return refuse(variable.getLocation(), "the values of `" + variable.getName() +
                                              "` are not followed: only lists of numbers are"),
           false;
  const auto made =
      makeBuffer(variable.getNameAsString(), variable.getType(), true, variable.getLocation());
  if (!made)
    return false;
  environment.insert_or_assign(Variable{&variable, nullptr}, Value(*made));
  bool isWritten = false;
  forEachPart(*callers.back()->getBody(), [&](const Stmt &part) {
    const clang::Expr *target = writtenBy(part);
    const clang::Expr *element = target ? elementParts(bare(*target)).first : nullptr;
    for (; element; element = elementParts(*element).first)
      isWritten |= namedVariable(*element) == Variable{&variable, nullptr};
  });
  if (!isWritten) {
    tables.emplace(made->buffer, std::move(*table));
    return true;
  }
  for (auto [number, value] : llvm::enumerate(table->values)) {
    Place place = *made;
    int64_t rest = number;
    for (const auto &extent : llvm::reverse(tree.buffers[made->buffer].extents)) {
      place.subscripts.insert(place.subscripts.begin(), rest % *extent->number());
      rest /= *extent->number();
    }
    if (!store(place, value, variable.getLocation()))
      return false;
  }
  return true;
}

/// Adds the numbers of a list to a table, row by row; zeros for those that no list says.
bool Reader::addToTable(Table &table, const clang::Expr *start, QualType type) {
  constexpr size_t kMostNumbers = 10'000;
  const auto *isNone = start ? dyn_cast<ImplicitValueInitExpr>(start) : nullptr;
  if (const auto *array = context.getAsConstantArrayType(type)) {
    const auto *list = start ? dyn_cast<InitListExpr>(&bare(*start)) : nullptr;
    if (start && !list && !isNone)
      return false;
    const uint64_t count = array->getSize().getLimitedValue();
    for (uint64_t number = 0; number < count; ++number)
      if (!addToTable(table, list && number < list->getNumInits() ? list->getInit(number) : nullptr,
                      array->getElementType()))
        return false;
    return count > 0;
  }
  if (isArray(type)) { // a struct of one
    const auto *list = start ? dyn_cast<InitListExpr>(&bare(*start)) : nullptr;
    const auto *record = type->getAsCXXRecordDecl();
    if ((start && !list && !isNone) || record->field_empty())
      return false;
    return addToTable(table, list && list->getNumInits() > 0 ? list->getInit(0) : nullptr,
                      record->field_begin()->getType());
  }
  const auto scalar = type->isRealFloatingType() ? scalarType(type, {}) : std::nullopt;
  if (!scalar || table.values.size() == kMostNumbers)
    return false;
  auto value = start && !isNone ? number(*start) : literal(*scalar, 0);
  if (value)
    table.values.push_back(std::move(*value));
  return value.has_value();
}

std::optional<Reader::Table> Reader::tableOf(const VarDecl &variable) {
  const clang::Expr *start = variable.getAnyInitializer();
  Table table;
  return start && isa<InitListExpr>(bare(*start)) && addToTable(table, start, variable.getType())
             ? std::optional(std::move(table))
             : std::nullopt;
}

const APValue *Reader::wholeTable(const VarDecl &variable) const {
  QualType element = variable.getType();
  bool isConst = false;
  for (QualType inner = element; !inner.isNull(); inner = elementOf(element, context)) {
    element = inner;
    isConst |= element.isConstQualified();
  }
  // Of a local one, whoever writes to it is refused.
  const bool isSafe = isConst || variable.hasLocalStorage();
  if ((!variable.getType()->isConstantArrayType() && !isArray(variable.getType())) ||
      !element->isIntegralOrEnumerationType() || !isSafe || !variable.hasInit() ||
      variable.getInit()->isValueDependent())
    return nullptr;
  const APValue *value = variable.evaluateValue();
  return value && (value->isArray() || value->isStruct()) ? value : nullptr;
}

std::optional<Polynomial> Reader::listedWhole(const clang::Expr &expression) {
  llvm::SmallVector<int64_t, 2> places;
  const clang::Expr *base = &bare(expression);
  for (auto parts = elementParts(*base); parts.first; parts = elementParts(*base)) {
    const Refusals::Trial trial(refusals);
    const auto index = whole(*parts.second);
    const auto place = index ? index->number() : std::nullopt;
    if (!place)
      return std::nullopt;
    places.push_back(*place);
    base = parts.first;
  }
  const auto variable = places.empty() ? std::nullopt : namedVariable(*base);
  const auto *declared = variable ? dyn_cast<VarDecl>(variable->first) : nullptr;
  const APValue *value = declared && !variable->second ? wholeTable(*declared) : nullptr;
  for (int64_t place : llvm::reverse(places)) {
    if (value && value->isStruct() && value->getStructNumFields() == 1)
      value = &value->getStructField(0);
    if (!value || !value->isArray() || place < 0 || uint64_t(place) >= value->getArraySize())
      return std::nullopt;
    value = uint64_t(place) < value->getArrayInitializedElts()
                ? &value->getArrayInitializedElt(place)
                : &value->getArrayFiller();
  }
  if (!value || !value->isInt() || value->getInt().getSignificantBits() > 62)
    return std::nullopt;
  return Polynomial(value->getInt().getExtValue());
}

} // namespace stencilc::lift
