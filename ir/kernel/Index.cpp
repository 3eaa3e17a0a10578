// Builders of Index, which fold what is constant, and comparison by structure.
#include "ir/kernel/Index.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

namespace stencilc {

static Index make(decltype(IndexNode::node) node) {
  return std::make_shared<const IndexNode>(IndexNode{std::move(node)});
}

static std::optional<int64_t> asConstant(const Index &index) {
  if (const auto *literal = std::get_if<IndexConstant>(&index->node))
    return literal->value;
  return std::nullopt;
}

/// Splits `x + c`; the builders keep the constant of a sum outermost and on the right.
static std::pair<Index, int64_t> splitConstant(const Index &index) {
  if (const auto *sum = std::get_if<IndexSum>(&index->node))
    if (std::optional<int64_t> value = asConstant(sum->right))
      return {sum->left, *value};
  return {index, 0};
}

void forEachOperand(const IndexNode &node, llvm::function_ref<void(const Index &)> visit) {
  std::visit(llvm::makeVisitor([](const IndexConstant &) {}, [](const Coordinate &) {},
                               [&](const IndexSum &sum) {
                                 visit(sum.left);
                                 visit(sum.right);
                               },
                               [&](const IndexScale &scale) { visit(scale.index); },
                               [&](const IndexQuotient &quotient) { visit(quotient.index); },
                               [&](const IndexRemainder &remainder) { visit(remainder.index); },
                               [&](const IndexMin &least) {
                                 visit(least.left);
                                 visit(least.right);
                               },
                               [&](const IndexMax &greatest) {
                                 visit(greatest.left);
                                 visit(greatest.right);
                               },
                               [&](const IndexMap &map) { visit(map.index); }),
             node.node);
}

int64_t euclideanQuotient(int64_t value, int64_t divisor) {
  assert(divisor > 0 && "division is by a positive constant");
  return llvm::divideFloorSigned(value, divisor);
}

int64_t euclideanRemainder(int64_t value, int64_t divisor) {
  return value - divisor * euclideanQuotient(value, divisor);
}

Index constant(int64_t value) { return make(IndexConstant{value}); }

Index namedConstant(int64_t value, unsigned name) { return make(IndexConstant{value, name}); }

Index coordinate(CoordinateKind kind, unsigned number) { return make(Coordinate{kind, number}); }

Index extent(unsigned axis) { return coordinate(CoordinateKind::Extent, axis); }

Index add(Index left, int64_t right) {
  if (std::optional<int64_t> value = asConstant(left))
    return constant(*value + right);
  auto [base, offset] = splitConstant(left);
  if (offset + right == 0)
    return base;
  return make(IndexSum{base, constant(offset + right)});
}

Index add(Index left, Index right) {
  if (std::optional<int64_t> value = asConstant(right)) {
    bool folds = asConstant(left) || splitConstant(left).second != 0;
    if (std::get<IndexConstant>(right->node).name && !folds)
      return make(IndexSum{std::move(left), std::move(right)});
    return add(std::move(left), *value);
  }
  if (std::optional<int64_t> value = asConstant(left))
    return add(std::move(right), *value);
  auto [leftBase, leftOffset] = splitConstant(left);
  auto [rightBase, rightOffset] = splitConstant(right);
  return add(make(IndexSum{leftBase, rightBase}), leftOffset + rightOffset);
}

Index scale(Index index, int64_t factor) {
  if (factor == 0)
    return constant(0);
  if (factor == 1)
    return index;
  if (std::optional<int64_t> value = asConstant(index))
    return constant(*value * factor);
  if (auto [base, offset] = splitConstant(index); offset != 0)
    return add(scale(base, factor), offset * factor);
  if (const auto *inner = std::get_if<IndexScale>(&index->node))
    return scale(inner->index, inner->factor * factor);
  return make(IndexScale{std::move(index), factor});
}

Index quotient(Index index, int64_t divisor) {
  if (divisor == 1)
    return index;
  if (std::optional<int64_t> value = asConstant(index))
    return constant(euclideanQuotient(*value, divisor));
  return make(IndexQuotient{std::move(index), divisor});
}

Index remainder(Index index, int64_t divisor) {
  if (divisor == 1)
    return constant(0);
  if (std::optional<int64_t> value = asConstant(index))
    return constant(euclideanRemainder(*value, divisor));
  return make(IndexRemainder{std::move(index), divisor});
}

Index minimum(Index left, Index right) {
  if (std::optional<int64_t> excess = constantDifference(left, right))
    return *excess <= 0 ? left : right;
  return make(IndexMin{std::move(left), std::move(right)});
}

Index maximum(Index left, Index right) {
  if (std::optional<int64_t> excess = constantDifference(left, right))
    return *excess >= 0 ? left : right;
  return make(IndexMax{std::move(left), std::move(right)});
}

Index map(BoundaryKind boundary, unsigned axis, Index index) {
  assert((boundary == BoundaryKind::Clamp || boundary == BoundaryKind::Periodic ||
          boundary == BoundaryKind::Reflect || boundary == BoundaryKind::Symmetric) &&
         "other boundaries move no index");
  return make(IndexMap{boundary, axis, std::move(index)});
}

int64_t mapped(BoundaryKind boundary, int64_t index, int64_t extent) {
  if (boundary == BoundaryKind::Clamp)
    return std::min(std::max<int64_t>(index, 0), extent - 1);
  if (0 <= index && index < extent)
    return index;
  const bool isLow = index < 0;
  if (boundary == BoundaryKind::Periodic)
    return isLow ? index + extent : index - extent;
  const int64_t gap = boundary == BoundaryKind::Symmetric ? 1 : 0; // from the outermost point
  return isLow ? -gap - index : 2 * extent - 2 + gap - index;
}

bool anyCoordinate(const Index &index, llvm::function_ref<bool(const Coordinate &)> matches) {
  if (const auto *coordinate = std::get_if<Coordinate>(&index->node))
    return matches(*coordinate);
  bool any = false;
  forEachOperand(*index,
                 [&](const Index &operand) { any = any || anyCoordinate(operand, matches); });
  return any;
}

Index replaced(const Index &index, const Coordinate &coordinate, const Index &with) {
  const auto in = [&](const Index &part) { return replaced(part, coordinate, with); };
  return std::visit(
      llvm::makeVisitor(
          [&](const IndexConstant &) { return index; },
          [&](const Coordinate &node) { return node == coordinate ? with : index; },
          [&](const IndexSum &node) { return add(in(node.left), in(node.right)); },
          [&](const IndexScale &node) { return scale(in(node.index), node.factor); },
          [&](const IndexQuotient &node) { return quotient(in(node.index), node.divisor); },
          [&](const IndexRemainder &node) { return remainder(in(node.index), node.divisor); },
          [&](const IndexMin &node) { return minimum(in(node.left), in(node.right)); },
          [&](const IndexMax &node) { return maximum(in(node.left), in(node.right)); },
          [&](const IndexMap &node) { return map(node.boundary, node.axis, in(node.index)); }),
      index->node);
}

bool equal(const Index &left, const Index &right) {
  if (left == right)
    return true;
  if (left->node.index() != right->node.index())
    return false;
  return std::visit(
      llvm::makeVisitor(
          [&](const IndexConstant &node) {
            return node.value == std::get<IndexConstant>(right->node).value;
          },
          [&](const Coordinate &node) { return node == std::get<Coordinate>(right->node); },
          [&](const IndexSum &node) {
            const auto &other = std::get<IndexSum>(right->node);
            return equal(node.left, other.left) && equal(node.right, other.right);
          },
          [&](const IndexScale &node) {
            const auto &other = std::get<IndexScale>(right->node);
            return node.factor == other.factor && equal(node.index, other.index);
          },
          [&](const IndexQuotient &node) {
            const auto &other = std::get<IndexQuotient>(right->node);
            return node.divisor == other.divisor && equal(node.index, other.index);
          },
          [&](const IndexRemainder &node) {
            const auto &other = std::get<IndexRemainder>(right->node);
            return node.divisor == other.divisor && equal(node.index, other.index);
          },
          [&](const IndexMin &node) {
            const auto &other = std::get<IndexMin>(right->node);
            return equal(node.left, other.left) && equal(node.right, other.right);
          },
          [&](const IndexMax &node) {
            const auto &other = std::get<IndexMax>(right->node);
            return equal(node.left, other.left) && equal(node.right, other.right);
          },
          [&](const IndexMap &node) {
            const auto &other = std::get<IndexMap>(right->node);
            return node.boundary == other.boundary && node.axis == other.axis &&
                   equal(node.index, other.index);
          }),
      left->node);
}

static void addMultiple(LinearIndex &sum, const Index &index, int64_t factor) {
  if (const auto *literal = std::get_if<IndexConstant>(&index->node)) {
    sum.constant += literal->value * factor;
  } else if (const auto *plus = std::get_if<IndexSum>(&index->node)) {
    addMultiple(sum, plus->left, factor);
    addMultiple(sum, plus->right, factor);
  } else if (const auto *scaled = std::get_if<IndexScale>(&index->node)) {
    addMultiple(sum, scaled->index, factor * scaled->factor);
  } else {
    auto *known = llvm::find_if(
        sum.terms, [&](const LinearIndex::Term &term) { return equal(term.atom, index); });
    if (known == sum.terms.end()) {
      sum.terms.push_back({index, factor});
    } else {
      known->factor += factor;
      if (known->factor == 0)
        sum.terms.erase(known);
    }
  }
}

LinearIndex linearDifference(const Index &left, const Index &right) {
  LinearIndex difference;
  addMultiple(difference, left, 1);
  addMultiple(difference, right, -1);
  return difference;
}

LinearIndex linear(const Index &index) {
  LinearIndex sum;
  addMultiple(sum, index, 1);
  return sum;
}

std::optional<int64_t> constantDifference(const Index &left, const Index &right) {
  LinearIndex difference = linearDifference(left, right);
  if (difference.terms.empty())
    return difference.constant;
  return std::nullopt;
}

/// What tells an atom of a linear form from others, beside its operands.
static void appendHead(IndexKey &key, const IndexNode &atom) {
  key.push_back(atom.node.index());
  std::visit(
      llvm::makeVisitor(
          [&](const Coordinate &node) { key.append({int64_t(node.kind), int64_t(node.number)}); },
          [&](const IndexQuotient &node) { key.push_back(node.divisor); },
          [&](const IndexRemainder &node) { key.push_back(node.divisor); }, [](const IndexMin &) {},
          [](const IndexMax &) {},
          [&](const IndexMap &node) { key.append({int64_t(node.boundary), int64_t(node.axis)}); },
          [](const IndexConstant &) { llvm_unreachable("no atom of a linear form"); },
          [](const IndexSum &) { llvm_unreachable("no atom of a linear form"); },
          [](const IndexScale &) { llvm_unreachable("no atom of a linear form"); }),
      atom.node);
}

static void appendTerm(IndexKey &key, const LinearIndex::Term &term) {
  key.push_back(term.factor);
  appendHead(key, *term.atom);
  forEachOperand(*term.atom, [&](const Index &operand) {
    const int64_t constant = appendKey(key, operand);
    key.push_back(constant);
  });
}

int64_t appendKey(IndexKey &key, const Index &index) {
  const LinearIndex form = linear(index);
  key.push_back(form.terms.size());
  if (form.terms.size() == 1) {
    appendTerm(key, form.terms.front());
    return form.constant;
  }
  llvm::SmallVector<IndexKey, 4> terms; // sums are equal in any order
  for (const LinearIndex::Term &term : form.terms)
    appendTerm(terms.emplace_back(), term);
  llvm::sort(terms);
  for (const IndexKey &term : terms)
    key.append(term);
  return form.constant;
}

} // namespace stencilc
