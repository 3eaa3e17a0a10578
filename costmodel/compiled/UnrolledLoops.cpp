#include "costmodel/compiled/UnrolledLoops.h"

#include "costmodel/compiled/UnrolledRange.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace stencilc;

UnrolledLoops::UnrolledLoops(const Kernel &kernel)
    : isUnrolled(kernel.locals.size()), behind(kernel.locals.size()) {
  find(kernel.body);
}

void UnrolledLoops::find(const Body &body) {
  for (const Statement &statement : body) {
    if (const For *loop = loopOf(statement); loop && leavesNoLoop(*loop))
      isUnrolled[loop->local] = hasAny = true;
    forEachBody(statement, [&](const Body &inner) { find(inner); });
  }
}

void UnrolledLoops::add(const LetIndex &named) {
  if (hasAny)
    forEachLocal(named.value, /*asDistance=*/false,
                 [&](unsigned local) { behind[named.local].push_back(local); });
}

Index UnrolledLoops::inTurn(const Index &index) const {
  const auto isOfLoop = [&](const Coordinate &coordinate) { return isOne(coordinate); };
  if (!hasAny || !anyCoordinate(index, isOfLoop))
    return index;
  const auto inside = [&](const Index &inner) { return inTurn(inner); };
  return std::visit(
      llvm::makeVisitor(
          [&](const IndexConstant &) { return index; },
          [&](const Coordinate &) { return constant(1); }, // one that is not left out of sums
          [&](const IndexQuotient &node) { return quotient(inside(node.index), node.divisor); },
          [&](const IndexRemainder &node) { return remainder(inside(node.index), node.divisor); },
          [&](const IndexMin &node) { return minimum(inside(node.left), inside(node.right)); },
          [&](const IndexMax &node) { return maximum(inside(node.left), inside(node.right)); },
          [&](const IndexMap &node) { return map(node.boundary, node.axis, inside(node.index)); },
          [&](const IndexSum &node) {
            return stencilc::add(inside(node.left), inside(node.right));
          },
          [&](const IndexScale &node) { return scale(inside(node.index), node.factor); }),
      index->node);
}

std::vector<Index> UnrolledLoops::inTurn(llvm::ArrayRef<Index> indices) const {
  std::vector<Index> settled;
  settled.reserve(indices.size());
  for (const Index &index : indices)
    settled.push_back(inTurn(index));
  return settled;
}

void UnrolledLoops::forEachLocal(const Index &index, bool asDistance,
                                 llvm::function_ref<void(unsigned local)> visit) const {
  const auto visitAll = [&](const Index &part) {
    anyCoordinate(part, [&](const Coordinate &coordinate) {
      if (isOne(coordinate))
        visit(coordinate.number);
      else if (coordinate.kind == CoordinateKind::Local)
        llvm::for_each(behind[coordinate.number], visit);
      return false;
    });
  };
  if (!asDistance)
    return visitAll(index);
  for (const LinearIndex::Term &term : linear(index).terms)
    if (anyCoordinate(term.atom, [&](const Coordinate &coordinate) { return !isOne(coordinate); }))
      visitAll(term.atom);
}
