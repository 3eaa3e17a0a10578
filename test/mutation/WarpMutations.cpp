// Mutations of what threads share work by: patches, vector accesses, asynchronous copies, roles.
#include "test/mutation/ProgramMutator.h"

using namespace stencilc;
using namespace stencilc::mutation;

void ProgramMutator::visit(AssignElement &node, Body &body, size_t position) {
  const std::string &name = kernel->patches[node.patch].name;
  drop("assignment dropped", "an assignment to " + name, body, position);
  mutateIndices(node.at, " in an assignment to " + name);
  mutateValue(node.value, " for " + name);
}

void ProgramMutator::visit(ShiftPatch &node, Body &body, size_t position) {
  const std::string what = "the shift of " + kernel->patches[node.patch].name;
  drop("rotation dropped", what, body, position);
  repeat("rotation repeated", what, body, position);
}

void ProgramMutator::mutateRow(PatchRow &row, const std::string &suffix) {
  mutateIndices(row.at, " in the row of " + kernel->patches[row.patch].name + suffix);
  change("wrong width", "half the lanes" + suffix, row.lanes, row.lanes / 2);
}

void ProgramMutator::visit(LoadVector &node, Body &body, size_t position) {
  const std::string where = " in a vector load of " + kernel->arrays[node.array].name;
  drop("load dropped", "a vector load of " + kernel->arrays[node.array].name, body, position);
  mutateIndices(node.index, where);
  mutateRow(node.row, where);
}

void ProgramMutator::visit(StoreVector &node, Body &body, size_t position) {
  const std::string &name = kernel->arrays[node.array].name;
  const std::string where = " in a vector store to " + name;
  drop("store dropped", "a vector store to " + name, body, position);
  repeat("store repeated", "a vector store to " + name, body, position);
  mutateIndices(node.index, where);
  mutateRow(node.row, where);
}

void ProgramMutator::visit(LoadSharedVector &node, Body &body, size_t position) {
  const std::string &name = kernel->tiles[node.tile].name;
  drop("load dropped", "a vector load of " + name, body, position);
  mutateIndices(node.index, " in a vector load of " + name);
  mutateRow(node.row, " in a vector load of " + name);
}

void ProgramMutator::visit(StoreSharedVector &node, Body &body, size_t position) {
  const std::string &name = kernel->tiles[node.tile].name;
  drop("store dropped", "a vector store to " + name, body, position);
  mutateIndices(node.index, " in a vector store to " + name);
  mutateRow(node.row, " in a vector store to " + name);
}

void ProgramMutator::visit(CopyAsync &node, Body &body, size_t position) {
  const std::string &name = kernel->tiles[node.tile].name;
  drop("copy dropped", "a copy to " + name, body, position);
  mutateIndices(node.to, " in where a copy goes in " + name);
  mutateIndices(node.from, " in where a copy comes from in " + kernel->arrays[node.array].name);
}

void ProgramMutator::visit(CommitCopies &, Body &body, size_t position) {
  drop("commit dropped", "a commit of copies", body, position);
}

void ProgramMutator::visit(WaitCopies &node, Body &body, size_t position) {
  drop("wait dropped", "a wait for copies", body, position);
  change("wrong wait", "one more batch may be pending", node.pending, node.pending + 1);
}

void ProgramMutator::visit(SendVector &node, Body &body, size_t position) {
  const std::string &name = kernel->tiles[node.tile].name;
  drop("sending dropped", "a sending to " + name, body, position);
  mutateIndices(node.from, " in what is sent of " + name);
  mutateIndices(node.to, " in where it is sent in " + name);
  mutateIndex(node.message, /*shifts=*/true, " in the number of a message");
}

void ProgramMutator::visit(AwaitMessage &node, Body &body, size_t position) {
  drop("wait dropped", "a wait for a message", body, position);
  mutateIndex(node.message, /*shifts=*/true, " in the number of a message awaited");
  change("wrong wait", "half a message is awaited", node.bytes, node.bytes / 2);
}

void ProgramMutator::visit(Roles &node, Body &body, size_t position) {
  for (size_t number = 0; number < node.roles.size(); ++number) {
    Roles fewer = node;
    fewer.roles.erase(fewer.roles.begin() + number);
    Body changed = body;
    changed[position] = {std::move(fewer)};
    change("role dropped", "the role " + node.roles[number].name + " is dropped", body,
           std::move(changed));
  }
  for (Role &role : node.roles) {
    change("wrong warps", role.name + " begins a warp late", role.firstWarp, role.firstWarp + 1);
    walk(role.body);
  }
}
