// The Reader on loops over a few places around a point, of which those that are not on the grid are
// left out: `for (k = max(i - 1, 0); k <= min(i + 1, n - 1); k++)`. Each turn is made where its
// place is on the grid.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// The one place that all those of a loop below (above) it become; none if there is no such one.
std::optional<Polynomial> Reader::commonPlace(const Fold &fold, bool isBelow) const {
  const auto variable = fold.inner.symbol();
  const bool isAround = variable && llvm::any_of(loops, [&](unsigned loop) {
                          return tree.loops[loop].variable == *variable;
                        });
  if (!isAround || fold.instead.empty())
    return std::nullopt;
  const Polynomial &common = fold.instead[0].becomes;
  const Loop &loop = loopOf(*variable);
  const bool isCommon = llvm::all_of(fold.instead, [&](const Fold::Place &place) {
    const auto far = distance(place.at, common);
    return place.becomes == common && far && (isBelow ? *far < 0 : *far > 0);
  });
  const auto outside = isBelow ? distance(common, loop.begin) : distance(loop.end, *sum(common, 1));
  return isCommon && outside == int64_t(fold.instead.size()) ? std::optional(common) : std::nullopt;
}

/// The bound without what keeps it on the grid, and that.
std::optional<Limited> Reader::limitOf(const Polynomial &bound, bool isBelow) const {
  for (Symbol symbol = 0; symbol < tree.symbols.size(); ++symbol) {
    const SymbolInfo &info = tree.symbols[symbol];
    const auto shift = info.kind == SymbolInfo::Kind::Folded
                           ? distance(bound, Polynomial::of(symbol))
                           : std::nullopt;
    if (!shift)
      continue;
    const Fold &fold = info.fold;
    const auto &other = isBelow ? fold.most : fold.least;
    const auto limit = fold.instead.empty()        ? (isBelow ? fold.least : fold.most)
                       : !fold.least && !fold.most ? commonPlace(fold, isBelow)
                                                   : std::nullopt;
    if (fold.period || other || !limit)
      return std::nullopt;
    const auto inner = sum(fold.inner, *shift), place = sum(*limit, *shift);
    return inner && place ? std::optional(Limited{*inner, *place}) : std::nullopt;
  }
  return Limited{bound, std::nullopt};
}

std::optional<Window> Reader::windowOf(const Loop &bounds) const {
  constexpr int64_t kMostTurns = 64;
  const auto below = limitOf(bounds.begin, true);
  const auto above = below ? limitOf(bounds.end, false) : std::nullopt;
  const auto turns = above ? distance(above->inner, below->inner) : std::nullopt;
  if (!turns || *turns < 1 || *turns > kMostTurns || (!below->limit && !above->limit) ||
      bounds.stride != Polynomial(1) || bounds.isDownward)
    return std::nullopt;
  for (unsigned loop : loops) {
    const Symbol variable = tree.loops[loop].variable;
    const auto rest = difference(below->inner, Polynomial::of(variable));
    if (rest && !moves(*rest) && tree.loops[loop].stride == Polynomial(1))
      return Window{below->inner, above->inner, below->limit, above->limit, *turns, variable};
  }
  return std::nullopt;
}

std::optional<Guard> Reader::limitIn(const Window &window, const Polynomial &place) const {
  const Loop &around = loopOf(window.variable);
  const auto shift = difference(place, Polynomial::of(window.variable));
  const auto from = shift && window.least ? difference(*window.least, *shift) : std::nullopt;
  const auto to = shift && window.end ? difference(*window.end, *shift) : std::nullopt;
  if (!shift || from.has_value() != window.least.has_value() ||
      to.has_value() != window.end.has_value())
    return std::nullopt;
  // Where the loop around is on the grid for certain, so is the place.
  Guard limit{window.variable, from, to};
  if (from && distance(*from, around.begin).value_or(1) <= 0)
    limit.from.reset();
  if (to && distance(around.end, *to).value_or(1) <= 0)
    limit.to.reset();
  return limit;
}

