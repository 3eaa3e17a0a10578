// Check: runs the original function and its stencil on the same random data and compares them bit
// for bit.
#pragma once

#include "frontend/lift/Understood.h"

#include "llvm/Support/Error.h"

namespace stencilc::lift {

struct CheckOptions {
  std::string source;             ///< path of the C file
  std::vector<std::string> flags; ///< it is compiled with
  std::string stencilc;           ///< the program
};

/// Prints a line for each function to `out`. An error says what differs, or why nothing was run.
llvm::Error check(llvm::ArrayRef<Understood> functions, const CheckOptions &options,
                  llvm::raw_ostream &out);

} // namespace stencilc::lift
