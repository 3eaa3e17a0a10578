#include "costmodel/count/StatementWork.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

namespace {

/// Where a value comes from.
enum class Origin {
  Taken,   ///< loaded from global memory, or a constant
  Kept,    ///< back from a tile, a queue or a patch
  Computed ///< by an operation
};

/// Follows values from statement to statement, in the order of the text.
class WorkRules {
public:
  explicit WorkRules(const Kernel &kernel) : ofPatch(kernel.patches.size(), Origin::Taken) {}
  StatementWork of(const Statement &statement);

private:
  Origin originOf(const Value &value) const;
  StatementWork assigned(unsigned reg, const Value &value);
  StatementWork kept(const Value &value) const;
  StatementWork stored(const Value &value) const;
  StatementWork storedRow(const PatchRow &row) const;

  llvm::SmallVector<Origin, 32> ofRegister;
  llvm::SmallVector<Origin, 2> ofPatch; ///< Taken or Kept
};

} // namespace

unsigned stencilc::flopsOf(const Value &value) {
  const auto withOperands = [&](unsigned own) {
    forEachOperand(*value, [&](const Value &operand) { own += flopsOf(operand); });
    return own;
  };
  return std::visit(
      llvm::makeVisitor(
          [](const LiteralValue &) { return 0u; }, [](const ParamLeaf &) { return 0u; },
          [](const UniformValue &) { return 0u; }, [](const RegisterValue &) { return 0u; },
          [](const QueueSlotValue &) { return 0u; }, [](const LoadGlobal &) { return 0u; },
          [](const LoadShared &) { return 0u; },
          [&](const UnaryValue &) { return withOperands(0); },
          [&](const BinaryValue &) { return withOperands(isFloat(value->type)); },
          [&](const CompareValue &) { return withOperands(0); },
          [&](const SelectValue &) { return withOperands(0); },
          [&](const CallValue &) { return withOperands(1); },
          [&](const CastValue &) { return withOperands(0); },
          [](const GuardedValue &) { return 0u; }, [](const PatchElement &) { return 0u; },
          [&](const ShuffleValue &) { return withOperands(0); },
          [](const IndexValue &) { return 0u; }),
      value->node);
}

Origin WorkRules::originOf(const Value &value) const {
  if (flopsOf(value) > 0)
    return Origin::Computed;
  const auto ofOperands = [&] {
    Origin origin = Origin::Taken;
    forEachOperand(*value,
                   [&](const Value &operand) { origin = std::max(origin, originOf(operand)); });
    return origin;
  };
  return std::visit(llvm::makeVisitor([](const LiteralValue &) { return Origin::Taken; },
                                      [](const ParamLeaf &) { return Origin::Taken; },
                                      [](const UniformValue &) { return Origin::Taken; },
                                      [&](const RegisterValue &node) {
                                        return node.reg < ofRegister.size() ? ofRegister[node.reg]
                                                                            : Origin::Taken;
                                      },
                                      [](const QueueSlotValue &) { return Origin::Kept; },
                                      [](const LoadGlobal &) { return Origin::Taken; },
                                      [](const LoadShared &) { return Origin::Kept; },
                                      [&](const UnaryValue &) { return ofOperands(); },
                                      [&](const BinaryValue &) { return ofOperands(); },
                                      [&](const CompareValue &) { return ofOperands(); },
                                      [&](const SelectValue &) { return ofOperands(); },
                                      [&](const CallValue &) { return ofOperands(); },
                                      [&](const CastValue &) { return ofOperands(); },
                                      [&](const GuardedValue &) { return ofOperands(); },
                                      [&](const PatchElement &node) { return ofPatch[node.patch]; },
                                      [&](const ShuffleValue &) { return ofOperands(); },
                                      [](const IndexValue &) { return Origin::Taken; }),
                    value->node);
}

StatementWork WorkRules::assigned(unsigned reg, const Value &value) {
  if (ofRegister.size() <= reg)
    ofRegister.resize(reg + 1, Origin::Taken);
  ofRegister[reg] = std::max(ofRegister[reg], originOf(value));
  return {.flops = flopsOf(value)};
}

StatementWork WorkRules::kept(const Value &value) const {
  return {.flops = flopsOf(value), .values = originOf(value) == Origin::Computed};
}

StatementWork WorkRules::stored(const Value &value) const {
  return {.flops = flopsOf(value), .values = originOf(value) != Origin::Kept};
}

/// What is computed was counted when the patch took it.
StatementWork WorkRules::storedRow(const PatchRow &row) const {
  return {.values = ofPatch[row.patch] == Origin::Kept ? 0 : row.lanes};
}

StatementWork WorkRules::of(const Statement &statement) {
  const StatementWork none;
  return std::visit(
      llvm::makeVisitor(
          [&](const LetIndex &) { return none; }, [&](const LetPointer &) { return none; },
          [&](const Let &node) { return assigned(node.reg, node.value); },
          [&](const LetMutable &node) { return assigned(node.reg, node.value); },
          [&](const Assign &node) { return assigned(node.reg, node.value); },
          [&](const AssignSlot &node) { return kept(node.value); },
          [&](const Rotate &) { return none; },
          [&](const AssignElement &node) {
            ofPatch[node.patch] =
                std::max(ofPatch[node.patch], std::min(originOf(node.value), Origin::Kept));
            return kept(node.value);
          },
          [&](const ShiftPatch &) { return none; }, [&](const LoadVector &) { return none; },
          [&](const StoreVector &node) { return storedRow(node.row); },
          [&](const LoadSharedVector &node) {
            ofPatch[node.row.patch] = Origin::Kept;
            return none;
          },
          [&](const StoreSharedVector &) { return none; }, [&](const CopyAsync &) { return none; },
          [&](const CommitCopies &) { return none; }, [&](const WaitCopies &) { return none; },
          [&](const SendVector &) { return none; },
          [&](const AwaitMessage &) { return StatementWork{.awaits = true}; },
          [&](const Roles &) { return none; },
          [&](const StoreGlobal &node) { return stored(node.value); },
          [&](const StoreShared &node) { return kept(node.value); },
          [&](const Barrier &node) { return StatementWork{.barrier = node}; },
          [&](const If &) { return none; }, [&](const ReturnUnless &) { return none; },
          [&](const For &) { return none; }, [&](const Phase &) { return none; }),
      statement.node);
}

std::vector<StatementWork> stencilc::workOf(const Kernel &kernel,
                                            llvm::ArrayRef<const Statement *> statements) {
  WorkRules rules(kernel);
  std::vector<StatementWork> work;
  for (const Statement *statement : statements)
    work.push_back(rules.of(*statement));
  return work;
}
