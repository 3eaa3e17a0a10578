#include "ir/stencil/StencilInterpreter.h"

#include "ir/stencil/ReductionTree.h"
#include "ir/stencil/StencilAreas.h"
#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace stencilc {

namespace {
/// All that the value of a formula depends on.
struct Place {
  const Stencil &stencil;
  const State &state;
  llvm::ArrayRef<Grid> next;     ///< per array: what earlier stages made, u' = u elsewhere
  llvm::ArrayRef<int64_t> point; ///< per axis of the stencil
};
} // namespace

static double evaluate(const Formula &formula, const Place &place);

static const Grid &gridOf(const Read &read, const Place &place) {
  switch (read.level) {
  case TimeLevel::Current:
    return place.state.current[read.array];
  case TimeLevel::Previous:
    return place.state.previous[read.array];
  case TimeLevel::Next:
    return place.next[read.array];
  }
  llvm_unreachable("unknown time level");
}

/// The boundary that an index along `axis` falls under; null inside.
static const Boundary *boundaryAt(const Array &array, unsigned axis, int64_t index,
                                  const State &state) {
  if (index < 0)
    return &array.boundary[axis][Low];
  if (index >= state.extents[axis])
    return &array.boundary[axis][High];
  return nullptr;
}

/// Where on its axis, or in memory beyond it, the boundary sends an index outside.
static int64_t sentTo(BoundaryKind kind, int64_t index, int64_t extent) {
  switch (kind) {
  case BoundaryKind::Halo:
    return index;
  case BoundaryKind::Clamp:
    return std::clamp<int64_t>(index, 0, extent - 1);
  case BoundaryKind::Periodic:
    return (index % extent + extent) % extent;
  case BoundaryKind::Reflect:
    return index < 0 ? -index : 2 * (extent - 1) - index;
  case BoundaryKind::Symmetric:
    return index < 0 ? -index - 1 : 2 * extent - 1 - index;
  case BoundaryKind::Fixed:
    llvm_unreachable("updates are made only where no read leaves a fixed array");
  case BoundaryKind::Value:
    llvm_unreachable("a value decides before any place is looked for");
  case BoundaryKind::None:
    llvm_unreachable("a read away from the point without a boundary");
  }
  llvm_unreachable("unknown boundary");
}

static double valueOf(const Read &read, const Place &place) {
  const Array &array = place.stencil.arrays[read.array];

  // An axis with `value` decides alone; of several, the one named first.
  for (unsigned axis : array.axes) {
    const int64_t index = place.point[axis] + read.offset[axis];
    const Boundary *boundary = boundaryAt(array, axis, index, place.state);
    if (boundary && boundary->kind == BoundaryKind::Value)
      return evaluate(boundary->value, place);
  }

  // Each other axis brings its own index back by itself.
  llvm::SmallVector<int64_t, kMaxRank> where;
  llvm::SmallVector<double, kMaxRank> factors;
  for (unsigned axis : array.axes) {
    const int64_t index = place.point[axis] + read.offset[axis];
    const Boundary *boundary = boundaryAt(array, axis, index, place.state);
    where.push_back(boundary ? sentTo(boundary->kind, index, place.state.extents[axis]) : index);
    if (boundary && boundary->factor != 1)
      factors.push_back(boundary->factor);
  }
  double value = gridOf(read, place).at(where);
  for (double factor : factors)
    value = apply(array.type, BinaryOp::Multiply, value, factor);
  return value;
}

static ScalarValue valueOf(const Expr &leaf, const Place &place) {
  if (const auto *read = std::get_if<Read>(&leaf.node))
    return {.number = valueOf(*read, place)};
  if (const auto *param = std::get_if<ParamValue>(&leaf.node))
    return literalOf(leaf.type, place.state.params[param->param]);
  if (const auto *axis = std::get_if<AxisValue>(&leaf.node)) {
    const ScalarValue index = {.whole = place.point[axis->axis]};
    return leaf.type == ScalarType::Int ? index : convert(ScalarType::Int, leaf.type, index);
  }
  if (const auto *read = std::get_if<TimeRead>(&leaf.node)) {
    const Grid &values = place.state.current[read->array];
    return {.number = values.at({place.state.step + read->offset})};
  }
  assert(std::holds_alternative<StepValue>(leaf.node) && "no other leaf is left");
  return {.whole = place.state.step};
}

