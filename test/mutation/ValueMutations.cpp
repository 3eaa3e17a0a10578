#include "test/mutation/TreeMutations.h"

#include <fmt/format.h>

using namespace stencilc;
using namespace stencilc::mutation;

namespace {

/// Hands on the changes of one value, each as the whole changed value.
class ValueMutator {
public:
  ValueMutator(const ValueNode &value, const Surroundings &around, Take<Value> take)
      : type(value.type), around(around), take(take) {}

  void visit(const LiteralValue &node);
  void visit(const ParamLeaf &node);
  void visit(const UniformValue &node);
  void visit(const RegisterValue &node);
  void visit(const QueueSlotValue &node);
  void visit(const LoadGlobal &node);
  void visit(const LoadShared &node);
  void visit(const UnaryValue &node);
  void visit(const BinaryValue &node);
  void visit(const CompareValue &node);
  void visit(const SelectValue &node);
  void visit(const CallValue &node);
  void visit(const CastValue &node);
  void visit(const GuardedValue &node);
  void visit(const PatchElement &node);
  void visit(const ShuffleValue &node);
  void visit(const IndexValue &node);

private:
  template <class Node> void put(llvm::StringRef kind, const std::string &what, Node node) {
    take(kind, what, makeValue(type, std::move(node)));
  }
  /// Changes within one operand of `node`, which is a member of it.
  template <class Node> void within(const Node &node, Value Node::*operand) {
    mutate(node.*operand, around,
           [&](llvm::StringRef kind, const std::string &what, Value changed) {
             Node copy = node;
             copy.*operand = std::move(changed);
             put(kind, what, std::move(copy));
           });
  }

