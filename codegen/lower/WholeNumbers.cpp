#include "codegen/lower/WholeNumbers.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

/// What may be added to a position: with the longest extent it stays in 32 bits.
static constexpr int64_t kMostAdded = 100'000'000;

Value stencilc::wholeValue(Index index) {
  return makeValue(ScalarType::Int, IndexValue{std::move(index)});
}

static std::optional<int64_t> literalIn(const Value &value) {
  if (const auto *literal = std::get_if<LiteralValue>(&value->node))
    return int64_t(literal->value);
  return std::nullopt;
}

/// The value as an index, if it is one.
static Index indexOf(const Value &value) {
  if (const auto *node = std::get_if<IndexValue>(&value->node))
    return node->index;
  if (const std::optional<int64_t> literal = literalIn(value))
    return constant(*literal);
  return nullptr;
}

Value stencilc::wholeBinary(BinaryOp op, Value left, Value right) {
  if (op == BinaryOp::Add && literalIn(left))
    std::swap(left, right);
  const auto *index = std::get_if<IndexValue>(&left->node);
  const std::optional<int64_t> literal = literalIn(right);
  if (index && literal && (op == BinaryOp::Add || op == BinaryOp::Subtract)) {
    Index moved = add(index->index, op == BinaryOp::Add ? *literal : -*literal);
    if (std::abs(linear(moved).constant) <= kMostAdded)
      return wholeValue(std::move(moved));
  }
  return makeValue(ScalarType::Int, BinaryValue{op, std::move(left), std::move(right)});
}

// ---- conditions ---------------------------------------------------------------------------------

static Value truth(bool holds) {
  return makeValue(ScalarType::Bool, LiteralValue{holds ? 1.0 : 0.0});
}

/// True inside the box if `holds`, else true outside.
static Value condition(Box box, bool holds) {
  return makeValue(ScalarType::Bool, GuardedValue{std::move(box), truth(holds), truth(!holds)});
}

/// The guard of a condition that is a box or its opposite.
static const GuardedValue *boxIn(const Value &value) {
  const auto *guarded = std::get_if<GuardedValue>(&value->node);
  const bool isBox = guarded && value->type == ScalarType::Bool && literalIn(guarded->inside) &&
                     literalIn(guarded->outside);
  return isBox ? guarded : nullptr;
}
static bool holdsInside(const GuardedValue &node) { return literalIn(node.inside) != 0; }

/// left < right, of which at most one is a literal.
static Range isLess(const Index &left, bool leftIsLiteral, const Index &right) {
  if (leftIsLiteral)
    return {right, add(left, 1), nullptr};
  return {left, nullptr, right};
}

/// left <= right, likewise.
static Range isAtMost(const Index &left, const Index &right, bool rightIsLiteral) {
  if (rightIsLiteral)
    return {left, nullptr, add(right, 1)};
  return {right, left, nullptr};
}

Value stencilc::wholeComparison(CompareOp op, Value left, Value right) {
  const Index first = indexOf(left), second = indexOf(right);
  if (!first || !second)
    return makeValue(ScalarType::Bool, CompareValue{op, std::move(left), std::move(right)});
  const bool firstIsLiteral = literalIn(left).has_value();
  const bool secondIsLiteral = literalIn(right).has_value();
  switch (op) {
  case CompareOp::Less:
    return condition({isLess(first, firstIsLiteral, second)}, true);
  case CompareOp::Greater:
    return condition({isLess(second, secondIsLiteral, first)}, true);
  case CompareOp::LessEqual:
    return condition({isAtMost(first, second, secondIsLiteral)}, true);
  case CompareOp::GreaterEqual:
    return condition({isAtMost(second, first, firstIsLiteral)}, true);
  case CompareOp::Equal:
  case CompareOp::NotEqual: {
    const Index &sought = firstIsLiteral ? first : second, &own = firstIsLiteral ? second : first;
    return condition({{own, sought, add(sought, 1)}}, op == CompareOp::Equal);
  }
  }
  llvm_unreachable("unknown comparison");
}

Value stencilc::numberOf(ScalarType type, Value whole) {
  if (const auto *index = std::get_if<IndexValue>(&whole->node))
    return makeValue(type, IndexValue{index->index});
  return makeValue(type, CastValue{std::move(whole)});
}

Value stencilc::negation(Value operand) {
  if (const GuardedValue *guarded = boxIn(operand))
    return condition(guarded->box, !holdsInside(*guarded));
  return makeValue(ScalarType::Bool, UnaryValue{UnaryOp::Not, std::move(operand)});
}

Value stencilc::conjunction(Value left, Value right) {
  const GuardedValue *first = boxIn(left), *second = boxIn(right);
  if (first && second && holdsInside(*first) && holdsInside(*second)) {
    Box both = first->box;
    llvm::append_range(both, second->box);
    return condition(std::move(both), true);
  }
  return makeValue(ScalarType::Bool, BinaryValue{BinaryOp::And, std::move(left), std::move(right)});
}

/// True of what is there, or loaded, without an operation.
static bool computesNothing(const Value &value) {
  return std::holds_alternative<LiteralValue>(value->node) ||
         std::holds_alternative<UniformValue>(value->node) ||
         std::holds_alternative<RegisterValue>(value->node) ||
         std::holds_alternative<LoadGlobal>(value->node);
}

Value stencilc::selection(Value condition, Value then, Value otherwise) {
  const ScalarType type = then->type;
  const GuardedValue *guarded = boxIn(condition);
  if (!guarded || !computesNothing(then) || !computesNothing(otherwise))
    return makeValue(type,
                     SelectValue{std::move(condition), std::move(then), std::move(otherwise)});
  if (!holdsInside(*guarded))
    std::swap(then, otherwise);
  return makeValue(type, GuardedValue{guarded->box, std::move(then), std::move(otherwise)});
}