static double evaluate(const Formula &formula, const Place &place) {
  return evaluate(formula, [&](const Expr &leaf) { return valueOf(leaf, place); }).number;
}

// ---- initial state ----------------------------------------------------------------------------

static llvm::Error checkExtents(const Stencil &stencil, llvm::ArrayRef<int64_t> extents) {
  assert(extents.size() == stencil.rank() && "one extent per axis");
  for (auto [axis, extent] : llvm::zip_equal(stencil.axes, extents))
    if (extent < 0)
      return llvm::createStringError(fmt::format("extent of axis `{}` is negative", axis));
  return llvm::Error::success();
}

static llvm::Expected<std::vector<double>>
paramValues(const Stencil &stencil, llvm::ArrayRef<std::pair<std::string, double>> given) {
  std::vector<std::optional<double>> values;
  for (const Param &param : stencil.params)
    values.push_back(param.defaultValue);
  for (const auto &[name, value] : given) {
    const auto param = llvm::find_if(
        stencil.params, [&, name = &name](const Param &param) { return param.name == *name; });
    if (param == stencil.params.end())
      return llvm::createStringError(
          fmt::format("stencil `{}` has no param `{}`", stencil.name, name));
    values[param - stencil.params.begin()] = value;
  }
  std::vector<double> rounded;
  for (auto [param, value] : llvm::zip_equal(stencil.params, values)) {
    if (!value)
      return llvm::createStringError(
          fmt::format("param `{}` has no default and was given no value", param.name));
    if (param.type == ScalarType::Int) {
      if (*value != std::trunc(*value) || std::abs(*value) > kMaxWholeNumber)
        return llvm::createStringError(
            fmt::format("`{}` is a whole number, which {} is not", param.name, *value));
      rounded.push_back(*value);
    } else {
      rounded.push_back(roundTo(param.type, *value));
    }
  }
  return rounded;
}

/// The area of all elements of a grid, ghost points included.
static void forEachElement(const Grid &grid,
                           llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  llvm::SmallVector<int64_t, kMaxRank> begin, end;
  for (size_t axis = 0; axis < grid.extents.size(); ++axis) {
    begin.push_back(-grid.low[axis]);
    end.push_back(grid.extents[axis] + grid.high[axis]);
  }
  forEachPoint(begin, end, visit);
}

/// A value a step; in its `init`, `t` is the step.
static Grid initialValuesOverTime(const Stencil &stencil, const Array &array, int64_t steps,
                                  const State &before) {
  Grid grid(array.type, {steps}, {0}, {0}, 0.0);
  State state = before;
  const std::vector<int64_t> noPoint(stencil.rank());
  if (!array.init.empty())
    for (state.step = 0; state.step < steps; ++state.step)
      grid.at({state.step}) = evaluate(array.init, {stencil, state, {}, noPoint});
  return grid;
}

static Grid initialGrid(const Stencil &stencil, unsigned number, const Formula &init,
                        const State &state) {
  const Array &array = stencil.arrays[number];
  const Widths ghost = ghostWidths(stencil, number);
  std::vector<int64_t> extents, low, high;
  for (unsigned axis : array.axes) {
    extents.push_back(state.extents[axis]);
    low.push_back(ghost[axis][Low]);
    high.push_back(ghost[axis][High]);
  }
  Grid grid(array.type, extents, low, high, 0.0);
  if (!init.empty())
    forEachElement(grid, [&](llvm::ArrayRef<int64_t> element) {
      std::vector<int64_t> point(stencil.rank());
      for (auto [axis, index] : llvm::zip_equal(array.axes, element))
        point[axis] = index;
      grid.at(element) = evaluate(init, {stencil, state, {}, point});
    });
  return grid;
}

