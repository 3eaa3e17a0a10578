#include "ir/stencil/StencilInterpreter.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <fmt/format.h>

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
  for (unsigned axis : array.axes) {
    const int64_t extent = place.state.extents[axis];
    const int64_t index = place.point[axis] + read.offset[axis];
    const Boundary *boundary = boundaryAt(array, axis, index, place.state);
    switch (boundary ? boundary->kind : BoundaryKind::Halo) {
    case BoundaryKind::Halo: // or inside: memory as it is
      where.push_back(index);
      break;
    case BoundaryKind::Clamp:
      where.push_back(std::clamp<int64_t>(index, 0, extent - 1));
      break;
    case BoundaryKind::Periodic:
      where.push_back((index % extent + extent) % extent);
      break;
    case BoundaryKind::Fixed:
      llvm_unreachable("updates are made only where no read leaves a fixed array");
    case BoundaryKind::Value:
      llvm_unreachable("already decided");
    case BoundaryKind::None:
      llvm_unreachable("a read away from the point without a boundary");
    }
  }
  return gridOf(read, place).at(where);
}

static double evaluate(const Formula &formula, const Place &place) {
  llvm::SmallVector<double, 64> values;
  for (const Expr &expr : formula.exprs)
    values.push_back(std::visit(
        llvm::makeVisitor(
            [&](const Literal &e) { return e.value; },
            [&](const ParamValue &e) { return place.state.params[e.param]; },
            [&](const AxisValue &e) { return roundTo(expr.type, place.point[e.axis]); },
            [&](const Read &e) { return valueOf(e, place); },
            [&](const UnaryExpr &e) { return apply(expr.type, e.op, values[e.operand]); },
            [&](const BinaryExpr &e) {
              return apply(expr.type, e.op, values[e.left], values[e.right]);
            },
            [&](const CompareExpr &e) {
              return apply(e.op, values[e.left], values[e.right]) ? 1.0 : 0.0;
            },
            [&](const SelectExpr &e) {
              return values[e.condition] != 0.0 ? values[e.then] : values[e.otherwise];
            },
            [&](const CallExpr &e) {
              llvm::SmallVector<double, 2> operands;
              for (ExprId id : e.operands)
                operands.push_back(values[id]);
              return apply(expr.type, e.function, operands);
            },
            [&](const CastExpr &e) { return roundTo(expr.type, values[e.operand]); }),
        expr.node));
  return values[formula.result];
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
    rounded.push_back(roundTo(param.type, *value));
  }
  return rounded;
}

/// The box of all elements of a grid, ghost points included.
static void forEachElement(const Grid &grid,
                           llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  llvm::SmallVector<int64_t, kMaxRank> begin, end;
  for (size_t axis = 0; axis < grid.extents.size(); ++axis) {
    begin.push_back(-grid.low[axis]);
    end.push_back(grid.extents[axis] + grid.high[axis]);
  }
  forEachPoint(begin, end, visit);
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
                                   llvm::ArrayRef<std::pair<std::string, double>> params) {
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
    state.current.push_back(initialGrid(stencil, number, array.init, state));
    if (readsPrevious(stencil, number))
      state.previous[number] = array.initPrevious.empty()
                                   ? state.current[number]
                                   : initialGrid(stencil, number, array.initPrevious, state);
  }
  return state;
}

// ---- steps ------------------------------------------------------------------------------------

/// Writes u' at every point outside the update's frame.
static void makeUpdate(const Stencil &stencil, const Update &update, const State &state,
                       std::vector<Grid> &next) {
  const Widths width = frame(stencil, update);
  std::vector<int64_t> begin, end;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    begin.push_back(width[axis][Low]);
    end.push_back(state.extents[axis] - width[axis][High]);
  }
  forEachPoint(begin, end, [&](llvm::ArrayRef<int64_t> point) {
    next[update.array].at(point) = evaluate(update.formula, {stencil, state, next, point});
  });
}

static void makeStep(const Stencil &stencil, State &state) {
  // Points that no update makes, ghost points among them, keep what u holds.
  std::vector<Grid> next = state.current;
  for (const Stage &stage : stencil.stages)
    for (const Update &update : stage.updates)
      makeUpdate(stencil, update, state, next);
  for (unsigned number = 0; number < stencil.arrays.size(); ++number)
    if (readsPrevious(stencil, number))
      state.previous[number] = std::move(state.current[number]);
  state.current = std::move(next);
}

llvm::Error interpret(const Stencil &stencil, State &state, int64_t steps) {
  if (llvm::Error error = checkExtents(stencil, state.extents))
    return error;
  if (steps < 0)
    return llvm::createStringError("the number of steps is negative");
  if (steps == 0 || llvm::is_contained(state.extents, 0))
    return llvm::Error::success();
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    if (const int least = minimumExtent(stencil, axis); state.extents[axis] < least)
      return llvm::createStringError(
          fmt::format("extent of axis `{}` is {}: its periodic boundary needs at least {}",
                      stencil.axes[axis], state.extents[axis], least));
  for (int64_t step = 0; step < steps; ++step)
    makeStep(stencil, state);
  return llvm::Error::success();
}

} // namespace stencilc
