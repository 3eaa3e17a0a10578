#include "costmodel/compiled/Instructions.h"
#include "costmodel/compiled/AddressReuse.h"
#include "costmodel/compiled/ArithmeticRules.h"
#include "costmodel/compiled/IntegerRules.h"
#include "costmodel/compiled/UnrolledLoops.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

#include <bit>
#include <cmath>
#include <set>

using namespace stencilc;

namespace {

/// What registers hold: a pointer that arrays share, one of an array, a named one that runs along
/// with a loop, how far a boundary sends an index, a place in a tile, a literal, the outcome of a
/// comparison with a bound.
enum class Holding { SharedPointer, Pointer, CarriedName, Difference, TilePlace, Literal, Bound };

/// Locals of unrolled loops.
using Locals = llvm::SmallSet<unsigned, 4>;

/// What surrounds a statement.
struct Scope {
  /// False if registers hold it already; `what` tells it from others of its kind.
  bool take(Holding kind, std::initializer_list<int64_t> what, const IndexKey &index = {}) {
    IndexKey key{int64_t(kind)};
    key.append(what);
    key.append(index);
    for (const Scope *scope = around; scope; scope = scope->around)
      if (scope->known.contains(key))
        return false;
    return known.insert(std::move(key)).second;
  }
  /// That of a body which some threads of this one execute.
  Scope within() const { return {addresses, this, {}, unrolled, setUp}; }
  /// Of all executions of a statement, those that compute anew what depends on these locals alone.
  double shareOf(const Locals &locals) const {
    double share = 1;
    for (auto [local, turns] : unrolledAround)
      if (!locals.contains(local))
        share /= double(turns);
    return share;
  }

  AddressScope addresses;
  const Scope *around = nullptr;   ///< whose registers are at hand here, too
  std::set<IndexKey> known = {};   ///< addresses and literals that registers hold from here on
  int unrolled = 1;                ///< turns that became one
  InstructionMix *setUp = nullptr; ///< of the innermost loop: what it needs once
  /// Loops around the statement in this body that are unrolled as written: their locals and turns.
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> unrolledAround = {};
};

} // namespace

namespace stencilc {
/// Walks a kernel once, in the order of the text: what an earlier statement computed is there for
/// the later ones.
class StatementRules {
public:
  StatementRules(const EstimatedKernel &estimated, CodeReader &code, InstructionEstimate &estimate);

private:
  using Cost = InstructionEstimate::Cost;

  void walk(const Body &body, Scope &scope);
  Cost cost(const Statement &statement, Scope &scope);
  Cost cost(const For &loop, Scope &scope);

  /// What an index of an address, or with `isDistance` false any index, depends on.
  void addLocals(Locals &locals, const Index &index, bool isDistance) const {
    unrolled.forEachLocal(index, isDistance, [&](unsigned local) { locals.insert(local); });
  }
  InstructionMix ofLetIndex(const LetIndex &node, Scope &scope);
  InstructionMix ofBounds(const Box &box, Scope &scope);
  InstructionMix ofAddress(unsigned array, llvm::ArrayRef<Index> where, Scope &scope);
  InstructionMix ofTileAddress(unsigned tile, llvm::ArrayRef<Index> where, Scope &scope);
  InstructionMix difference(const Index &mapped, Scope &scope);
  InstructionMix ofPlace(const Address &address, Scope &scope);
  InstructionMix makePointer(unsigned array, llvm::ArrayRef<Index> where, const Address &address,
                             Scope &scope);
  InstructionMix ofAddressInTurn(unsigned array, llvm::ArrayRef<Index> where, Scope &scope);
  InstructionMix ofValue(const Value &value, Scope &scope);
  InstructionMix ofBinary(const BinaryValue &node, ScalarType type);
  bool isProduct(const Value &value) const;

