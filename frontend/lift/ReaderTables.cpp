// The Reader on tables: arrays whose values stand in the source.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

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
    const auto *element = target ? dyn_cast<ArraySubscriptExpr>(&bare(*target)) : nullptr;
    while (element) {
      const clang::Expr &base = *element->getBase()->IgnoreParenImpCasts();
      isWritten |= namedVariable(base) == Variable{&variable, nullptr};
      element = dyn_cast<ArraySubscriptExpr>(&bare(base));
    }
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
  while (const auto *array = context.getAsArrayType(element))
    element = array->getElementType();
  // Of a local one, whoever writes to it is refused.
  const bool isSafe = element.isConstQualified() || variable.hasLocalStorage();
  if (!variable.getType()->isConstantArrayType() || !element->isIntegralOrEnumerationType() ||
      !isSafe || !variable.hasInit() || variable.getInit()->isValueDependent())
    return nullptr;
  const APValue *value = variable.evaluateValue();
  return value && value->isArray() ? value : nullptr;
}

std::optional<Polynomial> Reader::listedWhole(const clang::Expr &expression) {
  llvm::SmallVector<int64_t, 2> places;
  const clang::Expr *base = &bare(expression);
  while (const auto *subscript = dyn_cast<ArraySubscriptExpr>(base)) {
    const Refusals::Trial trial(refusals);
    const auto index = whole(*subscript->getIdx());
    const auto place = index ? index->number() : std::nullopt;
    if (!place)
      return std::nullopt;
    places.push_back(*place);
    base = &bare(*subscript->getBase()->IgnoreParenImpCasts());
  }
  const auto variable = places.empty() ? std::nullopt : namedVariable(*base);
  const auto *declared = variable ? dyn_cast<VarDecl>(variable->first) : nullptr;
  const APValue *value = declared && !variable->second ? wholeTable(*declared) : nullptr;
  for (int64_t place : llvm::reverse(places)) {
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
