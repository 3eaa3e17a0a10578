#include "codegen/print/QueueDeclarations.h"

#include "ir/kernel/ValueTypes.h"

using namespace stencilc;

QueueDeclarations::QueueDeclarations(const Kernel &kernel) {
  for (const Queue &queue : kernel.queues)
    slots.emplace_back(queue.length());
  visit(kernel.body);
}

bool QueueDeclarations::isDeclaredAtTop(unsigned queue, unsigned slot) const {
  const Slot &seen = slots[queue][slot];
  return seen.mentionsWithin != seen.mentions;
}

bool QueueDeclarations::isDeclaration(const AssignSlot &node) const {
  return llvm::is_contained(slots[node.queue][node.slot].first, &node) &&
         !isDeclaredAtTop(node.queue, node.slot);
}

bool QueueDeclarations::isConstant(unsigned queue, unsigned slot) const {
  return slots[queue][slot].writes == slots[queue][slot].first.size();
}

void QueueDeclarations::visit(const Body &body) {
  for (const Statement &statement : body)
    std::visit(llvm::makeVisitor(
                   [&](const Let &node) { visit(node.value); },
                   [&](const LetMutable &node) { visit(node.value); },
                   [&](const Assign &node) { visit(node.value); },
                   [&](const AssignSlot &node) { assign(body, node); },
                   [&](const Rotate &node) { rotate(node); },
                   [&](const StoreGlobal &node) { visit(node.value); },
                   [&](const StoreShared &node) { visit(node.value); },
                   [&](const If &node) {
                     visit(node.then);
                     visit(node.otherwise);
                   },
                   [&](const For &node) { visit(node.body); },
                   [&](const AssignElement &node) { visit(node.value); },
                   [&](const Roles &node) {
                     for (const Role &role : node.roles)
                       visit(role.body);
                   },
                   [](const LetIndex &) {}, [](const LetPointer &) {}, [](const ShiftPatch &) {},
                   [](const LoadVector &) {}, [](const StoreVector &) {},
                   [](const LoadSharedVector &) {}, [](const StoreSharedVector &) {},
                   [](const CopyAsync &) {}, [](const CommitCopies &) {}, [](const WaitCopies &) {},
                   [](const SendVector &) {}, [](const AwaitMessage &) {}, [](const Barrier &) {},
                   [](const ReturnUnless &) {}, [](const Phase &) {}),
               statement.node);
  for (std::vector<Slot> &queue : slots)
    for (Slot &slot : queue)
      if (slot.body == &body) {
        slot.isUsed = slot.mentions > slot.mentionsWithin + 1;
        slot.mentionsWithin = slot.mentions;
      }
}

void QueueDeclarations::visit(const Value &value) {
  if (auto *node = std::get_if<QueueSlotValue>(&value->node))
    ++slots[node->queue][node->slot].mentions;
  forEachOperand(*value, [&](const Value &operand) { visit(operand); });
}

void QueueDeclarations::assign(const Body &body, const AssignSlot &node) {
  visit(node.value);
  Slot &slot = slots[node.queue][node.slot];
  ++slot.writes;
  const bool isOfBody = slot.mentions == slot.mentionsWithin && (slot.first.empty() || slot.isUsed);
  ++slot.mentions;
  if (!isOfBody)
    return;
  slot.first.push_back(&node);
  slot.body = &body;
}

void QueueDeclarations::rotate(const Rotate &node) {
  std::vector<Slot> &queue = slots[node.queue];
  for (unsigned slot = 0; slot + 1 < queue.size(); ++slot) {
    ++queue[slot].writes;
    ++queue[slot].mentions;
    ++queue[slot + 1].mentions;
  }
}
