// Values that a loop hands on to neighbours round the ends are fetched from there instead:
//
//   g[(x + c) % n] = f[x];      g[x] = f[(x - c + n) % n];
//
// All points of the axis are set, each once, so that the order of turns does not matter.
#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
class ScatterPuller {
public:
  explicit ScatterPuller(LoopTree &tree) : tree(tree) {}

  void pull(Assignment &assignment) {
    for (unsigned dimension = 0; dimension < assignment.target.subscripts.size(); ++dimension)
      pull(assignment, dimension);
  }

private:
  /// `x + far`, round the ends of an axis of `period` points.
  struct Around {
    Symbol variable;
    int64_t far;
    Polynomial period;
  };

  std::optional<Around> aroundOf(const Polynomial &subscript, Symbol variable) const {
    if (const auto far = distance(subscript, Polynomial::of(variable)))
      return Around{variable, *far, 0};
    const auto symbol = subscript.symbol();
    if (!symbol)
      return std::nullopt;
    const SymbolInfo &info = tree.symbols[*symbol];
    const bool isModulo = info.kind == SymbolInfo::Kind::Modulo;
    const bool isRound = info.kind == SymbolInfo::Kind::Folded && info.fold.period &&
                         !info.fold.least && !info.fold.most && info.fold.instead.empty();
    if (!isModulo && !isRound)
      return std::nullopt;
    const Polynomial period = isModulo ? Polynomial(info.modulus) : *info.fold.period;
    std::optional<Polynomial> inner = isModulo ? info.dividend : info.fold.inner;
    // Whole periods change nothing: (x - 1 + n) % n.
    for (unsigned times = 0; times < 3 && inner; ++times, inner = difference(*inner, period)) {
      const auto far = distance(*inner, Polynomial::of(variable));
      const auto rest = far ? sum(period, -std::abs(*far)) : std::nullopt;
      // C's remainders of numbers below 0 are none of ours.
      if (far && (times > 0 || *far >= 0) && rest && rest->number().value_or(1) > 0 &&
          (!period.number() || 2 * std::abs(*far) <= *period.number()))
        return Around{variable, *far, period};
    }
    return std::nullopt;
  }

  /// The subscript of a point `far` from the variable's, round the ends.
  std::optional<Polynomial> subscriptOf(const Around &place) {
    if (place.far == 0)
      return Polynomial::of(place.variable);
    const auto moved = sum(Polynomial::of(place.variable), place.far);
    const auto inner = moved ? sum(*moved, place.far < 0 ? place.period : Polynomial()) : moved;
    if (!inner)
      return std::nullopt;
    SymbolInfo info;
    if (const auto number = place.period.number()) {
      info.kind = SymbolInfo::Kind::Modulo;
      info.dividend = *inner;
      info.modulus = *number;
    } else {
      info.kind = SymbolInfo::Kind::Folded;
      info.fold.inner = *inner;
      info.fold.period = place.period;
    }
    info.name = "(" + tree.text(*inner) + ") % " + tree.text(place.period);
    tree.symbols.push_back(std::move(info));
    return Polynomial::of(Symbol(tree.symbols.size() - 1));
  }

  /// They share a loop around both, but that over time.
  static bool areInOneNest(const Assignment &left, const Assignment &right, unsigned loop) {
    return llvm::is_contained(left.loops, loop) && llvm::is_contained(right.loops, loop);
  }

  /// The levels of an array that different remainders of the step choose.
  bool areOtherLevels(const Access &left, const Access &right) const {
    if (left.subscripts.empty() || right.subscripts.empty())
      return false;
    const auto first = left.subscripts[0].symbol(), second = right.subscripts[0].symbol();
    if (!first || !second)
      return false;
    const SymbolInfo &a = tree.symbols[*first], &b = tree.symbols[*second];
    const auto apart = distance(a.dividend, b.dividend);
    return a.kind == SymbolInfo::Kind::Modulo && b.kind == a.kind && a.modulus == b.modulus &&
           apart && *apart % a.modulus != 0;
  }

