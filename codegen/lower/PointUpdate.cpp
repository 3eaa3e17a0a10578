#include "codegen/lower/PointUpdate.h"

#include "codegen/lower/ReadNames.h"

using namespace stencilc;

PointUpdate::PointUpdate(const Stencil &stencil, const StepFormula &formula,
                         std::vector<ExprId> wanted)
    : stencil(stencil), formula(formula), wanted(std::move(wanted)) {}

/// True of what costs nothing to use again.
static bool isAtHand(const Value &value) {
  return std::holds_alternative<RegisterValue>(value->node) ||
         std::holds_alternative<QueueSlotValue>(value->node) ||
         std::holds_alternative<PatchElement>(value->node) ||
         std::holds_alternative<UniformValue>(value->node) ||
         std::holds_alternative<LiteralValue>(value->node) ||
         (std::holds_alternative<IndexValue>(value->node) && value->type == ScalarType::Int);
}

std::vector<Value> PointUpdate::append(KernelBuilder &kernel, Body &body, const Here &here,
                                       ReadSource &reads, KnownValues known) const {
  std::vector<unsigned> uses(formula.size()); // by what is computed here
  for (ExprId id : wanted)
    ++uses[id];
  for (ExprId id = formula.size(); id-- > 0;)
    if (uses[id] > 0 && !formula.uniform(id) && !known.count(id))
      for (ExprId operand : operands(formula[id].node))
        ++uses[operand];

  // Operands come before their users, so each register is made before it is read.
  for (ExprId id = 0; id < formula.size(); ++id) {
    if (uses[id] == 0 || formula.uniform(id) || known.count(id))
      continue;
    const Expr &expr = formula[id];
    if (auto *read = std::get_if<Read>(&expr.node)) {
      Value value = reads(body, *read);
      known[id] = isAtHand(value) ? value : kernel.let(body, registerName(id), value);
    } else if (!std::holds_alternative<Literal>(expr.node) &&
               (!expr.name.empty() || uses[id] > 1 || formula.endsPart(id))) {
      Value value = formula.tree(kernel, id, here, known);
      known[id] = isAtHand(value) ? value : kernel.let(body, registerName(id), value);
    }
  }
  std::vector<Value> values;
  for (ExprId id : wanted)
    values.push_back(formula.tree(kernel, id, here, known));
  return values;
}

std::string PointUpdate::registerName(ExprId id) const {
  const Expr &expr = formula[id];
  if (auto *read = std::get_if<Read>(&expr.node))
    return readName(stencil, *read);
  if (auto *read = std::get_if<TimeRead>(&expr.node))
    return readName(stencil, *read);
  if (expr.name.empty())
    return expr.type == ScalarType::Bool ? "condition" : "part";
  return expr.name + direction(expr.shift, stencil.rank());
}
