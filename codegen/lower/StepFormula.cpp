#include "codegen/lower/StepFormula.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

StepFormula::StepFormula(const Stencil &stencil, const Stage &stage, Program &program)
    : stencil(stencil) {
  for (const Update &update : stage.updates)
    results.push_back(formula.merge(update.formula));
  for (unsigned array = 0; array < stencil.arrays.size(); ++array)
    for (unsigned axis = 0; axis < stencil.rank(); ++axis)
      for (unsigned side : {Low, High}) {
        const Boundary &boundary = stencil.arrays[array].boundary[axis][side];
        if (boundary.kind == BoundaryKind::Value)
          outsides[{array, axis, side}] = formula.merge(boundary.value);
      }
  classify();
  uses = countUses();
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

void StepFormula::classify() {
  for (const Expr &expr : formula.exprs) {
    auto below = operands(expr.node);
    auto *binary = std::get_if<BinaryExpr>(&expr.node);
    perRun.push_back(!std::holds_alternative<Read>(expr.node) &&
                     llvm::all_of(below, [&](ExprId id) { return perRun[id]; }));
    costly.push_back(std::holds_alternative<CallExpr>(expr.node) ||
                     (binary && binary->op == BinaryOp::Divide) ||
                     llvm::any_of(below, [&](ExprId id) { return costly[id]; }));
    unsigned deepest = 0;
    for (ExprId id : below)
      deepest = std::max(deepest, endsPart(id) ? 1 : nested[id] + 1);
    nested.push_back(deepest);
  }
}

/// The tree of a value that reads no array; `value` gives the tree of an operand.
static Value perRunTree(const Expr &expr, llvm::function_ref<Value(ExprId)> value) {
  ScalarType type = expr.type;
  return std::visit(
      llvm::makeVisitor(
          [&](const Literal &node) { return makeValue(type, LiteralValue{node.value}); },
          [&](const ParamValue &node) { return makeValue(type, ParamLeaf{node.param}); },
          [&](const AxisValue &) -> Value { llvm_unreachable("axis values stand in `init` only"); },
          [&](const StepValue &) -> Value { llvm_unreachable("no step number is lowered yet"); },
          [&](const TimeRead &) -> Value { llvm_unreachable("no array over time is lowered yet"); },
          [&](const Read &) -> Value { llvm_unreachable("a read is not one number per run"); },
          [&](const UnaryExpr &node) {
            return makeValue(type, UnaryValue{node.op, value(node.operand)});
          },
          [&](const BinaryExpr &node) {
            return makeValue(type, BinaryValue{node.op, value(node.left), value(node.right)});
          },
          [&](const CompareExpr &node) {
            return makeValue(type, CompareValue{node.op, value(node.left), value(node.right)});
          },
          [&](const SelectExpr &node) {
            return makeValue(
                type, SelectValue{value(node.condition), value(node.then), value(node.otherwise)});
          },
          [&](const CallExpr &node) {
            std::vector<Value> operands;
            for (ExprId operand : node.operands)
              operands.push_back(value(operand));
            return makeValue(type, CallValue{node.function, std::move(operands)});
          },
          [&](const CastExpr &node) { return makeValue(type, CastValue{value(node.operand)}); }),
      expr.node);
}

std::vector<unsigned> StepFormula::countUses() const {
  std::vector<unsigned> uses(size());
  for (const Expr &expr : formula.exprs)
    for (ExprId operand : operands(expr.node))
      ++uses[operand];
  for (ExprId id : results)
    ++uses[id];
  for (auto &[key, id] : outsides)
    ++uses[id];
  return uses;
}

bool StepFormula::becomesUniform(ExprId id) const {
  const Expr &expr = formula[id];
  if (!perRun[id] || std::holds_alternative<Literal>(expr.node))
    return false;
  return std::holds_alternative<ParamValue>(expr.node) || !expr.name.empty() || costly[id] ||
         uses[id] > 1 || endsPart(id);
}

void StepFormula::addUniforms(Program &program) {
  UniqueNames names;
  for (const Array &array : stencil.arrays)
    names.reserve(array.name);
  for (const Param &param : stencil.params)
    names.reserve(param.name);

  std::vector<Value> trees(size());
  for (ExprId id = 0; id < size(); ++id) {
    if (!perRun[id])
      continue;
    const Expr &expr = formula[id];
    trees[id] = perRunTree(expr, [&](ExprId operand) { return trees[operand]; });
    if (!becomesUniform(id))
      continue;
    unsigned number = program.uniforms.size();
    uniforms[id] = number;
    auto *param = std::get_if<ParamValue>(&expr.node);
    const char *unnamed = expr.type == ScalarType::Bool ? "condition" : "factor";
    std::string name = param ? stencil.params[param->param].name
                             : names.fresh(expr.name.empty() ? unnamed : expr.name);
    program.uniforms.push_back({name, expr.type, trees[id]});
    trees[id] = makeValue(expr.type, UniformValue{number});
  }
}
