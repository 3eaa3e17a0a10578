// Every rule stands beside its number. The numbers were read from code that nvcc 13 makes for
// compute capability 9.0; test/costmodel/compiled.py measures how far they are off.
#include "costmodel/compiled/Instructions.h"
#include "costmodel/compiled/AddressReuse.h"
#include "costmodel/compiled/ArithmeticRules.h"
#include "costmodel/compiled/IntegerRules.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>
#include <cmath>
#include <set>

using namespace stencilc;

namespace {

// A 64-bit addition is two instructions, and so is base + index * size.
constexpr double kPointer = 2;

/// What registers hold: a pointer that arrays share, one of an array, a place in a tile, a literal.
enum class Holding { SharedPointer, Pointer, TilePlace, Literal };

/// What surrounds a statement.
struct Scope {
  /// False if registers hold it already; `what` tells it from others of its kind.
  bool take(Holding kind, std::initializer_list<int64_t> what, const IndexKey &index = {}) {
    IndexKey key{int64_t(kind)};
    key.append(what);
    key.append(index);
    return known.insert(std::move(key)).second;
  }

  AddressScope addresses;
  std::set<IndexKey> known = {};   ///< addresses and literals that registers hold here
  int unrolled = 1;                ///< turns that became one
  InstructionMix *setUp = nullptr; ///< of the innermost loop: what it needs once
};

} // namespace

namespace stencilc {
/// Walks a kernel once, in the order of the text: what an earlier statement computed is there for
/// the later ones.
class StatementRules {
public:
  StatementRules(const Kernel &kernel, InstructionEstimate &estimate);

private:
  using Cost = InstructionEstimate::Cost;

  void walk(const Body &body, Scope &scope);
  Cost cost(const Statement &statement, Scope &scope);
  Cost cost(const For &loop, Scope &scope);

  InstructionMix ofAddress(unsigned array, llvm::ArrayRef<Index> where, Scope &scope);
  InstructionMix ofTileAddress(unsigned tile, llvm::ArrayRef<Index> where, Scope &scope);
  InstructionMix makePointer(unsigned array, const Address &address, Scope &scope);
  InstructionMix ofValue(const Value &value, Scope &scope);
  InstructionMix ofBinary(const BinaryValue &node, ScalarType type);
  bool isProduct(const Value &value) const;

  const Kernel &kernel;
  InstructionEstimate &estimate;
  std::vector<const Value *> definitions; ///< per register: its value, if it has only one
  std::vector<unsigned> uses;             ///< per register
};
} // namespace stencilc

// ---- the estimate -----------------------------------------------------------------------------

InstructionEstimate::InstructionEstimate(const Kernel &kernel) { StatementRules(kernel, *this); }

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

StatementRules::StatementRules(const Kernel &kernel, InstructionEstimate &estimate)
    : kernel(kernel), estimate(estimate), definitions(kernel.registers.size()),
      uses(kernel.registers.size()) {
  findDefinitions(kernel.body, definitions);
  forEachValue(kernel.body, [&](const Value &value) {
    forEachValue(value, [&](const ValueNode &part) {
      std::visit(llvm::makeVisitor([&](const RegisterValue &node) { ++uses[node.reg]; },
                                   [](const auto &) {}),
                 part.node);
    });
  });
  // The stack pointer, the descriptor of global memory, the bases of arrays; the end.
  estimate.ofEntry = of(Pipe::Integer, 2 + kernel.arrays.size());
  estimate.ofEntry.add(of(Pipe::Integer, kArgument * kernel.uniforms.size()));
  estimate.ofEntry.add(of(Pipe::Control, 1));
  Scope scope{AddressScope(kernel), {}};
  walk(kernel.body, scope);
}

// ---- statements -------------------------------------------------------------------------------

void StatementRules::walk(const Body &body, Scope &scope) {
  for (const Statement &statement : body)
    estimate.costs[&statement] = cost(statement, scope);
}

StatementRules::Cost StatementRules::cost(const Statement &statement, Scope &scope) {
  auto ofAssigned = [&](const Value &value) { return Cost{ofValue(value, scope), {}}; };
  return std::visit(
      llvm::makeVisitor(
          [&](const LetIndex &node) {
            scope.addresses.add(node);
            return Cost{ofIndex(node.value), {}};
          },
          [&](const LetPointer &node) {
            scope.addresses.add(node);
            return Cost{ofNaming(node), {}};
          },
          [&](const Let &node) { return ofAssigned(node.value); },
          [&](const LetMutable &node) { return ofAssigned(node.value); },
          [&](const Assign &node) { return ofAssigned(node.value); },
          [&](const AssignSlot &node) { return ofAssigned(node.value); },
          [&](const Rotate &node) {
            // Unrolled turns rename slots instead of moving them; what outlives the new turn moves.
            const Queue &queue = kernel.queues[node.queue];
            const int moved = std::max(0, int(queue.length()) - 1 - scope.unrolled);
            return Cost{moves(double(moved) * sizeInBytes(queue.type) / 4 / scope.unrolled), {}};
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
            // As a queue's rotation.
            const Patch &patch = kernel.patches[node.patch];
            int slice = 1;
            for (int size : llvm::drop_begin(patch.shape))
              slice *= size;
            const int moved = std::max(0, patch.shape.front() - 1 - scope.unrolled);
            return Cost{moves(double(moved) * slice * sizeInBytes(patch.type) / 4 / scope.unrolled),
                        {}};
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
            // A comparison and a branch for each.
            for (const Role &role : node.roles) {
              Scope inner = scope;
              walk(role.body, inner);
            }
            InstructionMix mix = of(Pipe::Integer, node.roles.size());
            return Cost{mix.add(of(Pipe::Control, 2.0 * node.roles.size())), {}};
          },
          [&](const Barrier &) { return Cost{of(Pipe::Control, 1), {}}; },
          [&](const If &node) {
            // The warp's threads part and meet again: BSSY, BRA, BSYNC.
            InstructionMix mix = ofBox(node.box);
            mix.add(of(Pipe::Control, 3));
            Scope then = scope, otherwise = scope;
            walk(node.then, then);
            walk(node.otherwise, otherwise);
            return Cost{mix, {}};
          },
          [&](const ReturnUnless &node) {
            InstructionMix mix = ofBox(node.box);
            return Cost{mix.add(of(Pipe::Control, 1)), {}};
          },
          [&](const For &node) { return cost(node, scope); }, [](const Phase &) { return Cost{}; }),
      statement.node);
}

