#include "codegen/lower/ExprValue.h"

#include "codegen/lower/WholeNumbers.h"

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
          [&](const UnaryExpr &node) {
            return node.op == UnaryOp::Not ? negation(operand(node.operand))
                                           : make(UnaryValue{node.op, operand(node.operand)});
          },
          [&](const BinaryExpr &node) {
            Value left = operand(node.left), right = operand(node.right);
            if (expr.type == ScalarType::Int)
              return wholeBinary(node.op, left, right);
            return node.op == BinaryOp::And ? conjunction(left, right)
                                            : make(BinaryValue{node.op, left, right});
          },
          [&](const CompareExpr &node) {
            Value left = operand(node.left), right = operand(node.right);
            return left->type == ScalarType::Int ? wholeComparison(node.op, left, right)
                                                 : make(CompareValue{node.op, left, right});
          },
          [&](const SelectExpr &node) {
            // One after the other: arguments are numbered in the order of their first use.
            Value condition = operand(node.condition), then = operand(node.then);
            return selection(condition, then, operand(node.otherwise));
          },
          [&](const CallExpr &node) {
            std::vector<Value> operands;
            for (ExprId id : node.operands)
              operands.push_back(operand(id));
            return make(CallValue{node.function, std::move(operands)});
          },
          [&](const CastExpr &node) {
            Value value = operand(node.operand);
            return value->type == ScalarType::Int ? numberOf(expr.type, value)
                                                  : make(CastValue{value});
          }),
      expr.node);
}
