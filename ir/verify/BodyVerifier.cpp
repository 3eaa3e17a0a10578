#include "ir/verify/BodyVerifier.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace stencilc;

BodyVerifier::BodyVerifier(const Kernel &kernel, const std::vector<Uniform> &uniforms,
                           const Multiples &whole, WarpRange warps, VerifierFault &fault)
    : kernel(kernel), uniforms(uniforms), warps(warps), fault(fault), flow(kernel),
      indices(kernel, whole, flow, fault), made(kernel.registers.size()),
      isMutable(kernel.registers.size()), inPlace(kernel.arrays.size()) {
  if (warps.count == kernel.warps())
    return;
  const Index warp = coordinate(CoordinateKind::Warp, 0);
  indices.constraints.assumeAtMost(constant(warps.first), warp);
  const unsigned last = warps.first + warps.count - 1;
  indices.constraints.assumeAtMost(warp, constant(last));
  if (kernel.block[0] % kLanesPerWarp == 0 && kernel.block[2] == 1) {
    // So many warps are a row.
    const unsigned perRow = kernel.block[0] / kLanesPerWarp;
    const Index row = coordinate(CoordinateKind::Thread, 1);
    indices.constraints.assumeAtMost(constant(warps.first / perRow), row);
    indices.constraints.assumeAtMost(row, constant(last / perRow));
  }
}

void BodyVerifier::walk(const Body &body) {
  const std::vector<const LetPointer *> outer = std::exchange(pointers, {});
  for (const Statement &statement : body) {
    std::visit([&](const auto &node) { visit(node); }, statement.node);
    if (fault)
      return;
  }
  pointers = outer;
}

// ---- statements -------------------------------------------------------------------------------

void BodyVerifier::visit(const LetIndex &node) { indices.define(node.local, node.value); }

void BodyVerifier::visit(const LetPointer &node) {
  if (node.pointer >= kernel.pointers.size()) {
    fault.report("definition", kernel.name, "there is no pointer {}", node.pointer);
    return;
  }
  if (!hasStrides(node.layout))
    fault.report("type", kernel.name, "pointer `{}` is to arrays that share no strides",
                 kernel.pointers[node.pointer]);
  if (node.index.size() != kernel.rank())
    fault.report("type", kernel.name, "pointer `{}` has {} indices for {} axes",
                 kernel.pointers[node.pointer], node.index.size(), kernel.rank());
  for (const Index &index : node.index)
    indices.check(index);
  if (node.isCarried)
    pointers.push_back(&node);
}

void BodyVerifier::makeRegister(unsigned reg, const Value &value) {
  check(value);
  if (fault)
    return;
  if (reg >= kernel.registers.size()) {
    fault.report("definition", kernel.name, "there is no register {}", reg);
    return;
  }
  const Register &declared = kernel.registers[reg];
  if (made[reg])
    fault.report("definition", kernel.name, "register `{}` is made twice", declared.name);
  checkType(declared.name, declared.type, value->type);
  made.set(reg);
  flow.registers.set(reg);
}

void BodyVerifier::visit(const Let &node) { makeRegister(node.reg, node.value); }

void BodyVerifier::visit(const LetMutable &node) {
  makeRegister(node.reg, node.value);
  if (!fault)
    isMutable.set(node.reg);
}

void BodyVerifier::visit(const Assign &node) {
  check(node.value);
  if (fault)
    return;
  if (node.reg >= kernel.registers.size()) {
    fault.report("definition", kernel.name, "there is no register {}", node.reg);
    return;
  }
  const Register &declared = kernel.registers[node.reg];
  if (!flow.registers[node.reg] || !isMutable[node.reg])
    fault.report("definition", kernel.name, "register `{}` is assigned but not mutable here",
                 declared.name);
  checkType(declared.name, declared.type, node.value->type);
}

void BodyVerifier::visit(const AssignSlot &node) {
  check(node.value);
  if (fault || !slotExists(node.queue, node.slot))
    return;
  checkType(kernel.queues[node.queue].name, kernel.queues[node.queue].type, node.value->type);
  flow.slots[node.queue].set(node.slot);
}

void BodyVerifier::visit(const Rotate &node) {
  if (!slotExists(node.queue, 0))
    return;
  llvm::BitVector &slots = flow.slots[node.queue];
  for (unsigned slot = 0; slot + 1 < slots.size(); ++slot)
    slots[slot] = slots[slot + 1];
}

void BodyVerifier::visit(const StoreGlobal &node) {
  check(node.value);
  if (fault || !arrayExists(node.array))
    return;
  const ArrayArgument &array = kernel.arrays[node.array];
  if (array.access == Access::Read)
    fault.report("access", kernel.name, "`{}` is stored but only read", array.name);
  checkType(array.name, array.type, node.value->type);
  indices.checkAccess(array, node.index);
  checkInPlace(node.array, node.index, /*isStore=*/true);
}

