// LiftOptions: the command line of stencilc-lift.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace stencilc::lift {

struct LiftOptions {
  bool wantsHelp = false, wantsVersion = false;
  bool check = false;                 ///< --check: run both and compare
  bool wantsWrapper = false;          ///< --emit=wrapper
  bool keep = false;                  ///< --keep: the wrapper keeps arrays between calls
  std::string input;                  ///< the C file
  std::string output = "-";           ///< -o
  std::vector<std::string> functions; ///< --function=
  std::string database;               ///< -p: folder of the compilation database
  std::vector<std::string> flags;     ///< behind --: for the compiler
};

llvm::Expected<LiftOptions> parseLiftOptions(llvm::ArrayRef<const char *> arguments);
void printLiftHelp(llvm::raw_ostream &out);

} // namespace stencilc::lift
