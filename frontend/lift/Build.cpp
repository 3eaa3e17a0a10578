#include "frontend/lift/Build.h"

#include "frontend/language/CNames.h"
#include "frontend/lift/Areas.h"
#include "frontend/lift/Numbers.h"
#include "frontend/lift/Scratch.h"
#include "frontend/lift/Summaries.h"
#include "ir/stencil/Shorthands.h"
#include "ir/stencil/StencilFacts.h"
#include "ir/stencil/StencilVerifier.h"
#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stencilc::lift {

namespace {
class Builder {
public:
  Builder(const LoopTree &tree, const Grid &grid, const Order &order, Refusals &refusals,
          llvm::function_ref<SourcePosition(clang::SourceLocation)> positionOf)
      : tree(tree), grid(grid), order(order), refusals(refusals), positionOf(positionOf),
        scratch(findScratch(tree, grid, order)) {}

  std::optional<Lifted> build() {
    lifted.assumptions = tree.assumptions;
    llvm::append_range(lifted.assumptions, grid.assumptions);
    lifted.stencil.axes = grid.axes;
    for (const std::string &axis : grid.axes)
      taken.insert(axis);
    taken.insert("t");
    lifted.stencil.name = nameLike(tree.name);
    assumeScratch();
    if (!addArrays())
      return std::nullopt;
    if (!addUpdates() || !addReductions())
      return std::nullopt;
    if (!setBoundaries())
      return std::nullopt;
    leaveFramesOut();
    assumeMemory();
    noteReductions();
    if (llvm::Error error = verify(lifted.stencil))
      return refuseVerified(std::move(error));
    return std::move(lifted);
  }

private:
  // ---- names

  std::string nameLike(llvm::StringRef wanted) {
    std::string name;
    for (char letter : wanted)
      if (isalnum(static_cast<unsigned char>(letter)) || letter == '_')
        name += letter;
      else if (!name.empty() && name.back() != '_')
        name += '_';
    while (name.size() > 1 && name.back() == '_')
      name.pop_back();
    if (name.empty() || isdigit(static_cast<unsigned char>(name[0])))
      name = "v" + name;
    name.resize(std::min<size_t>(name.size(), 60));
    const auto isExtent = [&] {
      return llvm::any_of(grid.axes, [&](const std::string &axis) { return name == "n" + axis; });
    };
    if (!keptAs(name).empty())
      name = freeName(name);
    while (isReservedWord(name) || taken.contains(name) || isExtent())
      name += name.back() == '_' ? "2" : "_"; // two underscores are C++'s own
    taken.insert(name);
    return name;
  }

  // ---- scratch

  void assumeScratch() {
    for (auto [number, array] : llvm::enumerate(grid.arrays))
      if (scratch.isScratch[number] && !array.isLocal)
        lifted.assumptions.push_back(
            fmt::format("{} is scratch: what it holds after the call is not wanted", array.name));
  }

  // ---- declarations

  bool addArrays() {
    for (auto [number, source] : llvm::enumerate(grid.arrays)) {
      numbers.push_back(lifted.stencil.arrays.size());
      if (scratch.isFolded[number])
        continue;
      const bool isMadeAnew = tree.buffers[source.current.buffer].isMadeAnew;
      if (isMadeAnew && !scratch.isScratch[number])
        lifted.assumptions.push_back(source.name + " has nothing that a step needs before it");
      if (source.isLocal && !scratch.isScratch[number] && !isMadeAnew)
        return refusals.refuse(source.where,
                               "`" + source.name +
                                   "` is local, but keeps values from step to step: what it starts "
                                   "with is not in this stencil",
                               "make it an argument"),
               false;
      Array array;
      array.name = nameLike(source.name);
      array.kind = !source.isWritten           ? ArrayKind::Const
                   : scratch.isScratch[number] ? ArrayKind::Temp
                                               : ArrayKind::Field;
      array.type = source.type;
      array.isOverTime = source.isOverTime;
      if (!source.isOverTime)
        array.axes.assign(source.axes.begin(), source.axes.end());
      array.position = positionOf(source.where);
      lifted.stencil.arrays.push_back(std::move(array));
      lifted.binding.arrays.push_back(number);
    }
    return true;
  }