llvm::Expected<State> initialState(const Stencil &stencil, std::vector<int64_t> extents,
                                   llvm::ArrayRef<std::pair<std::string, double>> params,
                                   int64_t timeSteps) {
  if (llvm::Error error = checkExtents(stencil, extents))
    return error;
  llvm::Expected<std::vector<double>> values = paramValues(stencil, params);
  if (!values)
    return values.takeError();

  State state;
  state.extents = std::move(extents);
  state.params = std::move(*values);
  state.previous.resize(stencil.arrays.size());
  for (auto [number, array] : llvm::enumerate(stencil.arrays)) {
    if (array.kind == ArrayKind::Temp) {
      state.current.emplace_back();
      continue;
    }
    if (array.isOverTime) {
      state.current.push_back(initialValuesOverTime(stencil, array, timeSteps, state));
      continue;
    }
    state.current.push_back(initialGrid(stencil, number, array.init, state));
    if (readsPrevious(stencil, number))
      state.previous[number] = array.initPrevious.empty()
                                   ? state.current[number]
                                   : initialGrid(stencil, number, array.initPrevious, state);
  }
  return state;
}

// ---- whether a run is possible ------------------------------------------------------------------

static AxisEnds endsOf(const State &state, unsigned axis) {
  return {state.extents[axis], state.params};
}

static llvm::Error checkMinimumExtents(const Stencil &stencil, const State &state) {
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    if (const int64_t least = minimumExtent(stencil, axis); state.extents[axis] < least)
      return llvm::createStringError(fmt::format("extent of axis `{}` is {}: the stencil needs at "
                                                 "least {}",
                                                 stencil.axes[axis], state.extents[axis], least));
  return llvm::Error::success();
}

static llvm::Error checkBounds(const Stencil &stencil, const Region &region, const State &state) {
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    for (const AxisBound &bound : {region[axis].from, region[axis].to}) {
      if (bound.base != AxisBound::Base::Param)
        continue;
      const int64_t value = valueOf(bound, endsOf(state, axis));
      if (value < 0 || value > state.extents[axis])
        return llvm::createStringError(
            fmt::format("param `{}` is {}: a region along axis `{}`, of extent {}, leaves the grid",
                        stencil.params[bound.param].name, state.params[bound.param],
                        stencil.axes[axis], state.extents[axis]));
    }
  return llvm::Error::success();
}

static bool haveCommonPoint(const Stencil &stencil, const Area &left, const Area &right,
                            const State &state) {
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    const AxisEnds ends = endsOf(state, axis);
    if (std::max(left[axis].begin(ends), right[axis].begin(ends)) >=
        std::min(left[axis].end(ends), right[axis].end(ends)))
      return false;
  }
  return true;
}

/// Extents, params and numbers of steps that a run refuses, the last step's number being known.
static llvm::Error checkRun(const Stencil &stencil, const StencilAreas &areas, const State &state,
                            int64_t steps) {
  if (llvm::Error error = checkMinimumExtents(stencil, state))
    return error;
  llvm::Error error = llvm::Error::success();
  forEachUpdate(stencil, [&](const Update &update) {
    if (!error)
      error = checkBounds(stencil, update.region, state);
  });
  if (error)
    return error;
  for (const Separation &separation : separations(stencil, areas))
    if (haveCommonPoint(stencil, separation.left, separation.right, state))
      return llvm::createStringError(separation.what);
  if (steps == 0)
    return error;
  forEachFormula(stencil, [&](const Formula &formula) {
    for (const Expr &expr : formula.exprs)
      if (const auto *read = std::get_if<TimeRead>(&expr.node); read && !error) {
        const int64_t first = state.step + read->offset, last = first + steps - 1;
        const int64_t held = state.current[read->array].extents.front();
        if (first < 0 || last >= held)
          error = llvm::createStringError(fmt::format("`{}` has {} values and is read at step {}",
                                                      stencil.arrays[read->array].name, held,
                                                      first < 0 ? first : last));
      }
  });
  return error;
}

