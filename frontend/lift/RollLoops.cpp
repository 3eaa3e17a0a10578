// Loops that were unrolled by hand become the plain loops again.
//
//   for (x = 1; x < nx - 2; x += 2) { a[x] = f(x); a[x + 1] = f(x + 1); }
//   for (; x < nx - 1; x++) a[x] = f(x);
#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
class Roller {
public:
  explicit Roller(LoopTree &tree) : tree(tree) {}

  /// False if the loop is none that was unrolled, or not all of its points are made.
  bool roll(unsigned number) {
    const Loop &loop = tree.loops[number];
    const auto stride = loop.stride.number();
    if (!stride || *stride < 2 || *stride > kMostCopies || loop.isDownward ||
        isNamedByLoops(loop) || llvm::any_of(tree.reductions, [&](const Gathered &gathered) {
          return llvm::is_contained(gathered.loops, number);
        }))
      return false;
    const auto isIn = [&](const Assignment &a) { return llvm::is_contained(a.loops, number); };
    const auto first = llvm::find_if(tree.assignments, isIn);
    const auto last = std::find_if_not(first, tree.assignments.end(), isIn);
    if (first == last || std::any_of(last, tree.assignments.end(), isIn))
      return false;
    begin = first - tree.assignments.begin();
    count = last - first;
    copies = *stride;
    variable = loop.variable;
    if (count % copies != 0)
      return false;
    const bool isTurnByTurn = areCopies(count / copies, 1);
    if (!isTurnByTurn && (!areCopies(1, copies) || readsOthers()))
      return false;
    const auto rest = restOf(number, isTurnByTurn ? 1 : copies);
    const auto end = rest ? std::optional(tree.loops[*rest].end) : endOf(loop);
    if (!end)
      return false;
    Loop &whole = tree.loops[number];
    whole.stride = 1;
    whole.end = *end;
    whole.isBlocked = !isTurnByTurn || first->loops.back() != number;
    keepFirst(isTurnByTurn ? 1 : copies, rest.has_value());
    return true;
  }

private:
  static constexpr int64_t kMostCopies = 64;

  /// Where the turns end, of which each makes all points up to the next.
  static std::optional<Polynomial> endOf(const Loop &loop) {
    const auto length = distance(loop.end, loop.begin);
    const int64_t stride = *loop.stride.number();
    if (!length || *length < 0)
      return std::nullopt;
    return sum(loop.begin, (*length + stride - 1) / stride * stride);
  }

  bool isNamedByLoops(const Loop &loop) const {
    return llvm::any_of(tree.loops, [&](const Loop &other) {
      return other.begin.names(loop.variable) || other.end.names(loop.variable);
    });
  }

  bool isWrittenInside(unsigned buffer) const {
    return llvm::any_of(
        llvm::ArrayRef(tree.assignments).slice(begin, count),
        [&](const Assignment &assignment) { return assignment.target.buffer == buffer; });
  }

  /// Values in place of variables.
  using Turn = llvm::SmallVector<std::pair<Symbol, Polynomial>, 3>;

  /// The one is what the other is in that turn.
  bool isMoved(const Access &from, const Access &to, const Turn &turn,
               std::optional<int64_t> later) const {
    if (from.buffer != to.buffer || from.subscripts.size() != to.subscripts.size() ||
        !from.turns.empty() || !to.turns.empty() ||
        (later && isWrittenInside(from.buffer) && int64_t(to.time) - int64_t(from.time) != *later))
      return false;
    for (auto [before, after] : llvm::zip(from.subscripts, to.subscripts)) {
      std::optional<Polynomial> moved = before;
      for (const auto &[symbol, value] : turn) {
        if (tree.hidesIn(before, symbol) || tree.hidesIn(after, variable))
          return false;
        moved = moved ? moved->with(symbol, value) : moved;
      }
      if (!moved || *moved != after)
        return false;
    }
    return true;
  }

  bool isMoved(const Assignment &from, const Assignment &to, const Turn &turn,
               std::optional<int64_t> later) const {
    if (!from.guards.empty() || !to.guards.empty() || from.isWhole || to.isWhole ||
        !isMoved(from.target, to.target, turn, std::nullopt) ||
        from.value.exprs.size() != to.value.exprs.size() || from.value.result != to.value.result)
      return false;
    for (auto [before, after] : llvm::zip(from.value.exprs, to.value.exprs)) {
      const auto *left = std::get_if<Read>(&before.node), *right = std::get_if<Read>(&after.node);
      const auto *position = std::get_if<AxisValue>(&before.node);
      if (before.type != after.type || !left != !right ||
          (position && llvm::is_contained(llvm::make_first_range(turn), position->axis)) ||
          (left ? !isMoved(tree.accesses[left->array], tree.accesses[right->array], turn, later)
                : before.node != after.node))
        return false;
    }
    return true;
  }

