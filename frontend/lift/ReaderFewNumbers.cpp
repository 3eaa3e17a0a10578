// The Reader on small arrays as values: what functions take and return as a std::array, and copies.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

constexpr size_t kMostElements = 64;

std::vector<Place> Reader::elementsOf(const Place &part, size_t most) const {
  std::vector<Place> result = {part};
  result[0].isOpen = false;
  const auto &extents = tree.buffers[part.buffer].extents;
  for (size_t dimension = part.subscripts.size(); dimension < extents.size(); ++dimension) {
    const auto length = extents[dimension] ? extents[dimension]->number() : std::nullopt;
    if (!length || *length < 1 || *length * result.size() > most)
      return {};
    std::vector<Place> inner;
    for (const Place &place : result)
      for (int64_t number = 0; number < *length; ++number) {
        inner.push_back(place);
        inner.back().subscripts.push_back(number);
      }
    result = std::move(inner);
  }
  return result;
}

/// True if elements within have been named by numbers.
bool Reader::isNumberedWithin(const Place &part) const {
  const auto isMeant = [&](const Access &access) {
    return access.buffer == part.buffer && access.subscripts.size() > part.subscripts.size() &&
           access.subscripts.back().number();
  };
  return llvm::any_of(tree.accesses, isMeant) ||
         llvm::any_of(tree.assignments,
                      [&](const Assignment &made) { return isMeant(made.target); });
}

bool Reader::storeAll(const Place &to, const std::vector<Formula> &values, SourceLocation where) {
  const std::vector<Place> elements = elementsOf(to, values.size());
  return elements.size() == values.size() &&
         llvm::all_of(llvm::zip(elements, values), [&](const auto &element) {
           return store(std::get<0>(element), std::get<1>(element), where);
         });
}

std::optional<bool> Reader::copyFew(const Place &to, const Place &from, SourceLocation where) {
  const std::vector<Place> elements = elementsOf(from, kMostElements);
  if (elements.empty() || elementsOf(to, kMostElements).size() != elements.size() ||
      tables.count(to.buffer) > 0)
    return std::nullopt;
  std::vector<Formula> values;
  for (const Place &element : elements) {
    auto value = load(element, where);
    if (!value)
      return false;
    values.push_back(std::move(*value));
  }
  return storeAll(to, values, where);
}

/// `std::array<double, 2>{a, b}`
std::optional<Place> Reader::listedArray(const clang::Expr &list) {
  const SourceLocation where = list.getExprLoc();
  Table table;
  if (!addToTable(table, &list, list.getType()))
    return refuse(where, "the values of `" + textOf(list) + "` are not followed");
  const auto made = makeBuffer(callers.back()->getNameAsString(), list.getType(), true, where);
  if (!made)
    return std::nullopt;
  declaredUnder[made->buffer] = conditions.size();
  return storeAll(*made, table.values, where) ? made : std::nullopt;
}

/// True if the function writes to elements of its copy of a container.
bool changesCopy(const FunctionDecl &function, const ParmVarDecl &parameter) {
  bool result = false;
  forEachPart(*function.getBody(), [&](const Stmt &part) {
    const clang::Expr *target = writtenBy(part);
    const clang::Expr *base = target ? &bare(*target) : nullptr;
    while (base && elementParts(*base).first)
      base = elementParts(*base).first;
    const auto named = base ? plainVariable(*base) : std::nullopt;
    result |= named == Variable{&parameter, nullptr} && base != &bare(*target);
  });
  return result && !elementOfContainer(parameter.getType()).isNull() &&
         parameter.getType()->isRecordType() && !isView(parameter.getType());
}

} // namespace stencilc::lift