  /// `text` is the param in C; its name is like `wanted`.
  unsigned paramOf(const std::string &text, llvm::StringRef wanted, ScalarType type,
                   clang::SourceLocation where) {
    const auto known = llvm::find(lifted.binding.params, text);
    if (known != lifted.binding.params.end())
      return known - lifted.binding.params.begin();
    Param param;
    param.name = nameLike(wanted);
    param.type = type;
    param.position = positionOf(where);
    lifted.stencil.params.push_back(std::move(param));
    lifted.binding.params.push_back(text);
    return lifted.stencil.params.size() - 1;
  }
  unsigned paramOf(Symbol symbol) {
    const SymbolInfo &info = tree.symbols[symbol];
    return paramOf(info.name, info.name, info.type, info.where);
  }

  /// An element as C text, whatever the pointer's type: `w[3]`, `((const double *)w)[3*n + 1]`.
  std::string elementText(const Access &access) const {
    const Buffer &buffer = tree.buffers[access.buffer];
    if (access.subscripts.size() == 1)
      return fmt::format("{}[{}]", buffer.name, tree.text(access.subscripts[0]));
    std::string place;
    for (auto [dimension, subscript] : llvm::enumerate(access.subscripts)) {
      const auto &extent = buffer.extents[dimension];
      place = dimension == 0 ? tree.text(subscript)
                             : fmt::format("({}) * ({}) + {}", place,
                                           extent ? tree.text(*extent) : "1", tree.text(subscript));
    }
    return fmt::format("((const {} *){})[{}]", buffer.elementText(), buffer.name, place);
  }

  // ---- formulas

  /// The value that a sweep gives a point, of what the stencil has.
  std::optional<Formula> formulaOf(unsigned number) {
    return formulaOf(grid.sweeps[number], order.levels[number]);
  }
  using Levels = std::map<unsigned, TimeLevel>; ///< by number in LoopTree::accesses
  std::optional<Formula> formulaOf(const Sweep &sweep, const Levels &levels) {
    return formulaOf(sweep.value, sweep, levels);
  }
  std::optional<Formula> formulaOf(const Formula &value, const Sweep &sweep, const Levels &levels) {
    Formula result;
    std::vector<ExprId> ids;
    for (const Expr &expr : value.exprs) {
      const auto id = translate(result, expr, ids, sweep, levels);
      if (!id)
        return std::nullopt;
      if (!expr.name.empty() && result[*id].name.empty() && !operands(result[*id].node).empty())
        result.exprs[*id].name = expr.name;
      ids.push_back(*id);
    }
    result.result = ids[value.result];
    Formula clean;
    clean.result = clean.merge(result);
    return withSumsApart(clean, grid.rank);
  }

  std::optional<ExprId> merged(Formula &formula, const std::optional<Formula> &part) {
    return part ? std::optional(formula.merge(*part)) : std::nullopt;
  }

  std::optional<ExprId> translate(Formula &formula, const Expr &expr, llvm::ArrayRef<ExprId> ids,
                                  const Sweep &sweep, const Levels &levels) {
    using Id = std::optional<ExprId>;
    const auto add = [&](Expr::Node node) -> Id { return formula.add(expr.type, std::move(node)); };
    return std::visit(
        llvm::makeVisitor(
            [&](const Literal &e) { return add(e); },
            [&](const ParamValue &e) { return add(ParamValue{paramOf(e.param)}); },
            [&](const AxisValue &e) { return merged(formula, positionFormula(sweep, e.axis)); },
            [&](const StepValue &e) { return add(e); },
            [&](const Read &e) { return addRead(formula, expr.type, sweep, levels, e.array); },
            [&](const TimeRead &e) { return add(e); },
            [&](const UnaryExpr &e) { return add(UnaryExpr{e.op, ids[e.operand]}); },
            [&](const BinaryExpr &e) { return add(BinaryExpr{e.op, ids[e.left], ids[e.right]}); },
            [&](const CompareExpr &e) { return add(CompareExpr{e.op, ids[e.left], ids[e.right]}); },
            [&](const SelectExpr &e) {
              return add(SelectExpr{ids[e.condition], ids[e.then], ids[e.otherwise]});
            },
            [&](const CallExpr &e) {
              CallExpr call{e.function, {}};
              for (ExprId operand : e.operands)
                call.operands.push_back(ids[operand]);
              return add(call);
            },
            [&](const CastExpr &e) { return add(CastExpr{ids[e.operand]}); }),
        expr.node);
  }