// ---- steps ------------------------------------------------------------------------------------

static void forEachPointOf(const Area &area, const Stencil &stencil, const State &state,
                           llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  std::vector<int64_t> begin, end;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    begin.push_back(area[axis].begin(endsOf(state, axis)));
    end.push_back(area[axis].end(endsOf(state, axis)));
  }
  forEachPoint(begin, end, visit);
}

/// Memory of a temp for one step; what is read before it is made is no number.
static Grid unmade(const Stencil &stencil, unsigned number, const State &state) {
  const Widths ghost = ghostWidths(stencil, number);
  std::vector<int64_t> low, high;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    low.push_back(ghost[axis][Low]);
    high.push_back(ghost[axis][High]);
  }
  return Grid(stencil.arrays[number].type, state.extents, low, high,
              std::numeric_limits<double>::quiet_NaN());
}

static void makeStep(const Stencil &stencil, const StencilAreas &areas, State &state) {
  // Points that no update makes, ghost points among them, keep what u holds.
  std::vector<Grid> next = state.current;
  for (auto [number, array] : llvm::enumerate(stencil.arrays))
    if (array.kind == ArrayKind::Temp)
      next[number] = unmade(stencil, number, state);
  for (const auto &[stage, areasOfStage] : llvm::zip_equal(stencil.stages, areas.updates))
    for (const auto &[update, area] : llvm::zip_equal(stage.updates, areasOfStage))
      forEachPointOf(area, stencil, state, [&, &update = update](llvm::ArrayRef<int64_t> point) {
        next[update.array].at(point) = evaluate(update.formula, {stencil, state, next, point});
      });
  for (auto [number, array] : llvm::enumerate(stencil.arrays)) {
    if (readsPrevious(stencil, number))
      state.previous[number] = std::move(state.current[number]);
    if (array.kind == ArrayKind::Temp)
      next[number] = Grid();
  }
  state.current = std::move(next);
  ++state.step;
}

llvm::Error interpret(const Stencil &stencil, State &state, int64_t steps) {
  if (llvm::Error error = checkExtents(stencil, state.extents))
    return error;
  if (steps < 0)
    return llvm::createStringError("the number of steps is negative");
  // A run of no steps leaves the numbers of reductions, of a grid that it takes.
  if ((steps == 0 && stencil.reductions.empty()) || llvm::is_contained(state.extents, 0))
    return llvm::Error::success();
  const StencilAreas areas = areasOf(stencil);
  if (llvm::Error error = checkRun(stencil, areas, state, steps))
    return error;
  for (int64_t step = 0; step < steps; ++step)
    makeStep(stencil, areas, state);
  return llvm::Error::success();
}

// ---- reductions -------------------------------------------------------------------------------

llvm::Expected<std::vector<double>> reduce(const Stencil &stencil, const State &state) {
  const bool isEmpty = llvm::is_contained(state.extents, 0);
  if (!isEmpty)
    if (llvm::Error error = checkMinimumExtents(stencil, state))
      return error;
  const StencilAreas areas = areasOf(stencil);
  std::vector<double> results;
  for (const auto &[reduction, area] : llvm::zip_equal(stencil.reductions, areas.reductions)) {
    if (isEmpty) {
      results.push_back(neutralOf(reduction.op));
      continue;
    }
    if (llvm::Error error = checkBounds(stencil, reduction.region, state))
      return error;
    // Points outside the area are there too, as numbers that change nothing.
    std::vector<int64_t> none(stencil.rank(), 0);
    Grid numbers(ScalarType::F64, state.extents, none, none, neutralOf(reduction.op));
    forEachPointOf(area, stencil, state,
                   [&, &reduction = reduction](llvm::ArrayRef<int64_t> point) {
                     numbers.at(point) = evaluate(reduction.formula, {stencil, state, {}, point});
                   });
    results.push_back(
        reduced(stencil.reductionTree, reduction.op, numbers.values, state.extents.back()));
  }
  return results;
}

} // namespace stencilc
