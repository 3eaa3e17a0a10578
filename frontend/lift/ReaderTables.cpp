// The Reader on tables: arrays whose values stand in the source.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// A local array with values: a table of numbers.
bool Reader::declareTable(const VarDecl &variable) {
  const auto *list = dyn_cast<InitListExpr>(&bare(*variable.getInit()));
  const auto *array = context.getAsConstantArrayType(variable.getType());
  if (array && wholeTable(variable)) {
    environment.insert_or_assign(Variable{&variable, nullptr}, Value(Unknown()));
    return true;
  }
  auto table = list && array ? tableOf(variable) : std::nullopt;
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
    isWritten |= element && namedVariable(*element->getBase()->IgnoreParenImpCasts()) ==
                                Variable{&variable, nullptr};
  });
  if (!isWritten) {
    tables.emplace(made->buffer, std::move(*table));
    return true;
  }
  for (auto [number, value] : llvm::enumerate(table->values))
    if (!store({made->buffer, {Polynomial(int64_t(number))}, false}, value, variable.getLocation()))
      return false;
  return true;
}

/// The numbers that an array starts with.
std::optional<Reader::Table> Reader::tableOf(const VarDecl &variable) {
  const clang::Expr *start = variable.getAnyInitializer();
  const auto *list = start ? dyn_cast<InitListExpr>(&bare(*start)) : nullptr;
  const auto *array = context.getAsConstantArrayType(variable.getType());
  if (!list || !array || !array->getElementType()->isRealFloatingType())
    return std::nullopt;
  const auto type = scalarType(array->getElementType(), variable.getLocation());
  if (!type || array->getSize().ugt(10'000))
    return std::nullopt;
  Table table;
  for (uint64_t number = 0; number < array->getSize().getZExtValue(); ++number) {
    const bool isGiven =
        number < list->getNumInits() && !isa<ImplicitValueInitExpr>(list->getInit(number));
    auto value = isGiven ? this->number(*list->getInit(number)) : literal(*type, 0);
    if (!value)
      return std::nullopt;
    table.values.push_back(std::move(*value));
  }
  return table;
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