  const Kernel &kernel;
  CodeReader &code;
  InstructionEstimate &estimate;
  const PatchWords &inPatches;
  UnrolledLoops unrolled;
  std::vector<const Value *> definitions; ///< per register: its value, if it has only one
  std::vector<unsigned> uses;             ///< per register
};
} // namespace stencilc

// ---- the estimate -----------------------------------------------------------------------------

InstructionEstimate::InstructionEstimate(const EstimatedKernel &estimated, const CodeTable &table) {
  CodeReader code(table);
  StatementRules(estimated, code, *this);
  usedValues = code.used();
}

static const InstructionMix nothing;

const InstructionMix &InstructionEstimate::once(const Statement &statement) const {
  auto found = costs.find(&statement);
  return found == costs.end() ? nothing : found->second.once;
}

const InstructionMix &InstructionEstimate::turn(const Statement &loop) const {
  auto found = costs.find(&loop);
  return found == costs.end() ? nothing : found->second.turn;
}

static void findDefinitions(const Body &body, std::vector<const Value *> &definitions) {
  for (const Statement &statement : body) {
    std::visit(llvm::makeVisitor([&](const Let &node) { definitions[node.reg] = &node.value; },
                                 [](const auto &) {}),
               statement.node);
    forEachBody(statement, [&](const Body &inner) { findDefinitions(inner, definitions); });
  }
}

StatementRules::StatementRules(const EstimatedKernel &estimated, CodeReader &code,
                               InstructionEstimate &estimate)
    : kernel(estimated.kernel), code(code), estimate(estimate), inPatches(estimated.inPatches),
      unrolled(kernel), definitions(kernel.registers.size()), uses(kernel.registers.size()) {
  findDefinitions(kernel.body, definitions);
  forEachValue(kernel.body, [&](const Value &value) {
    forEachValue(value, [&](const ValueNode &part) {
      std::visit(llvm::makeVisitor([&](const RegisterValue &node) { ++uses[node.reg]; },
                                   [](const auto &) {}),
                 part.node);
    });
  });
  estimate.ofEntry = code.of(CodeMix::Entry);
  estimate.ofEntry.add(code.of(CodeMix::ArrayBase, kernel.arrays.size()));
  estimate.ofEntry.add(code.of(CodeMix::Argument, kernel.uniforms.size()));
  estimate.ofEntry.add(of(Pipe::Control, 1)); // the exit
  Scope scope{AddressScope(kernel)};
  walk(kernel.body, scope);
}

// ---- statements -------------------------------------------------------------------------------

void StatementRules::walk(const Body &body, Scope &scope) {
  for (const Statement &statement : body)
    estimate.costs[&statement] = cost(statement, scope);
}

