#include "codegen/lower/SharedSides.h"

#include "codegen/lower/ValuesOnce.h"
#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

using namespace stencilc;

namespace {

/// Two values of a formula, one of each side.
using Pair = std::pair<ExprId, ExprId>;

/// Beyond so many a formula stays as it is: sides that share much meet in ever more pairs.
constexpr size_t kMostPairs = 10'000;

/// The node with other operands, in their order: two that are equal may become different ones.
Expr::Node withOperandsInOrder(Expr::Node node, llvm::ArrayRef<ExprId> wanted) {
  std::visit(llvm::makeVisitor(
                 [&](UnaryExpr &e) { e.operand = wanted[0]; },
                 [&](BinaryExpr &e) { std::tie(e.left, e.right) = Pair(wanted[0], wanted[1]); },
                 [&](CompareExpr &e) { std::tie(e.left, e.right) = Pair(wanted[0], wanted[1]); },
                 [&](SelectExpr &e) {
                   e.condition = wanted[0];
                   e.then = wanted[1];
                   e.otherwise = wanted[2];
                 },
                 [&](CallExpr &e) { e.operands.assign(wanted.begin(), wanted.end()); },
                 [&](CastExpr &e) { e.operand = wanted[0]; }, [](auto &) {}),
             node);
  return node;
}

bool isSameOperation(const Expr &one, const Expr &other) {
  const size_t count = operands(one.node).size();
  const llvm::SmallVector<ExprId, 3> none(count);
  return count > 0 && one.type == other.type && one.node.index() == other.node.index() &&
         count == operands(other.node).size() &&
         withOperandsInOrder(one.node, none) == withOperandsInOrder(other.node, none);
}

/// Whether it is more work with an operand that is no literal: divisions, powers.
bool gainsByLiterals(const Expr &expr) {
  const auto *binary = std::get_if<BinaryExpr>(&expr.node);
  return std::holds_alternative<CallExpr>(expr.node) ||
         (binary && (binary->op == BinaryOp::Divide || binary->op == BinaryOp::Remainder));
}

/// The two sides of a `where`, and how the value of the side that is taken may be made.
class Sides {
public:
  Sides(const Formula &formula, ExprId then, ExprId otherwise)
      : formula(formula), top(then, otherwise) {
    const std::set<Pair> pairs = pairsFrom(top, [&](const Pair &pair) { return isSame(pair); });
    if (pairs.size() > kMostPairs)
      return;
    // Operands have lower numbers than their users, so that their pairs come first.
    for (const Pair &pair : pairs)
      ways[pair] = wayOf(pair);
  }

  bool areWorthSharing() const {
    if (!isOperation(top))
      return false;
    unsigned saved = 0, chosen = 0;
    for (const Pair &pair : needed())
      if (isOperation(pair))
        saved += workOf(formula[pair.first]);
      else
        chosen += pair.first != pair.second;
    return saved >= kLeastWork && saved > chosen;
  }

  /// Adds the value of the side that the condition takes.
  ExprId addTo(Formula &whole, ExprId condition) const {
    std::map<Pair, ExprId> made;
    for (const Pair &pair : needed()) {
      const Expr &one = formula[pair.first];
      if (!isOperation(pair)) {
        made[pair] = pair.first == pair.second
                         ? pair.first
                         : whole.add(one.type, SelectExpr{condition, pair.first, pair.second});
        continue;
      }
      llvm::SmallVector<ExprId, 3> numbers;
      for (const Pair &operand : operandsOf(pair))
        numbers.push_back(made.at(operand));
      made[pair] = whole.add(one.type, withOperandsInOrder(one.node, numbers));
    }
    return made.at(top);
  }

private:
  enum class Way { Impossible, Value, Operation };

  bool isSame(const Pair &pair) const {
    return pair.first != pair.second && isSameOperation(formula[pair.first], formula[pair.second]);
  }
  bool isOperation(const Pair &pair) const {
    const auto found = ways.find(pair);
    return found != ways.end() && found->second == Way::Operation;
  }

  llvm::SmallVector<Pair, 3> operandsOf(const Pair &pair) const {
    llvm::SmallVector<Pair, 3> all;
    for (auto [one, other] :
         llvm::zip_equal(operands(formula[pair.first].node), operands(formula[pair.second].node)))
      all.push_back({one, other});
    return all;
  }

  /// Those that are met on the way down both sides at once; not many more than kMostPairs.
  std::set<Pair> pairsFrom(Pair first, llvm::function_ref<bool(const Pair &)> goesOn) const {
    std::set<Pair> found = {first};
    std::vector<Pair> open = {first};
    while (!open.empty() && found.size() <= kMostPairs) {
      const Pair pair = open.back();
      open.pop_back();
      if (goesOn(pair))
        for (const Pair &operand : operandsOf(pair))
          if (found.insert(operand).second)
            open.push_back(operand);
    }
    return found;
  }
  std::set<Pair> needed() const {
    return pairsFrom(top, [&](const Pair &pair) { return isOperation(pair); });
  }

  Way wayOf(const Pair &pair) const {
    const Expr &one = formula[pair.first];
    const auto isLiteral = [&](ExprId id) {
      return std::holds_alternative<Literal>(formula[id].node);
    };
    const auto isOperand = [&](const Pair &operand) {
      const bool wasLiteral = operand.first != operand.second &&
                              (isLiteral(operand.first) || isLiteral(operand.second));
      return ways.at(operand) != Way::Impossible && !(wasLiteral && gainsByLiterals(one));
    };
    if (isSame(pair) && llvm::all_of(operandsOf(pair), isOperand))
      return Way::Operation;
    // A `where` chooses numbers, of one type.
    const bool isChosen = isFloat(one.type) && one.type == formula[pair.second].type;
    return isChosen || pair.first == pair.second ? Way::Value : Way::Impossible;
  }

  const Formula &formula;
  const Pair top;
  std::map<Pair, Way> ways;
};

Formula withSidesShared(const Formula &formula) {
  Formula whole;
  std::vector<ExprId> numbers;
  bool isShared = false;
  const std::vector<bool> varies = variesByPoint(formula);
  for (const Expr &expr : formula.exprs) {
    const auto *select = std::get_if<SelectExpr>(&expr.node);
    std::optional<ExprId> shared;
    if (select && varies[select->condition]) {
      const Sides sides(whole, numbers[select->then], numbers[select->otherwise]);
      if (sides.areWorthSharing())
        shared = sides.addTo(whole, numbers[select->condition]);
    }
    isShared |= shared.has_value();
    numbers.push_back(shared ? *shared : whole.add(expr.type, withOperands(expr.node, numbers)));
    if (Expr &added = whole.exprs[numbers.back()]; added.name.empty()) {
      added.name = expr.name;
      added.shift = expr.shift;
    }
  }
  if (!isShared)
    return formula;
  Formula needed;
  needed.result = needed.merge(whole, numbers[formula.result]);
  return workOf(needed) < workOf(formula) ? needed : formula;
}

} // namespace

Stencil stencilc::withSidesShared(Stencil stencil) {
  for (Stage &stage : stencil.stages)
    for (Update &update : stage.updates)
      update.formula = ::withSidesShared(update.formula);
  return stencil;
}
