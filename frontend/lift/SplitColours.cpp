// Sweeps over the points of one colour, which are made of those of the other one: red-black
// Gauss-Seidel.
//
// An update in place of the points where a sum of their positions is odd, of neighbours where it is
// even, reads nothing that it writes: whatever the order of its turns, it reads what was there
// before. So what a colour makes can stand in an array of its own, from which the next one reads.
#include "frontend/lift/LoopPasses.h"
#include "frontend/lift/Numbers.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
/// The points where what is left of `sum` by 2 is some number that is the same for all points, or
/// is not 0.
struct Colour {
  Polynomial sum;
  ExprId test;
};

/// An assignment as the update of one colour.
class ColouredUpdate {
public:
  ColouredUpdate(const LoopTree &tree, const Assignment &update) : tree(tree), update(update) {}

  bool isOne() const {
    for (ExprId id = 0; id < update.value.exprs.size(); ++id)
      if (const auto colour = colourOf(id);
          colour && keepsOthers(update.value.result, *colour) && readsOthers(*colour))
        return true;
    return false;
  }

private:
  const Expr::Node &node(ExprId id) const { return update.value[id].node; }

  /// What a whole number of positions and params is.
  std::optional<Polynomial> wholeOf(ExprId id) const {
    if (const auto *position = std::get_if<AxisValue>(&node(id)))
      return Polynomial::of(position->axis);
    if (const auto *param = std::get_if<ParamValue>(&node(id)))
      return Polynomial::of(param->param);
    if (const auto *number = std::get_if<Literal>(&node(id)))
      return Polynomial(int64_t(number->value));
    const auto *both = std::get_if<BinaryExpr>(&node(id));
    const auto left = both ? wholeOf(both->left) : std::nullopt;
    const auto right = left ? wholeOf(both->right) : std::nullopt;
    if (!right)
      return std::nullopt;
    return both->op == BinaryOp::Add        ? sum(*left, *right)
           : both->op == BinaryOp::Subtract ? difference(*left, *right)
           : both->op == BinaryOp::Multiply ? product(*left, *right)
                                            : std::nullopt;
  }

  std::optional<Colour> colourOf(ExprId id) const {
    const auto *compared = std::get_if<CompareExpr>(&node(id));
    const auto *rest = compared ? std::get_if<BinaryExpr>(&node(compared->left)) : nullptr;
    if (!rest || rest->op != BinaryOp::Remainder)
      return std::nullopt;
    const auto *by = std::get_if<Literal>(&node(rest->right));
    const auto *number = std::get_if<Literal>(&node(compared->right));
    const bool isAlike = number || std::holds_alternative<ParamValue>(node(compared->right));
    if (!by || by->value != 2 ||
        !(compared->op == CompareOp::Equal
              ? isAlike
              : compared->op == CompareOp::NotEqual && number && number->value == 0))
      return std::nullopt;
    const auto found = wholeOf(rest->left);
    return found ? std::optional(Colour{*found, id}) : std::nullopt;
  }

  /// Where the condition holds, or where it does not, the point is of the colour.
  bool implies(ExprId condition, bool holds, const Colour &colour) const {
    if (condition == colour.test)
      return holds;
    if (const auto *negation = std::get_if<UnaryExpr>(&node(condition)))
      return negation->op == UnaryOp::Not && implies(negation->operand, !holds, colour);
    const auto *both = std::get_if<BinaryExpr>(&node(condition));
    return both && both->op == (holds ? BinaryOp::And : BinaryOp::Or) &&
           (implies(both->left, holds, colour) || implies(both->right, holds, colour));
  }

  bool isOwn(const Access &access) const {
    return access.buffer == update.target.buffer && !access.isByTurn &&
           access.subscripts == update.target.subscripts;
  }

  /// At points of other colours the value is what stands there.
  bool keepsOthers(ExprId id, const Colour &colour) const {
    if (const auto *read = std::get_if<Read>(&node(id)))
      return isOwn(tree.accesses[read->array]);
    const auto *choice = std::get_if<SelectExpr>(&node(id));
    return choice &&
           (implies(choice->condition, true, colour) || keepsOthers(choice->then, colour)) &&
           (implies(choice->condition, false, colour) || keepsOthers(choice->otherwise, colour));
  }