StatementRules::Cost StatementRules::cost(const Statement &statement, Scope &scope) {
  auto ofAssigned = [&](const Value &value) { return Cost{ofValue(value, scope), {}}; };
  auto ofMoved = [&](double words) { return Cost{code.of(CodeMix::Move, words), {}}; };
  return std::visit(
      llvm::makeVisitor(
          [&](const LetIndex &node) { return Cost{ofLetIndex(node, scope), {}}; },
          [&](const LetPointer &node) {
            scope.addresses.add(node);
            return Cost{ofNaming(node, code), {}};
          },
          [&](const Let &node) { return ofAssigned(node.value); },
          [&](const LetMutable &node) { return ofAssigned(node.value); },
          [&](const Assign &node) { return ofAssigned(node.value); },
          [&](const AssignSlot &node) { return ofAssigned(node.value); },
          [&](const Rotate &node) {
            // Unrolled turns rename slots instead of moving them; what outlives the new turn moves.
            const Queue &queue = kernel.queues[node.queue];
            const int moved = std::max(0, int(queue.length()) - 1 - scope.unrolled);
            return ofMoved(double(moved) * sizeInBytes(queue.type) / 4 / scope.unrolled);
          },
          [&](const StoreGlobal &node) {
            InstructionMix mix = ofValue(node.value, scope);
            mix.add(ofAddress(node.array, node.index, scope)).add(of(Pipe::LoadStore, 1));
            return Cost{mix, {}};
          },
          [&](const StoreShared &node) {
            InstructionMix mix = ofValue(node.value, scope);
            mix.add(ofTileAddress(node.tile, node.index, scope)).add(of(Pipe::LoadStore, 1));
            return Cost{mix, {}};
          },
          [&](const AssignElement &node) { return ofAssigned(node.value); },
          [&](const ShiftPatch &node) {
            // As a queue's rotation, column by column.
            int moved = 0;
            for (int planes : inPatches.ways[node.patch])
              moved += std::max(0, planes - scope.unrolled);
            const Patch &patch = kernel.patches[node.patch];
            return ofMoved(double(moved) * sizeInBytes(patch.type) / 4 / scope.unrolled);
          },
          [&](const LoadVector &node) {
            return Cost{ofAddress(node.array, node.index, scope).add(of(Pipe::LoadStore, 1)), {}};
          },
          [&](const StoreVector &node) {
            return Cost{ofAddress(node.array, node.index, scope).add(of(Pipe::LoadStore, 1)), {}};
          },
          [&](const LoadSharedVector &node) {
            return Cost{ofTileAddress(node.tile, node.index, scope).add(of(Pipe::LoadStore, 1)),
                        {}};
          },
          [&](const StoreSharedVector &node) {
            return Cost{ofTileAddress(node.tile, node.index, scope).add(of(Pipe::LoadStore, 1)),
                        {}};
          },
          [&](const CopyAsync &node) {
            InstructionMix mix = ofAddress(node.array, node.from, scope);
            mix.add(ofTileAddress(node.tile, node.to, scope)).add(of(Pipe::LoadStore, 1));
            return Cost{mix, {}};
          },
          [&](const CommitCopies &) { return Cost{of(Pipe::LoadStore, 1), {}}; },
          [&](const WaitCopies &) { return Cost{of(Pipe::Control, 1), {}}; },
          [&](const Roles &node) {
            for (const Role &role : node.roles) {
              Scope inner = scope.within();
              walk(role.body, inner);
            }
            return Cost{code.of(CodeMix::Role, node.roles.size()), {}};
          },
          [&](const Barrier &) { return Cost{of(Pipe::Control, 1), {}}; },
          [&](const If &node) {
            InstructionMix mix = ofBounds(node.box, scope);
            mix.add(code.of(CodeMix::Branch));
            for (const Body *body : {&node.then, &node.otherwise})
              if (!body->empty()) {
                Scope inner = scope.within();
                walk(*body, inner);
              }
            return Cost{mix, {}};
          },
          [&](const ReturnUnless &node) {
            InstructionMix mix = ofBounds(node.box, scope);
            return Cost{mix.add(of(Pipe::Control, 1)), {}};
          },
          [&](const For &node) { return cost(node, scope); }, [](const Phase &) { return Cost{}; }),
      statement.node);
}

StatementRules::Cost StatementRules::cost(const For &loop, Scope &scope) {
  if (loop.kind == LoopKind::Unroll) {
    // What a turn computes is at hand in the others and behind them, as far as it is the same.
    scope.unrolledAround.emplace_back(loop.local, std::max<int64_t>(1, unrolledTripCount(loop)));
    walk(loop.body, scope);
    scope.unrolledAround.pop_back();
    return {};
  }
  Cost result;
  Scope inner{scope.addresses.inside(loop), nullptr, {}, unrolledTurns(loop, code), &result.once};
  walk(loop.body, inner);
  result.once.add(code.of(CodeMix::Loop));
  if (inner.unrolled > 1)
    result.once.add(code.of(CodeMix::UnrolledLoop));
  result.turn.add(code.of(CodeMix::Turn, 1.0 / inner.unrolled));
  return result;
}

// ---- indices ----------------------------------------------------------------------------------

