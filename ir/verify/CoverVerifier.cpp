#include "ir/verify/CoverVerifier.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static bool holdsBlock(const Index &index) {
  return anyCoordinate(index,
                       [](const Coordinate &node) { return node.kind == CoordinateKind::Block; });
}

/// The integer argument that stands beside `factor` blocks, if it does so once per block's advance.
static BlockUse useIn(const LinearIndex &sum, int64_t factor) {
  for (const LinearIndex::Term &term : sum.terms)
    if (const auto *node = std::get_if<Coordinate>(&term.atom->node);
        node && node->kind == CoordinateKind::Argument && factor % term.factor == 0 &&
        factor / term.factor > 0)
      return {node->number, factor / term.factor};
  return {};
}

/// Of partners, what both have in common of their number along y, or what tells them apart.
template <class Part> static bool isOfCluster(const Index &index, int cluster) {
  const auto *part = std::get_if<Part>(&index->node);
  return part && cluster > 1 && part->divisor == cluster &&
         equal(part->index, coordinate(CoordinateKind::Block, 1));
}

static void collect(const Index &index, BlockUses &uses, int cluster) {
  if (!holdsBlock(index))
    return;
  const LinearIndex sum = linear(index);
  for (const LinearIndex::Term &term : sum.terms) {
    if (isOfCluster<IndexRemainder>(term.atom, cluster))
      continue;
    const auto *node =
        isOfCluster<IndexQuotient>(term.atom, cluster)
            ? std::get_if<Coordinate>(&std::get<IndexQuotient>(term.atom->node).index->node)
            : std::get_if<Coordinate>(&term.atom->node);
    if (!node) {
      forEachOperand(*term.atom, [&](const Index &operand) { collect(operand, uses, cluster); });
      continue;
    }
    if (node->kind != CoordinateKind::Block)
      continue;
    const BlockUse use = useIn(sum, term.factor);
    std::vector<BlockUse> &known = uses[node->number];
    if (llvm::none_of(known, [&](const BlockUse &other) {
          return other.first == use.first && other.points == use.points;
        }))
      known.push_back(use);
  }
}

BlockUses stencilc::blockUses(const Kernel &kernel) {
  BlockUses uses;
  forEachIndex(kernel.body, [&](const Index &index) { collect(index, uses, kernel.cluster); });
  return uses;
}