  /// A loop variable: the index of the point less the distance to it, or the step.
  std::optional<Formula> positionFormula(const Sweep &sweep, Symbol variable) {
    if (grid.timeLoop && tree.loops[*grid.timeLoop].variable == variable) {
      const Loop &loop = tree.loops[*grid.timeLoop];
      const auto start = loop.begin.number();
      if (!start || loop.stride != Polynomial(1) || loop.isDownward)
        return refusals.refuse(loop.where, "the number of the step stands in a formula, but the "
                                           "steps do not count from a number up");
      const Formula step = leaf(ScalarType::Int, StepValue{});
      return shifted(step, *start);
    }
    for (unsigned axis = 0; axis < grid.rank; ++axis)
      if (sweep.loopOfAxis[axis] && tree.loops[*sweep.loopOfAxis[axis]].variable == variable)
        return shifted(leaf(ScalarType::Int, AxisValue{axis}), -sweep.shift[axis]);
    return refusals.refuse(tree.assignments[sweep.assignment].where,
                           "`" + tree.symbols[variable].name + "` is no position of the point");
  }

  static std::optional<Formula> shifted(const Formula &position, int64_t by) {
    if (by == 0)
      return position;
    return binary(by < 0 ? BinaryOp::Subtract : BinaryOp::Add, position,
                  literal(ScalarType::Int, double(std::abs(by))));
  }

  std::optional<ExprId> addRead(Formula &formula, ScalarType type, const Sweep &sweep,
                                const Levels &levels, unsigned access) {
    if (const auto element = grid.elements.find(access); element != grid.elements.end())
      return formula.add(type,
                         ParamValue{paramOf(elementText(tree.accesses[access]), element->second,
                                            type, tree.accesses[access].where)});
    const GridRead &read = sweep.reads.at(access);
    const GridArray &array = grid.arrays[read.array];
    if (scratch.isFolded[read.array]) {
      for (unsigned writer = 0; writer < grid.sweeps.size(); ++writer) {
        if (grid.sweeps[writer].array != read.array)
          continue;
        if (const Read *source = copied(grid, order, read.array)) {
          const unsigned from = grid.sweeps[writer].reads.at(source->array).array;
          return formula.add(type, Read{numbers[from], TimeLevel::Current, read.offset});
        }
        return merged(formula, formulaOf(writer));
      }
    }
    if (array.isOverTime)
      return formula.add(type, TimeRead{numbers[read.array], int(read.timeOffset)});
    const TimeLevel level = array.isWritten ? levels.at(access) : TimeLevel::Current;
    return formula.add(type, Read{numbers[read.array], level, read.offset});
  }

  // ---- updates

  bool addUpdates() {
    std::vector<Stage> stages(grid.sweeps.size() + 1);
    for (auto [number, sweep] : llvm::enumerate(grid.sweeps)) {
      if (scratch.isFolded[sweep.array])
        continue;
      const auto formula = formulaOf(number);
      if (!formula)
        return false;
      const clang::SourceLocation where = tree.assignments[sweep.assignment].where;
      Update update{numbers[sweep.array], *formula, "", positionOf(where), {}};
      if (update.formula.exprs.size() > kMaxFormulaValues)
        return refusals.refuse(where, "the formula is too long"), false;
      for (unsigned axis = 0; axis < grid.rank; ++axis) {
        // makeOrder has found them to be slices.
        update.region[axis] = *sliceOf(sweep.region[axis], grid.extents[axis], tree);
        for (AxisBound *bound : {&update.region[axis].from, &update.region[axis].to})
          if (bound->base == AxisBound::Base::Param)
            bound->param = paramOf(Symbol(bound->param));
      }
      stages[order.stages[number]].updates.push_back(std::move(update));
    }
    for (Stage &stage : stages)
      if (!stage.updates.empty())
        lifted.stencil.stages.push_back(std::move(stage));
    return true;
  }

  // ---- numbers over all points