InstructionMix StatementRules::ofLetIndex(const LetIndex &node, Scope &scope) {
  scope.addresses.add(node);
  unrolled.add(node);
  if (scope.unrolledAround.empty())
    return ofIndex(node.value, code);
  Locals locals;
  addLocals(locals, node.value, /*isDistance=*/false);
  InstructionMix mix;
  return mix.add(ofIndex(unrolled.inTurn(node.value), code), scope.shareOf(locals));
}

/// In unrolled loops, one comparison serves all that ask the same.
InstructionMix StatementRules::ofBounds(const Box &box, Scope &scope) {
  if (scope.unrolledAround.empty())
    return ofBox(box, code);
  InstructionMix mix;
  for (const Range &range : box)
    for (const bool isLower : {true, false}) {
      const Index &bound = isLower ? range.lower : range.upper;
      if (!bound)
        continue;
      IndexKey key;
      const int64_t ofIndex = appendKey(key, range.index), ofBound = appendKey(key, bound);
      if (!scope.take(Holding::Bound, {isLower, ofIndex, ofBound}, key))
        continue;
      Locals locals;
      addLocals(locals, range.index, /*isDistance=*/false);
      addLocals(locals, bound, /*isDistance=*/false);
      const Box one = {{unrolled.inTurn(range.index), isLower ? unrolled.inTurn(bound) : nullptr,
                        isLower ? nullptr : unrolled.inTurn(bound)}};
      mix.add(ofBox(one, code), scope.shareOf(locals));
    }
  return mix;
}

// ---- addresses --------------------------------------------------------------------------------

/// How far an index lies from where its address counts from.
InstructionMix StatementRules::difference(const Index &mapped, Scope &scope) {
  IndexKey key;
  const int64_t constant = appendKey(key, mapped);
  return scope.take(Holding::Difference, {constant}, key) ? code.of(CodeMix::Difference)
                                                          : InstructionMix();
}

/// What arrays with the same index vector share.
InstructionMix StatementRules::ofPlace(const Address &address, Scope &scope) {
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
                                           const Address &address, Scope &scope) {
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
                                         Scope &scope) {
  if (scope.unrolledAround.empty())
    return ofAddressInTurn(array, where, scope);
  // Along a row a constant distance stands in the instruction; other rows have other pointers.
  Locals locals;
  for (const Index &index : where.drop_back())
    addLocals(locals, index, /*isDistance=*/false);
  addLocals(locals, where.back(), /*isDistance=*/true);
  InstructionMix mix;
  return mix.add(ofAddressInTurn(array, unrolled.inTurn(where), scope), scope.shareOf(locals));
}

InstructionMix StatementRules::ofAddressInTurn(unsigned array, llvm::ArrayRef<Index> where,
                                               Scope &scope) {
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
                                             Scope &scope) {
  // A constant distance along any axis stands in the instruction.
  const std::vector<Index> inTurn = unrolled.inTurn(where);
  if (!scope.take(Holding::TilePlace, {tile}, shape(inTurn)))
    return {};
  if (!unrolled.any()) {
    InstructionMix mix = code.of(CodeMix::TileIndex, where.size());
    for (const Index &index : where)
      mix.add(ofIndex(index, code));
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
    own.add(ofIndex(index, code)).add(code.of(CodeMix::TileIndex));
  }
  if (scope.setUp)
    scope.setUp->add(ahead);
  InstructionMix sum;
  return sum.add(mix, scope.shareOf(locals));
}

// ---- numbers ----------------------------------------------------------------------------------

/// A product that an addition can take along.
bool StatementRules::isProduct(const Value &value) const {
  return std::visit(llvm::makeVisitor(
                        [&](const RegisterValue &node) {
                          return uses[node.reg] == 1 && definitions[node.reg] &&
                                 isProduct(*definitions[node.reg]);
                        },
                        [&](const UnaryValue &node) {
                          return node.op == UnaryOp::Negate && isProduct(node.operand);
                        },
                        [](const BinaryValue &node) { return node.op == BinaryOp::Multiply; },
                        [](const auto &) { return false; }),
                    value->node);
}

