// Mutations: every small mistake that somebody could make in a lowering, made on purpose.
//
// A mutation changes one thing: a guard, a bound, an index, an operator, a launch, a promise. Each
// has a kind, which names the mistake, and a name, which says where it is.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc::mutation {

struct Mutation {
  llvm::StringRef kind; ///< "guard dropped", "index shifted", ...
  std::string name;     ///< "heat_baseline: x + 1 becomes x + 2 in the load of u for u_east"
  Program program;
};

/// Every single mutation of the program, in the order of its parts.
std::vector<Mutation> mutationsOf(const Program &program);

} // namespace stencilc::mutation
