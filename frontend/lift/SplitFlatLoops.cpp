#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
class FlatLoop {
public:
  FlatLoop(LoopTree &tree, unsigned number)
      : tree(tree), number(number), variable(tree.loops[number].variable) {}

  /// Loops over rows and their points in place of one over all points, where other loops take the
  /// same arrays row by row.
  void split() {
    const Loop loop = tree.loops[number];
    if (loop.stride != Polynomial(1) || loop.isBlocked || !loop.becomes.empty() ||
        !findAccesses() || accesses.empty() || isNamedElsewhere() || !findRows())
      return;
    // Each is so many of the next one, the outermost as many as there are.
    std::vector<std::pair<Polynomial, Polynomial>> bounds;
    std::optional<Polynomial> begin = loop.begin, end = loop.end;
    for (const Row &row : rows) {
      const auto first = wholeMultiple(*begin, row.points);
      const auto last = wholeMultiple(*end, row.points);
      const bool isSingle = bounds.empty() && first && last && distance(*last, *first) == 1;
      if (!first || !last || isSingle)
        return;
      bounds.push_back({*first, *last});
      begin = Polynomial(0);
      end = row.points;
    }
    Polynomial turn;
    std::vector<unsigned> made;
    for (const auto &[row, range] : llvm::zip(rows, bounds)) {
      SymbolInfo info = tree.symbols[variable];
      info.name = row.name;
      tree.symbols.push_back(std::move(info));
      Loop part = loop;
      part.variable = tree.symbols.size() - 1;
      std::tie(part.begin, part.end) = range;
      made.push_back(tree.loops.size());
      tree.loops.push_back(part);
      const auto far = product(row.points, Polynomial::of(part.variable));
      const auto further = far ? sum(turn, *far) : std::nullopt;
      if (!further)
        return;
      turn = *further;
    }
    for (Access *access : accesses)
      if (auto place = access->subscripts[0].with(variable, turn))
        access->subscripts[0] = std::move(*place);
    for (Assignment &assignment : tree.assignments)
      put(made, assignment.loops);
    for (Gathered &gathered : tree.reductions) {
      const auto place = llvm::find(gathered.loops, number);
      if (place - gathered.loops.begin() < gathered.outside)
        gathered.outside += made.size() - 1;
      put(made, gathered.loops);
    }
  }

private:
  struct Row {
    Polynomial points; ///< from one to the next
    std::string name;  ///< of the loops over them
  };

  static std::optional<Polynomial> wholeMultiple(const Polynomial &value, const Polynomial &by) {
    const auto parts = divide(value, by);
    return parts && parts->rest == Polynomial() ? std::optional(parts->quotient) : std::nullopt;
  }

  bool moves(Symbol symbol) const { return tree.symbols[symbol].kind != SymbolInfo::Kind::Param; }

  void put(llvm::ArrayRef<unsigned> made, std::vector<unsigned> &loops) const {
    const auto place = llvm::find(loops, number);
    if (place != loops.end())
      loops.insert(loops.erase(place), made.begin(), made.end());
  }

  void forEachAccess(llvm::function_ref<void(Access &)> visit) {
    for (Access &access : tree.accesses)
      visit(access);
    for (Assignment &assignment : tree.assignments)
      if (!assignment.isWhole)
        visit(assignment.target);
  }

  /// Those that the loop moves. All are at its turn, or a fixed distance from it.
  bool findAccesses() {
    bool isFlat = true;
    forEachAccess([&](Access &access) {
      if (llvm::none_of(access.subscripts, [&](const Polynomial &subscript) {
            return subscript.names(variable) || tree.hidesIn(subscript, variable);
          }))
        return;
      const auto rest = access.subscripts.size() == 1
                            ? difference(access.subscripts[0], Polynomial::of(variable))
                            : std::nullopt;
      isFlat &= rest && tree.buffers[access.buffer].extents.size() == 1 &&
                !rest->namesAny([&](Symbol symbol) { return moves(symbol); });
      accesses.push_back(&access);
    });
    return isFlat;
  }

  /// Outside of subscripts.
  bool isNamedElsewhere() const {
    const auto isGuarded = [&](llvm::ArrayRef<Guard> guards) {
      return llvm::any_of(guards, [&](const Guard &guard) { return guard.variable == variable; });
    };
    const auto isIn = [&](const Formula &value) {
      return llvm::any_of(value.exprs, [&](const Expr &expr) {
        const auto *position = std::get_if<AxisValue>(&expr.node);
        return position && position->axis == variable;
      });
    };
    return llvm::any_of(tree.accesses,
                        [&](const Access &access) { return isGuarded(access.turns); }) ||
           llvm::any_of(tree.assignments,
                        [&](const Assignment &made) {
                          return isGuarded(made.guards) || isIn(made.value);
                        }) ||
           llvm::any_of(
               tree.reductions,
               [&](const Gathered &made) { return isGuarded(made.guards) || isIn(made.value); }) ||
           llvm::any_of(tree.loops, [&](const Loop &loop) {
             return loop.begin.names(variable) || loop.end.names(variable);
           });
  }

  /// What other loops move in the same arrays: rows of so many points, the largest first.
  bool findRows() {
    bool isEven = true;
    forEachAccess([&](Access &access) {
      if (access.subscripts.size() != 1 || access.subscripts[0].names(variable) ||
          llvm::none_of(accesses,
                        [&](const Access *mine) { return mine->buffer == access.buffer; }))
        return;
      for (const Loop &loop : tree.loops) {
        const auto points = access.subscripts[0].factorOf(loop.variable);
        if (!points || *points == Polynomial())
          continue;
        isEven &= !points->namesAny([&](Symbol symbol) { return moves(symbol); });
        if (llvm::none_of(rows, [&](const Row &row) { return row.points == *points; }))
          rows.push_back({*points, tree.symbols[loop.variable].name});
      }
    });
    const auto isMultiple = [](const Row &large, const Row &small) {
      return large.points != small.points && wholeMultiple(large.points, small.points).has_value();
    };
    llvm::sort(rows, [&](const Row &left, const Row &right) {
      const auto below = [&](const Row &row) {
        return llvm::count_if(rows, [&](const Row &other) { return isMultiple(row, other); });
      };
      return below(left) > below(right);
    });
    for (size_t place = 0; place + 1 < rows.size(); ++place)
      isEven &= isMultiple(rows[place], rows[place + 1]);
    return isEven && rows.size() > 1 && rows.back().points == Polynomial(1);
  }

  LoopTree &tree;
  const unsigned number;
  const Symbol variable;
  std::vector<Access *> accesses;
  std::vector<Row> rows;
};
} // namespace

void splitFlatLoops(LoopTree &tree) {
  const unsigned count = tree.loops.size();
  for (unsigned number = 0; number < count; ++number)
    FlatLoop(tree, number).split();
}

} // namespace stencilc::lift