/// x / 4 is x * 0.25.
static bool isPowerOfTwo(const Value &value) {
  return std::visit(llvm::makeVisitor(
                        [](const LiteralValue &node) {
                          int exponent;
                          return std::abs(std::frexp(node.value, &exponent)) == 0.5;
                        },
                        [](const auto &) { return false; }),
                    value->node);
}

InstructionMix StatementRules::ofBinary(const BinaryValue &node, ScalarType type) {
  switch (node.op) {
  case BinaryOp::Add:
  case BinaryOp::Subtract:
    return isProduct(node.left) || isProduct(node.right) ? InstructionMix() : arithmetic(type);
  case BinaryOp::Multiply:
    return arithmetic(type);
  case BinaryOp::Divide:
    return isPowerOfTwo(node.right) ? arithmetic(type) : division(type, code);
  case BinaryOp::And:
  case BinaryOp::Or: // a comparison takes the outcome of another along
    return {};
  }
  llvm_unreachable("every operation has a rule");
}

InstructionMix StatementRules::ofValue(const Value &value, Scope &scope) {
  const ScalarType type = value->type;
  auto ofOperands = [&](InstructionMix mix, std::initializer_list<Value> operands) {
    for (const Value &operand : operands)
      mix.add(ofValue(operand, scope));
    return mix;
  };
  return std::visit(
      llvm::makeVisitor(
          [&](const LiteralValue &node) {
            if (!needsMoves(node.value, type) ||
                !scope.take(Holding::Literal, {std::bit_cast<int64_t>(node.value)}))
              return InstructionMix();
            return code.of(CodeMix::LongLiteral, 1.0 / scope.unrolled);
          },
          [](const ParamLeaf &) { return InstructionMix(); },
          [](const UniformValue &) { return InstructionMix(); },
          [](const RegisterValue &) { return InstructionMix(); },
          [](const QueueSlotValue &) { return InstructionMix(); },
          [&](const LoadGlobal &node) {
            return ofAddress(node.array, node.index, scope).add(of(Pipe::LoadStore, 1));
          },
          [&](const LoadShared &node) {
            return ofTileAddress(node.tile, node.index, scope).add(of(Pipe::LoadStore, 1));
          },
          [&](const UnaryValue &node) { // part of the instruction that uses it
            return ofOperands({}, {node.operand});
          },
          [&](const BinaryValue &node) {
            return ofOperands(ofBinary(node, type), {node.left, node.right});
          },
          [&](const CompareValue &node) {
            return ofOperands(comparison(node.left->type, code), {node.left, node.right});
          },
          [&](const SelectValue &node) {
            return ofOperands(selection(type, code), {node.condition, node.then, node.otherwise});
          },
          [&](const CallValue &node) {
            InstructionMix mix = code.of(mixOf(node.function, type));
            for (const Value &operand : node.operands)
              mix.add(ofValue(operand, scope));
            return mix;
          },
          [&](const CastValue &node) {
            return ofOperands(code.of(CodeMix::Conversion), {node.operand});
          },
          [&](const GuardedValue &node) {
            // The outside value is moved in, then the load is predicated.
            InstructionMix mix = ofBounds(node.box, scope);
            if (type != ScalarType::Bool) // which the condition is itself
              mix.add(code.of(CodeMix::Move, type == ScalarType::F32 ? 1 : 2));
            return ofOperands(mix, {node.inside, node.outside});
          },
          [](const PatchElement &) { return InstructionMix(); },
          [&](const ShuffleValue &node) {
            return ofOperands(of(Pipe::LoadStore, sizeInBytes(type) / 4.0), {node.operand});
          },
          [&](const IndexValue &node) {
            return ofIndex(node.index, code).add(code.of(CodeMix::IndexConversion));
          }),
      value->node);
}
