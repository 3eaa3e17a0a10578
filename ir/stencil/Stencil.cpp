#include "ir/stencil/Stencil.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

namespace stencilc {

static llvm::hash_code hashOf(const Expr::Node &node) {
  const auto fields = llvm::makeVisitor(
      [](const Literal &e) { return llvm::hash_value(std::bit_cast<uint64_t>(e.value)); },
      [](const ParamValue &e) { return llvm::hash_value(e.param); },
      [](const AxisValue &e) { return llvm::hash_value(e.axis); },
      [](const Read &e) {
        return llvm::hash_combine(e.array, e.level,
                                  llvm::hash_combine_range(e.offset.begin(), e.offset.end()));
      },
      [](const UnaryExpr &e) { return llvm::hash_combine(e.op, e.operand); },
      [](const BinaryExpr &e) { return llvm::hash_combine(e.op, e.left, e.right); },
      [](const CompareExpr &e) { return llvm::hash_combine(e.op, e.left, e.right); },
      [](const SelectExpr &e) { return llvm::hash_combine(e.condition, e.then, e.otherwise); },
      [](const CallExpr &e) {
        return llvm::hash_combine(e.function,
                                  llvm::hash_combine_range(e.operands.begin(), e.operands.end()));
      },
      [](const CastExpr &e) { return llvm::hash_value(e.operand); });
  return llvm::hash_combine(node.index(), std::visit(fields, node));
}

ExprId Formula::add(ScalarType type, Expr::Node node) {
  const size_t hash = llvm::hash_combine(type, hashOf(node));
  const auto [first, last] = numbers.equal_range(hash);
  for (const auto &[_, id] : llvm::make_range(first, last))
    if (exprs[id].type == type && exprs[id].node == node)
      return id;
  const ExprId id = exprs.size();
  exprs.push_back({type, std::move(node), {}, {}});
  numbers.emplace(hash, id);
  return id;
}

llvm::SmallVector<ExprId, 3> operands(const Expr::Node &node) {
  using Ids = llvm::SmallVector<ExprId, 3>;
  return std::visit(
      llvm::makeVisitor([](const Literal &) { return Ids(); },
                        [](const ParamValue &) { return Ids(); },
                        [](const AxisValue &) { return Ids(); }, [](const Read &) { return Ids(); },
                        [](const UnaryExpr &e) { return Ids{e.operand}; },
                        [](const BinaryExpr &e) { return Ids{e.left, e.right}; },
                        [](const CompareExpr &e) { return Ids{e.left, e.right}; },
                        [](const SelectExpr &e) { return Ids{e.condition, e.then, e.otherwise}; },
                        [](const CallExpr &e) { return Ids(e.operands.begin(), e.operands.end()); },
                        [](const CastExpr &e) { return Ids{e.operand}; }),
      node);
}

llvm::StringRef spelling(ArrayKind kind) {
  switch (kind) {
  case ArrayKind::Field:
    return "field";
  case ArrayKind::Const:
    return "const";
  }
  llvm_unreachable("unknown kind of array");
}

bool Array::hasAxis(unsigned axis) const { return llvm::is_contained(axes, axis); }

} // namespace stencilc
