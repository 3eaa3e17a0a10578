// The Reader on variables of whose value nothing is known: why that is, and a way out.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace clang;

namespace stencilc::lift {

void Reader::noteOpenSum(const LoopParts &loop, const Loop &bounds) {
  const auto count = difference(bounds.end, bounds.begin);
  if (!count || moves(*count))
    return;
  std::string params;
  for (Symbol symbol = 0; symbol < tree.symbols.size(); ++symbol)
    if (count->names(symbol))
      params += fmt::format("{}`{}`", params.empty() ? "" : " and ", tree.symbols[symbol].name);
  for (const Variable &variable : assignedIn(loop.body))
    if (!params.empty())
      openSums[variable] = params;
}

std::nullopt_t Reader::refuseUnknown(const Variable &variable, SourceLocation where) {
  const std::string name = "`" + variable.first->getNameAsString() + "`";
  const bool isGathered = std::holds_alternative<Reduced>(environment.at(variable));
  if (const auto open = openSums.find(variable); open != openSums.end())
    return refuse(where,
                  name + " is made of terms whose number only a run tells: it hangs on " +
                      open->second,
                  "make " + open->second +
                      " a number of the source, such as `const int r = 2;`: up to 64 terms are "
                      "added up");
  // Where the loops that gather it are still going on, it is a number of the step.
  const bool isOfSteps = llvm::all_of(environment, [&](const auto &entry) {
    const auto *reduced = std::get_if<Reduced>(&entry.second);
    const auto start = starts.find(entry.first);
    return !reduced || reduced->isMade ||
           (start != starts.end() && llvm::is_contained(loops, start->second.loop));
  });
  if (isGathered && isOfSteps)
    return refuse(where, name + " changes from step to step, or is made of a number that does",
                  "a param has one value for all steps of a run: hand it to a function that makes "
                  "one step; a time is made of the number of the step, `t = step * dt`");
  if (isGathered)
    return refuse(where, name + " gathers a value over points, or is made of one that does",
                  "sums over all points are known after a run only: hand them to the next one as a "
                  "param, or to a region of `#pragma scop` behind them");
  const auto known = lost.find(variable);
  const std::optional<Lost> why = known == lost.end() ? std::nullopt : std::optional(known->second);
  if (why == Lost::Unset)
    return refuse(where, name + " has no value here, or not on every way to it",
                  "give it one where it is declared");
  if (why == Lost::Left)
    return refuse(where, name + " holds what the last turn of a loop has left in it",
                  "what a point needs is computed in its own turn");
  const QualType type =
      (variable.second ? variable.second : variable.first)->getType().getNonReferenceType();
  return refuse(where, name + " carries a value from one turn to the next, or has none yet",
                type->isIntegralOrEnumerationType()
                    ? "a place or a level is followed that each turn moves as far, or that the "
                      "number of the turn tells: `t % 2`"
                    : "what a point needs is computed from the old state: what the turn before has "
                      "seen is read of a neighbour, from an array that the step does not write");
}

} // namespace stencilc::lift
