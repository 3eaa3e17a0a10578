#include "frontend/lift/Summaries.h"

#include "frontend/lift/Numbers.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
class SummaryFinder {
public:
  SummaryFinder(LoopTree &tree, Grid &grid, const Levels &levels,
                llvm::function_ref<bool(Sweep &, const Assignment &)> addPoints,
                llvm::function_ref<bool(Sweep &)> addReads)
      : tree(tree), grid(grid), levels(levels), addPoints(addPoints), addReads(addReads) {}

  /// Notes a number that `reduce` can say; leaves others out.
  void addSummary(unsigned number) {
    const Gathered &gathered = tree.reductions[number];
    const llvm::ArrayRef<unsigned> around =
        llvm::ArrayRef(gathered.loops).take_front(gathered.outside);
    const bool isAlone = llvm::count_if(tree.reductions, [&](const Gathered &other) {
                           return other.name == gathered.name;
                         }) == 1;
    const bool startsAnew =
        llvm::all_of(around, [&](unsigned loop) { return loop == grid.timeLoop; }) &&
        !llvm::is_contained(llvm::ArrayRef(gathered.loops).drop_front(gathered.outside),
                            grid.timeLoop.value_or(~0u));
    if (!isAlone || !startsAnew || gathered.isConditional || !gathered.start)
      return;
    // What the same loops make, or read all over the grid, says which of them goes along which
    // axis.
    std::vector<Access> points;
    for (const Assignment &assignment : tree.assignments)
      if (assignment.loops == gathered.loops)
        points.push_back(assignment.target);
    for (const Expr &expr : gathered.value.exprs)
      if (const auto *read = std::get_if<Read>(&expr.node);
          read && levels.pointOf(tree.accesses[read->array]).size() == grid.rank)
        points.push_back(tree.accesses[read->array]);
    std::optional<Summary> nearest;
    for (const Access &point : points) {
      Summary summary{number, {}};
      if (addPoints(summary.sweep,
                    {gathered.loops, gathered.guards, point, ofStored(gathered), gathered.where}) &&
          seesNewest(summary) && (!nearest || shiftOf(summary) < shiftOf(*nearest)))
        nearest = std::move(summary);
    }
    if (nearest)
      grid.summaries.push_back(std::move(*nearest));
  }

private:
  /// How far its points are from the turns of the loops.
  static int64_t shiftOf(const Summary &summary) {
    int64_t far = 0;
    for (int64_t shift : summary.sweep.shift)
      far += std::abs(shift);
    return far;
  }

  /// The number, with what was stored before in the same turn read back: the Reader has put the
  /// value in its place.
  Formula ofStored(const Gathered &gathered) {
    Formula value = gathered.value;
    for (unsigned number = 0; number < gathered.time; ++number) {
      const Assignment &assignment = tree.assignments[number];
      if (assignment.loops != gathered.loops || !assignment.guards.empty())
        continue;
      for (ExprId id = 0; id < value.exprs.size(); ++id) {
        Formula part = value;
        part.result = id;
        if (operands(value[id].node).empty() || !isSameValue(part, assignment.value))
          continue;
        Access stored = assignment.target;
        stored.time = gathered.time;
        value.exprs[id].node = Read{unsigned(tree.accesses.size()), TimeLevel::Current, {}};
        tree.accesses.push_back(std::move(stored));
      }
    }
    Formula clean;
    clean.result = clean.merge(value);
    return clean;
  }

  /// All that is read holds the newest state when it is read, and is read on the grid.
  bool seesNewest(Summary &summary) {
    const Grid before = grid;
    const bool isRead = addReads(summary.sweep) && grid.arrays.size() == before.arrays.size();
    const bool isNewest =
        isRead && llvm::all_of(summary.sweep.reads, [&](const auto &entry) {
          return isNewestAt(tree.reductions[summary.gathered], entry.first, entry.second);
        });
    if (!isNewest)
      grid = before;
    return isNewest;
  }

  bool isNewestAt(const Gathered &gathered, unsigned number, const GridRead &read) const {
    const GridArray &array = grid.arrays[read.array];
    const auto isKept = [](const auto &kept) { return kept.has_value(); };
    if (array.isLocal || array.isOverTime || llvm::any_of(read.kept, isKept))
      return false;
    if (!array.isWritten)
      return true;
    if (!(read.storage == array.next))
      return false;
    const std::vector<Polynomial> here = levels.pointOf(tree.accesses[number]);
    for (auto [writer, assignment] : llvm::enumerate(tree.assignments)) {
      if (!(levels.storageOf(assignment.target) == read.storage))
        continue;
      if (writer >= gathered.time)
        return false;
      // In the turns that make it, a point is there once it is made.
      const bool isBeside = llvm::any_of(assignment.loops, [&](unsigned loop) {
        return loop != grid.timeLoop && llvm::is_contained(gathered.loops, loop);
      });
      if (isBeside &&
          (assignment.loops != gathered.loops || levels.pointOf(assignment.target) != here))
        return false;
    }
    return true;
  }

  LoopTree &tree;
  Grid &grid;
  const Levels &levels;
  llvm::function_ref<bool(Sweep &, const Assignment &)> addPoints;
  llvm::function_ref<bool(Sweep &)> addReads;
};
} // namespace

void addSummaries(LoopTree &tree, Grid &grid, const Levels &levels, Refusals &refusals,
                  llvm::function_ref<bool(Sweep &, const Assignment &)> addPoints,
                  llvm::function_ref<bool(Sweep &)> addReads) {
  const Refusals::Trial trial(refusals);
  SummaryFinder finder(tree, grid, levels, addPoints, addReads);
  for (unsigned number = 0; number < tree.reductions.size(); ++number)
    finder.addSummary(number);
}

std::optional<Formula> withStart(const Gathered &gathered, Formula term) {
  auto number = cast(ScalarType::F64, term);
  const auto start = cast(ScalarType::F64, *gathered.start);
  const auto *literal = start ? std::get_if<Literal>(&(*start)[start->result].node) : nullptr;
  if (!number || !literal)
    return std::nullopt;
  if (gathered.op == Reduction::Op::Sum)
    return literal->value == 0 ? number : std::nullopt;
  const auto *called = std::get_if<CallExpr>(&term[term.result].node);
  const bool isMax = gathered.op == Reduction::Op::Max;
  if (isMax && literal->value <= 0 && called && called->function == Builtin::Abs)
    return number;
  return call(isMax ? Builtin::Max : Builtin::Min, {*number, *start});
}

std::string assumptionOf(const Gathered &gathered, bool isReduced) {
  if (!isReduced)
    return gathered.name + " is not wanted, a number over all points that is found in passing: it "
                           "is no sum, minimum or maximum of what the step leaves behind";
  if (gathered.op == Reduction::Op::Sum)
    return gathered.name + " may differ by rounding: `reduce` adds up in f64, in another order "
                           "than the loops";
  return gathered.seesNaN ? gathered.name + " is taken of no NaN" : "";
}

} // namespace stencilc::lift
