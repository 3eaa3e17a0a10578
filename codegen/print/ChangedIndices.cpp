#include "codegen/print/ChangedIndices.h"

using namespace stencilc;

namespace {

class Change {
public:
  explicit Change(llvm::function_ref<Index(const Index &)> change) : change(change) {}

  void in(Statement &statement) const {
    std::visit([&](auto &node) { in(node); }, statement.node);
  }
  void in(Body &body) const {
    for (Statement &statement : body)
      in(statement);
  }

private:
  llvm::function_ref<Index(const Index &)> change;

  template <class... Part> void each(Part &...parts) const { (in(parts), ...); }

  void in(Index &index) const {
    if (index) // a bound that there is
      index = change(index);
  }
  void in(std::vector<Index> &indices) const {
    for (Index &index : indices)
      in(index);
  }
  void in(Box &box) const {
    for (Range &range : box)
      each(range.index, range.lower, range.upper);
  }
  void in(Value &value) const {
    ValueNode node = *value;
    std::visit([&](auto &kind) { in(kind); }, node.node);
    value = std::make_shared<const ValueNode>(std::move(node));
  }

  /// Of all other nodes: they have neither indices nor parts.
  template <class Node> void in(Node &) const {}

  void in(LoadGlobal &node) const { in(node.index); }
  void in(LoadShared &node) const { in(node.index); }
  void in(UnaryValue &node) const { in(node.operand); }
  void in(BinaryValue &node) const { each(node.left, node.right); }
  void in(CompareValue &node) const { each(node.left, node.right); }
  void in(SelectValue &node) const { each(node.condition, node.then, node.otherwise); }
  void in(CallValue &node) const {
    for (Value &operand : node.operands)
      in(operand);
  }
  void in(CastValue &node) const { in(node.operand); }
  void in(GuardedValue &node) const { each(node.box, node.inside, node.outside); }
  void in(PatchElement &node) const { in(node.at); }
  void in(ShuffleValue &node) const { in(node.operand); }
  void in(IndexValue &node) const { in(node.index); }

  void in(LetIndex &node) const { in(node.value); }
  void in(LetPointer &node) const { in(node.index); }
  void in(Let &node) const { in(node.value); }
  void in(LetMutable &node) const { in(node.value); }
  void in(Assign &node) const { in(node.value); }
  void in(AssignSlot &node) const { in(node.value); }
  void in(AssignElement &node) const { each(node.at, node.value); }
  void in(StoreGlobal &node) const { each(node.index, node.value); }
  void in(StoreShared &node) const { each(node.index, node.value); }
  void in(LoadVector &node) const { each(node.row.at, node.index); }
  void in(StoreVector &node) const { each(node.index, node.row.at); }
  void in(LoadSharedVector &node) const { each(node.row.at, node.index); }
  void in(StoreSharedVector &node) const { each(node.index, node.row.at); }
  void in(CopyAsync &node) const { each(node.to, node.from); }
  void in(SendVector &node) const { each(node.from, node.to, node.message); }
  void in(AwaitMessage &node) const { in(node.message); }
  void in(If &node) const { each(node.box, node.then, node.otherwise); }
  void in(ReturnUnless &node) const { in(node.box); }
  void in(For &node) const { each(node.begin, node.end, node.body); }
  void in(Roles &node) const {
    for (Role &role : node.roles)
      in(role.body);
  }
};

} // namespace

Statement stencilc::changedIndices(Statement statement,
                                   llvm::function_ref<Index(const Index &)> change) {
  Change(change).in(statement);
  return statement;
}

Body stencilc::changedIndices(Body body, llvm::function_ref<Index(const Index &)> change) {
  Change(change).in(body);
  return body;
}

std::vector<Index> stencilc::indicesOf(const Body &body) {
  std::vector<Index> indices;
  changedIndices(body, [&](const Index &index) {
    indices.push_back(index);
    return index;
  });
  return indices;
}

std::vector<unsigned> stencilc::madeBy(llvm::ArrayRef<Statement> statements) {
  std::vector<unsigned> made;
  for (const Statement &statement : statements) {
    if (const auto *name = std::get_if<LetIndex>(&statement.node))
      made.push_back(name->local);
    else if (const For *loop = loopOf(statement))
      made.push_back(loop->local);
    forEachBody(statement, [&](const Body &inner) { llvm::append_range(made, madeBy(inner)); });
  }
  return made;
}
