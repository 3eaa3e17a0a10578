// QueueDeclarations: where the variables behind a kernel's queues are declared.
//
// A slot is declared by the assignment that is first to mention it, if all else that mentions it
// stands in the body of that assignment, or in later bodies with such an assignment of their own,
// each of which uses it; otherwise at the top of the kernel. What nothing mentions is not declared.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

class QueueDeclarations {
public:
  explicit QueueDeclarations(const Kernel &kernel);

  /// True if this very statement of the kernel declares its slot.
  bool isDeclaration(const AssignSlot &node) const;
  /// True if the slot keeps the value that its declaration gives it.
  bool isConstant(unsigned queue, unsigned slot) const;
  /// True if the slot must be declared at the top of the kernel.
  bool isDeclaredAtTop(unsigned queue, unsigned slot) const;

private:
  struct Slot {
    unsigned mentions = 0, writes = 0;
    std::vector<const AssignSlot *> first; ///< of each body the first mention, a statement there
    const Body *body = nullptr;            ///< where the last of these stands
    unsigned mentionsWithin = 0;           ///< of them, up to the ends of these bodies
    bool isUsed = false;                   ///< in the last of these bodies that has ended
  };

  void visit(const Body &body);
  void visit(const Value &value);
  void assign(const Body &body, const AssignSlot &node);
  void rotate(const Rotate &node);

  std::vector<std::vector<Slot>> slots; ///< per queue
};

} // namespace stencilc
