#include "ir/stencil/Formula.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

namespace stencilc {

Formula::Formula() = default;
Formula::Formula(const Formula &) = default;
Formula::Formula(Formula &&) noexcept = default;
Formula &Formula::operator=(const Formula &) = default;
Formula &Formula::operator=(Formula &&) noexcept = default;
Formula::~Formula() = default;

static llvm::hash_code hashOf(const Expr::Node &node) {
  const auto fields = llvm::makeVisitor(
      [](const Literal &e) { return llvm::hash_value(std::bit_cast<uint64_t>(e.value)); },
      [](const ParamValue &e) { return llvm::hash_value(e.param); },
      [](const AxisValue &e) { return llvm::hash_value(e.axis); },
      [](const StepValue &) { return llvm::hash_code(0); },
      [](const Read &e) {
        return llvm::hash_combine(e.array, e.level,
                                  llvm::hash_combine_range(e.offset.begin(), e.offset.end()));
      },
      [](const TimeRead &e) { return llvm::hash_combine(e.array, e.offset); },
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

ExprId Formula::merge(const Formula &part, ExprId value) {
  std::vector<bool> isNeeded(value + 1);
  isNeeded[value] = true;
  for (ExprId id = value + 1; id-- > 0;)
    if (isNeeded[id])
      for (ExprId operand : operands(part[id].node))
        isNeeded[operand] = true;

  std::vector<ExprId> numbers(value + 1);
  for (auto [number, expr] : llvm::enumerate(llvm::ArrayRef(part.exprs).take_front(value + 1))) {
    if (!isNeeded[number])
      continue;
    const ExprId id = add(expr.type, withOperands(expr.node, numbers));
    if (exprs[id].name.empty()) {
      exprs[id].name = expr.name;
      exprs[id].shift = expr.shift;
    }
    numbers[number] = id;
  }
  return numbers[value];
}

llvm::SmallVector<ExprId, 3> operands(const Expr::Node &node) {
  using Ids = llvm::SmallVector<ExprId, 3>;
  return std::visit(
      llvm::makeVisitor(
          [](const UnaryExpr &e) { return Ids{e.operand}; },
          [](const BinaryExpr &e) { return Ids{e.left, e.right}; },
          [](const CompareExpr &e) { return Ids{e.left, e.right}; },
          [](const SelectExpr &e) { return Ids{e.condition, e.then, e.otherwise}; },
          [](const CallExpr &e) { return Ids(e.operands.begin(), e.operands.end()); },
          [](const CastExpr &e) { return Ids{e.operand}; }, [](const Literal &) { return Ids(); },
          [](const ParamValue &) { return Ids(); }, [](const AxisValue &) { return Ids(); },
          [](const StepValue &) { return Ids(); }, [](const Read &) { return Ids(); },
          [](const TimeRead &) { return Ids(); }),
      node);
}

Expr::Node withOperands(Expr::Node node, llvm::ArrayRef<ExprId> numbers) {
  const auto move = [&](ExprId &operand) { operand = numbers[operand]; };
  std::visit(llvm::makeVisitor(
                 [](Literal &) {}, [](ParamValue &) {}, [](AxisValue &) {}, [](StepValue &) {},
                 [](Read &) {}, [](TimeRead &) {}, [&](UnaryExpr &e) { move(e.operand); },
                 [&](BinaryExpr &e) { move(e.left), move(e.right); },
                 [&](CompareExpr &e) { move(e.left), move(e.right); },
                 [&](SelectExpr &e) { move(e.condition), move(e.then), move(e.otherwise); },
                 [&](CallExpr &e) { llvm::for_each(e.operands, move); },
                 [&](CastExpr &e) { move(e.operand); }),
             node);
  return node;
}

ScalarValue evaluate(const Formula &formula, llvm::function_ref<ScalarValue(const Expr &)> leaf) {
  llvm::SmallVector<ScalarValue, 64> values;
  for (const Expr &expr : formula.exprs) {
    const auto typeOf = [&](ExprId id) { return formula[id].type; };
    values.push_back(std::visit(
        llvm::makeVisitor(
            [&](const Literal &e) { return literalOf(expr.type, e.value); },
            [&](const ParamValue &) { return leaf(expr); },
            [&](const AxisValue &) { return leaf(expr); },
            [&](const StepValue &) { return leaf(expr); }, [&](const Read &) { return leaf(expr); },
            [&](const TimeRead &) { return leaf(expr); },
            [&](const UnaryExpr &e) { return apply(expr.type, e.op, values[e.operand]); },
            [&](const BinaryExpr &e) {
              return apply(expr.type, e.op, values[e.left], values[e.right]);
            },
            [&](const CompareExpr &e) {
              return ScalarValue{
                  double(apply(typeOf(e.left), e.op, values[e.left], values[e.right]))};
            },
            [&](const SelectExpr &e) {
              return values[e.condition].number != 0.0 ? values[e.then] : values[e.otherwise];
            },
            [&](const CallExpr &e) {
              llvm::SmallVector<double, 2> operands;
              for (ExprId id : e.operands)
                operands.push_back(values[id].number);
              return ScalarValue{apply(expr.type, e.function, operands)};
            },
            [&](const CastExpr &e) {
              return convert(typeOf(e.operand), expr.type, values[e.operand]);
            }),
        expr.node));
  }
  return values[formula.result];
}

bool isSameValue(const Formula &left, const Formula &right) {
  if (left.empty() || right.empty())
    return left.empty() == right.empty();
  Formula both;
  return both.merge(left) == both.merge(right);
}

} // namespace stencilc
