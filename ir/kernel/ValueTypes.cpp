#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <cmath>

using namespace stencilc;

template <class SomeValue, class Visit>
static void forEachOperandOf(SomeValue &value, Visit visit) {
  std::visit(
      [&](auto &node) {
        if constexpr (requires { node.operand; }) {
          visit(node.operand);
        } else if constexpr (requires { node.operands; }) {
          for (auto &operand : node.operands)
            visit(operand);
        } else if constexpr (requires { node.condition; }) {
          visit(node.condition);
          visit(node.then);
          visit(node.otherwise);
        } else if constexpr (requires { node.inside; }) {
          visit(node.inside);
          visit(node.outside);
        } else if constexpr (requires { node.left; }) {
          visit(node.left);
          visit(node.right);
        }
      },
      value.node);
}

void stencilc::forEachOperand(const ValueNode &value,
                              llvm::function_ref<void(const Value &)> visit) {
  forEachOperandOf(value, visit);
}

void stencilc::forEachOperand(ValueNode &value, llvm::function_ref<void(Value &)> visit) {
  forEachOperandOf(value, visit);
}

void stencilc::forEachValue(const Value &value, llvm::function_ref<void(const ValueNode &)> visit) {
  visit(*value);
  forEachOperand(*value, [&](const Value &operand) { forEachValue(operand, visit); });
}

static void forEachIndex(const Box &box, llvm::function_ref<void(const Index &)> visit) {
  for (const Range &range : box)
    for (const Index &index : {range.index, range.lower, range.upper})
      if (index)
        visit(index);
}

static void forEachIndex(const ValueNode &value, llvm::function_ref<void(const Index &)> visit) {
  const auto each = [&](const std::vector<Index> &indices) { llvm::for_each(indices, visit); };
  std::visit(llvm::makeVisitor(
                 [](const LiteralValue &) {}, [](const ParamLeaf &) {}, [](const UniformValue &) {},
                 [](const RegisterValue &) {}, [](const QueueSlotValue &) {},
                 [&](const LoadGlobal &node) { each(node.index); },
                 [&](const LoadShared &node) { each(node.index); }, [](const UnaryValue &) {},
                 [](const BinaryValue &) {}, [](const CompareValue &) {},
                 [](const SelectValue &) {}, [](const CallValue &) {}, [](const CastValue &) {},
                 [&](const GuardedValue &node) { forEachIndex(node.box, visit); },
                 [&](const PatchElement &node) { each(node.at); }, [](const ShuffleValue &) {},
                 [&](const IndexValue &node) { visit(node.index); }),
             value.node);
}

void stencilc::forEachIndex(const Body &body, llvm::function_ref<void(const Index &)> visit) {
  const auto each = [&](const std::vector<Index> &indices) { llvm::for_each(indices, visit); };
  for (const Statement &statement : body) {
    if (const Value *value = valueOf(statement))
      forEachValue(*value, [&](const ValueNode &node) { ::forEachIndex(node, visit); });
    std::visit(llvm::makeVisitor(
                   [&](const LetIndex &node) { visit(node.value); },
                   [&](const LetPointer &node) { each(node.index); }, [](const Let &) {},
                   [](const LetMutable &) {}, [](const Assign &) {}, [](const AssignSlot &) {},
                   [](const Rotate &) {}, [&](const StoreGlobal &node) { each(node.index); },
                   [&](const StoreShared &node) { each(node.index); },
                   [&](const AssignElement &node) { each(node.at); }, [](const ShiftPatch &) {},
                   [&](const LoadVector &node) {
                     each(node.row.at);
                     each(node.index);
                   },
                   [&](const StoreVector &node) {
                     each(node.row.at);
                     each(node.index);
                   },
                   [&](const LoadSharedVector &node) {
                     each(node.row.at);
                     each(node.index);
                   },
                   [&](const StoreSharedVector &node) {
                     each(node.row.at);
                     each(node.index);
                   },
                   [&](const CopyAsync &node) {
                     each(node.to);
                     each(node.from);
                   },
                   [](const CommitCopies &) {}, [](const WaitCopies &) {},
                   [&](const SendVector &node) {
                     each(node.from);
                     each(node.to);
                     visit(node.message);
                   },
                   [&](const AwaitMessage &node) { visit(node.message); }, [](const Barrier &) {},
                   [](const Roles &) {}, [&](const If &node) { ::forEachIndex(node.box, visit); },
                   [&](const ReturnUnless &node) { ::forEachIndex(node.box, visit); },
                   [&](const For &node) {
                     visit(node.begin);
                     visit(node.end);
                   },
                   [](const Phase &) {}),
               statement.node);
    forEachBody(statement, [&](const Body &inner) { forEachIndex(inner, visit); });
  }
}

const Value *stencilc::valueOf(const Statement &statement) {
  return std::visit(
      [](const auto &node) -> const Value * {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (requires { node.value; } && !std::is_same_v<Node, LetIndex>)
          return &node.value;
        return nullptr;
      },
      statement.node);
}

const For *stencilc::loopOf(const Statement &statement) {
  return std::get_if<For>(&statement.node);
}