StatementRules::Cost StatementRules::cost(const For &loop, Scope &scope) {
  Cost result;
  Scope inner{scope.addresses.inside(loop), {}, unrolledTurns(loop), &result.once};
  walk(loop.body, inner);
  if (loop.kind == LoopKind::Unroll)
    return {{}, {}};
  // Is there a first turn? An unrolled loop also finds out how many turns it leaves over.
  result.once.add(of(Pipe::Integer, 2)).add(of(Pipe::Control, 1));
  if (inner.unrolled > 1)
    result.once.add(additions(30)).add(of(Pipe::Control, 1));
  // Count, compare, branch.
  result.turn.add(of(Pipe::Integer, 2.0 / inner.unrolled));
  result.turn.add(of(Pipe::Control, 1.0 / inner.unrolled));
  return result;
}

// ---- addresses --------------------------------------------------------------------------------

/// Outside a loop, or ahead of it.
InstructionMix StatementRules::makePointer(unsigned array, const Address &address, Scope &scope) {
  InstructionMix mix = additions(kPointer);
  // What arrays with the same index vector share.
  if (!scope.take(Holding::SharedPointer, {address.turn}, address.index))
    return mix;
  if (address.isNear) {
    // One stride away: in the pointer's own addition, if it is added; two more if subtracted. Along
    // two axes at once 4 to 10 were seen.
    static constexpr double off[] = {0, 1, 6};
    return mix.add(additions(off[std::min(address.distance, 2u)]));
  }
  if (address.isInRow) // a sign is known: the mapped index is added to the row
    return mix.add(additions(2));
  // Dense arrays with fewer axes among them: as for a named address, without the carry.
  const bool hasRows = kernel.arrays[array].axes.size() > 1;
  mix.add(of(Pipe::Integer, 1)).add(additions(1));
  return mix.add(of(Pipe::MultiplyAdd, hasRows ? 3 : 0));
}

InstructionMix StatementRules::ofAddress(unsigned array, llvm::ArrayRef<Index> where,
                                         Scope &scope) {
  const Address address = scope.addresses.address(array, where);
  auto isNew = [&](int64_t turn) {
    return scope.take(Holding::Pointer, {array, turn}, address.index);
  };
  if (!scope.setUp)
    return isNew(address.turn) ? makePointer(array, address, scope) : InstructionMix();
  if (address.motion == Motion::Fixed) {
    if (isNew(address.turn))
      scope.setUp->add(makePointer(array, address, scope));
    return {};
  }

  // A pointer carried along is one 64-bit addition for each row that the unrolled turns touch.
  const bool isCarried = address.motion == Motion::Moves && (address.isNear || scope.unrolled == 4);
  if (!isCarried) {
    // Computed anew, with moves of the operands of its 64-bit multiply-add.
    if (!isNew(address.turn))
      return {};
    InstructionMix mix = makePointer(array, address, scope);
    return mix.add(moves(address.isInRow ? 0 : 1));
  }
  int rows = 0;
  for (int turn = 0; turn < scope.unrolled; ++turn)
    rows += isNew(address.turn + turn);
  if (rows)
    scope.setUp->add(makePointer(array, address, scope));
  return additions(kPointer * rows / scope.unrolled);
}

InstructionMix StatementRules::ofTileAddress(unsigned tile, llvm::ArrayRef<Index> where,
                                             Scope &scope) {
  // 32 bits wide; a constant distance along any axis stands in the instruction.
  if (!scope.take(Holding::TilePlace, {tile}, shape(where)))
    return {};
  InstructionMix mix = of(Pipe::MultiplyAdd, where.size());
  for (const Index &index : where)
    mix.add(ofIndex(index));
  return mix;
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
    return isPowerOfTwo(node.right) ? arithmetic(type) : division(type);
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
            return of(Pipe::Integer, 2.0 / scope.unrolled);
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
            return ofOperands(comparison(node.left->type), {node.left, node.right});
          },
          [&](const SelectValue &node) {
            return ofOperands(selection(type), {node.condition, node.then, node.otherwise});
          },
          [&](const CallValue &node) {
            InstructionMix mix = call(node.function, type);
            for (const Value &operand : node.operands)
              mix.add(ofValue(operand, scope));
            return mix;
          },
          [&](const CastValue &node) { return ofOperands(of(Pipe::Special, 1), {node.operand}); },
          [&](const GuardedValue &node) {
            // The outside value is moved in, then the load is predicated.
            InstructionMix mix = ofBox(node.box);
            mix.add(moves(sizeInBytes(type) / 4));
            return ofOperands(mix, {node.inside, node.outside});
          },
          [](const PatchElement &) { return InstructionMix(); },
          [&](const ShuffleValue &node) {
            return ofOperands(of(Pipe::LoadStore, sizeInBytes(type) / 4.0), {node.operand});
          },
          [&](const IndexValue &node) { return ofIndex(node.index).add(of(Pipe::Special, 1)); }),
      value->node);
}