  const ScalarType type;
  const Surroundings &around;
  Take<Value> take;
};

void ValueMutator::visit(const LiteralValue &node) {
  put("wrong literal", fmt::format("{} becomes {}", node.value, node.value + 1),
      LiteralValue{node.value + 1});
}

void ValueMutator::visit(const ParamLeaf &node) {
  const auto &params = around.program.signature.params;
  for (unsigned other = 0; other < params.size(); ++other)
    if (other != node.param && params[other].type == type)
      return put("wrong uniform",
                 fmt::format("{} becomes {}", params[node.param].name, params[other].name),
                 ParamLeaf{other});
}

void ValueMutator::visit(const UniformValue &node) {
  if (!around.kernel)
    return; // an earlier uniform; kernels swap theirs
  const std::vector<unsigned> &uniforms = around.kernel->uniforms;
  auto uniform = [&](unsigned argument) -> const Uniform & {
    return around.program.uniforms[uniforms[argument]];
  };
  for (unsigned other = 0; other < uniforms.size(); ++other)
    if (other != node.argument && uniform(other).type == type)
      return put("wrong uniform",
                 fmt::format("{} becomes {}", uniform(node.argument).name, uniform(other).name),
                 UniformValue{other});
}

void ValueMutator::visit(const RegisterValue &node) {
  // An earlier one: registers are numbered in the order in which they are made.
  const std::vector<Register> &registers = around.kernel->registers;
  for (unsigned other = node.reg; other-- > 0;)
    if (registers[other].type == type)
      return put("wrong register",
                 fmt::format("{} becomes {}", registers[node.reg].name, registers[other].name),
                 RegisterValue{other});
}

void ValueMutator::visit(const QueueSlotValue &node) {
  const Queue &queue = around.kernel->queues[node.queue];
  for (unsigned other : {node.slot + 1, node.slot - 1})
    if (other < queue.length())
      put("wrong slot", fmt::format("slot {} of {} becomes {}", node.slot, queue.name, other),
          QueueSlotValue{node.queue, other});
}

void ValueMutator::visit(const LoadGlobal &node) {
  const std::vector<ArrayArgument> &arrays = around.kernel->arrays;
  const std::string where = " in the load of " + arrays[node.array].name;
  mutate(node.index, around,
         [&](llvm::StringRef kind, const std::string &what, std::vector<Index> changed) {
           put(kind, what + where, LoadGlobal{node.array, std::move(changed)});
         });
  for (unsigned other = 0; other < arrays.size(); ++other)
    if (other != node.array && arrays[other].access == Access::Read && arrays[other].type == type &&
        arrays[other].axes == arrays[node.array].axes)
      put("wrong array", arrays[other].name + where, LoadGlobal{other, node.index});
}

void ValueMutator::visit(const LoadShared &node) {
  mutate(node.index, around,
         [&](llvm::StringRef kind, const std::string &what, std::vector<Index> changed) {
           put(kind, what + " in the load of " + around.kernel->tiles[node.tile].name,
               LoadShared{node.tile, std::move(changed)});
         });
}

void ValueMutator::visit(const UnaryValue &node) {
  take("operator dropped", fmt::format("{} is dropped", spelling(node.op).str()), node.operand);
  within(node, &UnaryValue::operand);
}

void ValueMutator::visit(const BinaryValue &node) {
  static constexpr BinaryOp others[] = {BinaryOp::Subtract, BinaryOp::Add, BinaryOp::Divide,
                                        BinaryOp::Multiply, BinaryOp::Or,  BinaryOp::And,
                                        BinaryOp::Multiply};
  const BinaryOp other = others[unsigned(node.op)];
  put("wrong operator",
      fmt::format("{} becomes {}", spelling(node.op).str(), spelling(other).str()),
      BinaryValue{other, node.left, node.right});
  if (node.op == BinaryOp::Subtract || node.op == BinaryOp::Divide)
    put("operands swapped",
        fmt::format("the operands of {} change places", spelling(node.op).str()),
        BinaryValue{node.op, node.right, node.left});
  within(node, &BinaryValue::left);
  within(node, &BinaryValue::right);
}

void ValueMutator::visit(const CompareValue &node) {
  static constexpr CompareOp others[] = {CompareOp::GreaterEqual, CompareOp::Greater,
                                         CompareOp::LessEqual,    CompareOp::Less,
                                         CompareOp::NotEqual,     CompareOp::Equal};
  const CompareOp other = others[unsigned(node.op)];
  put("wrong operator",
      fmt::format("{} becomes {}", spelling(node.op).str(), spelling(other).str()),
      CompareValue{other, node.left, node.right});
  within(node, &CompareValue::left);
  within(node, &CompareValue::right);
}

void ValueMutator::visit(const SelectValue &node) {
  put("operands swapped", "the results of a selection change places",
      SelectValue{node.condition, node.otherwise, node.then});
  within(node, &SelectValue::condition);
  within(node, &SelectValue::then);
  within(node, &SelectValue::otherwise);
}

void ValueMutator::visit(const CallValue &node) {
  if (node.function == Builtin::Min || node.function == Builtin::Max) {
    const Builtin other = node.function == Builtin::Min ? Builtin::Max : Builtin::Min;
    put("wrong operator",
        fmt::format("{} becomes {}", spelling(node.function).str(), spelling(other).str()),
        CallValue{other, node.operands});
  }
  for (size_t i = 0; i < node.operands.size(); ++i)
    mutate(node.operands[i], around,
           [&](llvm::StringRef kind, const std::string &what, Value changed) {
             CallValue copy = node;
             copy.operands[i] = std::move(changed);
             put(kind, what, std::move(copy));
           });
}

void ValueMutator::visit(const CastValue &node) { within(node, &CastValue::operand); }

void ValueMutator::visit(const GuardedValue &node) {
  take("guard dropped", "the guard of a value is dropped", node.inside);
  put("operands swapped", "the two sides of a guarded value change places",
      GuardedValue{node.box, node.outside, node.inside});
  mutate(node.box, around, [&](llvm::StringRef kind, const std::string &what, Box changed) {
    put(kind, what, GuardedValue{std::move(changed), node.inside, node.outside});
  });
  within(node, &GuardedValue::inside);
  within(node, &GuardedValue::outside);
}

void ValueMutator::visit(const PatchElement &node) {
  mutate(node.at, around,
         [&](llvm::StringRef kind, const std::string &what, std::vector<Index> changed) {
           put(kind, what + " in an element of " + around.kernel->patches[node.patch].name,
               PatchElement{node.patch, std::move(changed)});
         });
}

void ValueMutator::visit(const ShuffleValue &node) {
  const ShuffleFrom other =
      node.from == ShuffleFrom::LowerLane ? ShuffleFrom::HigherLane : ShuffleFrom::LowerLane;
  put("wrong lane", "a shuffle reads on the other side",
      ShuffleValue{other, node.distance, node.operand});
  put("wrong lane", "a shuffle reads one lane further",
      ShuffleValue{node.from, node.distance + 1, node.operand});
  take("shuffle dropped", "a shuffle is dropped", node.operand);
  within(node, &ShuffleValue::operand);
}

void ValueMutator::visit(const IndexValue &node) {
  mutate(node.index, around, /*shifts=*/true,
         [&](llvm::StringRef kind, const std::string &what, Index changed) {
           put(kind, what + " in a position", IndexValue{std::move(changed)});
         });
}

} // namespace

void mutation::mutate(const Value &value, const Surroundings &around, Take<Value> take) {
  ValueMutator mutator(*value, around, take);
  std::visit([&](const auto &node) { mutator.visit(node); }, value->node);
}
