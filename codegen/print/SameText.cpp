#include "codegen/print/SameText.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>
#include <tuple>

using namespace stencilc;

// ---- what the nodes are made of, but for the names they make ----------------------------------

static auto parts(const IndexConstant &node) { return std::tie(node.value, node.name); }
static auto parts(const IndexSum &node) { return std::tie(node.left, node.right); }
static auto parts(const IndexScale &node) { return std::tie(node.index, node.factor); }
static auto parts(const IndexQuotient &node) { return std::tie(node.index, node.divisor); }
static auto parts(const IndexRemainder &node) { return std::tie(node.index, node.divisor); }
static auto parts(const IndexMin &node) { return std::tie(node.left, node.right); }
static auto parts(const IndexMax &node) { return std::tie(node.left, node.right); }
static auto parts(const IndexMap &node) { return std::tie(node.boundary, node.axis, node.index); }

static auto parts(const Range &node) { return std::tie(node.index, node.lower, node.upper); }
static auto parts(const LiteralValue &node) {
  return std::tuple(std::bit_cast<uint64_t>(node.value));
}
static auto parts(const ParamLeaf &node) { return std::tie(node.param); }
static auto parts(const UniformValue &node) { return std::tie(node.argument); }
static auto parts(const QueueSlotValue &node) { return std::tie(node.queue, node.slot); }
static auto parts(const LoadGlobal &node) { return std::tie(node.array, node.index); }
static auto parts(const LoadShared &node) { return std::tie(node.tile, node.index); }
static auto parts(const UnaryValue &node) { return std::tie(node.op, node.operand); }
static auto parts(const BinaryValue &node) { return std::tie(node.op, node.left, node.right); }
static auto parts(const CompareValue &node) { return std::tie(node.op, node.left, node.right); }
static auto parts(const SelectValue &node) {
  return std::tie(node.condition, node.then, node.otherwise);
}
static auto parts(const CallValue &node) { return std::tie(node.function, node.operands); }
static auto parts(const CastValue &node) { return std::tie(node.operand); }
static auto parts(const GuardedValue &node) {
  return std::tie(node.box, node.inside, node.outside);
}
static auto parts(const PatchElement &node) { return std::tie(node.patch, node.at); }
static auto parts(const ShuffleValue &node) {
  return std::tie(node.from, node.distance, node.operand);
}
static auto parts(const IndexValue &node) { return std::tie(node.index); }

static auto parts(const LetIndex &node) { return std::tie(node.value); }
static auto parts(const LetPointer &node) {
  return std::tie(node.index, node.isCarried, node.layout);
}
static auto parts(const Let &node) { return std::tie(node.value); }
static auto parts(const LetMutable &node) { return std::tie(node.value); }
static auto parts(const AssignSlot &node) { return std::tie(node.queue, node.slot, node.value); }
static auto parts(const Rotate &node) { return std::tie(node.queue); }
static auto parts(const AssignElement &node) { return std::tie(node.patch, node.at, node.value); }
static auto parts(const ShiftPatch &node) { return std::tie(node.patch); }
static auto parts(const StoreGlobal &node) { return std::tie(node.array, node.index, node.value); }
static auto parts(const StoreShared &node) { return std::tie(node.tile, node.index, node.value); }
static auto parts(const PatchRow &node) { return std::tie(node.patch, node.at, node.lanes); }
static auto parts(const LoadVector &node) { return std::tie(node.row, node.array, node.index); }
static auto parts(const StoreVector &node) { return std::tie(node.array, node.index, node.row); }
static auto parts(const LoadSharedVector &node) {
  return std::tie(node.row, node.tile, node.index);
}
static auto parts(const StoreSharedVector &node) {
  return std::tie(node.tile, node.index, node.row);
}
static auto parts(const CopyAsync &node) {
  return std::tie(node.tile, node.to, node.array, node.from, node.lanes);
}
static auto parts(const CommitCopies &) { return std::tuple(); }
static auto parts(const WaitCopies &node) { return std::tie(node.pending); }
static auto parts(const SendVector &node) {
  return std::tie(node.tile, node.from, node.to, node.lanes, node.message);
}
static auto parts(const AwaitMessage &node) { return std::tie(node.message, node.bytes); }
static auto parts(const Barrier &node) { return std::tie(node.group); }
static auto parts(const If &node) { return std::tie(node.box, node.then, node.otherwise); }
static auto parts(const ReturnUnless &node) { return std::tie(node.box); }
static auto parts(const CarriedPointer &node) { return std::tie(node.pointer, node.axis); }
static auto parts(const Role &node) { return std::tie(node.firstWarp, node.warps, node.body); }
static auto parts(const Roles &node) { return std::tie(node.roles); }
static auto parts(const Phase &node) { return std::tie(node.text); }

