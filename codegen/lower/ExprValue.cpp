#include "codegen/lower/ExprValue.h"

using namespace stencilc;

Value stencilc::valueOf(const Expr &expr, llvm::function_ref<Value(ExprId)> operand,
                        llvm::function_ref<Value()> leaf) {
  const auto make = [&](auto node) { return makeValue(expr.type, std::move(node)); };
  return std::visit(
      llvm::makeVisitor(
          [&](const Literal &node) { return make(LiteralValue{node.value}); },
          [&](const ParamValue &) { return leaf(); }, [&](const AxisValue &) { return leaf(); },
          [&](const StepValue &) { return leaf(); }, [&](const Read &) { return leaf(); },
          [&](const TimeRead &) { return leaf(); },
          [&](const UnaryExpr &node) { return make(UnaryValue{node.op, operand(node.operand)}); },
          [&](const BinaryExpr &node) {
            return make(BinaryValue{node.op, operand(node.left), operand(node.right)});
          },
          [&](const CompareExpr &node) {
            return make(CompareValue{node.op, operand(node.left), operand(node.right)});
          },
          [&](const SelectExpr &node) {
            return make(
                SelectValue{operand(node.condition), operand(node.then), operand(node.otherwise)});
          },
          [&](const CallExpr &node) {
            std::vector<Value> operands;
            for (ExprId id : node.operands)
              operands.push_back(operand(id));
            return make(CallValue{node.function, std::move(operands)});
          },
          [&](const CastExpr &node) { return make(CastValue{operand(node.operand)}); }),
      expr.node);
}