  /// Of the array it reads the point itself, and such as are of another colour.
  bool readsOthers(const Colour &colour) const {
    return llvm::all_of(update.value.exprs, [&](const Expr &expr) {
      const auto *read = std::get_if<Read>(&expr.node);
      if (!read || tree.accesses[read->array].buffer != update.target.buffer)
        return true;
      const Access &access = tree.accesses[read->array];
      return isOwn(access) || isOdd(access, colour);
    });
  }

  bool isOdd(const Access &access, const Colour &colour) const {
    int64_t steps = 0;
    if (access.isByTurn || access.subscripts.size() != update.target.subscripts.size())
      return false;
    for (auto [there, here] : llvm::zip(access.subscripts, update.target.subscripts)) {
      const auto far = distance(there, here);
      const auto loop = llvm::find_if(
          update.loops, [&](unsigned number) { return here.names(tree.loops[number].variable); });
      const auto factor = loop == update.loops.end()
                              ? std::nullopt
                              : colour.sum.factorOf(tree.loops[*loop].variable);
      if (!far || !factor || !factor->number())
        return false;
      steps += *far % 2 * (*factor->number() % 2);
    }
    return steps % 2 != 0;
  }

  const LoopTree &tree;
  const Assignment &update;
};

class ColourSplitter {
public:
  explicit ColourSplitter(LoopTree &tree) : tree(tree) {}

  bool split(Refusals &refusals) {
    std::vector<unsigned> all;
    for (unsigned number = 0; number < tree.assignments.size(); ++number)
      if (isAlone(number) && ColouredUpdate(tree, tree.assignments[number]).isOne())
        all.push_back(number);
    // Later ones first: what is put in moves those behind it.
    bool isSplit = false;
    while (!all.empty()) {
      const unsigned last = all.back();
      std::vector<unsigned> group;
      while (!all.empty() && belongTogether(all.back(), last)) {
        group.insert(group.begin(), all.back());
        all.pop_back();
      }
      if (!isUndisturbed(group))
        continue;
      if (group.size() == 1)
        copyBack(group[0]);
      else if (!handOn(group, refusals))
        return false;
      isSplit = true;
    }
    return isSplit;
  }

private:
  /// The loops that move what is written, or those around.
  std::vector<unsigned> loopsOf(const Assignment &update, bool moves) const {
    std::vector<unsigned> result;
    for (unsigned number : update.loops)
      if (moves == llvm::any_of(update.target.subscripts, [&](const Polynomial &subscript) {
            return subscript.names(tree.loops[number].variable);
          }))
        result.push_back(number);
    return result;
  }

  /// Nothing else is done by its loops, which move each subscript by one of them.
  bool isAlone(unsigned number) const {
    const Assignment &update = tree.assignments[number];
    const std::vector<unsigned> own = loopsOf(update, true);
    if (update.isWhole || update.target.isByTurn || own.size() != update.target.subscripts.size() ||
        tree.buffers[update.target.buffer].extents.size() != own.size())
      return false;
    for (auto [subscript, loop] : llvm::zip(update.target.subscripts, own))
      if (!distance(subscript, Polynomial::of(tree.loops[loop].variable)) ||
          tree.loops[loop].stride != Polynomial(1) || tree.loops[loop].isBlocked)
        return false;
    const auto isOwn = [&](unsigned loop) { return llvm::is_contained(own, loop); };
    for (auto [place, other] : llvm::enumerate(tree.assignments))
      if (place != number && llvm::any_of(other.loops, isOwn))
        return false;
    return llvm::none_of(tree.reductions, [&](const Gathered &gathered) {
      return !gathered.isConditional && llvm::any_of(gathered.loops, isOwn);
    });
  }

