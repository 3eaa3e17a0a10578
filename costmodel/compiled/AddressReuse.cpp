#include "costmodel/compiled/AddressReuse.h"
#include "costmodel/compiled/UnrolledRange.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static void forEachLoadIn(const ValueNode &value,
                          llvm::function_ref<void(unsigned array, llvm::ArrayRef<Index>)> visit) {
  const auto ofOperands = [&] {
    forEachOperand(value, [&](const Value &operand) { forEachLoadIn(*operand, visit); });
  };
  std::visit(
      llvm::makeVisitor(
          [](const LiteralValue &) {}, [](const ParamLeaf &) {}, [](const UniformValue &) {},
          [](const RegisterValue &) {}, [](const QueueSlotValue &) {}, [](const LoadShared &) {},
          [](const PatchElement &) {}, [](const IndexValue &) {},
          [&](const LoadGlobal &node) { visit(node.array, node.index); },
          [&](const UnaryValue &) { ofOperands(); }, [&](const BinaryValue &) { ofOperands(); },
          [&](const CompareValue &) { ofOperands(); }, [&](const SelectValue &) { ofOperands(); },
          [&](const CallValue &) { ofOperands(); }, [&](const CastValue &) { ofOperands(); },
          [&](const GuardedValue &) { ofOperands(); }, [&](const ShuffleValue &) { ofOperands(); }),
      value.node);
}

void stencilc::forEachAccess(
    const Statement &statement,
    llvm::function_ref<void(unsigned array, llvm::ArrayRef<Index> where)> visit) {
  if (const Value *value = valueOf(statement))
    forEachLoadIn(**value, visit);
  std::visit(llvm::makeVisitor(
                 [](const LetIndex &) {}, [](const LetPointer &) {}, [](const Let &) {},
                 [](const LetMutable &) {}, [](const Assign &) {}, [](const AssignSlot &) {},
                 [](const Rotate &) {}, [](const AssignElement &) {}, [](const ShiftPatch &) {},
                 [&](const StoreGlobal &node) { visit(node.array, node.index); },
                 [](const StoreShared &) {},
                 [&](const LoadVector &node) { visit(node.array, node.index); },
                 [&](const StoreVector &node) { visit(node.array, node.index); },
                 [](const LoadSharedVector &) {}, [](const StoreSharedVector &) {},
                 [&](const CopyAsync &node) { visit(node.array, node.from); },
                 [](const CommitCopies &) {}, [](const WaitCopies &) {}, [](const SendVector &) {},
                 [](const AwaitMessage &) {}, [](const Barrier &) {}, [](const If &) {},
                 [](const ReturnUnless &) {}, [](const For &) {}, [](const Roles &) {},
                 [](const Phase &) {}),
             statement.node);
}

void stencilc::forEachLoad(
    const Statement &statement,
    llvm::function_ref<void(unsigned array, llvm::ArrayRef<Index> where)> visit) {
  if (const Value *value = valueOf(statement))
    forEachLoadIn(**value, visit);
  std::visit(llvm::makeVisitor([&](const LoadVector &node) { visit(node.array, node.index); },
                               [](const auto &) {}),
             statement.node);
}

// ---- unrolling --------------------------------------------------------------------------------

/// Loads and operations in a value.
static int operationsIn(const ValueNode &value) {
  const auto withOperands = [&](int own) {
    forEachOperand(value, [&](const Value &operand) { own += operationsIn(*operand); });
    return own;
  };
  return std::visit(
      llvm::makeVisitor(
          [](const LiteralValue &) { return 0; }, [](const ParamLeaf &) { return 0; },
          [](const UniformValue &) { return 0; }, [](const RegisterValue &) { return 0; },
          [](const QueueSlotValue &) { return 0; }, [](const PatchElement &) { return 0; },
          [](const LoadGlobal &) { return 1; }, [](const LoadShared &) { return 1; },
          [&](const UnaryValue &) { return withOperands(0); },
          [&](const BinaryValue &) { return withOperands(1); },
          [&](const CompareValue &) { return withOperands(1); },
          [&](const SelectValue &) { return withOperands(1); },
          [&](const CallValue &) { return withOperands(1); },
          [&](const CastValue &) { return withOperands(0); },
          [&](const GuardedValue &) { return withOperands(1); },
          [&](const ShuffleValue &) { return withOperands(1); },
          [](const IndexValue &) { return 1; }),
      value.node);
}

static std::optional<int> operationsIn(const Body &body);

/// Loads, stores and operations; none if something there keeps a loop from being unrolled.
static std::optional<int> operationsIn(const Statement &statement) {
  using Sum = std::optional<int>;
  const auto ofValue = [](const Value &value) { return Sum(operationsIn(*value)); };
  return std::visit(
      llvm::makeVisitor(
          [](const LetIndex &) { return Sum(0); }, [](const LetPointer &) { return Sum(0); },
          [&](const Let &node) { return ofValue(node.value); },
          [&](const LetMutable &node) { return ofValue(node.value); },
          [&](const Assign &node) { return ofValue(node.value); },
          [&](const AssignSlot &node) { return ofValue(node.value); },
          [](const Rotate &) { return Sum(0); },
          [&](const AssignElement &node) { return ofValue(node.value); },
          [](const ShiftPatch &) { return Sum(0); },
          [&](const StoreGlobal &node) { return Sum(1 + *ofValue(node.value)); },
          [&](const StoreShared &node) { return Sum(1 + *ofValue(node.value)); },
          [](const LoadVector &) { return Sum(1); }, [](const StoreVector &) { return Sum(1); },
          [](const LoadSharedVector &) { return Sum(1); },
          [](const StoreSharedVector &) { return Sum(1); },
          [](const CopyAsync &) { return Sum(1); }, [](const CommitCopies &) { return Sum(); },
          [](const WaitCopies &) { return Sum(); }, [](const SendVector &) { return Sum(1); },
          [](const AwaitMessage &) { return Sum(); }, [](const Barrier &) { return Sum(); },
          [](const If &node) {
            const Sum then = operationsIn(node.then), otherwise = operationsIn(node.otherwise);
            return then && otherwise ? Sum(*then + *otherwise) : Sum();
          },
          [](const ReturnUnless &) { return Sum(0); },
          [](const For &node) {
            const Sum inside = operationsIn(node.body);
            return inside && node.kind == LoopKind::Unroll
                       ? Sum(*inside * int(unrolledTripCount(node)))
                       : Sum();
          },
          [](const Roles &) { return Sum(); }, [](const Phase &) { return Sum(0); }),
      statement.node);
}

