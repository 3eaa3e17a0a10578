#include "ir/stencil/Shorthands.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace stencilc {

/// A box of fewer points is as short without `sum`.
constexpr size_t kLeastTerms = 8;

llvm::SmallVector<ExprId> addedIn(const Formula &formula, ExprId id) {
  llvm::SmallVector<ExprId> terms;
  for (;;) {
    const auto *sum = std::get_if<BinaryExpr>(&formula[id].node);
    if (!sum || sum->op != BinaryOp::Add)
      break;
    terms.push_back(sum->right);
    id = sum->left;
  }
  terms.push_back(id);
  std::reverse(terms.begin(), terms.end());
  return terms;
}

namespace {
/// A Read, or one times a leaf.
struct Term {
  ExprId read;
  std::optional<ExprId> factor;
  bool isFactorFirst = false;
};
} // namespace

static std::optional<Term> termOf(const Formula &formula, ExprId id) {
  const auto isRead = [&](ExprId id) { return std::holds_alternative<Read>(formula[id].node); };
  const auto isFactor = [&](ExprId id) {
    return std::holds_alternative<Literal>(formula[id].node) ||
           std::holds_alternative<ParamValue>(formula[id].node);
  };
  if (isRead(id))
    return Term{id, std::nullopt};
  const auto *product = std::get_if<BinaryExpr>(&formula[id].node);
  if (!product || product->op != BinaryOp::Multiply)
    return std::nullopt;
  if (isFactor(product->left) && isRead(product->right))
    return Term{product->right, product->left, true};
  if (isRead(product->left) && isFactor(product->right))
    return Term{product->left, product->right};
  return std::nullopt;
}

/// True if the offsets are those of the box, in the order in which its indices nest.
static bool isInOrder(llvm::ArrayRef<Offset> offsets, const BoxSum &box) {
  Offset next = box.low;
  for (const Offset &offset : offsets) {
    if (offset != next)
      return false;
    size_t turned = box.nest.size();
    while (turned > 0 && ++next[box.nest[turned - 1]] > box.high[box.nest[turned - 1]]) {
      --turned;
      next[box.nest[turned]] = box.low[box.nest[turned]];
    }
  }
  return true;
}

std::optional<BoxSum> boxSum(const Formula &formula, llvm::ArrayRef<ExprId> terms, unsigned rank) {
  if (terms.size() < kLeastTerms)
    return std::nullopt;
  const auto first = termOf(formula, terms[0]);
  if (!first)
    return std::nullopt;
  const Read &known = std::get<Read>(formula[first->read].node);
  BoxSum box{known.offset, known.offset, {}, terms[0], first->read};
  llvm::SmallVector<Offset> offsets;
  for (ExprId id : terms) {
    const auto term = termOf(formula, id);
    if (!term || term->factor != first->factor || term->isFactorFirst != first->isFactorFirst)
      return std::nullopt;
    const Read &read = std::get<Read>(formula[term->read].node);
    if (read.array != known.array || read.level != known.level)
      return std::nullopt;
    for (unsigned axis = 0; axis < rank; ++axis) {
      box.low[axis] = std::min(box.low[axis], read.offset[axis]);
      box.high[axis] = std::max(box.high[axis], read.offset[axis]);
    }
    offsets.push_back(read.offset);
  }
  size_t points = 1;
  for (unsigned axis = 0; axis < rank; ++axis)
    if (const size_t width = box.high[axis] - box.low[axis] + 1; width > 1) {
      box.nest.push_back(axis);
      points *= width;
      if (points > terms.size())
        return std::nullopt;
    }
  if (points != terms.size())
    return std::nullopt;
  do {
    if (isInOrder(offsets, box))
      return box;
  } while (std::next_permutation(box.nest.begin(), box.nest.end()));
  return std::nullopt;
}

namespace {
/// Weights of the second difference at distance 0, 1, ...: `numbers` by `divisor`.
struct Weights {
  std::vector<int> numbers;
  int divisor;
};
} // namespace

