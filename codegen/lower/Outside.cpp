#include "codegen/lower/Outside.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

bool stencilc::isMirror(BoundaryKind kind) {
  return kind == BoundaryKind::Reflect || kind == BoundaryKind::Symmetric;
}

const Boundary &stencilc::boundaryAt(const Array &array, unsigned axis, const Reach &reach) {
  return array.boundary[axis][*reach.beyond];
}

Range stencilc::isOnGrid(unsigned axis, const Reach &reach) {
  return {reach.index, reach.beyond == Low || reach.isOrOther ? constant(0) : nullptr,
          reach.beyond == High || reach.isOrOther ? extent(axis) : nullptr};
}

bool stencilc::isBent(const Array &array, unsigned axis, const Reach &reach) {
  if (!reach.beyond)
    return false;
  const BoundaryKind kind = boundaryAt(array, axis, reach).kind;
  return kind == BoundaryKind::Clamp || kind == BoundaryKind::Periodic || isMirror(kind);
}

Index stencilc::bent(const Array &array, unsigned axis, const Reach &reach) {
  if (!isBent(array, axis, reach))
    return reach.index;
  const BoundaryKind kind = boundaryAt(array, axis, reach).kind;
  return kind != BoundaryKind::Clamp || reach.isOrOther ? map(kind, axis, reach.index)
         : reach.beyond == Low                          ? maximum(reach.index, constant(0))
                               : minimum(reach.index, add(extent(axis), -1));
}

Value stencilc::withOutside(KernelBuilder &kernel, const Stencil &stencil,
                            const StepFormula &formula, const Index &step, unsigned arrayNumber,
                            const Reaches &reaches, Value value) {
  const Array &array = stencil.arrays[arrayNumber];
  Box onGrid; // along the axes that have numbers outside
  // The axis named first decides what stands outside, so its guard is the outermost. Where axes
  // have one number outside, they share a guard.
  std::optional<ExprId> last;
  for (unsigned axis : llvm::reverse(array.axes)) {
    const Reach &reach = reaches[axis];
    if (!reach.beyond || boundaryAt(array, axis, reach).kind != BoundaryKind::Value)
      continue;
    const ExprId number = formula.outside(arrayNumber, axis, *reach.beyond);
    onGrid.push_back(isOnGrid(axis, reach));
    Box guard = {onGrid.back()};
    const auto *inner = std::get_if<GuardedValue>(&value->node);
    if (inner && last == number)
      llvm::append_range(guard, inner->box);
    value = makeValue(array.type, GuardedValue{std::move(guard),
                                               inner && last == number ? inner->inside : value,
                                               formula.tree(kernel, number, {{}, step})});
    last = number;
  }
  // What is mirrored takes its factor, any other value takes one: no operation is under a guard.
  const auto literal = [&](double number) { return makeValue(array.type, LiteralValue{number}); };
  const auto choose = [&](Box box, Value then, Value otherwise) {
    return makeValue(array.type, GuardedValue{std::move(box), then, otherwise});
  };
  for (unsigned axis : array.axes) {
    const Reach &reach = reaches[axis];
    if (!reach.beyond)
      continue;
    const Boundary &boundary = boundaryAt(array, axis, reach);
    if (!isMirror(boundary.kind) || boundary.factor == 1)
      continue;
    Value factor = literal(boundary.factor);
    if (!onGrid.empty())
      factor = choose(onGrid, factor, literal(1));
    value = makeValue(array.type, BinaryValue{BinaryOp::Multiply, value,
                                              choose({isOnGrid(axis, reach)}, literal(1), factor)});
  }
  return value;
}
