#include "costmodel/compiled/IntegerRules.h"

#include "costmodel/compiled/ArithmeticRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace stencilc;

static InstructionMix ofCoordinate(const Coordinate &coordinate) {
  switch (coordinate.kind) {
  case CoordinateKind::Block:
  case CoordinateKind::Thread: // S2R
    return of(Pipe::Integer, 1);
  case CoordinateKind::Warp: // from S2R
  case CoordinateKind::Lane:
    return of(Pipe::Integer, 2);
  case CoordinateKind::Extent:
  case CoordinateKind::WholeParam:
  case CoordinateKind::Argument:
    return of(Pipe::Integer, kArgument);
  case CoordinateKind::Local:
    return {};
  }
  llvm_unreachable("every kind of coordinate has a rule");
}

/// A sum or a multiple: IMAD takes one of each.
static InstructionMix ofLinear(const Index &index) {
  const LinearIndex form = linear(index);
  InstructionMix mix;
  int multiples = 0, operands = form.constant != 0;
  for (const LinearIndex::Term &term : form.terms) {
    mix.add(ofIndex(term.atom));
    multiples += std::abs(term.factor) != 1;
    ++operands;
  }
  mix.add(of(Pipe::MultiplyAdd, multiples));
  return mix.add(of(Pipe::Integer, std::max(0, operands - 1 - multiples)));
}

/// VIMNMX; VIADDMNMX takes an addition with it.
static InstructionMix ofExtreme(const Index &left, const Index &right) {
  InstructionMix mix = ofIndex(left);
  mix.add(ofIndex(right));
  const bool adds =
      std::holds_alternative<IndexSum>(left->node) || std::holds_alternative<IndexSum>(right->node);
  return mix.add(of(Pipe::Integer, adds ? 0 : 1));
}

/// A shift or mask; else a product with the reciprocal, shifts, and the remainder's product.
static InstructionMix ofDivision(const Index &index, int64_t divisor) {
  InstructionMix mix = ofIndex(index);
  if (llvm::isPowerOf2_64(divisor))
    return mix.add(of(Pipe::Integer, 1));
  return mix.add(of(Pipe::Integer, 3)).add(of(Pipe::MultiplyAdd, 2));
}

/// Two comparisons, an addition, two selections; or VIADDMNMX and VIMNMX.
static InstructionMix ofMap(const IndexMap &map) {
  InstructionMix mix = ofIndex(map.index);
  return mix.add(of(Pipe::Integer, map.boundary == BoundaryKind::Clamp ? 2 : 5));
}

InstructionMix stencilc::ofIndex(const Index &index) {
  return std::visit(
      llvm::makeVisitor(
          [](const IndexConstant &) { return InstructionMix(); },
          [](const Coordinate &node) { return ofCoordinate(node); },
          [](const IndexQuotient &node) { return ofDivision(node.index, node.divisor); },
          [](const IndexRemainder &node) { return ofDivision(node.index, node.divisor); },
          [](const IndexMin &node) { return ofExtreme(node.left, node.right); },
          [](const IndexMax &node) { return ofExtreme(node.left, node.right); },
          [](const IndexMap &node) { return ofMap(node); },
          [&](const IndexSum &) { return ofLinear(index); },
          [&](const IndexScale &) { return ofLinear(index); }),
      index->node);
}

InstructionMix stencilc::ofBox(const Box &box) {
  // ISETP takes the outcome of the one before it along.
  InstructionMix mix;
  for (const Range &range : box)
    for (const Index &bound : {range.lower, range.upper})
      if (bound)
        mix.add(ofIndex(bound)).add(of(Pipe::Integer, 1));
  return mix;
}

InstructionMix stencilc::ofNaming(const LetPointer &pointer) {
  // Per axis but the contiguous one: the stride, a sign, a 64-bit multiply-add in three parts, and
  // a carry. Then the contiguous index with its sign, and the sum in bytes.
  const unsigned slower = pointer.index.size() - 1;
  InstructionMix mix = of(Pipe::Integer, 2.5 * slower + 3);
  mix.add(of(Pipe::MultiplyAdd, 3.0 * slower));
  return mix.add(additions(2));
}