static const Weights kWeights[] = {{{-2, 1}, 1},
                                   {{-30, 16, -1}, 12},
                                   {{-490, 270, -27, 2}, 180},
                                   {{-14350, 8064, -1008, 128, -9}, 5040}};

/// The quotient, rounded once.
static double quotient(ScalarType type, int number, int divisor) {
  return type == ScalarType::F32 ? double(float(number) / float(divisor))
                                 : double(number) / double(divisor);
}

std::optional<Laplace> laplace(const Formula &formula, llvm::ArrayRef<ExprId> terms,
                               const Stencil &stencil) {
  const unsigned rank = stencil.rank();
  if (rank < 2 || (terms.size() - 1) % rank != 0)
    return std::nullopt;
  const size_t reach = (terms.size() - 1) / rank;
  if (reach == 0 || reach > std::size(kWeights))
    return std::nullopt;
  const Weights &weights = kWeights[reach - 1];
  const ScalarType type = formula[terms[0]].type;
  /// What stands behind the factor; the value itself where that is 1.
  const auto behind = [&](ExprId id, int number) -> std::optional<ExprId> {
    const double wanted = quotient(type, number, weights.divisor);
    if (wanted == 1)
      return id;
    const auto *product = std::get_if<BinaryExpr>(&formula[id].node);
    const auto *factor = product && product->op == BinaryOp::Multiply
                             ? std::get_if<Literal>(&formula[product->left].node)
                             : nullptr;
    return factor && factor->value == wanted ? std::optional(product->right) : std::nullopt;
  };
  const auto centre = behind(terms[0], weights.numbers[0] * int(rank));
  const auto *here = centre ? std::get_if<Read>(&formula[*centre].node) : nullptr;
  if (!here || stencil.arrays[here->array].axes.size() != rank)
    return std::nullopt;
  for (size_t place = 1; place < terms.size(); ++place) {
    const unsigned axis = rank - 1 - (place - 1) / reach;
    const int far = (place - 1) % reach + 1;
    const auto pair = behind(terms[place], weights.numbers[far]);
    const auto *sum = pair ? std::get_if<BinaryExpr>(&formula[*pair].node) : nullptr;
    const auto isAt = [&](ExprId id, int distance) {
      Read wanted = *here;
      wanted.offset[axis] += distance;
      const auto *read = std::get_if<Read>(&formula[id].node);
      return read && *read == wanted;
    };
    if (!sum || sum->op != BinaryOp::Add || !isAt(sum->left, -far) || !isAt(sum->right, far))
      return std::nullopt;
  }
  return Laplace{*centre, unsigned(2 * reach)};
}

Formula withSumsApart(const Formula &formula, unsigned rank) {
  Formula result;
  std::vector<ExprId> numbers;
  for (auto [id, expr] : llvm::enumerate(formula.exprs)) {
    const auto terms = addedIn(formula, id);
    const auto *zero = std::get_if<Literal>(&formula[terms[0]].node);
    const auto box = zero && *zero == Literal{0}
                         ? boxSum(formula, llvm::ArrayRef(terms).drop_front(), rank)
                         : std::nullopt;
    if (!box) {
      numbers.push_back(result.add(expr.type, withOperands(expr.node, numbers)));
    } else {
      ExprId total = numbers[terms[1]];
      for (ExprId term : llvm::ArrayRef(terms).drop_front(2))
        total = result.add(expr.type, BinaryExpr{BinaryOp::Add, total, numbers[term]});
      numbers.push_back(result.add(expr.type, BinaryExpr{BinaryOp::Add, numbers[terms[0]], total}));
    }
    Expr &made = result.exprs[numbers.back()];
    if (made.name.empty() && !expr.name.empty()) {
      made.name = expr.name;
      made.shift = expr.shift;
    }
  }
  result.result = numbers[formula.result];
  Formula used;
  used.result = used.merge(result);
  return used;
}

} // namespace stencilc
