#include "codegen/lower/StepFormula.h"

#include "codegen/lower/ExprValue.h"
#include "codegen/lower/WholeNumbers.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

StepFormula::StepFormula(const Stencil &stencil, Program &program) : stencil(stencil) {
  for (const Stage &stage : stencil.stages) {
    std::vector<ExprId> &ofStage = results.emplace_back();
    for (const Update &update : stage.updates)
      ofStage.push_back(formula.merge(update.formula));
  }
  for (const Reduction &reduction : stencil.reductions)
    reductions.push_back(formula.merge(reduction.formula));
  for (unsigned array = 0; array < stencil.arrays.size(); ++array)
    for (unsigned axis = 0; axis < stencil.rank(); ++axis)
      for (unsigned side : {Low, High}) {
        const Boundary &boundary = stencil.arrays[array].boundary[axis][side];
        if (boundary.kind == BoundaryKind::Value)
          outsides[{array, axis, side}] = formula.merge(boundary.value);
      }
  classify();
  addUniforms(program);
}

ExprId StepFormula::outside(unsigned array, unsigned axis, Side side) const {
  return outsides.at({array, axis, side});
}

std::optional<unsigned> StepFormula::uniform(ExprId id) const {
  auto found = uniforms.find(id);
  if (found == uniforms.end())
    return std::nullopt;
  return found->second;
}

static bool isOneNumberPerRun(const Expr &leaf) {
  return std::holds_alternative<Literal>(leaf.node) ||
         std::holds_alternative<ParamValue>(leaf.node);
}

void StepFormula::classify() {
  for (const Expr &expr : formula.exprs) {
    auto below = operands(expr.node);
    auto *binary = std::get_if<BinaryExpr>(&expr.node);
    perRun.push_back(below.empty() ? isOneNumberPerRun(expr)
                                   : llvm::all_of(below, [&](ExprId id) { return perRun[id]; }));
    costly.push_back(std::holds_alternative<CallExpr>(expr.node) ||
                     (binary && binary->op == BinaryOp::Divide) ||
                     (binary && binary->op == BinaryOp::Multiply && expr.type == ScalarType::Int) ||
                     (std::holds_alternative<CastExpr>(expr.node) &&
                      formula[below.front()].type == ScalarType::Int) ||
                     llvm::any_of(below, [&](ExprId id) { return costly[id]; }));
    unsigned deepest = 0;
    for (ExprId id : below)
      deepest = std::max(deepest, endsPart(id) ? 1 : nested[id] + 1);
    nested.push_back(deepest);
  }
}

std::vector<unsigned> StepFormula::countUses() const {
  std::vector<unsigned> uses(size());
  for (const Expr &expr : formula.exprs)
    for (ExprId operand : operands(expr.node))
      ++uses[operand];
  for (const std::vector<ExprId> &ofStage : results)
    for (ExprId id : ofStage)
      ++uses[id];
  for (ExprId id : reductions)
    ++uses[id];
  for (auto &[key, id] : outsides)
    ++uses[id];
  return uses;
}

void StepFormula::addUniforms(Program &program) {
  UniqueNames names;
  for (const Array &array : stencil.arrays)
    names.reserve(array.name);
  for (const Param &param : stencil.params)
    names.reserve(param.name);

  const std::vector<unsigned> uses = countUses();
  std::vector<bool> isOutside(size());
  for (const auto &[key, id] : outsides)
    isOutside[id] = true;
  const auto becomesUniform = [&](ExprId id) {
    const Expr &expr = formula[id];
    if (expr.type == ScalarType::Int && !costly[id])
      return false;
    return !std::holds_alternative<Literal>(expr.node) &&
           (std::holds_alternative<ParamValue>(expr.node) || !expr.name.empty() || costly[id] ||
            uses[id] > 1 || isOutside[id] || endsPart(id));
  };
  std::vector<Value> trees(size());
  for (ExprId id = 0; id < size(); ++id) {
    if (!perRun[id])
      continue;
    const Expr &expr = formula[id];
    auto *param = std::get_if<ParamValue>(&expr.node);
    trees[id] = valueOf(
        expr, [&](ExprId operand) { return trees[operand]; },
        [&] { return makeValue(expr.type, ParamLeaf{param->param}); });
    if (!becomesUniform(id))
      continue;
    unsigned number = program.uniforms.size();
    uniforms[id] = number;
    const char *unnamed = expr.type == ScalarType::Bool ? "condition" : "factor";
    std::string name = param ? stencil.params[param->param].name
                             : names.fresh(expr.name.empty() ? unnamed : expr.name);
    program.uniforms.push_back({name, expr.type, trees[id]});
    trees[id] = makeValue(expr.type, UniformValue{number});
  }
}

Value StepFormula::leaf(KernelBuilder &kernel, const Expr &expr, const Here &here) const {
  return std::visit(
      llvm::makeVisitor(
          [&](const ParamValue &node) { return wholeValue(kernel.wholeParam(node.param)); },
          [&](const AxisValue &node) { return wholeValue(here.point[node.axis]); },
          [&](const StepValue &) { return wholeValue(kernel.stepNumber(here.step)); },
          [&](const TimeRead &node) {
            return kernel.overTime(node.array, add(here.step, node.offset));
          },
          [](const auto &) -> Value {
            llvm_unreachable("other params are uniforms, and reads are known");
          }),
      expr.node);
}

Value StepFormula::tree(KernelBuilder &kernel, ExprId id, const Here &here,
                        const KnownValues &known) const {
  if (auto found = known.find(id); found != known.end())
    return found->second;
  if (std::optional<unsigned> number = uniform(id))
    return kernel.uniform(*number);
  return valueOf(
      formula[id], [&](ExprId operand) { return tree(kernel, operand, here, known); },
      [&] { return leaf(kernel, formula[id], here); });
}