void BodyVerifier::visit(const StoreShared &node) {
  check(node.value);
  if (fault || !tileExists(node.tile))
    return;
  const SharedTile &tile = kernel.tiles[node.tile];
  checkType(tile.name, tile.type, node.value->type);
  indices.checkAccess(tile, node.index);
}

void BodyVerifier::visit(const If &node) {
  DifferenceConstraints::Mark mark = indices.constraints.mark();
  indices.enter(node.box);
  if (fault)
    return;
  const unsigned diverges = indices.dependsOnThread(node.box);
  const unsigned lanesDiverge = indices.dependsOnLane(node.box);
  divergence += diverges;
  laneDivergence += lanesDiverge;
  VerifierFlow before = flow;
  walk(node.then);
  indices.constraints.restore(mark);
  if (fault)
    return;
  VerifierFlow afterThen = std::exchange(flow, std::move(before));
  walk(node.otherwise);
  indices.constraints.restore(mark);
  flow.meet(afterThen);
  divergence -= diverges;
  laneDivergence -= lanesDiverge;
}

void BodyVerifier::visit(const ReturnUnless &node) {
  indices.enter(node.box);
  if (fault)
    return;
  flow.returned |= divergence != 0 || roles != 0 || indices.dependsOnThread(node.box);
  flow.lanesReturned |= laneDivergence != 0 || indices.dependsOnLane(node.box);
  for (const Range &range : node.box)
    for (const Index &index : {range.index, range.lower, range.upper})
      returnsAlone |= index && dependsOnPartner(index);
}

void BodyVerifier::checkCarried(const For &loop, const CarriedPointer &carried) {
  const auto [pointer, axis] = carried;
  if (pointer >= kernel.pointers.size()) {
    fault.report("definition", kernel.name, "there is no pointer {}", pointer);
    return;
  }
  const std::string &name = kernel.pointers[pointer];
  auto made =
      llvm::find_if(pointers, [&](const LetPointer *node) { return node->pointer == pointer; });
  if (made == pointers.end())
    fault.report("loop", kernel.name, "no pointer `{}` is there to be carried", name);
  else if (isParallel(loop.kind) || isVector(loop.kind))
    fault.report("loop", kernel.name, "a parallel loop carries pointer `{}`", name);
  else if (axis >= kernel.rank() ||
           constantDifference((*made)->index[axis], loop.begin).value_or(1) != 0)
    fault.report("loop", kernel.name, "pointer `{}` does not start where its loop does", name);
  else
    pointers.erase(made);
}

void BodyVerifier::visit(const For &node) {
  if ((isParallel(node.kind) || isVector(node.kind)) && kernel.target == Target::Device)
    fault.report("target", kernel.name, "a device kernel has no parallel loop");
  for (const CarriedPointer &carried : node.carries)
    checkCarried(node, carried);
  if (fault)
    return;
  const std::optional<int64_t> begin = indices.staticValue(node.begin);
  const std::optional<int64_t> end = indices.staticValue(node.end);
  if (node.kind == LoopKind::Unroll && begin && end && node.step > 0 && !kernel.patches.empty())
    return walkTurns(node, *begin, *end);
  DifferenceConstraints::Mark mark = indices.constraints.mark();
  const llvm::BitVector madeBefore = made, localsBefore = indices.made;
  llvm::SaveAndRestore shown(indices.isShown);
  loops.push_back(node.local);
  beginTurns(node);
  while (!fault) {
    VerifierFlow start = flow;
    made = madeBefore;
    indices.made = localsBefore;
    indices.defineLoop(node);
    if (fault)
      return;
    const unsigned diverges =
        indices.dependsOnThread(node.begin) || indices.dependsOnThread(node.end);
    const unsigned lanesDiverge =
        indices.dependsOnLane(node.begin) || indices.dependsOnLane(node.end);
    const unsigned partnerDiverges = dependsOnPartner(node.begin) || dependsOnPartner(node.end);
    divergence += diverges;
    laneDivergence += lanesDiverge;
    ownLoops += partnerDiverges;
    walk(node.body);
    divergence -= diverges;
    laneDivergence -= lanesDiverge;
    ownLoops -= partnerDiverges;
    indices.constraints.restore(mark);
    moveTurn(node);
    flow.meet(start);
    // What one turn stores, the next may read: its accesses are elsewhere.
    llvm::BitVector stored = std::exchange(flow.stored, start.stored);
    if (flow == start) {
      flow.stored = std::move(stored);
      break;
    }
    indices.isShown = true;
  }
  endTurns(node);
  loops.pop_back();
}