  bool belongTogether(unsigned left, unsigned right) const {
    const Assignment &first = tree.assignments[left], &second = tree.assignments[right];
    return first.target.buffer == second.target.buffer &&
           loopsOf(first, false) == loopsOf(second, false);
  }

  /// Nothing else writes the array between them, and no number is gathered there.
  bool isUndisturbed(llvm::ArrayRef<unsigned> group) const {
    const unsigned buffer = tree.assignments[group[0]].target.buffer;
    for (unsigned number = group.front(); number <= group.back(); ++number)
      if (tree.assignments[number].target.buffer == buffer && !llvm::is_contained(group, number))
        return false;
    const bool isTurned = llvm::any_of(tree.loops, [&](const Loop &loop) {
      return llvm::any_of(loop.becomes, [&](const auto &change) {
        return change.first == buffer || change.second == buffer;
      });
    });
    return !isTurned &&
           (group.size() == 1 || llvm::none_of(tree.reductions, [&](const Gathered &gathered) {
              return !gathered.isConditional && gathered.time > group.front() &&
                     gathered.time <= group.back();
            }));
  }

  unsigned addArray(unsigned like) {
    Buffer buffer = tree.buffers[like];
    buffer.name += "_half";
    buffer.isLocal = buffer.isRestrict = true;
    buffer.isPointerTable = buffer.isPointer = buffer.isObject = false;
    tree.buffers.push_back(std::move(buffer));
    return tree.buffers.size() - 1;
  }

  /// Puts it in as the assignment of that number.
  void insert(unsigned number, Assignment made) {
    const auto later = [&](unsigned &time) { time += time >= number; };
    for (Access &access : tree.accesses)
      later(access.time);
    for (Assignment &assignment : tree.assignments)
      later(assignment.target.time);
    for (Gathered &gathered : tree.reductions)
      later(gathered.time);
    made.target.time = number;
    tree.assignments.insert(tree.assignments.begin() + number, std::move(made));
  }

  Formula readOf(Access access) {
    const ScalarType type = tree.buffers[access.buffer].type;
    tree.accesses.push_back(std::move(access));
    return leaf(type, Read{unsigned(tree.accesses.size() - 1), TimeLevel::Current, {}});
  }

  /// The points are made in an array of their own, and copied back from there.
  void copyBack(unsigned number) {
    const Assignment update = tree.assignments[number];
    const unsigned half = addArray(update.target.buffer);
    tree.assignments[number].target.buffer = half;
    Assignment copy = update;
    for (unsigned &place : copy.loops) {
      if (!llvm::is_contained(loopsOf(update, true), place))
        continue;
      Loop loop = tree.loops[place];
      const Symbol old = loop.variable;
      tree.symbols.push_back(SymbolInfo(tree.symbols[old]));
      loop.variable = tree.symbols.size() - 1;
      for (Polynomial &subscript : copy.target.subscripts)
        subscript = *subscript.with(old, Polynomial::of(loop.variable));
      for (Guard &guard : copy.guards)
        if (guard.variable == old)
          guard.variable = loop.variable;
      tree.loops.push_back(std::move(loop));
      place = tree.loops.size() - 1;
    }
    Access made = copy.target;
    made.buffer = half;
    insert(number + 1, std::move(copy));
    made.time = number + 1;
    tree.assignments[number + 1].value = readOf(std::move(made));
  }

  /// Each but the last makes an array of its own, of all points; the next one reads from there.
  bool handOn(llvm::ArrayRef<unsigned> group, Refusals &refusals) {
    for (size_t turn = 0; turn + 1 < group.size(); ++turn) {
      const unsigned here = group[turn], next = group[turn + 1];
      const unsigned buffer = tree.assignments[here].target.buffer;
      const unsigned half = addArray(buffer);
      for (Access &access : tree.accesses)
        if (access.buffer == buffer && access.time > here && access.time <= next)
          access.buffer = half;
      // What the earlier colour has made is what the own point is read from.
      Access own = tree.assignments[here].target;
      own.time = here;
      if (turn > 0)
        own.buffer = tree.assignments[group[turn - 1]].target.buffer;
      tree.assignments[here].target.buffer = half;
      const auto extents = extentsOf(here, half, own.buffer, refusals);
      if (!extents || !makeAll(here, *extents, std::move(own)))
        return false;
    }
    return true;
  }

