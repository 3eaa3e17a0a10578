#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

/// What the remainder is where no turn leaves the grid: of `(j + n) % n` with j from 0 to n - 1, j.
static std::optional<Polynomial> withinGrid(const LoopTree &tree, const SymbolInfo &info) {
  const Fold &fold = info.fold;
  if (info.kind != SymbolInfo::Kind::Folded || !fold.period || fold.least || fold.most ||
      !fold.instead.empty())
    return std::nullopt;
  for (int64_t times = 0; times <= 1; ++times) {
    const auto rest = difference(fold.inner, *product(*fold.period, times));
    for (const Loop &loop : tree.loops) {
      const auto shift = rest ? distance(*rest, Polynomial::of(loop.variable)) : std::nullopt;
      const auto first = shift ? sum(loop.begin, *shift) : std::nullopt;
      const auto end = first ? sum(loop.end, *shift) : std::nullopt;
      if (end && first->number().value_or(-1) >= 0 &&
          distance(*fold.period, *end).value_or(-1) >= 0)
        return rest;
    }
  }
  return std::nullopt;
}

void unwrapPositions(LoopTree &tree) {
  for (Symbol symbol = 0; symbol < tree.symbols.size(); ++symbol) {
    const auto plain = withinGrid(tree, tree.symbols[symbol]);
    if (!plain)
      continue;
    const auto change = [&](Polynomial &subscript) {
      if (const auto changed = subscript.with(symbol, *plain))
        subscript = *changed;
    };
    for (Access &access : tree.accesses)
      llvm::for_each(access.subscripts, change);
    for (Assignment &assignment : tree.assignments)
      llvm::for_each(assignment.target.subscripts, change);
  }
}

} // namespace stencilc::lift
