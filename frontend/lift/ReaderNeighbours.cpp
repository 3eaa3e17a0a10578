// The Reader on arrays that say which points are neighbours, where the function fills them itself:
//   for (i = 0; i < n; i++) up[i] = i - 1;
//   up[0] = n - 1;
// An element is what it was set to, with its place instead of the loop's variable.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// The buffer of an array of whole numbers with one subscript.
std::optional<unsigned> Reader::arrayOfNeighbours(const clang::Expr &base) {
  const Refusals::Trial trial(refusals);
  const auto variable = namedVariable(base);
  const auto held = variable ? environment.find(*variable) : environment.end();
  const auto *place = held == environment.end() ? nullptr : std::get_if<Place>(&held->second);
  if (!place || !place->subscripts.empty())
    return std::nullopt;
  const Buffer &buffer = tree.buffers[place->buffer];
  return buffer.whole && buffer.extents.size() == 1 ? std::optional(place->buffer) : std::nullopt;
}

/// True if elements of the array stand in subscripts of others.
bool Reader::isLookedUp(const clang::Expr &array) {
  const auto buffer = arrayOfNeighbours(array);
  const auto named = namedVariable(array);
  bool result = false;
  const auto look = [&](const Stmt &part) {
    const auto *inner = dyn_cast<clang::Expr>(&part);
    const clang::Expr *base = inner ? elementParts(*inner).first : nullptr;
    result |= base && (buffer ? arrayOfNeighbours(*base) == buffer
                              : named && namedVariable(*base) == named);
  };
  for (const FunctionDecl *caller : callers)
    forEachPart(*caller->getBody(), [&](const Stmt &part) {
      const auto *element = dyn_cast<clang::Expr>(&part);
      if (const clang::Expr *index = element ? elementParts(*element).second : nullptr)
        forEachPart(*index, look);
    });
  return result;
}

/// True of what says of points which others are their neighbours: a loop, or what follows one.
bool Reader::setsNeighbours(const Stmt &statement) {
  bool result = false;
  forEachPart(statement, [&](const Stmt &part) {
    const clang::Expr *target = writtenBy(part);
    const clang::Expr *base = target ? elementParts(bare(*target)).first : nullptr;
    if (!base || !target->getType()->isIntegerType())
      return;
    const auto buffer = arrayOfNeighbours(*base);
    result |= isa<ForStmt>(statement) ? isLookedUp(*base) : buffer && neighbours.count(*buffer);
  });
  return result;
}

bool Reader::setsNeighbour(const clang::Expr &target, const clang::Expr &value) {
  const auto [base, index] = elementParts(bare(target));
  if (!index || loops.size() > 1 || !conditions.empty() || !guards.empty())
    return false;
  const Refusals::Trial trial(refusals);
  if (const auto named = namedVariable(*base);
      named && !loops.empty() && !environment.count(*named))
    place(*base);
  const auto buffer = arrayOfNeighbours(*base);
  if (!buffer || ((!tree.buffers[*buffer].isLocal || tree.isProgram) && !isLookedUp(*base)))
    return false;
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
  Buffer &array = tree.buffers[*buffer];
  array.saysNeighbours = true;
  if (!array.extents[0])
    array.extents[0] = loop.end;
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
