#include "frontend/lift/DataRange.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stencilc::lift {

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr DataRange kAnything = {-kInfinity, kInfinity, true};

class Ranges {
public:
  Ranges(const Formula &formula, const LoopTree &tree) : formula(formula), tree(tree) {}

  DataRange ofResult() {
    for (const Expr &expr : formula.exprs)
      ranges.push_back(rangeOf(expr));
    return ranges[formula.result];
  }

private:
  /// That a condition has been found to hold says so much of a value.
  struct Supposed {
    ExprId value;
    double least, most;
  };

  static DataRange joined(const DataRange &a, const DataRange &b) {
    return {std::min(a.least, b.least), std::max(a.most, b.most),
            a.mayBeMinusZero || b.mayBeMinusZero};
  }

  const Literal *literalAt(ExprId id) const { return std::get_if<Literal>(&formula[id].node); }
  const BinaryExpr *binaryAt(ExprId id, BinaryOp op) const {
    const auto *found = std::get_if<BinaryExpr>(&formula[id].node);
    return found && found->op == op ? found : nullptr;
  }

  DataRange rangeOf(const Expr &expr) const {
    return std::visit([&](const auto &node) { return of(expr, node); }, expr.node);
  }

  DataRange of(const Expr &, const Literal &known) const {
    return {known.value, known.value, known.value == 0 && std::signbit(known.value)};
  }
  DataRange of(const Expr &, const Read &read) const {
    const auto &whole = tree.buffers[tree.accesses[read.array].buffer].whole;
    return whole ? DataRange{whole->least(), whole->most(), false} : kAnything;
  }
  DataRange of(const Expr &, const CastExpr &cast) const {
    return formula[cast.operand].type == ScalarType::Int ? DataRange{-0x1p31, 0x1p31, false}
                                                         : ranges[cast.operand];
  }
  DataRange of(const Expr &, const UnaryExpr &unary) const {
    const DataRange &operand = ranges[unary.operand];
    if (unary.op != UnaryOp::Negate)
      return kAnything;
    return {-operand.most, -operand.least, operand.least <= 0 && operand.most >= 0};
  }
  DataRange of(const Expr &, const BinaryExpr &binary) const {
    const DataRange &left = ranges[binary.left], &right = ranges[binary.right];
    switch (binary.op) {
    case BinaryOp::Add:
      return {left.least + right.least, left.most + right.most,
              left.mayBeMinusZero && right.mayBeMinusZero};
    case BinaryOp::Subtract:
      if (const auto rest = restOf(binary))
        return *rest;
      return {left.least - right.most, left.most - right.least, left.mayBeMinusZero};
    case BinaryOp::Multiply: {
      const auto all = {left.least * right.least, left.least * right.most, left.most * right.least,
                        left.most * right.most};
      if (std::any_of(all.begin(), all.end(), [](double value) { return std::isnan(value); }))
        return kAnything;
      if (binary.left == binary.right) // a square
        return {0, std::max(all), false};
      return {std::min(all), std::max(all),
              left.least < 0 || right.least < 0 || left.mayBeMinusZero || right.mayBeMinusZero};
    }
    case BinaryOp::Divide:
      if (right.least >= 1)
        return {std::min(left.least / right.least, 0.0), std::max(left.most / right.least, 0.0),
                left.least < 0 || left.mayBeMinusZero};
      return kAnything;
    default:
      return kAnything;
    }
  }
  DataRange of(const Expr &, const CallExpr &call) const {
    const DataRange &first = ranges[call.operands[0]];
    switch (call.function) {
    case Builtin::Floor:
    case Builtin::Trunc:
      return {std::floor(first.least), std::ceil(first.most),
              first.mayBeMinusZero || (call.function == Builtin::Trunc && first.least < 0)};
    case Builtin::Abs:
      return {0, std::max(std::abs(first.least), std::abs(first.most)), false};
    case Builtin::Sqrt:
    case Builtin::Hypot:
    case Builtin::Exp:
      return {0, kInfinity, first.mayBeMinusZero};
    case Builtin::Max:
    case Builtin::Min:
      return joined(first, ranges[call.operands[1]]);
    default:
      return kAnything;
    }
  }
  DataRange of(const Expr &, const SelectExpr &choice) const { return chosen(choice, {}, 0); }
  DataRange of(const Expr &, const auto &) const { return kAnything; }