/// True if the statements look for smallest or largest values, and do nothing else.
static bool findsExtrema(llvm::ArrayRef<const Stmt *> statements) {
  using Op = Reduction::Op;
  const std::vector<Variable> assigned = assignedIn(statements);
  bool isPlain = !assigned.empty();
  for (const Variable &variable : assigned) {
    isPlain &= isGathered(statements, variable);
    for (const Stmt *statement : statements)
      forEachPart(*statement, [&](const Stmt &part) {
        const auto found = accumulationOf(part, variable);
        isPlain &= !found || found->op != Op::Sum;
        const auto *call = dyn_cast<clang::CallExpr>(&part);
        const FunctionDecl *called = call ? call->getDirectCallee() : nullptr;
        isPlain &= !call || (called && (called->getBuiltinID() || called->isInStdNamespace()));
      });
  }
  return isPlain;
}

/// As if the places beyond the ends were the nearest ones on the grid, which are seen once more:
/// that changes no smallest or largest value.
bool Reader::runOnGrid(const LoopParts &loop, const Variable &variable, const Window &window) {
  bool isAnyInside = false;
  for (int64_t turn = 0; turn < window.turns; ++turn) {
    const auto place = sum(window.from, turn);
    const auto limit = place ? limitIn(window, *place) : std::nullopt;
    const auto last = window.end ? sum(*window.end, -1) : std::nullopt;
    if (!limit)
      return false;
    Fold fold;
    fold.inner = *place;
    fold.least = limit->from ? window.least : std::nullopt;
    fold.most = limit->to ? last : std::nullopt;
    const bool isInside = !fold.least && !fold.most;
    isAnyInside |= isInside;
    environment.insert_or_assign(
        variable, Value(isInside ? *place : folded(fold, nameOf(variable), loop.where)));
    if (!runBody(loop.body))
      return false;
  }
  environment.insert_or_assign(variable, Value(Unknown()));
  return isAnyInside;
}

bool Reader::runWindow(const LoopParts &loop, const Variable &variable, const Window &window) {
  if (findsExtrema(loop.body)) {
    Reader attempt(*this);
    const auto isPossible = [&] {
      const Refusals::Trial trial(refusals);
      return attempt.runOnGrid(loop, variable, window);
    };
    if (isPossible())
      return runOnGrid(loop, variable, window);
  }
  for (int64_t turn = 0; turn < window.turns; ++turn) {
    const auto place = sum(window.from, turn);
    const auto limit = place ? limitIn(window, *place) : std::nullopt;
    if (!limit)
      return refuse(loop.where, "the bounds are too large"), false;
    environment.insert_or_assign(variable, Value(*place));
    std::optional<Formula> holds;
    const auto add = [&](CompareOp op, const Polynomial &bound) {
      const auto left = formulaOf(*place, loop.where);
      const auto right = left ? formulaOf(bound, loop.where) : std::nullopt;
      const auto test = right ? compare(op, *left, *right) : std::nullopt;
      if (test)
        holds = holds ? binary(BinaryOp::And, *holds, *test) : test;
      return test.has_value();
    };
    if ((limit->from && !add(CompareOp::GreaterEqual, *window.least)) ||
        (limit->to && !add(CompareOp::Less, *window.end)))
      return false;
    const bool isOuterOneOfFew = std::exchange(isOneOfFew, true);
    const bool isRead = holds ? runTurnWhere(loop, *holds, *limit) : runBody(loop.body);
    isOneOfFew = isOuterOneOfFew;
    if (!isRead)
      return false;
  }
  environment.insert_or_assign(variable, Value(Unknown()));
  return true;
}

bool Reader::runTurnWhere(const LoopParts &loop, const Formula &holds, const Guard &limit) {
  for (const Variable &other : assignedIn(loop.body))
    if (!environment.count(other) && !makeValue(other, loop.where))
      return false;
  const Environment before = environment;
  {
    const Supposed supposed(*this);
    known.push_back(limit);
    conditions.push_back(holds);
    const bool isRead = runBody(loop.body);
    conditions.pop_back();
    if (!isRead)
      return false;
  }
  const Environment then = std::exchange(environment, before);
  environment.insert(then.begin(), then.end());
  const Environment otherwise = environment;
  return join(&holds, nullptr, then, otherwise, loop.where);
}

} // namespace stencilc::lift
