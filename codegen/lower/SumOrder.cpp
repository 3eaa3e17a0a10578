#include "codegen/lower/SumOrder.h"

#include "llvm/ADT/STLExtras.h"

#include <climits>

using namespace stencilc;

namespace {

/// Builds a formula anew whose sums are in order.
class SumOrder {
public:
  SumOrder(const Stencil &stencil, const Formula &source)
      : source(source), uses(source.exprs.size()), newest(source.exprs.size(), INT_MIN) {
    for (auto [id, expr] : llvm::enumerate(source.exprs)) {
      const auto *read = std::get_if<Read>(&expr.node);
      if (read && stencil.arrays[read->array].kind != ArrayKind::Const)
        newest[id] = read->offset[0];
      for (ExprId operand : operands(expr.node)) {
        newest[id] = std::max(newest[id], newest[operand]);
        uses[operand]++;
      }
    }
  }

  Formula ordered() {
    std::vector<bool> isPartOfSum(source.exprs.size());
    for (ExprId id = source.exprs.size(); id-- > 0;)
      if (isSum(id) || isPartOfSum[id])
        for (ExprId operand : operands(source[id].node))
          isPartOfSum[operand] = isInner(operand);
    for (auto [id, expr] : llvm::enumerate(source.exprs))
      if (isPartOfSum[id])
        numbers.push_back(0); // its terms are those of the sum
      else if (isSum(id))
        numbers.push_back(append(id));
      else
        numbers.push_back(named(made.add(expr.type, withOperands(expr.node, numbers)), id));
    made.result = numbers[source.result];
    return std::move(made);
  }

private:
  struct Term {
    ExprId id;
    bool isNegative;
  };

  bool isAddition(ExprId id) const {
    const auto *binary = std::get_if<BinaryExpr>(&source[id].node);
    return binary && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Subtract) &&
           source[id].type != ScalarType::Int;
  }
  std::optional<ExprId> negated(ExprId id) const {
    const auto *unary = std::get_if<UnaryExpr>(&source[id].node);
    return unary && unary->op == UnaryOp::Negate && source[id].type != ScalarType::Int
               ? std::optional(unary->operand)
               : std::nullopt;
  }
  bool isSum(ExprId id) const {
    const std::optional<ExprId> operand = negated(id);
    return isAddition(id) || (operand && isInner(*operand) && isSum(*operand));
  }
  /// What it is made of may stand as terms in the sum that uses it. Named values stay: others may
  /// use them, too.
  bool isInner(ExprId id) const {
    return uses[id] == 1 && source[id].name.empty() && (isAddition(id) || negated(id));
  }

  std::vector<Term> termsOf(ExprId sum) const {
    std::vector<Term> terms, open = {{sum, false}};
    while (!open.empty()) {
      const Term part = open.back();
      open.pop_back();
      if (part.id != sum && !isInner(part.id)) {
        terms.push_back(part);
      } else if (const std::optional<ExprId> operand = negated(part.id)) {
        open.push_back({*operand, !part.isNegative});
      } else {
        const auto &binary = std::get<BinaryExpr>(source[part.id].node);
        open.push_back({binary.right, part.isNegative != (binary.op == BinaryOp::Subtract)});
        open.push_back({binary.left, part.isNegative});
      }
    }
    return terms;
  }

  ExprId append(ExprId sum) {
    const ScalarType type = source[sum].type;
    std::vector<Term> terms = termsOf(sum);
    llvm::stable_sort(terms, [&](const Term &left, const Term &right) {
      return newest[left.id] < newest[right.id];
    });
    // A sum begins with a positive term if the first plane has one.
    const auto first = llvm::find_if(terms, [&](const Term &term) {
      return !term.isNegative && newest[term.id] == newest[terms.front().id];
    });
    if (first != terms.end())
      std::rotate(terms.begin(), first, first + 1);
    ExprId total = numbers[terms.front().id];
    if (terms.front().isNegative)
      total = made.add(type, UnaryExpr{UnaryOp::Negate, total});
    for (const Term &term : llvm::drop_begin(terms))
      total = made.add(type, BinaryExpr{term.isNegative ? BinaryOp::Subtract : BinaryOp::Add, total,
                                        numbers[term.id]});
    return named(total, sum);
  }

  /// The first name that a value gets is kept.
  ExprId named(ExprId id, ExprId from) {
    if (made.exprs[id].name.empty()) {
      made.exprs[id].name = source[from].name;
      made.exprs[id].shift = source[from].shift;
    }
    return id;
  }

  const Formula &source;
  std::vector<unsigned> uses; ///< by operands
  std::vector<int> newest;    ///< plane of a field that is read
  std::vector<ExprId> numbers;
  Formula made;
};

} // namespace

Stencil stencilc::withNewestPlaneLast(Stencil stencil) {
  for (Stage &stage : stencil.stages)
    for (Update &update : stage.updates)
      update.formula = SumOrder(stencil, update.formula).ordered();
  return stencil;
}
