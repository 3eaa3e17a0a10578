#include "ir/kernel/Kernel.h"

namespace stencilc {

template <class Node> Value makeValue(ScalarType type, Node node) {
  return std::make_shared<const ValueNode>(ValueNode{type, std::move(node)});
}

template <class AnyNode> Statement::Statement(AnyNode node) : node(std::move(node)) {}
Statement::Statement(const Statement &) = default;
Statement::Statement(Statement &&) noexcept = default;
Statement &Statement::operator=(const Statement &) = default;
Statement &Statement::operator=(Statement &&) noexcept = default;
Statement::~Statement() = default;

template Value makeValue(ScalarType, LiteralValue);
template Value makeValue(ScalarType, ParamLeaf);
template Value makeValue(ScalarType, UniformValue);
template Value makeValue(ScalarType, RegisterValue);
template Value makeValue(ScalarType, QueueSlotValue);
template Value makeValue(ScalarType, LoadGlobal);
template Value makeValue(ScalarType, LoadShared);
template Value makeValue(ScalarType, UnaryValue);
template Value makeValue(ScalarType, BinaryValue);
template Value makeValue(ScalarType, CompareValue);
template Value makeValue(ScalarType, SelectValue);
template Value makeValue(ScalarType, CallValue);
template Value makeValue(ScalarType, CastValue);
template Value makeValue(ScalarType, GuardedValue);
template Value makeValue(ScalarType, PatchElement);
template Value makeValue(ScalarType, ShuffleValue);
template Value makeValue(ScalarType, IndexValue);

template Statement::Statement(LetIndex);
template Statement::Statement(LetPointer);
template Statement::Statement(Let);
template Statement::Statement(LetMutable);
template Statement::Statement(Assign);
template Statement::Statement(AssignSlot);
template Statement::Statement(Rotate);
template Statement::Statement(AssignElement);
template Statement::Statement(ShiftPatch);
template Statement::Statement(StoreGlobal);
template Statement::Statement(StoreShared);
template Statement::Statement(LoadVector);
template Statement::Statement(StoreVector);
template Statement::Statement(LoadSharedVector);
template Statement::Statement(StoreSharedVector);
template Statement::Statement(CopyAsync);
template Statement::Statement(CommitCopies);
template Statement::Statement(WaitCopies);
template Statement::Statement(SendVector);
template Statement::Statement(AwaitMessage);
template Statement::Statement(Barrier);
template Statement::Statement(If);
template Statement::Statement(ReturnUnless);
template Statement::Statement(For);
template Statement::Statement(Roles);
template Statement::Statement(Phase);

} // namespace stencilc