template <class SomeStatement, class Visit>
static void forEachBodyOf(SomeStatement &statement, Visit visit) {
  std::visit(
      [&](auto &node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, If>) {
          visit(node.then);
          visit(node.otherwise);
        } else if constexpr (std::is_same_v<Node, Roles>) {
          for (auto &role : node.roles)
            visit(role.body);
        } else if constexpr (requires { node.body; }) {
          visit(node.body);
        }
      },
      statement.node);
}

void stencilc::forEachBody(const Statement &statement,
                           llvm::function_ref<void(const Body &)> visit) {
  forEachBodyOf(statement, visit);
}

void stencilc::forEachBody(Statement &statement, llvm::function_ref<void(Body &)> visit) {
  forEachBodyOf(statement, visit);
}

void stencilc::forEachValue(const Body &body, llvm::function_ref<void(const Value &)> visit) {
  for (const Statement &statement : body) {
    if (const Value *value = valueOf(statement))
      visit(*value);
    forEachBody(statement, [&](const Body &inner) { forEachValue(inner, visit); });
  }
}

static bool isNumber(ScalarType type) { return type != ScalarType::Bool; }

static std::string mismatch(llvm::StringRef what, ScalarType operand, ScalarType type) {
  if (operand == type)
    return {};
  return fmt::format("{} of {} takes an operand of {}", what.str(), spelling(type).str(),
                     spelling(operand).str());
}

static std::string literalFault(const LiteralValue &literal, ScalarType type) {
  bool fits =
      type == ScalarType::Bool ? literal.value == 0 || literal.value == 1
      : type == ScalarType::Int
          ? literal.value == std::trunc(literal.value) && std::abs(literal.value) <= kMaxWholeNumber
          : std::isnan(literal.value) || roundTo(type, literal.value) == literal.value;
  return fits ? std::string()
              : fmt::format("literal {} is no {}", literal.value, spelling(type).str());
}

/// The fault of operands that must all have the node's type.
static std::string uniformTypeFault(llvm::StringRef what, const ValueNode &value) {
  std::string fault;
  forEachOperand(value, [&](const Value &operand) {
    if (fault.empty())
      fault = mismatch(what, operand->type, value.type);
  });
  return fault;
}

static std::string compareFault(const CompareValue &node, ScalarType type) {
  std::string what = fmt::format("`{}`", spelling(node.op).str());
  if (type != ScalarType::Bool)
    return what + " gives a truth value, no " + spelling(type).str();
  if (!isNumber(node.left->type))
    return what + " compares truth values";
  return mismatch(what, node.right->type, node.left->type);
}

bool stencilc::isPowerOfTwo(const Value &value) {
  return std::visit(llvm::makeVisitor(
                        [](const LiteralValue &node) {
                          int exponent;
                          return std::abs(std::frexp(node.value, &exponent)) == 0.5;
                        },
                        [](const auto &) { return false; }),
                    value->node);
}

std::string stencilc::typeFault(const ValueNode &value) {
  bool number = isNumber(value.type);
  auto arithmetic = [&](std::string what, bool logical) {
    if (logical == number)
      return fmt::format("`{}` gives no {}", what, spelling(value.type).str());
    return uniformTypeFault("`" + what + "`", value);
  };
  return std::visit(
      llvm::makeVisitor(
          [&](const LiteralValue &node) { return literalFault(node, value.type); },
          [&](const UnaryValue &node) {
            return arithmetic(spelling(node.op).str(), node.op == UnaryOp::Not);
          },
          [&](const BinaryValue &node) {
            if (node.op == BinaryOp::Divide && value.type == ScalarType::Int)
              return std::string("`/` of whole numbers");
            if (node.op == BinaryOp::Remainder) {
              const auto *divisor = std::get_if<LiteralValue>(&node.right->node);
              if (value.type != ScalarType::Int || !divisor || divisor->value <= 0)
                return std::string("`%` takes whole numbers, and a literal above 0");
            }
            return arithmetic(spelling(node.op).str(),
                              node.op == BinaryOp::And || node.op == BinaryOp::Or);
          },
          [&](const CompareValue &node) { return compareFault(node, value.type); },
          [&](const SelectValue &node) {
            if (isNumber(node.condition->type))
              return std::string("`where` takes a number for its condition");
            std::string fault = mismatch("`where`", node.then->type, value.type);
            return fault.empty() ? mismatch("`where`", node.otherwise->type, value.type) : fault;
          },
          [&](const CallValue &node) {
            std::string name = spelling(node.function).str();
            if (node.operands.size() != arity(node.function))
              return fmt::format("`{}` takes {} operands, not {}", name, arity(node.function),
                                 node.operands.size());
            return value.type == ScalarType::Int ? fmt::format("`{}` gives no int", name)
                                                 : arithmetic(name, false);
          },
          [&](const CastValue &node) {
            if (!number || !isNumber(node.operand->type))
              return std::string("a cast takes or makes a truth value");
            return isFloat(value.type) ? std::string() : std::string("a cast makes a whole number");
          },
          [&](const GuardedValue &) { return uniformTypeFault("a guarded value", value); },
          [&](const ShuffleValue &) {
            return number ? uniformTypeFault("a shuffle", value)
                          : std::string("a shuffle hands on a truth value");
          },
          [&](const IndexValue &) {
            return number ? std::string() : std::string("an index gives no truth value");
          },
          [](const auto &) { return std::string(); }),
      value.node);
}
