#include "ir/kernel/Signature.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

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

/// How an array over time is read; none of another.
static std::optional<StepSpan> stepsOf(const Stencil &stencil, unsigned array) {
  if (!stencil.arrays[array].isOverTime)
    return std::nullopt;
  std::optional<StepSpan> span;
  forEachFormula(stencil, [&](const Formula &formula) {
    for (const Expr &expr : formula.exprs)
      if (const auto *read = std::get_if<TimeRead>(&expr.node); read && read->array == array) {
        const StepSpan known = span.value_or(StepSpan{read->offset, read->offset});
        span = {std::min(known.first, read->offset), std::max(known.last, read->offset)};
      }
  });
  return span.value_or(StepSpan{});
}

static bool countsSteps(const Stencil &stencil) {
  bool counts = false;
  forEachFormula(stencil, [&](const Formula &formula) { counts |= dependsOnStep(formula); });
  return counts;
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
    entry.overTime = stepsOf(stencil, number);
  }
  for (const Param &param : stencil.params)
    signature.params.push_back({param.name, param.type, param.defaultValue});
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    signature.minimumExtent[axis] = minimumExtent(stencil, axis);

  for (const Reduction &reduction : stencil.reductions)
    signature.results.push_back(reduction.name);
  signature.reductionTree = stencil.reductionTree;
  signature.countsSteps = countsSteps(stencil);
  signature.paramRanges = paramRanges(stencil);
  for (const Separation &separation : separations(stencil, areasOf(stencil)))
    if (disjointness(separation.left, separation.right, stencil.rank(), signature.paramRanges)
            .answer == Disjointness::Unknown)
      signature.apart.push_back({separation.left, separation.right});
  signature.firstUpdated = signature.lineStart = firstUpdated(stencil);
  return signature;
}

bool isSameInterface(const Signature &one, const Signature &other) {
  const auto stepsOf = [](const SignatureArray &array) {
    return std::pair(array.overTime.value_or(StepSpan()).first,
                     array.overTime.value_or(StepSpan()).last);
  };
  const auto isSame = [&](const SignatureArray &a, const SignatureArray &b) {
    return a.name == b.name && a.hasNext == b.hasNext && a.hasPrevious == b.hasPrevious &&
           a.ghost == b.ghost && stepsOf(a) == stepsOf(b);
  };
  return llvm::equal(one.passed(), other.passed(), isSame) &&
         one.minimumExtent == other.minimumExtent && one.apart == other.apart &&
         one.paramRanges == other.paramRanges;
}

bool hasArraysOverTime(const Signature &signature) {
  return llvm::any_of(signature.arrays,
                      [](const SignatureArray &array) { return array.overTime.has_value(); });
}

static bool haveCommonPoint(const Area &left, const Area &right, llvm::ArrayRef<int64_t> extents,
                            llvm::ArrayRef<double> params) {
  for (const auto &[axis, extent] : llvm::enumerate(extents)) {
    const AxisEnds ends = {extent, params};
    if (std::max(left[axis].begin(ends), right[axis].begin(ends)) >=
        std::min(left[axis].end(ends), right[axis].end(ends)))
      return false;
  }
  return true;
}

std::optional<std::string> refusal(const Signature &signature, llvm::ArrayRef<int64_t> extents,
                                   llvm::ArrayRef<double> params) {
  for (const auto &[place, range] : signature.paramRanges) {
    const auto [axis, param] = place;
    if (params[param] < -range.least || params[param] > extents[axis] - range.most)
      return fmt::format("`{}` is {} and leaves the grid along {}", signature.params[param].name,
                         params[param], signature.axes[axis]);
  }
  for (const auto &[left, right] : signature.apart)
    if (haveCommonPoint(left, right, extents, params))
      return "two regions have a point in common";
  return std::nullopt;
}

std::vector<double> usualParams(const Signature &signature, llvm::ArrayRef<int64_t> extents) {
  const auto valuesFrom = [&](double farthest) {
    std::vector<double> values;
    for (const SignatureParam &param : signature.params)
      values.push_back(param.defaultValue.value_or(0));
    for (const auto &[place, range] : signature.paramRanges)
      if (range.isEnd && !signature.params[place.second].defaultValue)
        values[place.second] = farthest;
    for (const auto &[place, range] : signature.paramRanges) {
      const auto [axis, param] = place;
      values[param] = std::max<double>(std::min<double>(values[param], extents[axis] - range.most),
                                       -range.least);
    }
    return values;
  };
  std::vector<double> values = valuesFrom(std::numeric_limits<double>::max());
  return refusal(signature, extents, values) ? valuesFrom(0) : values;
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
  rows.lineStart = signature.lineStart;
  return rows;
}

} // namespace stencilc