  bool addReductions() {
    for (const Summary &summary : grid.summaries) {
      const Gathered &gathered = tree.reductions[summary.gathered];
      Levels levels;
      bool isThere = true;
      for (const auto &[access, read] : summary.sweep.reads) {
        levels[access] = TimeLevel::Current;
        isThere &= !scratch.isScratch[read.array];
      }
      auto formula = isThere ? formulaOf(summary.sweep, levels) : std::nullopt;
      if (isThere && !formula)
        return false;
      formula = formula ? withStart(gathered, std::move(*formula)) : std::nullopt;
      if (!formula)
        continue;
      Reduction reduction{nameLike(gathered.name), gathered.op, *formula, "",
                          positionOf(gathered.where)};
      bool isSlice = true;
      for (unsigned axis = 0; axis < grid.rank; ++axis) {
        const auto slice = sliceOf(summary.sweep.region[axis], grid.extents[axis], tree);
        isSlice &= slice && slice->from.base != AxisBound::Base::Param &&
                   slice->to.base != AxisBound::Base::Param;
        reduction.region[axis] = slice.value_or(Slice());
      }
      if (!isSlice)
        continue;
      lifted.stencil.reductions.push_back(std::move(reduction));
      lifted.binding.reductions.push_back(summary.gathered);
    }
    return true;
  }

  /// What C never reads is nobody's value: `fixed` says that no such point is made.
  bool setBoundaries() {
    std::vector<Widths> widths(lifted.stencil.arrays.size());
    forEachRead(lifted.stencil, [&](const Read &read) {
      for (unsigned axis = 0; axis < grid.rank; ++axis)
        for (unsigned side : {Low, High})
          if (distance(read.offset[axis], side) > 0)
            widths[read.array][axis][side] = 1;
    });
    for (auto [array, width] : llvm::zip(lifted.stencil.arrays, widths)) {
      const auto isAny = [](const auto &sides) { return sides[Low] || sides[High]; };
      const unsigned number = &array - lifted.stencil.arrays.data();
      const GridArray &source = grid.arrays[lifted.binding.arrays[number]];
      const auto &beyond = source.beyond;
      if (!llvm::any_of(width, isAny))
        continue;
      for (unsigned axis : array.axes)
        for (unsigned side : {Low, High})
          array.boundary[axis][side].kind = beyond[axis][side] != BoundaryKind::None
                                                ? beyond[axis][side]
                                            : array.kind == ArrayKind::Temp ? BoundaryKind::None
                                                                            : BoundaryKind::Fixed;
      for (unsigned axis : array.axes)
        for (unsigned side : {Low, High})
          if (const auto &edge = source.edges[axis][side];
              edge && !setEdge(array.boundary[axis][side], *edge))
            return false;
    }
    return true;
  }

  bool setEdge(Boundary &boundary, const Boundary &edge) {
    boundary = edge;
    const auto value =
        edge.value.empty() ? std::optional(Formula()) : formulaOf(edge.value, Sweep{}, {});
    if (value)
      boundary.value = *value;
    return value.has_value();
  }

  static int distance(int offset, unsigned side) { return stencilc::distance(offset, side); }
  static std::optional<int64_t> distance(const Polynomial &left, const Polynomial &right) {
    return lift::distance(left, right);
  }

  /// Along an axis on which an update is made wherever it can be, it needs no region.
  void leaveFramesOut() {
    for (Stage &stage : lifted.stencil.stages)
      for (Update &update : stage.updates) {
        const Widths widths = frame(lifted.stencil, update);
        for (unsigned axis = 0; axis < grid.rank; ++axis)
          if (update.region[axis] ==
              Slice{fromStart(widths[axis][Low]), fromEnd(-widths[axis][High])})
            update.region[axis] = Slice();
      }
  }

  // ---- what was not proven

  void noteReductions() {
    for (auto [number, gathered] : llvm::enumerate(tree.reductions)) {
      const bool isOverGrid =
          llvm::any_of(gathered.loops, [&](unsigned loop) { return loop != grid.timeLoop; });
      if (!isOverGrid && gathered.result.empty()) // a time that has passed
        continue;
      const bool isSaid = llvm::is_contained(lifted.binding.reductions, number);
      const std::string note = assumptionOf(gathered, isSaid);
      if (!note.empty() && !llvm::is_contained(lifted.assumptions, note))
        lifted.assumptions.push_back(note);
    }
    for (const std::string &name : tree.leftBehind)
      lifted.assumptions.push_back(
          fmt::format("{} stays as it is, a number that the loops leave behind", name));
    for (const Buffer &buffer : tree.buffers)
      if (buffer.saysNeighbours && !buffer.isLocal)
        lifted.assumptions.push_back(
            fmt::format("{} stays as it is, an array of neighbours", buffer.name));
    if (!tree.endsWhen.empty())
      lifted.assumptions.push_back(
          fmt::format("whoever runs it knows how many steps `{}` leaves", tree.endsWhen));
  }

