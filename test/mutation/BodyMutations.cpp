#include "test/mutation/ProgramMutator.h"

using namespace stencilc;
using namespace stencilc::mutation;

// ---- trees in statements ----------------------------------------------------------------------

void ProgramMutator::mutateIndex(Index &place, bool shifts, const std::string &suffix) {
  mutate(place, Surroundings{program, kernel}, shifts,
         [&](llvm::StringRef kind, const std::string &what, Index changed) {
           change(kind, what + suffix, place, std::move(changed));
         });
}

void ProgramMutator::mutateIndices(std::vector<Index> &place, const std::string &suffix) {
  mutate(place, Surroundings{program, kernel},
         [&](llvm::StringRef kind, const std::string &what, std::vector<Index> changed) {
           change(kind, what + suffix, place, std::move(changed));
         });
}

void ProgramMutator::mutateValue(Value &place, const std::string &suffix) {
  mutate(place, Surroundings{program, kernel},
         [&](llvm::StringRef kind, const std::string &what, Value changed) {
           change(kind, what + suffix, place, std::move(changed));
         });
}

void ProgramMutator::mutateBox(Box &place, const std::string &suffix) {
  mutate(place, Surroundings{program, kernel},
         [&](llvm::StringRef kind, const std::string &what, Box changed) {
           change(kind, what + suffix, place, std::move(changed));
         });
}

void ProgramMutator::drop(llvm::StringRef kind, std::string what, Body &body, size_t position) {
  Body shorter = body;
  shorter.erase(shorter.begin() + position);
  change(kind, what + " is dropped", body, std::move(shorter));
}

void ProgramMutator::repeat(llvm::StringRef kind, std::string what, Body &body, size_t position) {
  Body longer = body;
  longer.insert(longer.begin() + position, body[position]);
  change(kind, what + " is made twice", body, std::move(longer));
}

// ---- statements -------------------------------------------------------------------------------

void ProgramMutator::walk(Body &body) {
  for (size_t position = 0; position < body.size(); ++position)
    std::visit([&](auto &node) { visit(node, body, position); }, body[position].node);
}

void ProgramMutator::visit(LetIndex &node, Body &, size_t) {
  mutateIndex(node.value, /*shifts=*/true, " for " + kernel->locals[node.local]);
}

void ProgramMutator::visit(LetPointer &node, Body &, size_t) {
  if (!node.isCarried)
    return; // a name alone: accesses are printed relative to whatever it stands for
  mutate(node.index, Surroundings{program, kernel},
         [&](llvm::StringRef, const std::string &what, std::vector<Index> changed) {
           change("wrong address",
                  what + " in the carried pointer " + kernel->pointers[node.pointer], node.index,
                  std::move(changed));
         });
}

void ProgramMutator::visit(Let &node, Body &, size_t) {
  mutateValue(node.value, " for " + kernel->registers[node.reg].name);
}

void ProgramMutator::visit(LetMutable &node, Body &, size_t) {
  mutateValue(node.value, " for " + kernel->registers[node.reg].name);
}

void ProgramMutator::visit(Assign &node, Body &body, size_t position) {
  const std::string &name = kernel->registers[node.reg].name;
  drop("assignment dropped", "the assignment of " + name, body, position);
  mutateValue(node.value, " for " + name);
}

void ProgramMutator::visit(AssignSlot &node, Body &body, size_t position) {
  const Queue &queue = kernel->queues[node.queue];
  const std::string slot = fmt::format("slot {} of {}", node.slot, queue.name);
  drop("assignment dropped", "the assignment of " + slot, body, position);
  for (unsigned other : {node.slot + 1, node.slot - 1})
    if (other < queue.length())
      change("wrong slot", fmt::format("the assignment of {} goes to {}", slot, other), node.slot,
             other);
  mutateValue(node.value, " for " + slot);
}

void ProgramMutator::visit(Rotate &node, Body &body, size_t position) {
  const std::string what = "the rotation of " + kernel->queues[node.queue].name;
  drop("rotation dropped", what, body, position);
  repeat("rotation repeated", what, body, position);
}

void ProgramMutator::visit(StoreGlobal &node, Body &body, size_t position) {
  const std::string &name = kernel->arrays[node.array].name;
  drop("store dropped", "the store to " + name, body, position);
  repeat("store repeated", "the store to " + name, body, position);
  mutateIndices(node.index, " in the store to " + name);
  mutateValue(node.value, " for " + name);
}

void ProgramMutator::visit(StoreShared &node, Body &body, size_t position) {
  const std::string &name = kernel->tiles[node.tile].name;
  drop("store dropped", "a store to " + name, body, position);
  mutateIndices(node.index, " in a store to " + name);
  mutateValue(node.value, " for " + name);
}

void ProgramMutator::visit(Barrier &, Body &body, size_t position) {
  drop("barrier dropped", "the barrier", body, position);
  if (position > 0) {
    Body moved = body;
    std::swap(moved[position - 1], moved[position]);
    change("barrier moved", "the barrier comes one statement early", body, std::move(moved));
  }
}

void ProgramMutator::visit(If &node, Body &body, size_t position) {
  Body flat = body;
  flat.erase(flat.begin() + position);
  flat.insert(flat.begin() + position, node.then.begin(), node.then.end());
  change("guard dropped", "the guard of a branch is dropped", body, std::move(flat));
  drop("branch dropped", "a branch", body, position);
  mutateBox(node.box, " in the guard of a branch");
  walk(node.then);
  walk(node.otherwise);
}

void ProgramMutator::visit(ReturnUnless &node, Body &body, size_t position) {
  drop("guard dropped", "the guard", body, position);
  mutateBox(node.box, " in the guard");
}

void ProgramMutator::visit(For &node, Body &, size_t) {
  const std::string &name = kernel->locals[node.local];
  mutateIndex(node.begin, /*shifts=*/true, " at the begin of the loop over " + name);
  mutateIndex(node.end, /*shifts=*/true, " at the end of the loop over " + name);
  change("wrong step", fmt::format("the loop over {} steps by {}", name, node.step + 1), node.step,
         node.step + 1);
  for (CarriedPointer &carried : node.carries)
    change("wrong address",
           fmt::format("{} is carried along another axis", kernel->pointers[carried.pointer]),
           carried.axis, (carried.axis + 1) % kernel->rank());
  walk(node.body);
}
