#include "codegen/print/LongValues.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace stencilc {

/// The operands that are evaluated whenever the value is.
static llvm::SmallVector<Value *, 3> parts(ValueNode &value) {
  using Parts = llvm::SmallVector<Value *, 3>;
  return std::visit(
      llvm::makeVisitor(
          [](UnaryValue &node) -> Parts { return {&node.operand}; },
          [](BinaryValue &node) -> Parts { return {&node.left, &node.right}; },
          [](CompareValue &node) -> Parts { return {&node.left, &node.right}; },
          [](SelectValue &node) -> Parts { return {&node.condition, &node.then, &node.otherwise}; },
          [](CallValue &node) -> Parts { return Parts(llvm::make_pointer_range(node.operands)); },
          [](CastValue &node) -> Parts { return {&node.operand}; },
          [](GuardedValue &) -> Parts { return {}; }, [](LiteralValue &) -> Parts { return {}; },
          [](ParamLeaf &) -> Parts { return {}; }, [](UniformValue &) -> Parts { return {}; },
          [](RegisterValue &) -> Parts { return {}; }, [](QueueSlotValue &) -> Parts { return {}; },
          [](LoadGlobal &) -> Parts { return {}; }, [](LoadShared &) -> Parts { return {}; },
          [](PatchElement &) -> Parts { return {}; }, [](ShuffleValue &) -> Parts { return {}; },
          [](IndexValue &) -> Parts { return {}; }),
      value.node);
}

/// The deepest operand and how many operations it nests; none for a leaf.
struct Deepest {
  Value part;
  unsigned height = 0;
};

static unsigned height(const Value &value);

static Deepest deepest(const Value &value) {
  ValueNode copy = *value;
  Deepest result;
  for (Value *part : parts(copy))
    if (const unsigned below = height(*part); !result.part || below > result.height)
      result = {*part, below};
  return result;
}

static unsigned height(const Value &value) {
  const Deepest below = deepest(value);
  return below.part ? below.height + 1 : 0;
}

Value middlePart(const Value &value) {
  const unsigned goal = std::max(1u, height(value) / 2);
  Value part = value;
  while (true) {
    const Deepest below = deepest(part);
    if (!below.part || below.height == 0)
      return nullptr;
    part = below.part;
    if (below.height <= goal)
      return part;
  }
}

Value loadIn(const Value &value, llvm::function_ref<bool(const Value &)> isAsked) {
  ValueNode copy = *value;
  for (Value *part : parts(copy)) {
    if (std::holds_alternative<LoadGlobal>((*part)->node) && isAsked(*part))
      return *part;
    if (Value inner = loadIn(*part, isAsked))
      return inner;
  }
  return nullptr;
}

Value replacePart(const Value &value, const Value &part, const Value &with) {
  if (value == part)
    return with;
  ValueNode copy = *value;
  bool changed = false;
  for (Value *operand : parts(copy)) {
    const Value replaced = replacePart(*operand, part, with);
    changed |= replaced != *operand;
    *operand = replaced;
  }
  return changed ? std::make_shared<const ValueNode>(std::move(copy)) : value;
}

} // namespace stencilc
