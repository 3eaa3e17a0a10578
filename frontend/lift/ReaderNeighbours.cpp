// The Reader on arrays that say which points are neighbours, where the function fills them itself:
//   for (i = 0; i < n; i++) up[i] = i - 1;
//   up[0] = n - 1;
// An element is what it was set to, with its place instead of the loop's variable.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// The buffer of an array of whole numbers with one subscript that nobody else sees.
std::optional<unsigned> Reader::arrayOfNeighbours(const clang::Expr &base) {
  const Refusals::Trial trial(refusals);
  const auto variable = namedVariable(base);
  const auto held = variable ? environment.find(*variable) : environment.end();
  const auto *place = held == environment.end() ? nullptr : std::get_if<Place>(&held->second);
  if (!place || !place->subscripts.empty())
    return std::nullopt;
  const Buffer &buffer = tree.buffers[place->buffer];
  return buffer.whole && buffer.isLocal && buffer.extents.size() == 1 ? std::optional(place->buffer)
                                                                      : std::nullopt;
}

bool Reader::setsNeighbour(const clang::Expr &target, const clang::Expr &value) {
  const auto [base, index] = elementParts(bare(target));
  const auto buffer = index ? arrayOfNeighbours(*base) : std::nullopt;
  if (!buffer || loops.size() > 1 || !conditions.empty() || !guards.empty())
    return false;
  const Refusals::Trial trial(refusals);
  const auto at = whole(*index);
  const auto becomes = at ? whole(value) : std::nullopt;
  if (!becomes)
    return false;
  const auto known = neighbours.find(*buffer);
  if (loops.empty()) {
    if (known != neighbours.end())
      known->second.instead.push_back({*at, *becomes});
    return known != neighbours.end();
  }
  const Loop &loop = tree.loops[loops[0]];
  const auto variable = plainVariable(*index->IgnoreParenImpCasts());
  const bool isSet = llvm::any_of(tree.assignments, [&](const Assignment &earlier) {
    return earlier.target.buffer == *buffer;
  });
  if (!variable || *at != Polynomial::of(loop.variable) || loop.stride != Polynomial(1) ||
      !(tree.needs(*becomes, loop.variable) || tree.hidesIn(*becomes, loop.variable)) ||
      known != neighbours.end() || isSet)
    return false;
  neighbours[*buffer] = {&value, *variable, environment, {}};
  return true;
}

std::optional<Polynomial> Reader::neighbourIn(const clang::Expr &element) {
  const auto [base, index] = elementParts(bare(element));
  const auto buffer = index && !neighbours.empty() ? arrayOfNeighbours(*base) : std::nullopt;
  const auto known = buffer ? neighbours.find(*buffer) : neighbours.end();
  if (known == neighbours.end())
    return std::nullopt;
  const Refusals::Trial trial(refusals);
  const Neighbours &array = known->second;
  const auto place = whole(*index);
  if (!place)
    return std::nullopt;
  const Environment here = std::exchange(environment, array.environment);
  environment.insert_or_assign(array.variable, Value(*place));
  auto result = whole(*array.value);
  environment = here;
  for (const auto &[at, becomes] : array.instead) {
    if (!result)
      return std::nullopt;
    const auto far = difference(*place, at);
    if (!moves(*place)) {
      if (!far || !far->number())
        return std::nullopt;
      result = *far->number() == 0 ? becomes : *result;
      continue;
    }
    // Which turn of the loop is at that place.
    const auto symbol = llvm::find_if(
        loops, [&](unsigned number) { return place->names(tree.loops[number].variable); });
    if (symbol == loops.end())
      return std::nullopt;
    const Symbol variable = tree.loops[*symbol].variable;
    const auto turn = difference(Polynomial::of(variable), *far);
    if (!turn || turn->names(variable))
      return std::nullopt;
    result = replaced(variable, *turn, becomes, *result, element);
  }
  return result;
}

} // namespace stencilc::lift
