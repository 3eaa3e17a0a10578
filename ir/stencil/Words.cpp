#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace stencilc {

llvm::ArrayRef<llvm::StringRef> functionNames() {
  static const llvm::StringRef names[] = {"min", "max",     "abs",  "sqrt", "exp",   "log",
                                          "sin", "cos",     "tanh", "pow",  "floor", "where",
                                          "sum", "laplace", "diff", "diff2"};
  return names;
}

bool isReservedWord(llvm::StringRef text) {
  static const llvm::StringSet<> words = {
      "stencil", "field",    "const", "param",  "let",   "boundary", "init",
      "stage",   "f32",      "f64",   "real",   "fixed", "halo",     "clamp",
      "value",   "periodic", "temp",  "reduce", "step",  "size",     "mirror"};
  return words.contains(text) || llvm::is_contained(functionNames(), text);
}

} // namespace stencilc