  void assumeMemory() {
    std::vector<std::string> extents;
    for (unsigned axis = 0; axis < grid.rank; ++axis)
      extents.push_back(fmt::format("{} {}{}", tree.text(grid.extents[axis]), grid.axes[axis],
                                    grid.isDeclared[axis] ? "" : ", as far as the loops reach"));
    lifted.assumptions.insert(lifted.assumptions.begin(),
                              fmt::format("the points are: {}", fmt::join(extents, "; ")));
    std::vector<std::string> pointers;
    std::vector<unsigned> seen;
    for (const GridArray &array : grid.arrays)
      for (const Storage &storage : {array.current, array.next}) {
        const Buffer &buffer = tree.buffers[storage.buffer];
        if (llvm::is_contained(seen, storage.buffer) || buffer.isRestrict)
          continue;
        seen.push_back(storage.buffer);
        pointers.push_back(buffer.name);
      }
    assumeWholeNumbers();
    for (const GridArray &array : grid.arrays)
      if (tree.buffers[array.current.buffer].isReturned && !isWhole(array))
        lifted.assumptions.push_back(
            fmt::format("{} holds before the step what the function makes it with", array.name));
    if (pointers.size() > 1)
      lifted.assumptions.push_back(fmt::format("{} do not overlap", fmt::join(pointers, ", ")));
    for (const GridArray &array : grid.arrays)
      if (array.isWritten && array.hasLevels() && !isWhole(array))
        lifted.assumptions.push_back(fmt::format(
            "all time levels of {} hold the same at points that no step writes", array.name));
  }

  void assumeWholeNumbers() {
    std::map<std::string, std::vector<std::string>> holders; // by what they hold
    for (const GridArray &array : grid.arrays)
      if (const auto &whole = tree.buffers[array.current.buffer].whole; whole && !array.isLocal)
        holders[fmt::format("whole numbers of `{}`, as {}", whole->name,
                            array.type == ScalarType::F32 ? "f32" : "f64")]
            .push_back(array.name);
    for (const auto &[what, arrays] : holders)
      lifted.assumptions.push_back(fmt::format("{} {} {}", fmt::join(arrays, ", "),
                                               arrays.size() > 1 ? "hold" : "holds", what));
  }

  /// Every point of the array is written.
  bool isWhole(const GridArray &array) const {
    return llvm::any_of(grid.sweeps, [&](const Sweep &sweep) {
      if (&grid.arrays[sweep.array] != &array)
        return false;
      for (unsigned axis = 0; axis < grid.rank; ++axis)
        if (sliceOf(sweep.region[axis], grid.extents[axis], tree) != Slice())
          return false;
      return true;
    });
  }

  std::nullopt_t refuseVerified(llvm::Error error) {
    if (llvm::none_of(lifted.stencil.arrays,
                      [](const auto &array) { return array.kind == ArrayKind::Field; })) {
      llvm::consumeError(std::move(error));
      return refusals.refuse(tree.assignments[0].where,
                             "no array that these loops set is there after the function",
                             "make it an argument");
    }
    return refusals.refuse(tree.assignments[0].where,
                           "these loops are no stencil: " + llvm::toString(std::move(error)));
  }

  const LoopTree &tree;
  const Grid &grid;
  const Order &order;
  Refusals &refusals;
  llvm::function_ref<SourcePosition(clang::SourceLocation)> positionOf;
  Lifted lifted;
  llvm::StringSet<> taken;
  const Scratch scratch;
  std::vector<unsigned> numbers; ///< of arrays in the stencil
};
} // namespace

std::optional<Lifted> build(const LoopTree &tree, const Grid &grid, const Order &order,
                            Refusals &refusals,
                            llvm::function_ref<SourcePosition(clang::SourceLocation)> positionOf) {
  return Builder(tree, grid, order, refusals, positionOf).build();
}

} // namespace stencilc::lift
