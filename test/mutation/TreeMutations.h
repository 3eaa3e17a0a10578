// Mutations of immutable trees: each is handed on as the whole changed tree.
#pragma once

#include "ir/kernel/Program.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc::mutation {

/// Where a tree stands: names for the text of a mutation, and what else could stand in a leaf.
struct Surroundings {
  const Program &program;
  const Kernel *kernel; ///< null: in a uniform of the program
};

/// Takes a changed tree, with the kind of mistake and a phrase that says what was changed.
template <class Tree>
using Take = llvm::function_ref<void(llvm::StringRef kind, const std::string &what, Tree changed)>;

/// Changes within an index; `shifts` adds those of the whole index by one.
void mutate(const Index &index, const Surroundings &around, bool shifts, Take<Index> take);
/// Changes of an index vector: each index, and two that change places.
void mutate(const std::vector<Index> &indices, const Surroundings &around,
            Take<std::vector<Index>> take);
/// Ranges and bounds dropped, bounds moved by one.
void mutate(const Box &box, const Surroundings &around, Take<Box> take);
void mutate(const Value &value, const Surroundings &around, Take<Value> take);

} // namespace stencilc::mutation
