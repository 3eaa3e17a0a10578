#include "ir/kernel/Signature.h"

#include "ir/stencil/StencilAreas.h"

#include <algorithm>

namespace stencilc {

/// The first point along the contiguous axis at which a field is updated on large grids.
static int firstUpdated(const Stencil &stencil) {
  const StencilAreas areas = areasOf(stencil);
  std::optional<int> first;
  for (const auto &[stage, areasOfStage] : llvm::zip_equal(stencil.stages, areas.updates))
    for (const auto &[update, area] : llvm::zip_equal(stage.updates, areasOfStage))
      if (stencil.arrays[update.array].kind == ArrayKind::Field)
        for (const AxisBound &bound : area[stencil.rank() - 1].from)
          if (bound.base == AxisBound::Base::Start)
            first = std::min<int>(first.value_or(bound.offset), bound.offset);
  return first.value_or(0);
}

Signature signatureOf(const Stencil &stencil) {
  Signature signature;
  signature.name = stencil.name;
  signature.axes = stencil.axes;
  for (unsigned number = 0; number < stencil.arrays.size(); ++number) {
    const Array &array = stencil.arrays[number];
    SignatureArray &entry = signature.arrays.emplace_back();
    entry.name = array.name;
    entry.type = array.type;
    entry.axes = array.axes;
    entry.ghost = ghostWidths(stencil, number);
    entry.kind = array.kind;
    entry.hasPrevious = entry.isField() && readsPrevious(stencil, number);
    entry.hasNext = entry.isField() && needsNextBuffer(stencil, number);
  }
  for (const Param &param : stencil.params)
    signature.params.push_back({param.name, param.type, param.defaultValue});
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    signature.minimumExtent[axis] = minimumExtent(stencil, axis);

  signature.firstUpdated = firstUpdated(stencil);
  return signature;
}

Widths widestGhosts(const Signature &signature) {
  Widths widest = {};
  for (const SignatureArray &array : signature.passed())
    if (array.axes.size() == signature.rank())
      for (unsigned axis : array.axes)
        for (Side side : {Low, High})
          widest[axis][side] = std::max(widest[axis][side], array.ghost[axis][side]);
  return widest;
}

LineRows recommendedRows(const Signature &signature) {
  LineRows rows;
  rows.ghost = widestGhosts(signature);
  for (const SignatureArray &array : signature.passed())
    rows.line = std::max(rows.line, elementsOfLine(array.type));
  rows.firstUpdated = signature.firstUpdated;
  return rows;
}

} // namespace stencilc
