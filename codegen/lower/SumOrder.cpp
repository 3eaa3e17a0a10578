#include "codegen/lower/SumOrder.h"

#include "llvm/ADT/STLExtras.h"

#include <climits>

using namespace stencilc;

namespace {

/// Builds a formula anew whose sums are in order.
class SumOrder {
public:
  SumOrder(const Stencil &stencil, const Formula &source)
      : source(source), uses(source.exprs.size()), newest(source.exprs.size(), INT_MIN),
        oldest(source.exprs.size(), INT_MAX), place(source.exprs.size()) {
    for (auto [id, expr] : llvm::enumerate(source.exprs)) {
      const auto *read = std::get_if<Read>(&expr.node);
      if (read && stencil.arrays[read->array].kind != ArrayKind::Const)
        newest[id] = oldest[id] = read->offset[0];
      for (ExprId operand : operands(expr.node)) {
        newest[id] = std::max(newest[id], newest[operand]);
        oldest[id] = std::min(oldest[id], oldest[operand]);
        uses[operand]++;
      }
    }
  }

  Formula ordered() {
    for (ExprId id = source.exprs.size(); id-- > 0;)
      if (place[id] != Place::Alone || isSum(id))
        placeOperands(id);
    for (auto [id, expr] : llvm::enumerate(source.exprs))
      if (place[id] != Place::Alone)
        numbers.push_back(0); // its terms are those of the sum
      else if (isSum(id))
        numbers.push_back(named(total(termsOf(id, Place::InSum), expr.type), id));
      else
        numbers.push_back(named(made.add(expr.type, withOperands(expr.node, numbers)), id));
    made.result = numbers[source.result];
    return std::move(made);
  }

private:
  /// Where a value stands: by itself, or as what a sum, or the sum of a product in it, is made of.
  enum class Place { Alone, InSum, InProduct };
  struct Term {
    ExprId id; ///< of a product: the factor
    bool isNegative;
    std::vector<Term> multiplied = {}; ///< those that the factor multiplies
  };

  void placeOperands(ExprId id) {
    if (const auto product = productOfSum(id)) {
      place[product->sum] = Place::InProduct;
      return;
    }
    for (ExprId operand : operands(source[id].node))
      if (isInner(operand))
        place[operand] = place[id] == Place::InProduct ? Place::InProduct : Place::InSum;
      else if (place[id] != Place::InProduct && productOfSum(operand))
        place[operand] = Place::InSum;
  }

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

  struct Product {
    ExprId factor, sum;
  };
  /// A product of a sum over several planes and what reads none. A sum takes it apart by planes,
  /// which costs no operation where a multiplication is fused with an addition.
  std::optional<Product> productOfSum(ExprId id) const {
    const auto *binary = std::get_if<BinaryExpr>(&source[id].node);
    if (!binary || binary->op != BinaryOp::Multiply || uses[id] != 1 || !source[id].name.empty())
      return std::nullopt;
    for (auto [factor, sum] :
         {std::pair(binary->left, binary->right), {binary->right, binary->left}})
      if (newest[factor] == INT_MIN && isInner(sum) && isAddition(sum) && oldest[sum] < newest[sum])
        return Product{factor, sum};
    return std::nullopt;
  }

  /// The terms of a sum, which stands there, in order.
  std::vector<Term> termsOf(ExprId sum, Place place) const {
    std::vector<Term> terms;
    std::vector<std::pair<ExprId, bool>> open = {{sum, false}};
    while (!open.empty()) {
      const auto [id, isNegative] = open.back();
      open.pop_back();
      const auto product = place == Place::InSum ? productOfSum(id) : std::nullopt;
      if (product) {
        const size_t first = terms.size();
        for (Term &part : termsOf(product->sum, Place::InProduct))
          if (terms.size() > first && planeOf(terms.back()) == planeOf(part))
            terms.back().multiplied.push_back(std::move(part));
          else
            terms.push_back({product->factor, isNegative, {std::move(part)}});
      } else if (id != sum && !isInner(id)) {
        terms.push_back({id, isNegative});
      } else if (const std::optional<ExprId> operand = negated(id)) {
        open.push_back({*operand, !isNegative});
      } else {
        const auto &binary = std::get<BinaryExpr>(source[id].node);
        open.push_back({binary.right, isNegative != (binary.op == BinaryOp::Subtract)});
        open.push_back({binary.left, isNegative});
      }
    }
    llvm::stable_sort(
        terms, [&](const Term &left, const Term &right) { return planeOf(left) < planeOf(right); });
    // A sum begins with a positive term if the first plane has one.
    const auto first = llvm::find_if(terms, [&](const Term &term) {
      return !term.isNegative && planeOf(term) == planeOf(terms.front());
    });
    if (first != terms.end())
      std::rotate(terms.begin(), first, first + 1);
    return terms;
  }
  int planeOf(const Term &term) const {
    return newest[term.multiplied.empty() ? term.id : term.multiplied.front().id];
  }

  ExprId total(const std::vector<Term> &terms, ScalarType type) {
    ExprId total = valueOf(terms.front(), type);
    if (terms.front().isNegative)
      total = made.add(type, UnaryExpr{UnaryOp::Negate, total});
    for (const Term &term : llvm::drop_begin(terms))
      total = made.add(type, BinaryExpr{term.isNegative ? BinaryOp::Subtract : BinaryOp::Add, total,
                                        valueOf(term, type)});
    return total;
  }
  ExprId valueOf(const Term &term, ScalarType type) {
    const ExprId id = numbers[term.id];
    return term.multiplied.empty()
               ? id
               : made.add(type, BinaryExpr{BinaryOp::Multiply, id, total(term.multiplied, type)});
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
  std::vector<int> oldest;    ///< the same
  std::vector<Place> place;
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
