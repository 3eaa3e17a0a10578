#include "codegen/variants/StepValues.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

/// By number: what updates are made of.
static std::vector<bool> askedFor(const Stencil &stencil, const StepFormula &formula) {
  std::vector<bool> isAsked(formula.size());
  for (auto [number, stage] : llvm::enumerate(stencil.stages))
    for (unsigned update = 0; update < stage.updates.size(); ++update)
      isAsked[formula.result(number, update)] = true;
  for (ExprId id = formula.size(); id-- > 0;)
    if (isAsked[id])
      for (ExprId operand : operands(formula[id].node))
        isAsked[operand] = true;
  return isAsked;
}

StepValues::StepValues(KernelBuilder &builder, const Stencil &stencil, const StepFormula &formula,
                       int steps)
    : builder(builder), formula(formula), steps(steps) {
  for (auto [id, isAsked] : llvm::enumerate(askedFor(stencil, formula))) {
    if (!isAsked)
      continue;
    const Expr::Node &node = formula[id].node;
    if (const auto *position = std::get_if<AxisValue>(&node))
      positions[position->axis] = true;
    isStepAsked |= std::holds_alternative<StepValue>(node);
    const auto *read = std::get_if<TimeRead>(&node);
    if (!read)
      continue;
    reads.push_back(id);
    auto list = llvm::find_if(lists, [&](const List &list) { return list.array == read->array; });
    if (list == lists.end())
      list = lists.insert(list, {read->array, read->offset, read->offset, 0});
    list->first = std::min(list->first, read->offset);
    list->last = std::max(list->last, read->offset);
  }
  for (List &list : lists) {
    const Array &array = stencil.arrays[list.array];
    list.patch =
        builder.patch(array.name + "_of_steps", array.type, {steps + list.last - list.first});
  }
}

void StepValues::load(Body &body, int first) const {
  for (const List &list : lists)
    for (int place = 0; place < steps + list.last - list.first; ++place)
      body.push_back(
          {AssignElement{list.patch,
                         {constant(place)},
                         builder.overTime(list.array, constant(first + place + list.first))}});
}

KnownValues StepValues::at(const Index &step) const {
  KnownValues known;
  for (ExprId id : reads) {
    const TimeRead &read = std::get<TimeRead>(formula[id].node);
    const List &list =
        *llvm::find_if(lists, [&](const List &list) { return list.array == read.array; });
    known[id] = makeValue(formula[id].type,
                          PatchElement{list.patch, {add(step, read.offset - list.first)}});
  }
  return known;
}
