#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
class BlockMerger {
public:
  explicit BlockMerger(LoopTree &tree) : tree(tree) {}

  /// Merges the loop over blocks with the one within them; false if they are none.
  bool merge(unsigned outer) {
    if (tree.loops[outer].stride == Polynomial(1))
      return false;
    // Loops within a block may count from 0 up.
    const LoopTree before = tree;
    for (const std::vector<unsigned> &nest : nests())
      if (llvm::is_contained(nest, outer))
        for (unsigned loop : nest)
          if (tree.loops[loop].begin == Polynomial() && isCutOffBy(tree.loops[loop].end, outer))
            countFrom(tree, loop, Polynomial::of(tree.loops[outer].variable));
    if (mergeWithin(outer))
      return true;
    tree = before;
    return false;
  }

private:
  /// It is a number or, in the last block, what is left of the points.
  bool isCutOffBy(const Polynomial &end, unsigned blocks) const {
    return end.namesAny([&](Symbol symbol) {
      const SymbolInfo &info = tree.symbols[symbol];
      return info.kind == SymbolInfo::Kind::Folded &&
             info.fold.inner.names(tree.loops[blocks].variable);
    });
  }

  bool mergeWithin(unsigned outer) {
    const Loop &blocks = tree.loops[outer];
    if (blocks.stride == Polynomial(1) || blocks.isDownward)
      return false;
    std::optional<unsigned> inner;
    for (const std::vector<unsigned> &nest : nests()) {
      if (!llvm::is_contained(nest, outer))
        continue;
      const auto within = llvm::find_if(nest, [&](unsigned loop) {
        return tree.loops[loop].begin == Polynomial::of(blocks.variable);
      });
      // Two loops within one block would do a block of each in turn.
      if (within == nest.end() || (inner && *inner != *within))
        return false;
      inner = *within;
    }
    if (!inner || tree.loops[*inner].isDownward)
      return false;
    const auto end = endOf(blocks, tree.loops[*inner]);
    if (!end || isNamedElsewhere(blocks.variable, *inner))
      return false;
    Loop &whole = tree.loops[*inner];
    whole.begin = blocks.begin;
    whole.end = *end;
    whole.isBlocked = true;
    for (Assignment &assignment : tree.assignments)
      llvm::erase(assignment.loops, outer);
    for (Gathered &gathered : tree.reductions)
      llvm::erase(gathered.loops, outer);
    return true;
  }

  std::vector<std::vector<unsigned>> nests() const {
    std::vector<std::vector<unsigned>> result;
    for (const Assignment &assignment : tree.assignments)
      result.push_back(assignment.loops);
    for (const Gathered &gathered : tree.reductions)
      result.push_back(gathered.loops);
    return result;
  }

  /// Where all blocks together end: they are cut off there, or end with a whole one.
  std::optional<Polynomial> endOf(const Loop &blocks, const Loop &within) const {
    const auto full = sum(Polynomial::of(blocks.variable), blocks.stride);
    for (Symbol symbol = 0; symbol < tree.symbols.size() && full; ++symbol) {
      const Fold &fold = tree.symbols[symbol].fold;
      const auto further = difference(within.end, Polynomial::of(symbol));
      if (tree.symbols[symbol].kind != SymbolInfo::Kind::Folded || !further ||
          !within.end.names(symbol) || further->names(symbol))
        continue;
      const auto inner = sum(fold.inner, *further);
      const auto most = fold.most ? sum(*fold.most, *further) : std::nullopt;
      const bool isCutOff = !fold.least && !fold.period && fold.instead.empty();
      const bool isEither =
          (inner == full && most == blocks.end) || (inner == blocks.end && most == full);
      return isCutOff && isEither ? std::optional(blocks.end) : std::nullopt;
    }
    return std::nullopt;
  }

  bool isNamedElsewhere(Symbol variable, unsigned inner) const {
    const auto names = [&](const Polynomial &value) {
      return value.namesAny([&](Symbol symbol) {
        const SymbolInfo &info = tree.symbols[symbol];
        return symbol == variable ||
               (info.kind == SymbolInfo::Kind::Folded && info.fold.inner.names(variable)) ||
               (info.kind == SymbolInfo::Kind::Modulo && info.dividend.names(variable));
      });
    };
    const auto isNamedIn = [&](const Access &access) {
      return llvm::any_of(access.subscripts, names) ||
             llvm::any_of(access.turns,
                          [&](const Guard &guard) { return guard.variable == variable; });
    };
    const auto isGuarded = [&](llvm::ArrayRef<Guard> guards) {
      return llvm::any_of(guards, [&](const Guard &guard) {
        return guard.variable == variable || (guard.from && names(*guard.from)) ||
               (guard.to && names(*guard.to));
      });
    };
    const auto isPosition = [&](const Formula &formula) {
      return llvm::any_of(formula.exprs, [&](const Expr &expr) {
        const auto *position = std::get_if<AxisValue>(&expr.node);
        return position && position->axis == variable;
      });
    };
    for (auto [number, loop] : llvm::enumerate(tree.loops))
      if (number != inner && (names(loop.begin) || names(loop.end)))
        return true;
    return llvm::any_of(tree.accesses, isNamedIn) ||
           llvm::any_of(tree.assignments,
                        [&](const Assignment &assignment) {
                          return isNamedIn(assignment.target) || isGuarded(assignment.guards) ||
                                 isPosition(assignment.value);
                        }) ||
           llvm::any_of(tree.reductions, [&](const Gathered &gathered) {
             return isGuarded(gathered.guards) || isPosition(gathered.value);
           });
  }

  LoopTree &tree;
};
} // namespace

void mergeBlocks(LoopTree &tree) {
  BlockMerger merger(tree);
  // A block may be made of smaller ones.
  for (bool hasMerged = true; hasMerged;) {
    hasMerged = false;
    for (unsigned loop = 0; loop < tree.loops.size() && !hasMerged; ++loop)
      hasMerged = merger.merge(loop);
  }
}

} // namespace stencilc::lift