static std::optional<int> operationsIn(const Body &body) {
  int sum = 0;
  for (const Statement &statement : body) {
    const std::optional<int> own = operationsIn(statement);
    if (!own)
      return std::nullopt;
    sum += *own;
  }
  return sum;
}

/// A compiler seldom unrolls a loop around others, even those that it has unrolled: of the
/// examples' marches that load planes ahead only 19pt, box27 and star2d2.
static bool loops(const Body &body) {
  return llvm::any_of(body, [](const Statement &statement) {
    bool inside = loopOf(statement);
    forEachBody(statement, [&](const Body &inner) { inside |= loops(inner); });
    return inside;
  });
}

int stencilc::unrolledTurns(const For &loop, CodeReader &code) {
  const std::optional<int> operations = operationsIn(loop.body);
  if (!operations || loops(loop.body))
    return 1;
  const int most = code.of(CodeNumber::MostTurns);
  for (int turns : {most, most / 2})
    if (turns * *operations <= code.of(CodeNumber::MostOperations))
      return turns;
  return 1;
}

bool stencilc::isPredicated(const Body &body, CodeReader &code) {
  const std::optional<int> operations = operationsIn(body);
  return operations && *operations <= code.of(CodeNumber::MostPredicated);
}

// ---- addresses --------------------------------------------------------------------------------

IndexKey stencilc::shape(llvm::ArrayRef<Index> where) {
  IndexKey key;
  for (const Index &index : where)
    appendKey(key, index);
  return key;
}

bool AddressScope::varies(const Index &index) const {
  return moving && anyCoordinate(index, [&](const Coordinate &coordinate) {
           return coordinate.kind == CoordinateKind::Local &&
                  (coordinate.number == *moving ||
                   llvm::is_contained(varyingLocals, coordinate.number));
         });
}

AddressScope::Place AddressScope::place(llvm::ArrayRef<Index> where) {
  Place result;
  for (const Index &index : where)
    result.constants.push_back(appendKey(result.shape.emplace_back(), index));
  return result;
}

void AddressScope::add(const LetPointer &pointer) {
  named.push_back({pointer, place(pointer.index)});
}

void AddressScope::add(const LetIndex &local) {
  if (varies(local.value))
    varyingLocals.push_back(local.local);
}

AddressScope AddressScope::inside(const For &loop) const {
  AddressScope inner = *this;
  inner.moving = loop.local;
  inner.varyingLocals.clear();
  for (auto [pointer, axis] : loop.carries)
    for (Named &carried : inner.named)
      if (carried.pointer.pointer == pointer) {
        carried.pointer.index[axis] = coordinate(CoordinateKind::Local, loop.local);
        carried.place = place(carried.pointer.index);
      }
  return inner;
}

Address AddressScope::address(unsigned array, llvm::ArrayRef<Index> where) const {
  const Place here = place(where);
  const unsigned last = where.size() - 1;
  Address result;
  std::optional<unsigned> movedAxis;
  for (unsigned position = 0; position <= last; ++position) {
    if (!varies(where[position]))
      continue;
    const bool isPlain = llvm::all_of(linear(where[position]).terms, [&](const auto &term) {
      const auto *atom = std::get_if<Coordinate>(&term.atom->node);
      return (atom && atom->kind == CoordinateKind::Local && atom->number == *moving) ||
             !varies(term.atom);
    });
    result.motion = isPlain && result.motion != Motion::Remade ? Motion::Moves : Motion::Remade;
    movedAxis = position;
  }

  for (const Named &other : named) {
    if (other.pointer.layout != kernel.arrays[array].layout)
      continue;
    Address counted;
    for (unsigned position = 0; position < last; ++position)
      if (other.place.shape[position] != here.shape[position])
        counted.mapped.push_back(where[position]);
      else
        counted.distance += here.constants[position] != other.place.constants[position];
    if (other.place.shape[last] != here.shape[last])
      counted.inRow = other.pointer.index[last];
    const auto far = [](const Address &one) {
      return std::tuple(one.mapped.size(), bool(one.inRow), one.distance);
    };
    if (result.hasName && far(result) <= far(counted))
      continue;
    result.hasName = true;
    result.distance = counted.distance;
    result.mapped = counted.mapped;
    result.inRow = counted.inRow;
    result.isNear = counted.mapped.empty() && !counted.inRow;
  }

  for (unsigned position = 0; position <= last; ++position) {
    result.index.append(here.shape[position]);
    if (position == last)
      break;
    if (position == movedAxis && result.motion == Motion::Moves)
      result.turn = here.constants[position];
    else
      result.index.push_back(here.constants[position]);
  }
  return result;
}
