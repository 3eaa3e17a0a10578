#include "costmodel/compiled/IntegerRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace stencilc;

static InstructionMix ofCoordinate(const Coordinate &coordinate, CodeReader &code) {
  switch (coordinate.kind) {
  case CoordinateKind::Block:
  case CoordinateKind::Thread:
    return code.of(CodeMix::ThreadNumber);
  case CoordinateKind::Warp:
  case CoordinateKind::Lane:
    return code.of(CodeMix::WarpNumber);
  case CoordinateKind::Extent:
  case CoordinateKind::WholeParam:
  case CoordinateKind::Argument:
    return code.of(CodeMix::Argument);
  case CoordinateKind::Local:
    return {};
  }
  llvm_unreachable("every kind of coordinate has a rule");
}

/// A sum or a multiple: IMAD takes one of each.
static InstructionMix ofLinear(const Index &index, CodeReader &code) {
  const LinearIndex form = linear(index);
  InstructionMix mix;
  int multiples = 0, operands = form.constant != 0;
  for (const LinearIndex::Term &term : form.terms) {
    mix.add(ofIndex(term.atom, code));
    multiples += std::abs(term.factor) != 1;
    ++operands;
  }
  mix.add(of(Pipe::MultiplyAdd, multiples));
  return mix.add(of(Pipe::Integer, std::max(0, operands - 1 - multiples)));
}

static InstructionMix ofExtreme(const Index &left, const Index &right, CodeReader &code) {
  InstructionMix mix = ofIndex(left, code);
  mix.add(ofIndex(right, code));
  const bool adds =
      std::holds_alternative<IndexSum>(left->node) || std::holds_alternative<IndexSum>(right->node);
  return mix.add(code.of(adds ? CodeMix::ExtremeOfSum : CodeMix::Extreme));
}

static InstructionMix ofDivision(const Index &index, int64_t divisor, CodeReader &code) {
  InstructionMix mix = ofIndex(index, code);
  if (llvm::isPowerOf2_64(divisor)) // a shift or a mask
    return mix.add(of(Pipe::Integer, 1));
  return mix.add(code.of(CodeMix::IndexDivision));
}

static InstructionMix ofMap(const IndexMap &map, CodeReader &code) {
  InstructionMix mix = ofIndex(map.index, code);
  switch (map.boundary) {
  case BoundaryKind::Clamp:
    return mix.add(code.of(CodeMix::Clamp));
  case BoundaryKind::Periodic:
    return mix.add(code.of(CodeMix::Periodic));
  case BoundaryKind::Reflect:
  case BoundaryKind::Symmetric:
    return mix.add(code.of(CodeMix::Mirror));
  case BoundaryKind::None:
  case BoundaryKind::Fixed:
  case BoundaryKind::Halo:
  case BoundaryKind::Value:
    break;
  }
  llvm_unreachable("such a boundary sends no index elsewhere");
}

InstructionMix stencilc::ofIndex(const Index &index, CodeReader &code) {
  return std::visit(
      llvm::makeVisitor(
          [](const IndexConstant &) { return InstructionMix(); },
          [&](const Coordinate &node) { return ofCoordinate(node, code); },
          [&](const IndexQuotient &node) { return ofDivision(node.index, node.divisor, code); },
          [&](const IndexRemainder &node) { return ofDivision(node.index, node.divisor, code); },
          [&](const IndexMin &node) { return ofExtreme(node.left, node.right, code); },
          [&](const IndexMax &node) { return ofExtreme(node.left, node.right, code); },
          [&](const IndexMap &node) { return ofMap(node, code); },
          [&](const IndexSum &) { return ofLinear(index, code); },
          [&](const IndexScale &) { return ofLinear(index, code); }),
      index->node);
}

InstructionMix stencilc::ofBox(const Box &box, CodeReader &code) {
  InstructionMix mix;
  for (const Range &range : box)
    for (const Index &bound : {range.lower, range.upper})
      if (bound)
        mix.add(ofIndex(bound, code)).add(code.of(CodeMix::BoxBound));
  return mix;
}

InstructionMix stencilc::ofNaming(const LetPointer &pointer, CodeReader &code) {
  InstructionMix mix = code.of(CodeMix::Pointer);
  mix.add(code.of(CodeMix::PointerAxis, pointer.index.size() - 1));
  return mix.add(code.of(CodeMix::Addition, kWideAddition));
}
