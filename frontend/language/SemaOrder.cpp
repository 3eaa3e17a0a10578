// A formula with a name that nothing has is not expanded, and the Expander, which tells of reads of
// what is being made, never sees it. Here such reads are found in the text.
#include "frontend/language/Sema.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

/// An earlier stage may make what is read.
void Sema::checkOrder(const FaultyUpdate &update) {
  if (llvm::all_of(makings[update.array],
                   [&](const Expander::Making &making) { return making.stage >= update.stage; }))
    checkOrder(update, *update.item->value);
}

static bool isElsewhere(const ast::Access &access) {
  return llvm::any_of(access.shifts, [](const ast::Shift &shift) {
    const auto *amount = std::get_if<ast::Integer>(&shift.amount);
    const bool isMoved =
        amount ? amount->value != 0 : !std::holds_alternative<std::monostate>(shift.amount);
    return isMoved && shift.axis.text != "t";
  });
}

void Sema::checkOrder(const FaultyUpdate &update, const ast::Expr &part) {
  const auto visit = [&](const auto &node) {
    using Node = std::decay_t<decltype(node)>;
    if constexpr (std::is_same_v<Node, ast::Access>) {
      const llvm::StringRef made = update.item->field.text;
      if (node.isNext && node.name.text == made && isElsewhere(node))
        diagnostics
            .report(Diag::order_of_points, part.range,
                    "`" + made.str() + "'` is read where it is made")
            .hint(Diag::order_of_points_hint, made);
    } else if constexpr (std::is_same_v<Node, ast::Unary>) {
      checkOrder(update, *node.operand);
    } else if constexpr (std::is_same_v<Node, ast::Binary>) {
      checkOrder(update, *node.left);
      checkOrder(update, *node.right);
    } else if constexpr (std::is_same_v<Node, ast::Call>) {
      for (const ast::Argument &argument : node.arguments)
        if (const auto *value = std::get_if<ast::ExprPtr>(&argument))
          checkOrder(update, **value);
    } else {
      static_assert(std::is_same_v<Node, ast::Number>);
    }
  };
  std::visit(visit, part.node);
}

} // namespace stencilc