void BodyVerifier::walkTurns(const For &node, int64_t begin, int64_t end) {
  const DifferenceConstraints::Mark mark = indices.constraints.mark();
  const VerifierFlow start = flow;
  const llvm::BitVector madeBefore = made, localsBefore = indices.made;
  llvm::BitVector stored = flow.stored;
  loops.push_back(node.local);
  for (int64_t turn = begin; turn < end && !fault; turn += node.step) {
    made = madeBefore;
    indices.made = localsBefore;
    flow.stored = start.stored;
    indices.defineTurn(node, turn);
    if (!fault)
      walk(node.body);
    indices.constraints.restore(mark);
    stored |= flow.stored;
  }
  if (!fault)
    indices.endTurns(node);
  loops.pop_back();
  // What the turns make ends with them; queues and patches keep what they were given.
  flow.stored = std::move(stored);
  flow.registers = start.registers;
  flow.locals = start.locals;
}

// ---- values -----------------------------------------------------------------------------------

void BodyVerifier::check(const Value &value) {
  std::visit(llvm::makeVisitor(
                 [&](const ParamLeaf &) {
                   fault.report("uniform", kernel.name, "a param is read outside the uniforms");
                 },
                 [&](const UniformValue &node) { checkLeaf(*value, node); },
                 [&](const RegisterValue &node) { checkLeaf(*value, node); },
                 [&](const QueueSlotValue &node) { checkLeaf(*value, node); },
                 [&](const LoadGlobal &node) { checkLeaf(*value, node); },
                 [&](const LoadShared &node) { checkLeaf(*value, node); },
                 [&](const GuardedValue &node) { checkGuarded(node); },
                 [&](const PatchElement &node) { checkLeaf(*value, node); },
                 [&](const ShuffleValue &node) { checkShuffle(node); },
                 [&](const IndexValue &node) { indices.checkWide(node.index); },
                 [&](const auto &) {
                   forEachOperand(*value, [&](const Value &operand) { check(operand); });
                 }),
             value->node);
  if (fault)
    return;
  if (std::string seen = typeFault(*value); !seen.empty())
    fault.report("type", kernel.name, "{}", seen);
}

void BodyVerifier::checkType(llvm::StringRef name, ScalarType declared, ScalarType used) {
  if (declared != used)
    fault.report("type", kernel.name, "`{}` is {} and used as {}", name.str(),
                 spelling(declared).str(), spelling(used).str());
}

void BodyVerifier::checkLeaf(const ValueNode &value, const UniformValue &node) {
  if (node.argument >= kernel.uniforms.size()) {
    fault.report("definition", kernel.name, "there is no scalar argument {}", node.argument);
    return;
  }
  const Uniform &uniform = uniforms[kernel.uniforms[node.argument]];
  checkType(uniform.name, uniform.type, value.type);
}

void BodyVerifier::checkLeaf(const ValueNode &value, const RegisterValue &node) {
  if (node.reg >= kernel.registers.size()) {
    fault.report("definition", kernel.name, "there is no register {}", node.reg);
    return;
  }
  const Register &declared = kernel.registers[node.reg];
  if (!flow.registers[node.reg])
    fault.report("definition", kernel.name, "register `{}` has no value here", declared.name);
  checkType(declared.name, declared.type, value.type);
}

void BodyVerifier::checkLeaf(const ValueNode &value, const QueueSlotValue &node) {
  if (!slotExists(node.queue, node.slot))
    return;
  const Queue &queue = kernel.queues[node.queue];
  if (!flow.slots[node.queue][node.slot])
    fault.report("definition", kernel.name, "slot {} of queue `{}` has no value here", node.slot,
                 queue.name);
  checkType(queue.name, queue.type, value.type);
}

void BodyVerifier::checkLeaf(const ValueNode &value, const LoadGlobal &node) {
  if (!arrayExists(node.array))
    return;
  const ArrayArgument &array = kernel.arrays[node.array];
  if (array.access == Access::Write)
    fault.report("access", kernel.name, "`{}` is loaded but only written", array.name);
  checkType(array.name, array.type, value.type);
  indices.checkAccess(array, node.index);
  checkInPlace(node.array, node.index, /*isStore=*/false);
}

void BodyVerifier::checkLeaf(const ValueNode &value, const LoadShared &node) {
  if (!tileExists(node.tile))
    return;
  const SharedTile &tile = kernel.tiles[node.tile];
  checkType(tile.name, tile.type, value.type);
  indices.checkAccess(tile, node.index);
  checkArrived(node.tile, node.index);
}

