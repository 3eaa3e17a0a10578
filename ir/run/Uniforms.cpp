#include "ir/run/Uniforms.h"

using namespace stencilc;

namespace {

/// The value of one uniform; `earlier` are those before it.
ScalarValue uniformValue(const Value &value, llvm::ArrayRef<double> params,
                         llvm::ArrayRef<ScalarValue> earlier) {
  auto of = [&](const Value &operand) { return uniformValue(operand, params, earlier); };
  return std::visit(
      llvm::makeVisitor(
          [&](const LiteralValue &node) { return literalOf(value->type, node.value); },
          [&](const ParamLeaf &node) { return literalOf(value->type, params[node.param]); },
          [&](const UniformValue &node) { return earlier[node.argument]; },
          [&](const UnaryValue &node) { return apply(value->type, node.op, of(node.operand)); },
          [&](const BinaryValue &node) {
            return apply(value->type, node.op, of(node.left), of(node.right));
          },
          [&](const CompareValue &node) {
            return ScalarValue{
                .number = double(apply(node.left->type, node.op, of(node.left), of(node.right)))};
          },
          [&](const SelectValue &node) {
            return of(node.condition).number != 0 ? of(node.then) : of(node.otherwise);
          },
          [&](const CallValue &node) {
            llvm::SmallVector<double, 2> operands;
            for (const Value &operand : node.operands)
              operands.push_back(of(operand).number);
            return ScalarValue{.number = apply(value->type, node.function, operands)};
          },
          [&](const CastValue &node) {
            return convert(node.operand->type, value->type, of(node.operand));
          },
          [](const auto &) -> ScalarValue {
            llvm_unreachable("uniforms read nothing of a thread");
          }),
      value->node);
}

} // namespace

std::vector<ScalarValue> stencilc::evaluateUniforms(const Program &program,
                                                    llvm::ArrayRef<double> params) {
  std::vector<ScalarValue> values;
  for (const Uniform &uniform : program.uniforms)
    values.push_back(uniformValue(uniform.value, params, values));
  return values;
}
