// What indices, bounds and addresses cost: what registers hold already is computed only once.
#include "costmodel/compiled/IntegerRules.h"
#include "costmodel/compiled/StatementRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <functional>

using namespace stencilc;

// ---- indices ----------------------------------------------------------------------------------

Index StatementRules::inTurn(const Index &index, const CostScope &scope) const {
  const For *march = scope.written;
  return unrolled.inTurn(
      march ? replaced(index, {CoordinateKind::Local, march->local}, march->begin) : index);
}

/// A quotient and a remainder of the same division are made at once.
InstructionMix StatementRules::ofIndexOnce(const Index &index, CostScope &scope) {
  InstructionMix mix = ofIndex(index, code);
  const auto divided = [&](const Index &operand, int64_t divisor) {
    IndexKey key;
    const int64_t constant = appendKey(key, operand);
    if (!llvm::isPowerOf2_64(divisor) && !scope.take(Holding::Division, {divisor, constant}, key))
      mix.add(code.of(CodeMix::IndexDivision), -1);
  };
  const std::function<void(const Index &)> visit = [&](const Index &part) {
    if (const auto *quotient = std::get_if<IndexQuotient>(&part->node))
      divided(quotient->index, quotient->divisor);
    if (const auto *remainder = std::get_if<IndexRemainder>(&part->node))
      divided(remainder->index, remainder->divisor);
    forEachOperand(*part, visit);
  };
  visit(index);
  return mix;
}

/// In a loop; what no turn changes is computed ahead of it.
InstructionMix StatementRules::ofIndexInLoop(const Index &index, CostScope &scope) {
  const auto varies = [&](const Index &part) { return scope.addresses.varies(part); };
  const LinearIndex form = linear(index);
  Index moving = constant(0), fixed = constant(form.constant);
  for (const LinearIndex::Term &term : form.terms) {
    Index &part = varies(term.atom) ? moving : fixed;
    part = add(part, scale(term.atom, term.factor));
  }
  const bool hasFixed = form.terms.empty() || !linear(fixed).terms.empty();
  if (!hasFixed)
    return ofIndexOnce(index, scope);
  scope.setUp->add(ofIndexOnce(fixed, scope));
  if (!varies(index))
    return {};
  return ofIndexOnce(moving, scope).add(of(Pipe::Integer, 1));
}

InstructionMix StatementRules::ofLetIndex(const LetIndex &node, CostScope &scope) {
  scope.addresses.add(node);
  unrolled.add(node);
  if (scope.unrolledAround.empty())
    return scope.setUp ? ofIndexInLoop(node.value, scope) : ofIndexOnce(node.value, scope);
  Locals locals;
  addLocals(locals, node.value, /*isDistance=*/false);
  InstructionMix mix;
  mix.add(ofIndex(unrolled.inTurn(node.value), code), scope.shareOf(locals));
  if (!scope.setUp || scope.addresses.varies(node.value))
    return mix;
  scope.setUp->add(mix); // what no turn of the loop around changes
  return {};
}

bool StatementRules::isDecided(const Box &box, const CostScope &scope) const {
  const auto isKnown = [&](const Index &index, const Index &bound) {
    return !bound || constantDifference(inTurn(index, scope), inTurn(bound, scope));
  };
  return scope.written && llvm::all_of(box, [&](const Range &range) {
           return isKnown(range.index, range.lower) && isKnown(range.index, range.upper);
         });
}

/// In unrolled loops, one comparison serves all that ask the same. What no turn of a march that is
/// written out changes, is compared ahead of it.
InstructionMix StatementRules::ofBounds(const Box &box, CostScope &scope) {
  if (scope.unrolledAround.empty() && !scope.written)
    return ofBox(box, code);
  InstructionMix mix;
  for (const Range &range : box)
    for (const bool isLower : {true, false}) {
      const Index &bound = isLower ? range.lower : range.upper;
      if (!bound)
        continue;
      const Range one = {range.index, isLower ? bound : nullptr, isLower ? nullptr : bound};
      if (isDecided({one}, scope))
        continue;
      IndexKey key;
      const int64_t ofIndex = appendKey(key, range.index), ofBound = appendKey(key, bound);
      if (!scope.take(Holding::Bound, {isLower, ofIndex, ofBound}, key))
        continue;
      Locals locals;
      addLocals(locals, range.index, /*isDistance=*/false);
      addLocals(locals, bound, /*isDistance=*/false);
      const bool isAhead =
          scope.written && !scope.addresses.varies(range.index) && !scope.addresses.varies(bound);
      const Box inTurn = {{unrolled.inTurn(range.index), isLower ? unrolled.inTurn(bound) : nullptr,
                           isLower ? nullptr : unrolled.inTurn(bound)}};
      (isAhead ? *scope.setUp : mix).add(ofBox(inTurn, code), scope.shareOf(locals));
    }
  return mix;
}

// ---- addresses --------------------------------------------------------------------------------

/// How far an index lies from where its address counts from.
InstructionMix StatementRules::difference(const Index &mapped, CostScope &scope) {
  IndexKey key;
  const int64_t constant = appendKey(key, mapped);
  return scope.take(Holding::Difference, {constant}, key) ? code.of(CodeMix::Difference)
                                                          : InstructionMix();
}