  /// No other statement of the loop sets the same points: which comes last would depend on the
  /// turns.
  bool setsAlone(const Assignment &assignment, unsigned loop) const {
    return llvm::all_of(tree.assignments, [&](const Assignment &other) {
      const Access &mine = assignment.target, &theirs = other.target;
      if (&other == &assignment || mine.buffer != theirs.buffer ||
          !areInOneNest(assignment, other, loop) || areOtherLevels(mine, theirs))
        return true;
      for (auto [here, there] : llvm::zip(mine.subscripts, theirs.subscripts))
        if (here.number() && there.number() && here != there)
          return true;
      return false;
    });
  }

  /// What the loop reads is made by none of its turns.
  bool readsNothingMade(const Assignment &assignment, unsigned loop) const {
    for (const Assignment &reader : tree.assignments)
      for (const Expr &expr : reader.value.exprs)
        if (const auto *read = std::get_if<Read>(&expr.node); read)
          for (const Assignment &writer : tree.assignments) {
            const Access &access = tree.accesses[read->array];
            const bool isEither = &reader == &assignment || &writer == &assignment;
            if (isEither && areInOneNest(reader, writer, loop) &&
                writer.target.buffer == access.buffer && !areOtherLevels(writer.target, access))
              return false;
          }
    return true;
  }

  void pull(Assignment &assignment, unsigned dimension) {
    for (unsigned number : assignment.loops) {
      const Loop &loop = tree.loops[number];
      const Polynomial &target = assignment.target.subscripts[dimension];
      const auto to = aroundOf(target, loop.variable);
      if (!to || to->period == Polynomial(0) || loop.begin != Polynomial(0) ||
          loop.end != to->period || loop.stride != Polynomial(1) || !assignment.guards.empty() ||
          !readsNothingMade(assignment, number) || !setsAlone(assignment, number))
        continue;
      // No other subscript of the target moves with the loop.
      const auto moves = llvm::count_if(assignment.target.subscripts, [&](const Polynomial &other) {
        return names(other, loop.variable);
      });
      Assignment pulled = assignment;
      if (moves == 1 && pullReads(pulled, *to)) {
        pulled.target.subscripts[dimension] = Polynomial::of(loop.variable);
        assignment = std::move(pulled);
        return;
      }
    }
  }

  bool names(const Polynomial &value, Symbol variable) const {
    return value.names(variable) || tree.hidesIn(value, variable);
  }

  bool pullReads(Assignment &assignment, const Around &to) {
    Formula value;
    std::vector<ExprId> ids;
    for (const Expr &expr : assignment.value.exprs) {
      Expr::Node node = withOperands(expr.node, ids);
      if (const auto *position = std::get_if<AxisValue>(&node);
          position && position->axis == to.variable)
        return false;
      if (auto *read = std::get_if<Read>(&node)) {
        Access access = tree.accesses[read->array];
        if (!access.turns.empty())
          return false;
        for (Polynomial &subscript : access.subscripts) {
          if (!names(subscript, to.variable))
            continue;
          const auto from = aroundOf(subscript, to.variable);
          if (!from || (from->period != Polynomial(0) && from->period != to.period))
            return false;
          // Of a read that does not go round itself nothing lies beyond the ends.
          if (from->period == Polynomial(0) && from->far != 0)
            return false;
          const auto moved = subscriptOf({to.variable, from->far - to.far, to.period});
          if (!moved)
            return false;
          subscript = *moved;
        }
        tree.accesses.push_back(std::move(access));
        read->array = tree.accesses.size() - 1;
      }
      ids.push_back(value.add(expr.type, std::move(node)));
      value.exprs[ids.back()].name = expr.name;
    }
    value.result = ids[assignment.value.result];
    assignment.value = std::move(value);
    return true;
  }

  LoopTree &tree;
};
} // namespace

void pullScatters(LoopTree &tree) {
  ScatterPuller puller(tree);
  for (Assignment &assignment : tree.assignments)
    puller.pull(assignment);
}

} // namespace stencilc::lift