  /// Copies of a statement are `apart` assignments from each other, statements `next`.
  bool areCopies(unsigned apart, unsigned next) const {
    for (unsigned statement = 0; statement < count / copies; ++statement)
      for (unsigned copy = 1; copy < copies; ++copy) {
        const auto turn = sum(Polynomial::of(variable), copy);
        const unsigned from = begin + statement * next, to = from + copy * apart;
        if (!turn || tree.assignments[to].loops != tree.assignments[from].loops ||
            !isMoved(tree.assignments[from], tree.assignments[to], {{variable, *turn}},
                     copy * apart))
          return false;
      }
    return true;
  }

  /// Where all copies of a statement come before the next statement, a read of what another point
  /// of the turn has made sees it new in one copy and old in the next.
  bool readsOthers() const {
    for (const Assignment &assignment : llvm::ArrayRef(tree.assignments).slice(begin, count))
      for (const Expr &expr : assignment.value.exprs)
        if (const auto *read = std::get_if<Read>(&expr.node)) {
          const Access &access = tree.accesses[read->array];
          const bool isOwn = access.buffer == assignment.target.buffer &&
                             access.subscripts == assignment.target.subscripts;
          if (isWrittenInside(access.buffer) && !isOwn)
            return true;
        }
    return false;
  }

  /// The loop that makes the points which are left, in the same way; it comes next.
  std::optional<unsigned> restOf(unsigned number, unsigned next) const {
    const unsigned statements = count / copies;
    const unsigned there = begin + count;
    if (there + statements > tree.assignments.size())
      return std::nullopt;
    std::vector<unsigned> loops = tree.assignments[begin].loops;
    const std::vector<unsigned> &others = tree.assignments[there].loops;
    const auto place = llvm::find(loops, number) - loops.begin();
    if (others.size() != loops.size())
      return std::nullopt;
    const unsigned rest = others[place];
    const Loop &main = tree.loops[number], &left = tree.loops[rest];
    const auto symbol = left.begin.symbol();
    if (!symbol || tree.symbols[*symbol].kind != SymbolInfo::Kind::Stopped ||
        tree.symbols[*symbol].dividend != Polynomial::of(main.variable) ||
        left.stride != Polynomial(1) || left.isDownward)
      return std::nullopt;
    // It goes on from where the main loop has stopped, which is not beyond its own end.
    const auto further = distance(left.end, main.end);
    if (!further || *further < int64_t(copies) - 1)
      return std::nullopt;
    // Loops within it are written again.
    Turn turn;
    for (size_t inner = place; inner < loops.size(); ++inner) {
      const Loop &mine = tree.loops[loops[inner]], &theirs = tree.loops[others[inner]];
      if (long(inner) != place &&
          (mine.begin != theirs.begin || mine.end != theirs.end || mine.stride != theirs.stride ||
           mine.isDownward || theirs.isDownward))
        return std::nullopt;
      turn.push_back({mine.variable, Polynomial::of(theirs.variable)});
      loops[inner] = others[inner];
    }
    for (unsigned statement = 0; statement < statements; ++statement) {
      const Assignment &from = tree.assignments[begin + statement * next],
                       &to = tree.assignments[there + statement];
      if (to.loops != loops || !isMoved(from, to, turn, std::nullopt))
        return std::nullopt;
    }
    const unsigned last = there + statements;
    if (last < tree.assignments.size() && llvm::is_contained(tree.assignments[last].loops, rest))
      return std::nullopt;
    return rest;
  }

  /// Of each statement the first copy stays.
  void keepFirst(unsigned next, bool hasRest) {
    const unsigned statements = count / copies;
    const unsigned end = begin + count + (hasRest ? statements : 0);
    tree.keepAssignments([&](unsigned number) {
      const bool isInside = number >= begin && number < end;
      const bool isFirst = number < begin + count && (number - begin) % next == 0 &&
                           (number - begin) / next < statements;
      return !isInside || isFirst;
    });
  }

  LoopTree &tree;
  unsigned begin = 0, count = 0, copies = 0;
  Symbol variable = 0;
};
} // namespace

void rollLoops(LoopTree &tree) {
  for (unsigned loop = 0; loop < tree.loops.size(); ++loop)
    Roller(tree).roll(loop);
}

} // namespace stencilc::lift