/// What arrays with the same index vector share.
InstructionMix StatementRules::ofPlace(const Address &address, CostScope &scope) {
  InstructionMix mix;
  if (!address.hasName)
    return mix.add(code.of(CodeMix::UnnamedPointer)).add(code.of(CodeMix::MappedRows));
  for (const Index &index : address.mapped)
    mix.add(difference(index, scope)).add(code.of(CodeMix::MappedRows));
  if (address.distance)
    mix.add(
        code.of(CodeMix::Addition, code.of(address.distance == 1 ? CodeNumber::AdditionsOfRow
                                                                 : CodeNumber::AdditionsOfFarRow)));
  return mix;
}

/// Outside a loop, or ahead of it.
InstructionMix StatementRules::makePointer(unsigned array, llvm::ArrayRef<Index> where,
                                           const Address &address, CostScope &scope) {
  if (address.inRow) {
    std::vector<Index> row(where.begin(), where.end());
    row.back() = address.inRow;
    InstructionMix mix = ofAddress(array, row, scope);
    return mix.add(difference(where.back(), scope)).add(code.of(CodeMix::InRow));
  }
  InstructionMix mix = code.of(CodeMix::Addition, kWideAddition);
  if (scope.take(Holding::SharedPointer, {address.turn}, address.index))
    mix.add(ofPlace(address, scope));
  return mix;
}

InstructionMix StatementRules::ofAddress(unsigned array, llvm::ArrayRef<Index> where,
                                         CostScope &scope) {
  if (scope.unrolledAround.empty())
    return ofAddressInTurn(array, where, scope);
  // Along a row a constant distance stands in the instruction, and any other is added to the row's
  // pointer; other rows have other pointers.
  Locals ofRow;
  for (const Index &index : where.drop_back())
    addLocals(ofRow, index, /*isDistance=*/false);
  Locals ofAll = ofRow;
  addLocals(ofAll, where.back(), /*isDistance=*/true);
  InstructionMix mix;
  mix.add(ofAddressInTurn(array, unrolled.inTurn(where), scope), scope.shareOf(ofRow));
  return mix.add(code.of(CodeMix::InRow), scope.shareOf(ofAll) - scope.shareOf(ofRow));
}

InstructionMix StatementRules::ofAddressInTurn(unsigned array, llvm::ArrayRef<Index> where,
                                               CostScope &scope) {
  const Address address = scope.addresses.address(array, where);
  auto isNew = [&](int64_t turn) {
    return scope.take(Holding::Pointer, {array, turn}, address.index);
  };
  if (!scope.setUp)
    return isNew(address.turn) ? makePointer(array, where, address, scope) : InstructionMix();
  switch (address.motion) {
  case Motion::Fixed:
    if (isNew(address.turn))
      scope.setUp->add(makePointer(array, where, address, scope));
    return {};
  case Motion::Remade: {
    if (!isNew(address.turn))
      return {};
    InstructionMix mix = makePointer(array, where, address, scope);
    // The name that it counts from runs along too.
    if (address.hasName && scope.take(Holding::CarriedName, {int64_t(kernel.arrays[array].layout)}))
      mix.add(code.of(CodeMix::Addition, kWideAddition));
    return mix;
  }
  case Motion::Moves:
    break;
  }
  // A pointer carried along is one 64-bit addition for each row that the unrolled turns touch.
  int rows = 0;
  for (int turn = 0; turn < scope.unrolled; ++turn)
    rows += isNew(address.turn + turn);
  if (rows)
    scope.setUp->add(makePointer(array, where, address, scope));
  return code.of(CodeMix::Addition, kWideAddition * rows / scope.unrolled);
}

InstructionMix StatementRules::ofTileAddress(unsigned tile, llvm::ArrayRef<Index> where,
                                             CostScope &scope) {
  // A constant distance along any axis stands in the instruction.
  std::vector<Index> inTurn;
  for (const Index &index : where)
    inTurn.push_back(this->inTurn(index, scope));
  if (!scope.take(Holding::TilePlace, {tile}, shape(inTurn)))
    return {};
  if (!unrolled.any() && !scope.written) {
    InstructionMix mix = code.of(CodeMix::TileIndex, where.size());
    for (const Index &index : where)
      mix.add(ofIndexOnce(index, scope));
    return mix;
  }
  Locals locals;
  InstructionMix mix, ahead;
  for (auto [written, index] : llvm::zip_equal(where, inTurn)) {
    addLocals(locals, written, /*isDistance=*/true);
    if (linear(index).terms.empty())
      continue;
    // What no turn of the loop around changes is computed ahead of it.
    InstructionMix &own = scope.setUp && !scope.addresses.varies(index) ? ahead : mix;
    own.add(ofIndexOnce(index, scope)).add(code.of(CodeMix::TileIndex));
  }
  if (scope.setUp)
    scope.setUp->add(ahead);
  InstructionMix sum;
  return sum.add(mix, scope.shareOf(locals));
}