  /// How many points there are in all, as a copy of the whole array would find.
  std::optional<std::vector<Polynomial>> extentsOf(unsigned number, unsigned to, unsigned from,
                                                   Refusals &refusals) const {
    LoopTree whole = tree;
    Assignment copy = whole.assignments[number];
    copy.loops = loopsOf(copy, false);
    copy.guards.clear();
    copy.target.buffer = to;
    copy.target.subscripts.clear();
    copy.isWhole = true;
    Access read = copy.target;
    read.buffer = from;
    whole.accesses.push_back(read);
    copy.value = leaf(tree.buffers[to].type,
                      Read{unsigned(whole.accesses.size() - 1), TimeLevel::Current, {}});
    whole.assignments.push_back(std::move(copy));
    const Refusals::Trial trial(refusals);
    if (!writeCopiesOut(whole, refusals))
      return std::nullopt;
    std::vector<Polynomial> result;
    const Assignment &written = whole.assignments.back();
    for (const Polynomial &subscript : written.target.subscripts)
      for (unsigned loop : written.loops)
        if (subscript.names(whole.loops[loop].variable))
          result.push_back(whole.loops[loop].end);
    return result;
  }

  /// The update goes over all points, and outside of its own ones takes over what is there.
  bool makeAll(unsigned number, llvm::ArrayRef<Polynomial> extents, Access own) {
    Assignment &update = tree.assignments[number];
    std::optional<Formula> isInside;
    const auto require = [&](CompareOp op, Symbol variable, const Polynomial &limit) {
      const auto bound = tree.formulaOf(limit);
      const auto test =
          bound ? compare(op, leaf(ScalarType::Int, AxisValue{variable}), *bound) : std::nullopt;
      isInside = test && isInside ? binary(BinaryOp::And, *isInside, *test) : test;
      return test.has_value();
    };
    std::vector<Guard> turns;
    for (auto [place, loopNumber] : llvm::enumerate(loopsOf(update, true))) {
      Loop &loop = tree.loops[loopNumber];
      Guard inside{loop.variable, loop.begin, loop.end};
      for (const Guard &guard : update.guards)
        if (guard.variable == loop.variable)
          for (auto [limit, bound, sign] :
               {std::tuple(&guard.from, &inside.from, 1), std::tuple(&guard.to, &inside.to, -1)}) {
            const auto further = *limit ? distance(**limit, **bound) : 0;
            if (!further)
              return false;
            if (*further * sign > 0)
              *bound = *limit;
          }
      if (!require(CompareOp::GreaterEqual, loop.variable, *inside.from) ||
          !require(CompareOp::Less, loop.variable, *inside.to))
        return false;
      const int64_t shift =
          *distance(update.target.subscripts[place], Polynomial::of(loop.variable));
      loop.begin = -shift;
      loop.end = *sum(extents[place], -shift);
      turns.push_back(std::move(inside));
    }
    for (const Guard &guard : update.guards)
      if (llvm::none_of(turns, [&](const Guard &t) { return t.variable == guard.variable; }))
        return false;
    update.guards.clear();
    for (const Expr &expr : update.value.exprs)
      if (const auto *read = std::get_if<Read>(&expr.node))
        for (const Guard &turn : turns) {
          std::vector<Guard> &known = tree.accesses[read->array].turns;
          if (llvm::none_of(known, [&](const Guard &g) { return g.variable == turn.variable; }))
            known.push_back(turn);
        }
    const Formula old = readOf(std::move(own));
    update.value = select(*isInside, update.value, old);
    return true;
  }

  LoopTree &tree;
};
} // namespace

bool splitColours(LoopTree &tree, Refusals &refusals) {
  return ColourSplitter(tree).split(refusals);
}

} // namespace stencilc::lift