void BodyVerifier::checkGuarded(const GuardedValue &node) {
  DifferenceConstraints::Mark mark = indices.constraints.mark();
  indices.enter(node.box);
  if (fault)
    return;
  const unsigned lanesDiverge = indices.dependsOnLane(node.box);
  laneDivergence += lanesDiverge;
  check(node.inside);
  indices.constraints.restore(mark);
  if (!fault)
    check(node.outside);
  laneDivergence -= lanesDiverge;
}

// ---- declarations -----------------------------------------------------------------------------

bool BodyVerifier::slotExists(unsigned queue, unsigned slot) {
  if (queue >= kernel.queues.size())
    fault.report("definition", kernel.name, "there is no queue {}", queue);
  else if (slot >= kernel.queues[queue].length())
    fault.report("queue", kernel.name, "queue `{}` of length {} has no slot {}",
                 kernel.queues[queue].name, kernel.queues[queue].length(), slot);
  return !fault;
}

bool BodyVerifier::tileExists(unsigned tile) {
  if (tile >= kernel.tiles.size())
    fault.report("definition", kernel.name, "there is no tile {}", tile);
  return !fault;
}

bool BodyVerifier::arrayExists(unsigned array) {
  if (array >= kernel.arrays.size())
    fault.report("definition", kernel.name, "there is no array {}", array);
  return !fault;
}

void BodyVerifier::checkInPlace(unsigned array, llvm::ArrayRef<Index> index, bool isStore,
                                unsigned lanes) {
  const ArrayArgument &argument = kernel.arrays[array];
  if (fault || argument.access != Access::ReadWrite || argument.isReadElsewhere)
    return;
  std::vector<Index> place;
  for (const Index &part : index)
    place.push_back(indices.inTurn(part));
  if (!inPlace[array])
    inPlace[array] = InPlaceAccess{place, loops};
  InPlaceAccess &known = *inPlace[array];
  // The turns of loops in two branches of an If are alike: no thread makes both.
  const auto isSameTurn = [&](const Index &part, const Index &first) {
    return llvm::any_of(llvm::zip(loops, known.loops), [&](const auto &depth) {
      const auto [own, other] = depth;
      return equal(part, coordinate(CoordinateKind::Local, own)) &&
             equal(first, coordinate(CoordinateKind::Local, other));
    });
  };
  std::vector<int64_t> distance;
  for (const auto &[part, first] : llvm::zip_equal(place, known.first))
    if (const std::optional<int64_t> along = constantDifference(part, first))
      distance.push_back(*along);
    else if (isSameTurn(part, first))
      distance.push_back(0);
  if (distance.size() != index.size())
    fault.report("access", kernel.name, "`{}` is read and written, at more than one index vector",
                 argument.name);
  for (unsigned lane = 0; lane < lanes && !fault; ++lane, ++distance.back())
    (isStore ? known.stored : known.loaded).insert(distance);
  for (unsigned loop : loops)
    if (llvm::none_of(index, [&](const Index &part) { return indices.dependsOn(part, loop); }))
      fault.report("access", kernel.name,
                   "`{}` is read and written, again in each turn of the loop over `{}`",
                   argument.name, kernel.locals[loop]);
  if (isStore)
    flow.stored.set(array);
  else if (flow.stored[array])
    fault.report("access", kernel.name, "`{}` is read after it is written", argument.name);
}

void BodyVerifier::verify() {
  walk(kernel.body);
  for (unsigned array = 0; array < inPlace.size() && !fault; ++array)
    if (inPlace[array])
      checkPieces(array);
}

void BodyVerifier::checkPieces(unsigned array) {
  const auto &[first, loops, loaded, stored] = *inPlace[array];
  const std::string &name = kernel.arrays[array].name;
  if (!std::ranges::includes(stored, loaded))
    fault.report("access", kernel.name, "`{}` is read and written, at more than one index vector",
                 name);
  for (unsigned axis = 0; axis < first.size() && !fault; ++axis) {
    int64_t least = 0, most = 0;
    for (const std::vector<int64_t> &distance : stored) {
      least = std::min(least, distance[axis]);
      most = std::max(most, distance[axis]);
    }
    // Two threads' pieces start whole pieces apart.
    const Index start = add(first[axis], least);
    const bool isApart =
        least == most ||
        llvm::any_of(llvm::seq<unsigned>(0, kernel.integers.size()), [&](unsigned i) {
          return indices.isMultipleFrom(coordinate(CoordinateKind::Argument, i), start,
                                        most - least + 1);
        });
    if (!isApart)
      fault.report("access", kernel.name, "pieces of `{}`, read and written, may overlap", name);
  }
}
