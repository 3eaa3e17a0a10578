// The verifier's walk of one kernel's statements and values, in the order of execution.
//
// A loop's body is walked until what holds at its start also holds at its end, so that facts about
// registers, queue slots, stores and returns cover every iteration.
#pragma once

#include "ir/kernel/Program.h"
#include "ir/verify/IndexVerifier.h"

namespace stencilc {

class BodyVerifier {
public:
  /// The kernel's declarations must have been checked.
  BodyVerifier(const Kernel &kernel, const std::vector<Uniform> &uniforms, VerifierFault &fault);

  void verify() { walk(kernel.body); }

private:
  void walk(const Body &body);
  void visit(const LetIndex &node);
  void visit(const LetPointer &node);
  void visit(const Let &node);
  void visit(const LetMutable &node);
  void visit(const Assign &node);
  void visit(const AssignSlot &node);
  void visit(const Rotate &node);
  void visit(const StoreGlobal &node);
  void visit(const StoreShared &node);
  void visit(const Barrier &node);
  void visit(const If &node);
  void visit(const ReturnUnless &node);
  void visit(const For &node);
  void visit(const Phase &) {}
  /// A node without rules of its own.
  template <class Node> void visit(const Node &) { refuse("statement"); }
  void refuse(llvm::StringRef what);

  void checkCarried(const For &loop, const CarriedPointer &carried);
  void makeRegister(unsigned reg, const Value &value);

  void check(const Value &value);
  void checkLeaf(const ValueNode &value, const UniformValue &node);
  void checkLeaf(const ValueNode &value, const RegisterValue &node);
  void checkLeaf(const ValueNode &value, const QueueSlotValue &node);
  void checkLeaf(const ValueNode &value, const LoadGlobal &node);
  void checkLeaf(const ValueNode &value, const LoadShared &node);
  void checkGuarded(const GuardedValue &node);
  void checkType(llvm::StringRef name, ScalarType declared, ScalarType used);

  bool slotExists(unsigned queue, unsigned slot);
  bool tileExists(unsigned tile);
  bool arrayExists(unsigned array);
  /// The rules for an array that is both read and written.
  void checkInPlace(unsigned array, llvm::ArrayRef<Index> index, bool isStore);

  const Kernel &kernel;
  const std::vector<Uniform> &uniforms;
  VerifierFault &fault;
  VerifierFlow flow;
  IndexVerifier indices;
  llvm::BitVector made;      ///< registers that some statement makes, wherever it stands
  llvm::BitVector isMutable; ///< of those, the ones made by LetMutable
  /// Per array that is both read and written: the index vector of its first access.
  std::vector<std::optional<std::vector<Index>>> inPlaceIndex;
  std::vector<const LetPointer *> pointers; ///< of this body, for a loop to carry
  std::vector<unsigned> loops;              ///< locals of the loops around this place
  unsigned divergence = 0; ///< how many conditions around this place depend on the thread
};

} // namespace stencilc