// ---- comparison -------------------------------------------------------------------------------

namespace stencilc {

struct TextComparison {
  SameText &texts;
  std::vector<std::pair<SameText::Numbers *, unsigned>> taken = {}; ///< for one thing, by now

  void take(SameText::Numbers &numbers, unsigned number, unsigned same) {
    if (numbers.try_emplace(number, same).second)
      taken.emplace_back(&numbers, number);
  }
  void forget() {
    for (const auto &[numbers, number] : taken)
      numbers->erase(number);
  }

  template <class Plain>
    requires std::is_arithmetic_v<Plain> || std::is_enum_v<Plain>
  bool same(const Plain &first, const Plain &second) {
    return first == second;
  }
  bool same(const std::string &first, const std::string &second) { return first == second; }
  bool same(const std::optional<unsigned> &first, const std::optional<unsigned> &second) {
    return first == second;
  }
  template <class Each> bool same(const std::vector<Each> &first, const std::vector<Each> &second) {
    return llvm::equal(first, second,
                       [&](const Each &one, const Each &other) { return same(one, other); });
  }
  template <class... Part>
  bool same(const std::tuple<Part...> &first, const std::tuple<Part...> &second) {
    return [&]<size_t... number>(std::index_sequence<number...>) {
      return (same(std::get<number>(first), std::get<number>(second)) && ...);
    }(std::index_sequence_for<Part...>());
  }
  template <class Node>
    requires requires(const Node &node) { parts(node); }
  bool same(const Node &first, const Node &second) {
    return same(parts(first), parts(second));
  }
  template <class Node> bool sameNodes(const Node &first, const Node &second) {
    return first.index() == second.index() &&
           std::visit(
               [&]<class Kind>(const Kind &node) { return same(node, std::get<Kind>(second)); },
               first);
  }

  bool same(const Coordinate &first, const Coordinate &second) {
    return first.kind == second.kind &&
           (first.kind == CoordinateKind::Local
                ? texts.local(first.number) == texts.local(second.number)
                : first.number == second.number);
  }
  bool same(const Index &first, const Index &second) {
    return first == second || (first && second && sameNodes(first->node, second->node));
  }
  bool same(const RegisterValue &first, const RegisterValue &second) {
    return texts.reg(first.reg) == texts.reg(second.reg);
  }
  bool same(const Value &first, const Value &second) {
    return first == second || (first->type == second->type && sameNodes(first->node, second->node));
  }
  bool same(const Assign &first, const Assign &second) {
    return texts.reg(first.reg) == texts.reg(second.reg) && same(first.value, second.value);
  }
  bool sameHeads(const For &first, const For &second) {
    if (first.kind != second.kind || first.step != second.step ||
        !same(first.begin, second.begin) || !same(first.end, second.end) ||
        !same(first.carries, second.carries) ||
        first.steady.has_value() != second.steady.has_value())
      return false;
    take(texts.locals, second.local, texts.local(first.local));
    return true;
  }
  bool same(const For &first, const For &second) {
    return sameHeads(first, second) && same(first.body, second.body);
  }
  bool same(const Statement &first, const Statement &second) {
    if (!sameNodes(first.node, second.node))
      return false;
    if (const auto *made = std::get_if<LetIndex>(&first.node))
      take(texts.locals, std::get<LetIndex>(second.node).local, texts.local(made->local));
    else if (const auto *made = std::get_if<Let>(&first.node))
      take(texts.registers, std::get<Let>(second.node).reg, texts.reg(made->reg));
    else if (const auto *made = std::get_if<LetMutable>(&first.node))
      take(texts.registers, std::get<LetMutable>(second.node).reg, texts.reg(made->reg));
    return true;
  }
};

} // namespace stencilc

/// Keeps what `compare` takes for one thing if it holds.
template <class Compare> static bool kept(TextComparison comparison, const Compare &compare) {
  const bool holds = compare(comparison);
  if (!holds)
    comparison.forget();
  return holds;
}

bool SameText::same(const Statement &first, const Statement &second) {
  return kept(TextComparison{*this},
              [&](TextComparison &comparison) { return comparison.same(first, second); });
}

bool SameText::sameHeads(const Statement &first, const Statement &second) {
  return kept(TextComparison{*this}, [&](TextComparison &comparison) {
    if (const auto *loop = std::get_if<For>(&first.node))
      if (const auto *other = std::get_if<For>(&second.node))
        return comparison.sameHeads(*loop, *other);
    const auto *branch = std::get_if<If>(&first.node), *other = std::get_if<If>(&second.node);
    return branch && other && branch->otherwise.empty() && other->otherwise.empty() &&
           comparison.same(branch->box, other->box);
  });
}