  /// What a comparison with a number says where it holds, or where it does not.
  std::optional<Supposed> supposedBy(ExprId condition, bool holds) const {
    const auto *compared = std::get_if<CompareExpr>(&formula[condition].node);
    const Literal *limit = compared ? literalAt(compared->right) : nullptr;
    if (!limit)
      return std::nullopt;
    const bool isBelow = compared->op == CompareOp::Less || compared->op == CompareOp::LessEqual;
    const bool isAbove =
        compared->op == CompareOp::Greater || compared->op == CompareOp::GreaterEqual;
    if (!isBelow && !isAbove)
      return std::nullopt;
    return isBelow == holds ? Supposed{compared->left, -kInfinity, limit->value}
                            : Supposed{compared->left, limit->value, kInfinity};
  }

  DataRange chosen(const SelectExpr &choice, std::optional<Supposed> outer, unsigned depth) const {
    const auto branch = [&](ExprId id, bool holds) {
      DataRange range = within(id, outer, depth + 1);
      if (const auto supposed = supposedBy(choice.condition, holds)) {
        const DataRange other = within(id, supposed, depth + 1);
        range.least = std::max(range.least, other.least);
        range.most = std::min(range.most, other.most);
      }
      return range;
    };
    return joined(branch(choice.then, true), branch(choice.otherwise, false));
  }

  DataRange within(ExprId id, std::optional<Supposed> supposed, unsigned depth) const {
    DataRange range = ranges[id];
    if (!supposed)
      return range;
    if (const auto *choice = std::get_if<SelectExpr>(&formula[id].node); choice && depth < 4)
      range = chosen(*choice, supposed, depth);
    if (id == supposed->value) {
      range.least = std::max(range.least, supposed->least);
      range.most = std::min(range.most, supposed->most);
    }
    return range;
  }

  /// What is left of a division by a power of two, `x - s*floor(x/s)` or `x - s*floor((x + h)/s)`.
  std::optional<DataRange> restOf(const BinaryExpr &difference) const {
    const BinaryExpr *product = binaryAt(difference.right, BinaryOp::Multiply);
    const Literal *size = product ? literalAt(product->left) : nullptr;
    const auto *floor = product ? std::get_if<CallExpr>(&formula[product->right].node) : nullptr;
    const BinaryExpr *quotient = floor && floor->function == Builtin::Floor
                                     ? binaryAt(floor->operands[0], BinaryOp::Divide)
                                     : nullptr;
    const Literal *divisor = quotient ? literalAt(quotient->right) : nullptr;
    if (!size || !divisor || size->value != divisor->value)
      return std::nullopt;
    if (quotient->left == difference.left)
      return DataRange{0, size->value - 1, ranges[difference.left].mayBeMinusZero};
    const BinaryExpr *moved = binaryAt(quotient->left, BinaryOp::Add);
    const Literal *by = moved && moved->left == difference.left ? literalAt(moved->right) : nullptr;
    return by ? std::optional(DataRange{-by->value, size->value - 1 - by->value,
                                        ranges[difference.left].mayBeMinusZero})
              : std::nullopt;
  }

  const Formula &formula;
  const LoopTree &tree;
  std::vector<DataRange> ranges; ///< of the Exprs, in order
};
} // namespace

DataRange rangeOf(const Formula &formula, const LoopTree &tree) {
  return Ranges(formula, tree).ofResult();
}

} // namespace stencilc::lift
