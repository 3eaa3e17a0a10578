#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
class LoopRebaser {
public:
  explicit LoopRebaser(LoopTree &tree) : tree(tree) {}

  /// Counts the loop from 0 up where subscripts become shorter by that.
  void rebase(unsigned number) {
    Loop &loop = tree.loops[number];
    if (loop.begin.number() || loop.begin.namesAny([&](Symbol symbol) {
          return tree.symbols[symbol].kind != SymbolInfo::Kind::Param;
        }))
      return;
    const auto start = difference(loop.begin, loop.begin.constantTerm());
    const auto turn = start ? sum(Polynomial::of(loop.variable), *start) : std::nullopt;
    const auto begin = turn ? difference(loop.begin, *start) : std::nullopt;
    const auto end = begin ? difference(loop.end, *start) : std::nullopt;
    if (!end)
      return;
    size_t before = 0, after = 0;
    const auto changes = changesFor(number, *turn);
    for (const auto &[subscript, changed] : changes) {
      before += subscript->terms().size();
      after += changed.terms().size();
    }
    if (after < before)
      change(loop, changes, *begin, *end);
  }

  /// Counts the loop from `by` more up.
  void countFrom(unsigned number, const Polynomial &by) {
    Loop &loop = tree.loops[number];
    const auto turn = difference(Polynomial::of(loop.variable), by);
    const auto begin = sum(loop.begin, by), end = sum(loop.end, by);
    if (turn && begin && end)
      change(loop, changesFor(number, *turn), *begin, *end);
  }

  /// What all subscripts add to the loop's variable, beside numbers; none if that is nothing, or
  /// not the same everywhere.
  std::optional<Polynomial> offsetOf(unsigned number) {
    const Symbol variable = tree.loops[number].variable;
    std::optional<Polynomial> offset;
    for (const Polynomial *subscript : subscripts()) {
      if (!subscript->names(variable))
        continue;
      const auto rest = subscript->factorOf(variable) == Polynomial(1)
                            ? subscript->with(variable, 0)
                            : std::nullopt;
      const auto added = rest ? difference(*rest, rest->constantTerm()) : std::nullopt;
      const bool isOfParams = added && !added->namesAny([&](Symbol symbol) {
        return tree.symbols[symbol].kind != SymbolInfo::Kind::Param;
      });
      if (!isOfParams || *added != offset.value_or(*added))
        return std::nullopt;
      offset = *added;
    }
    return offset && *offset != Polynomial() ? offset : std::nullopt;
  }

private:
  using Changes = std::vector<std::pair<Polynomial *, Polynomial>>;

  static void change(Loop &loop, const Changes &changes, const Polynomial &begin,
                     const Polynomial &end) {
    if (changes.empty())
      return;
    for (const auto &[subscript, changed] : changes)
      *subscript = changed;
    loop.begin = begin;
    loop.end = end;
  }

  /// What subscripts become where its variable becomes `turn`; empty if it stands elsewhere, too.
  Changes changesFor(unsigned number, const Polynomial &turn) {
    const Symbol variable = tree.loops[number].variable;
    Changes changes;
    if (isNamedElsewhere(variable))
      return {};
    for (Polynomial *subscript : subscripts())
      if (subscript->names(variable)) {
        const auto changed = subscript->with(variable, turn);
        if (!changed)
          return {};
        changes.push_back({subscript, *changed});
      }
    return changes;
  }

  std::vector<Polynomial *> subscripts() {
    std::vector<Polynomial *> result;
    for (Access &access : tree.accesses)
      for (Polynomial &subscript : access.subscripts)
        result.push_back(&subscript);
    for (Assignment &assignment : tree.assignments)
      for (Polynomial &subscript : assignment.target.subscripts)
        result.push_back(&subscript);
    return result;
  }

  /// Outside of subscripts.
  bool isNamedElsewhere(Symbol variable) const {
    const auto isGuarded = [&](llvm::ArrayRef<Guard> guards) {
      return llvm::any_of(guards, [&](const Guard &guard) {
        return guard.variable == variable || (guard.from && guard.from->names(variable)) ||
               (guard.to && guard.to->names(variable));
      });
    };
    const auto isPosition = [&](const Formula &formula) {
      return llvm::any_of(formula.exprs, [&](const Expr &expr) {
        const auto *position = std::get_if<AxisValue>(&expr.node);
        return position && position->axis == variable;
      });
    };
    return llvm::any_of(tree.symbols,
                        [&](const SymbolInfo &info) {
                          const Fold &fold = info.fold;
                          return info.dividend.names(variable) || fold.inner.names(variable) ||
                                 (fold.least && fold.least->names(variable)) ||
                                 (fold.most && fold.most->names(variable));
                        }) ||
           llvm::any_of(tree.loops,
                        [&](const Loop &loop) {
                          return loop.begin.names(variable) || loop.end.names(variable);
                        }) ||
           llvm::any_of(tree.accesses,
                        [&](const Access &access) { return isGuarded(access.turns); }) ||
           llvm::any_of(tree.assignments,
                        [&](const Assignment &assignment) {
                          return isGuarded(assignment.guards) || isPosition(assignment.value);
                        }) ||
           llvm::any_of(tree.reductions, [&](const Gathered &gathered) {
             return isGuarded(gathered.guards) || isPosition(gathered.value);
           });
  }

  LoopTree &tree;
};
} // namespace

void countFrom(LoopTree &tree, unsigned loop, const Polynomial &by) {
  LoopRebaser(tree).countFrom(loop, by);
}

void countOffsets(LoopTree &tree) {
  LoopRebaser rebaser(tree);
  for (unsigned loop = 0; loop < tree.loops.size(); ++loop)
    if (const auto offset = rebaser.offsetOf(loop))
      rebaser.countFrom(loop, *offset);
}

void rebaseLoops(LoopTree &tree) {
  LoopRebaser rebaser(tree);
  for (unsigned loop = 0; loop < tree.loops.size(); ++loop)
    rebaser.rebase(loop);
}

} // namespace stencilc::lift
